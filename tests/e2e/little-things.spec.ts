import type { Page, Request } from '@playwright/test';
import { t } from '../support/texts.ts';
import { awake, expect, SOMEBODY, test } from './journey.ts';
import { violations } from './violations.ts';

const ANDROID =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36';

const getBanner = (page: Page) => page.getByRole('complementary', { name: t('device:banner.label') });

/** Returns the positions of the main parts of a page. */
const readPositions = (page: Page) =>
  page.evaluate(() =>
    ['header', 'h1', 'main', 'footer'].map((part) => {
      const { x, y, width, height } = document.querySelector(part)?.getBoundingClientRect() ?? new DOMRect();
      return { part, x, y, width, height };
    }),
  );

test.describe('Android install banner', () => {
  test.use({ userAgent: ANDROID, viewport: { width: 393, height: 851 }, isMobile: true, hasTouch: true });

  test('the Android install banner shifts nothing and stays away once dismissed', async ({ page }) => {
    await page.goto('/en');
    await expect(getBanner(page)).toBeVisible();
    await page.evaluate(() => document.fonts.ready);
    const positionsWithBanner = await readPositions(page);
    expect(await violations(page)).toEqual([]);
    for (const name of [t('device:banner.add'), t('device:banner.dismiss')]) {
      const box = await getBanner(page).getByRole('button', { name }).boundingBox();
      expect(box?.height).toBeGreaterThanOrEqual(44);
    }
    await getBanner(page)
      .getByRole('button', { name: t('device:banner.dismiss') })
      .click();
    await expect(getBanner(page)).toBeHidden();
    expect(await readPositions(page)).toEqual(positionsWithBanner);
    await page.goto('/en/discover');
    await awake(page);
    await expect(page.getByRole('searchbox').first()).toBeVisible();
    await expect(getBanner(page)).toBeHidden();
  });

  test('the Android install banner does not cover the page’s footer @all', async ({ page }) => {
    await page.goto('/en/blog');
    await expect(getBanner(page)).toBeVisible();
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    const footer = await page.getByRole('contentinfo').boundingBox();
    const bannerBox = await getBanner(page).boundingBox();
    expect((footer?.y ?? 0) + (footer?.height ?? 0)).toBeLessThanOrEqual(bannerBox?.y ?? 0);
  });

  test('the Android install banner explains the browser’s menu when the browser offers no prompt @all', async ({
    page,
  }) => {
    await page.goto('/en');
    await getBanner(page)
      .getByRole('button', { name: t('device:banner.add') })
      .click();
    await expect(getBanner(page)).toContainText(t('device:banner.how'));
    await expect(getBanner(page).getByRole('button')).toHaveCount(1);
  });

  test('the Android install banner opens the browser’s prompt and disappears once it is accepted @all', async ({
    page,
  }) => {
    await page.goto('/en');
    await expect(getBanner(page)).toBeVisible();
    await page.evaluate(() => {
      const offer = new Event('beforeinstallprompt', { cancelable: true });
      Object.assign(offer, {
        prompt: () => Promise.resolve(void (document.title = 'asked')),
        userChoice: Promise.resolve({ outcome: 'accepted' }),
      });
      window.dispatchEvent(offer);
    });
    await getBanner(page)
      .getByRole('button', { name: t('device:banner.add') })
      .click();
    await expect(getBanner(page)).toBeHidden();
    await expect(page).toHaveTitle('asked');
    await page.reload();
    await awake(page);
    await expect(getBanner(page)).toBeHidden();
  });

  test('the Android install banner never appears on a chat @all', async ({ page }) => {
    await page.request.post('/api/auth/anonymous');
    const { items } = (await (await page.request.get(SOMEBODY)).json()) as {
      items: { id: string }[];
    };
    await page.goto(`/character/${items[0]?.id}`);
    await awake(page);
    await expect(
      page.getByRole('textbox', { name: new RegExp(t('chat:composerLabel', { name: '.+' })) }),
    ).toBeVisible();
    await expect(page.locator('[data-android-banner]')).toHaveCount(0);
  });
});

test('the Android install banner is hidden on other devices @all', async ({ page }) => {
  await page.goto('/en');
  await awake(page);
  await expect(page.locator('[data-android-banner]')).toHaveCount(1);
  await expect(getBanner(page)).toBeHidden();
});

/** Collects the page views that a page sends from now on. */
function collectPageViews(
  page: Page,
): { path: string; language: string; referrer?: string; viewport?: string }[] {
  const views: ReturnType<typeof collectPageViews> = [];
  page.on('request', (request: Request) => {
    if (new URL(request.url()).pathname === '/api/page-views') views.push(request.postDataJSON());
  });
  return views;
}

test('each page view is counted once, without query and without cookies', async ({ page, baseURL }) => {
  await page.request.post('/api/auth/anonymous');
  const views = collectPageViews(page);
  const first = page.waitForResponse(/page-views$/);
  await page.goto('/en/discover?q=secret');
  const answer = await first;
  expect(answer.status()).toBe(204);
  expect((await answer.request().allHeaders())['cookie']).toBeUndefined();
  const second = page.waitForResponse(/page-views$/);
  await page.locator('a[href*="/character-info/"]').first().click();
  await second;
  await page.waitForLoadState('networkidle');
  expect(views).toEqual([
    { path: '/en/discover', language: 'en', viewport: 'desk' },
    {
      path: expect.stringMatching(/^\/en\/character-info\/[^?]+$/),
      language: 'en',
      viewport: 'desk',
      referrer: baseURL,
    },
  ]);
});

for (const [signal, property] of [
  ['Do Not Track', 'doNotTrack'],
  ['Global Privacy Control', 'globalPrivacyControl'],
] as const) {
  test(`no page view is sent when the browser sends ${signal} @all`, async ({ page }) => {
    await page.addInitScript((property) => {
      const value = property === 'doNotTrack' ? '1' : true;
      Object.defineProperty(Navigator.prototype, property, { get: () => value, configurable: true });
    }, property);
    const views = collectPageViews(page);
    await page.goto('/en', { waitUntil: 'networkidle' });
    await awake(page);
    expect(views).toEqual([]);
  });
}
