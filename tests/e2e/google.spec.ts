import type { Page } from '@playwright/test';
import { t } from '../support/texts.ts';
import { chooseInWindow, googler, whoIsHere } from './google.page.ts';
import { expect, test } from './journey.ts';
import { violations } from './violations.ts';

// The service worker prefetches pages; it must not interfere with the redirects to Google and back.
test.use({ serviceWorkers: 'allow' });

/** Waits until the service worker controls the page. */
async function waitForServiceWorker(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

test.describe('Google login by redirect', () => {
  test('a first Google login by redirect returns to the requested page and opens the onboarding @all', async ({
    page,
  }) => {
    const email = await googler();
    await page.goto('/en');
    await waitForServiceWorker(page);
    await page.goto('/api/auth/google?next=/en/discover');
    await page.getByRole('link', { name: email }).click();
    await expect(page).toHaveURL(/\/en\/discover/);
    expect(await whoIsHere(page)).toMatchObject({ is_authenticated: true, user: { email } });
    await expect(page.getByRole('dialog')).toBeVisible();
  });

  test('going back after a Google login does not reuse Google’s answer @all', async ({ page }) => {
    const email = await googler();
    await page.goto('/en');
    await waitForServiceWorker(page);
    const redirects: string[] = [];
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Network.enable');
    devtools.on('Network.responseReceivedExtraInfo', ({ headers }) => {
      const location = headers['location'] ?? headers['Location'];
      if (location?.startsWith('/en/discover') || location?.startsWith('/login')) redirects.push(location);
    });
    await page.goto('/api/auth/google?next=/en/discover');
    await page.getByRole('link', { name: email }).click();
    await expect(page).toHaveURL(/\/en\/discover/);
    expect(redirects.filter((location) => location.startsWith('/login'))).toEqual([]);
    await page.goBack();
    await page.goBack();
    expect(await whoIsHere(page)).toMatchObject({ user: { email } });
  });

  test('cancelling at Google leads to the login page, which offers other ways @all', async ({ page }) => {
    await page.goto('/en');
    await waitForServiceWorker(page);
    await page.goto('/api/auth/google?next=/account');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await expect(page).toHaveURL('/login?error=google_cancelled&next=%2Faccount');
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText(t('errors:google_cancelled'))).toBeVisible();
    expect(await whoIsHere(page)).toMatchObject({ is_authenticated: false });
  });
});

test('the privacy policy names the Google cookie, which lasts at most 10 minutes', async ({ page }) => {
  await page.goto('/privacy');
  const cookieEntry = page.getByRole('main').getByText(t('legal:privacy.browserStorage.google.title'));
  await expect(cookieEntry).toBeVisible();
  const text = t('legal:privacy.browserStorage.google.text', { minutes: 10 });
  await expect(page.getByRole('main')).toContainText(text);
  await page.request.get('/api/auth/google', { maxRedirects: 0 });
  const cookie = (await page.context().cookies()).find(({ name }) => name === 'google');
  const secondsLeft = (cookie?.expires ?? 0) - Date.now() / 1000;
  expect(secondsLeft).toBeGreaterThan(0);
  expect(secondsLeft).toBeLessThanOrEqual(10 * 60);
});

test.describe('Google login in a window', () => {
  test('a login in Google’s window stays on the page and opens the onboarding only the first time', async ({
    page,
  }) => {
    const email = await googler();
    await page.goto('/en/discover?sort=new#main');
    const button = page
      .getByRole('complementary')
      .getByRole('button', { name: t('signin:continueWithGoogle') });
    const dialog = page.getByRole('dialog');
    const popupOpened = page.waitForEvent('popup');
    await button.click();
    const popup = await popupOpened;
    await expect(dialog.getByRole('button', { name: t('signin:waitingForGoogle') })).toBeVisible();
    expect(await violations(page)).toEqual([]);
    expect(new URL(popup.url()).searchParams.get('scope')).toBe('email profile');
    const callbackRequest = page.waitForRequest('**/api/auth/google/callback');
    await popup.getByRole('link', { name: email }).click();
    expect((await callbackRequest).postDataJSON()).toEqual({
      token: expect.any(String),
      userInfo: expect.objectContaining({ email }),
    });
    await dialog.getByRole('button', { name: t('onboarding:skip') }).click();
    await expect(page.getByText(email)).toBeVisible();
    await expect(dialog).toBeHidden();
    await expect(page).toHaveURL('/en/discover?sort=new#main');

    await page.getByRole('button', { name: t('shell:profile.logOut') }).click();
    await expect(page).toHaveURL(/\/en$/);
    // The bar shows the button only on pages that have no login of their own and may show one.
    const barButton = page.getByRole('banner').getByRole('button', { name: t('signin:continueWithGoogle') });
    for (const path of ['/en', '/en/discover', '/feedback']) {
      await page.goto(path);
      await expect(button).toBeVisible();
      await expect(barButton).toHaveCount(0);
    }
    await page.goto('/settings');
    await chooseInWindow(page, barButton, email);
    await expect(page.getByText(email)).toBeVisible();
    await expect(barButton).toBeHidden();
    await expect(dialog).toHaveCount(0);
    await expect(page).toHaveURL('/settings');
  });

  test('the Google login explains a cancelled or refused attempt, and redirects when pop-ups are blocked @all', async ({
    page,
  }) => {
    const unverified = await googler({ user: { email_verified: false } });
    const foreign = await googler({ info: { aud: 'another-client', azp: 'another-client' } });
    const email = await googler();
    await page.goto('/feedback?from=menu#end');
    await page.getByRole('button', { name: t('shell:loggedOut.otherWays') }).click();
    const dialog = page.getByRole('dialog');
    const button = dialog.getByRole('button', { name: t('signin:continueWithGoogle') });
    await expect(button).toBeFocused();
    expect(await violations(page)).toEqual([]);

    await chooseInWindow(page, button, 'Cancel');
    const cancelledStatus = dialog.getByRole('status').getByText(t('errors:google_cancelled'));
    await expect(cancelledStatus).toBeVisible();
    await chooseInWindow(page, button, unverified);
    await expect(dialog.getByRole('alert')).toContainText(t('errors:email_unverified'));
    expect(await violations(page)).toEqual([]);
    await chooseInWindow(page, button, foreign);
    await expect(dialog.getByRole('alert')).toContainText(t('errors:invalid_google_token'));
    const popupOpened = page.waitForEvent('popup');
    await button.click();
    // A user can only close a window that has loaded.
    const popup = await popupOpened;
    await expect(popup.getByRole('link', { name: 'Cancel' })).toBeVisible();
    await popup.close();
    await expect(cancelledStatus).toBeVisible();
    expect(await whoIsHere(page)).toMatchObject({ is_authenticated: false });

    // Without a pop-up the login redirects to Google and returns to the exact address.
    await page.evaluate(() => {
      window.open = () => null;
    });
    await button.click();
    await page.getByRole('link', { name: email }).click();
    await expect(page).toHaveURL('/feedback?from=menu&onboarding=display#end');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('onboarding:skip') })
      .click();
    await expect(page).toHaveURL('/feedback?from=menu#end');
    expect(await whoIsHere(page)).toMatchObject({ user: { email } });
  });
});
