import type { Page, Request } from '@playwright/test';
import { awake, expect, SOMEBODY, test } from './journey.ts';
import { violations } from './violations.ts';

const ANDROID =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36';

const banner = (page: Page) => page.getByRole('complementary', { name: 'Keep Loreloom on this device' });

/** Where the parts of a page stand. */
const places = (page: Page) =>
  page.evaluate(() =>
    ['header', 'h1', 'main', 'footer'].map((part) => {
      const { x, y, width, height } = document.querySelector(part)?.getBoundingClientRect() ?? new DOMRect();
      return { part, x, y, width, height };
    }),
  );

test.describe('On Android', () => {
  test.use({ userAgent: ANDROID, viewport: { width: 393, height: 851 }, isMobile: true, hasTouch: true });

  test('a banner offers the home screen, nothing moves for it, and once sent away it stays away', async ({
    page,
  }) => {
    await page.goto('/en');
    await expect(banner(page)).toBeVisible();
    await page.evaluate(() => document.fonts.ready);
    const placesWithBanner = await places(page);
    expect(await violations(page)).toEqual([]);
    for (const name of ['Add to home screen', 'Not now']) {
      const box = await banner(page).getByRole('button', { name }).boundingBox();
      expect(box?.height).toBeGreaterThanOrEqual(44);
    }
    await banner(page).getByRole('button', { name: 'Not now' }).click();
    await expect(banner(page)).toBeHidden();
    expect(await places(page)).toEqual(placesWithBanner);
    await page.goto('/en/discover');
    await awake(page);
    await expect(page.getByRole('searchbox').first()).toBeVisible();
    await expect(banner(page)).toBeHidden();
  });

  test('it leaves the end of a page in reach', async ({ page }) => {
    await page.goto('/en/blog');
    await expect(banner(page)).toBeVisible();
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    const foot = await page.getByRole('contentinfo').boundingBox();
    const lid = await banner(page).boundingBox();
    expect((foot?.y ?? 0) + (foot?.height ?? 0)).toBeLessThanOrEqual(lid?.y ?? 0);
  });

  test('it says where the menu has it when the browser offers no installing', async ({ page }) => {
    await page.goto('/en');
    await banner(page).getByRole('button', { name: 'Add to home screen' }).click();
    await expect(banner(page)).toContainText("Open your browser's menu");
    await expect(banner(page).getByRole('button')).toHaveCount(1);
  });

  test('it installs by the browser’s own offer, and is gone when that is accepted', async ({ page }) => {
    await page.goto('/en');
    await expect(banner(page)).toBeVisible();
    await page.evaluate(() => {
      const offer = new Event('beforeinstallprompt', { cancelable: true });
      Object.assign(offer, {
        prompt: () => Promise.resolve(void (document.title = 'asked')),
        userChoice: Promise.resolve({ outcome: 'accepted' }),
      });
      window.dispatchEvent(offer);
    });
    await banner(page).getByRole('button', { name: 'Add to home screen' }).click();
    await expect(banner(page)).toBeHidden();
    await expect(page).toHaveTitle('asked');
    await page.reload();
    await awake(page);
    await expect(banner(page)).toBeHidden();
  });

  test('it is never over the composer of a chat', async ({ page }) => {
    await page.request.post('/api/auth/anonymous');
    const { items } = (await (await page.request.get(SOMEBODY)).json()) as {
      items: { id: string }[];
    };
    await page.goto(`/character/${items[0]?.id}`);
    await awake(page);
    await expect(page.getByRole('textbox', { name: /^Message to/ })).toBeVisible();
    await expect(page.locator('[data-android-banner]')).toHaveCount(0);
  });
});

test('a banner for Android is nowhere else', async ({ page }) => {
  await page.goto('/en');
  await awake(page);
  await expect(page.locator('[data-android-banner]')).toHaveCount(1);
  await expect(banner(page)).toBeHidden();
});

/** The page views that a page sends from now on. */
function viewsOf(page: Page): { path: string; language: string; referrer?: string; viewport?: string }[] {
  const views: ReturnType<typeof viewsOf> = [];
  page.on('request', (request: Request) => {
    if (new URL(request.url()).pathname === '/api/page-views') views.push(request.postDataJSON());
  });
  return views;
}

test('each page that I look at is counted once, with no query and no name of mine', async ({
  page,
  baseURL,
}) => {
  await page.request.post('/api/auth/anonymous');
  const views = viewsOf(page);
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

for (const [what, wish] of [
  ['Do Not Track', 'doNotTrack'],
  ['Global Privacy Control', 'globalPrivacyControl'],
] as const) {
  test(`nothing is sent when my browser says ${what}`, async ({ page }) => {
    await page.addInitScript((wish) => {
      const value = wish === 'doNotTrack' ? '1' : true;
      Object.defineProperty(Navigator.prototype, wish, { get: () => value, configurable: true });
    }, wish);
    const views = viewsOf(page);
    await page.goto('/en', { waitUntil: 'networkidle' });
    await awake(page);
    expect(views).toEqual([]);
  });
}
