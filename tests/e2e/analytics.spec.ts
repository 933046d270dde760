import type { Page } from '@playwright/test';
import { t } from '../support/texts.ts';
import { awake, expect, test } from './journey.ts';
import { ownSite } from './own-site.ts';

const ID = 'G-TEST12345';

/** A site whose operator turned Google Analytics on. */
const site = ownSite(() => ({ GA_MEASUREMENT_ID: ID }));

/** Mocks Google: its script sends one request of each kind that the content security policy must allow. */
async function mockGoogle(page: Page): Promise<string[]> {
  const requests: string[] = [];
  await page.route(/https:\/\/[^/]*google/, (route) => {
    const url = route.request().url();
    requests.push(url);
    const cors = { 'access-control-allow-origin': '*' };
    if (!url.includes('/gtag/js')) return route.fulfill({ status: 204, headers: cors });
    return route.fulfill({
      contentType: 'text/javascript',
      headers: cors,
      body: `document.documentElement.dataset.calls = JSON.stringify(window.dataLayer.map((call) => [...call]));
        fetch('https://region1.google-analytics.com/g/collect', { method: 'POST', mode: 'no-cors' });`,
    });
  });
  return requests;
}

test('a page loads Google Analytics if the operator enabled it, and sends it no query of the address', async ({
  page,
}) => {
  const requests = await mockGoogle(page);
  await page.goto(`${site.url}/en/discover?q=secret`);
  await expect.poll(() => requests.length).toBe(2);
  expect(requests[0]).toBe(`https://www.googletagmanager.com/gtag/js?id=${ID}`);
  const calls = JSON.parse((await page.locator('html').getAttribute('data-calls')) ?? '[]') as unknown[][];
  expect(calls.find(([what]) => what === 'consent')?.[2]).toMatchObject({
    analytics_storage: 'denied',
    ad_storage: 'denied',
    ad_user_data: 'denied',
    ad_personalization: 'denied',
  });
  expect(calls.find(([what]) => what === 'config')).toEqual([
    'config',
    ID,
    expect.objectContaining({
      send_page_view: true,
      anonymize_ip: true,
      allow_google_signals: false,
      allow_ad_personalization_signals: false,
      page_location: `${site.url}/en/discover`,
    }),
  ]);
  expect(JSON.stringify(calls)).not.toContain('secret');
  // The product itself still runs under the widened policy.
  await awake(page);
  await expect(page.getByRole('searchbox').first()).toBeVisible();
});

test('Google Analytics is not loaded when the browser sends Do Not Track @all', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'doNotTrack', { get: () => '1', configurable: true });
  });
  const requests = await mockGoogle(page);
  await page.goto(`${site.url}/en`, { waitUntil: 'networkidle' });
  await awake(page);
  expect(requests).toEqual([]);
});

test('a site without a measurement id names Google neither in its pages nor in its policy', async ({
  page,
}) => {
  const answer = await page.goto('/en');
  expect(await answer?.text()).not.toMatch(/google-?analytics|googletagmanager/);
  const policy = (await answer?.headerValue('content-security-policy')) ?? '';
  expect(policy).toContain("script-src 'self'");
  expect(policy).not.toContain('google');
});

test('a site without a Google client id offers no Google login and allows none in its policy @all', async ({
  page,
}) => {
  await mockGoogle(page);
  const answer = await page.goto(`${site.url}/about`);
  const policy = (await answer?.headerValue('content-security-policy')) ?? '';
  expect(policy).not.toMatch(/gsi|accounts\.google|frame-src|userinfo/);
  await page.goto(`${site.url}/settings`);
  await expect(page.getByRole('button', { name: /Google/ })).toHaveCount(0);
  await page
    .getByRole('button', { name: t('shell:loggedOut.logIn') })
    .last()
    .click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: t('signin:continueWithEmail') })).toBeFocused();
  await expect(dialog.getByRole('button', { name: /Google/ })).toHaveCount(0);
  expect((await page.request.get(`${site.url}/api/auth/google`)).status()).toBe(404);
  await page.goto(`${site.url}/privacy`);
  const cookies = page.getByRole('term').filter({ hasText: 'cookie' });
  await expect(cookies).toHaveText([
    t('legal:privacy.browserStorage.login.title'),
    t('legal:privacy.browserStorage.passkey.title'),
    t('legal:privacy.browserStorage.knownBrowser.title'),
    t('legal:privacy.browserStorage.guest.title'),
    t('legal:privacy.browserStorage.suspension.title'),
    t('legal:privacy.browserStorage.language.title'),
  ]);
});
