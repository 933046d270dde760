import type { Page } from '@playwright/test';
import { t } from '../support/texts.ts';
import { expect, lossyTest as test } from './journey.ts';

const NO_NETWORK = 'Network error. Please check your connection.';
const isAsking = (page: Page) => page.evaluate(() => 'asking' in document.documentElement.dataset);

for (const [what, files] of [
  ['dialog', '**/_astro/SignIn*'],
  ['dictionary', '**/_astro/signin*'],
] as const) {
  test(`a login ${what} that fails to load shows an error, and the next click retries`, async ({ page }) => {
    await page.goto('/en');
    await page.route(files, (route) => route.abort());
    const opener = page.getByRole('button', { name: t('shell:loggedOut.logIn') }).first();
    await opener.click();
    await expect(page.getByText(NO_NETWORK)).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    expect(await isAsking(page)).toBe(false);

    await page.unroute(files);
    await opener.click();
    await expect(page.getByRole('dialog').getByRole('button', { name: t('signin:close') })).toBeVisible();
    expect(await isAsking(page)).toBe(false);
  });

  test(`the page shows a loading state while the login ${what} is fetched @all`, async ({ page }) => {
    await page.goto('/en');
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(files, async (route) => {
      await released;
      await route.continue();
    });
    const reached = page.waitForRequest(files);
    await page
      .getByRole('button', { name: t('shell:loggedOut.logIn') })
      .first()
      .click();
    await reached;
    await expect.poll(() => isAsking(page)).toBe(true);
    release();
    await expect(page.getByRole('dialog').getByRole('button', { name: t('signin:close') })).toBeVisible();
    await expect.poll(() => isAsking(page)).toBe(false);
  });
}

for (const [what, files] of [
  ['dialog', '**/_astro/Onboarding*'],
  ['dictionary', '**/_astro/onboarding*'],
] as const) {
  test(`an onboarding ${what} that fails to load skips nothing, and a reload asks with the invite code @all`, async ({
    page,
  }) => {
    await page.goto('/en?invite=frommira');
    await page.request.post('/api/auth/test-login', { data: { person: 'newcomer' } });
    await page.route(files, (route) => route.abort());
    const notice = page.getByText(NO_NETWORK);
    await page.goto('/en/discover?onboarding=display');
    await expect(notice).toBeVisible();
    const { user } = await (await page.request.get('/api/auth/status')).json();
    expect(user).toMatchObject({ onboarding_completed: false });
    await page.unroute(files);
    await page.reload();
    const dialog = page.getByRole('dialog', { name: t('onboarding:title') });
    await expect(dialog.getByRole('textbox', { name: t('onboarding:inviteLabel') })).toHaveValue('frommira');
  });
}
