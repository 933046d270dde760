import type { Page } from '@playwright/test';
import { chooseInWindow, googler, whoIsHere } from './google-hands.ts';
import { expect, test } from './journey.ts';
import { violations } from './violations.ts';

// A service worker asks for pages ahead, and is not to come between on the way to Google and back.
test.use({ serviceWorkers: 'allow' });

/** The service worker, which asks for pages ahead, stands between this page and the network. */
async function kept(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

test.describe('On Google’s own page', () => {
  test('I choose who I am and come back signed in where I was, welcomed the first time', async ({ page }) => {
    const email = await googler();
    await page.goto('/en');
    await kept(page);
    await page.goto('/api/auth/google?next=/en/discover');
    await page.getByRole('link', { name: email }).click();
    await expect(page).toHaveURL(/\/en\/discover/);
    expect(await whoIsHere(page)).toMatchObject({ is_authenticated: true, user: { email } });
    await expect(page.getByRole('dialog')).toBeVisible();
  });

  test('I am asked for once: Google’s answer opens no door a second time', async ({ page }) => {
    const email = await googler();
    await page.goto('/en');
    await kept(page);
    const asked: string[] = [];
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Network.enable');
    devtools.on('Network.responseReceivedExtraInfo', ({ headers }) => {
      const place = headers['location'] ?? headers['Location'];
      if (place?.startsWith('/en/discover') || place?.startsWith('/login')) asked.push(place);
    });
    await page.goto('/api/auth/google?next=/en/discover');
    await page.getByRole('link', { name: email }).click();
    await expect(page).toHaveURL(/\/en\/discover/);
    expect(asked.filter((place) => place.startsWith('/login'))).toEqual([]);
    await page.goBack();
    await page.goBack();
    expect(await whoIsHere(page)).toMatchObject({ user: { email } });
  });

  test('I turn back, and am where I can log in another way', async ({ page }) => {
    await page.goto('/en');
    await kept(page);
    await page.goto('/api/auth/google?next=/account');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await expect(page).toHaveURL('/login?error=google_cancelled&next=%2Faccount');
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText('You came back from Google without logging in.')).toBeVisible();
    expect(await whoIsHere(page)).toMatchObject({ is_authenticated: false });
  });
});

test('where Google’s page can be gone to, what it leaves in my browser is told', async ({ page }) => {
  await page.goto('/privacy');
  const told = page.getByRole('main').getByText('A cookie for logging in with Google');
  await expect(told).toBeVisible();
  await expect(page.getByRole('main')).toContainText('lasts 10 minutes at most');
  await page.request.get('/api/auth/google', { maxRedirects: 0 });
  const kept = (await page.context().cookies()).find(({ name }) => name === 'google');
  const secondsLeft = (kept?.expires ?? 0) - Date.now() / 1000;
  expect(secondsLeft).toBeGreaterThan(0);
  expect(secondsLeft).toBeLessThanOrEqual(10 * 60);
});

test.describe('With the Google button', () => {
  test('I choose who I am in Google’s window and go on where I am, welcomed the first time only', async ({
    page,
  }) => {
    const email = await googler();
    await page.goto('/en/discover?sort=new#main');
    const button = page.getByRole('complementary').getByRole('button', { name: 'Continue with Google' });
    const dialog = page.getByRole('dialog');
    const opening = page.waitForEvent('popup');
    await button.click();
    const popup = await opening;
    await expect(dialog.getByRole('button', { name: 'Waiting for Google…' })).toBeVisible();
    expect(await violations(page)).toEqual([]);
    expect(new URL(popup.url()).searchParams.get('scope')).toBe('email profile');
    const posted = page.waitForRequest('**/api/auth/google/callback');
    await popup.getByRole('link', { name: email }).click();
    expect((await posted).postDataJSON()).toEqual({
      token: expect.any(String),
      userInfo: expect.objectContaining({ email }),
    });
    await dialog.getByRole('button', { name: 'Skip for now' }).click();
    await expect(page.getByText(email)).toBeVisible();
    await expect(dialog).toBeHidden();
    await expect(page).toHaveURL('/en/discover?sort=new#main');

    await page.getByRole('button', { name: 'Log out' }).click();
    await expect(page).toHaveURL(/\/en$/);
    // The bar offers it as well, but not where a page has its own way in, or none is to stand in the way.
    const inBar = page.getByRole('banner').getByRole('button', { name: 'Continue with Google' });
    for (const path of ['/en', '/en/discover', '/feedback']) {
      await page.goto(path);
      await expect(button).toBeVisible();
      await expect(inBar).toHaveCount(0);
    }
    await page.goto('/settings');
    await chooseInWindow(page, inBar, email);
    await expect(page.getByText(email)).toBeVisible();
    await expect(inBar).toBeHidden();
    await expect(dialog).toHaveCount(0);
    await expect(page).toHaveURL('/settings');
  });

  test('I may turn back, be refused, or have pop-ups blocked, and am told or led on each time', async ({
    page,
  }) => {
    const unverified = await googler({ user: { email_verified: false } });
    const foreign = await googler({ info: { aud: 'another-client', azp: 'another-client' } });
    const email = await googler();
    await page.goto('/feedback?from=menu#end');
    await page.getByRole('button', { name: 'Log in another way' }).click();
    const dialog = page.getByRole('dialog');
    const button = dialog.getByRole('button', { name: 'Continue with Google' });
    await expect(button).toBeFocused();
    expect(await violations(page)).toEqual([]);

    await chooseInWindow(page, button, 'Cancel');
    const back = dialog.getByRole('status').getByText('You came back from Google without logging in.');
    await expect(back).toBeVisible();
    await chooseInWindow(page, button, unverified);
    await expect(dialog.getByRole('alert')).toContainText('Google has not verified the e-mail address');
    expect(await violations(page)).toEqual([]);
    await chooseInWindow(page, button, foreign);
    await expect(dialog.getByRole('alert')).toContainText('Google could not confirm who you are.');
    const opening = page.waitForEvent('popup');
    await button.click();
    // Somebody closes a window that they see.
    const popup = await opening;
    await expect(popup.getByRole('link', { name: 'Cancel' })).toBeVisible();
    await popup.close();
    await expect(back).toBeVisible();
    expect(await whoIsHere(page)).toMatchObject({ is_authenticated: false });

    // Without a window it goes by Google's own page, and back to the very place.
    await page.evaluate(() => {
      window.open = () => null;
    });
    await button.click();
    await page.getByRole('link', { name: email }).click();
    await expect(page).toHaveURL('/feedback?from=menu&onboarding=display#end');
    await page.getByRole('dialog').getByRole('button', { name: 'Skip for now' }).click();
    await expect(page).toHaveURL('/feedback?from=menu#end');
    expect(await whoIsHere(page)).toMatchObject({ user: { email } });
  });
});
