import { readTexts, t } from '../support/texts.ts';
import { awake, catalogue, expect, test } from './journey.ts';
import { violations } from './violations.ts';

const PAGES = [
  '/en',
  '/en/discover',
  '/en/tag/fantasy',
  '/en/favourites',
  '/en/discover?q=nobody+has+this+name',
  '/login',
  '/privacy',
  '/terms',
  '/about',
  '/en/blog',
  '/en/blog/no-reply-is-lost',
  '/en/safety',
  '/en/status',
];

for (const path of PAGES) {
  test(`${path} is accessible on a phone, and fits on a phone and on a desk`, async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    const answer = await page.goto(path);
    const isShared = /^\/en(?!.*[?]q=|\/favourites)/.test(path);
    expect(answer?.headers()['cache-control']).toBe(isShared ? 'public, max-age=0' : 'private, no-store');
    await awake(page);
    expect(await violations(page)).toEqual([]);
    const measureOverflow = () =>
      page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(await measureOverflow()).toBeLessThanOrEqual(0);
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(await measureOverflow()).toBeLessThanOrEqual(0);
  });
}

test('a character’s page shows its name and links to the chat without JavaScript', async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL as string });
  const page = await context.newPage();
  await page.goto('/en/discover');
  const card = page
    .getByRole('list', { name: t('discover:listLabel') })
    .getByRole('link')
    .first();
  await card.click();
  await expect(page.getByRole('heading', { level: 1 })).not.toBeEmpty();
  await expect(page.getByRole('link', { name: t('character:startChatting') })).toHaveAttribute(
    'href',
    /^\/character\//,
  );
  await context.close();
});

test('the discover search finds a character by the beginning of its name', async ({ page }) => {
  await page.goto('/en/discover');
  const cards = page.getByRole('list', { name: t('discover:listLabel') }).getByRole('link');
  expect(await cards.count()).toBeGreaterThanOrEqual(24);
  // A seeded character, because parallel tests create several with the same name.
  const name = 'Ebbe Thorsager';
  await page.getByLabel(t('discover:search.label')).fill(name.slice(0, 4).toUpperCase());
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/q=/);
  await expect(cards.filter({ hasText: name })).toHaveCount(1);
  await page.getByLabel(t('discover:search.label')).fill('zzzzqqqq');
  await page.keyboard.press('Enter');
  await expect(cards).toHaveCount(0);
});

test('a mood of the home page begins with a character of its language', async ({ page }) => {
  const german = readTexts('de');
  await page.goto('/de');
  const mood = page.getByRole('list', { name: german('home:moods.quiet.title') });
  await expect(mood.getByRole('link').first()).toContainText('Trude Wischnewski');
  await page.goto('/en');
  await expect(page.getByRole('list', { name: t('home:moods.quiet.title') })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Trude Wischnewski' })).toHaveCount(0);
});

test('every seeded character has a different, immutable portrait', async ({ request }) => {
  const items = await catalogue(request, 100);
  expect(items.length).toBeGreaterThanOrEqual(24);
  const bodies = new Set<string>();
  for (const { avatar_url } of items) {
    const picture = await request.get(avatar_url);
    expect(picture.status()).toBe(200);
    expect(picture.headers()['content-type']).toBe('image/webp');
    expect(picture.headers()['cache-control']).toContain('immutable');
    bodies.add((await picture.body()).toString('base64'));
  }
  expect(bodies.size).toBe(items.length);
});

test('an unknown page is an uncached 404 in the language of its address', async ({ request }) => {
  const answer = await request.get('/en/there-is-no-such-page');
  expect(answer.status()).toBe(404);
  expect(answer.headers()['cache-control']).toBe('private, no-store');
  expect(answer.headers()['x-request-id']).toBeTruthy();
  expect(await answer.text()).toContain('<html lang="en"');
});

test('every response names the version of the site, which is the same for all', async ({ request }) => {
  const versions = new Set<string | undefined>();
  for (const path of ['/api/health', '/en', '/api/models', '/api/nothing', '/en/there-is-no-such-page', '/'])
    versions.add((await request.get(path, { maxRedirects: 0 })).headers()['x-version']);
  expect([...versions]).toEqual([expect.stringMatching(/^[\da-f-]{36}$/)]);
});

test('addresses with a missing, unknown or misspelt language redirect to the right page', async ({
  request,
}) => {
  const cases: [string, Record<string, string>, string][] = [
    ['/', { 'accept-language': 'fr-CA,fr;q=0.9' }, '/fr'],
    ['/discover', { cookie: 'lang=ja' }, '/ja/discover'],
    ['/xx/discover', {}, '/en/discover'],
    ['/PT-br/discover', {}, '/pt/discover'],
    ['/en/discover/', {}, '/en/discover'],
    ['/tag/anime?sort=new', { 'accept-language': 'de' }, '/de/tag/anime?sort=new'],
  ];
  for (const [from, headers, to] of cases) {
    const answer = await request.get(from, { headers, maxRedirects: 0 });
    expect([from, answer.status(), answer.headers().location]).toEqual([from, 302, to]);
    expect(answer.headers()['cache-control']).toBe('private, no-store');
  }
});
