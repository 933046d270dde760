import type { Page } from '@playwright/test';
import { expect, lossyTest as test } from './journey.ts';

const NO_NETWORK = 'Network error. Please check your connection.';
const isAsking = (page: Page) => page.evaluate(() => 'asking' in document.documentElement.dataset);

for (const [what, files] of [
  ['dialog', '**/_astro/SignIn*'],
  ['dictionary', '**/_astro/signin*'],
] as const) {
  test(`when the sign-in's ${what} cannot be fetched I am told, and the next click tries again`, async ({
    page,
  }) => {
    await page.goto('/en');
    await page.route(files, (route) => route.abort());
    const opener = page.getByRole('button', { name: 'Log in' }).first();
    await opener.click();
    await expect(page.getByText(NO_NETWORK)).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    expect(await isAsking(page)).toBe(false);

    await page.unroute(files);
    await opener.click();
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Close' })).toBeVisible();
    expect(await isAsking(page)).toBe(false);
  });

  test(`the page shows while the sign-in's ${what} is fetched`, async ({ page }) => {
    await page.goto('/en');
    let letThrough = () => {};
    const held = new Promise<void>((resolve) => {
      letThrough = resolve;
    });
    await page.route(files, async (route) => {
      await held;
      await route.continue();
    });
    const reached = page.waitForRequest(files);
    await page.getByRole('button', { name: 'Log in' }).first().click();
    await reached;
    await expect.poll(() => isAsking(page)).toBe(true);
    letThrough();
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Close' })).toBeVisible();
    await expect.poll(() => isAsking(page)).toBe(false);
  });
}

for (const [what, files] of [
  ['dialog', '**/_astro/Onboarding*'],
  ['dictionary', '**/_astro/onboarding*'],
] as const) {
  test(`when the onboarding's ${what} cannot be fetched nothing is skipped for me, and the next time it asks, my invite code filled in`, async ({
    page,
  }) => {
    await page.goto('/en?invite=frommira');
    await page.request.post('/api/auth/test-login', { data: { person: 'newcomer' } });
    await page.route(files, (route) => route.abort());
    const told = page.getByText(NO_NETWORK);
    await page.goto('/en/discover?onboarding=display');
    await expect(told).toBeVisible();
    const { user } = await (await page.request.get('/api/auth/status')).json();
    expect(user).toMatchObject({ onboarding_completed: false });
    await page.unroute(files);
    await page.reload();
    const dialog = page.getByRole('dialog', { name: 'Before you begin' });
    await expect(dialog.getByRole('textbox', { name: 'Invite code (optional)' })).toHaveValue('frommira');
  });
}
