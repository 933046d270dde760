import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { LANGUAGES } from '../../src/config/languages.ts';
import { USER_KEY_PREFIXES } from '../../src/islands/shared/user-storage.ts';
import { t } from '../support/texts.ts';
import { awake, expect, SOMEBODY, startListedChat, test as base } from './journey.ts';
import { modelUrl, startSite } from './own-site.ts';

/** A server with only the seeded catalogue: characters of other tests, with names in every script, would add weight. */
const test = base.extend<object, { fresh: string }>({
  fresh: [
    async ({}, use) => {
      const site = await startSite({
        MODEL_ROLEPLAY_BASE_URL: modelUrl(),
        MODEL_ROLEPLAY_API_KEY: 'key-of-the-roleplay-model',
        MODEL_ROLEPLAY_MODEL: 'roleplay',
      });
      await use(site.url);
      await site.end();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  baseURL: async ({ fresh }, use) => use(fresh),
});

interface Weight {
  requests: number;
  bytes: number;
  scriptBytes: number;
  styleBytes: number;
  /** Bytes of each file, to show what made a page heavy. */
  files: Record<string, number>;
}

/** Measures what a page loads until it is idle, without pictures, in gzip bytes as the edge would send them. */
async function measureWeight(page: Page, path: string): Promise<Weight> {
  const weight: Weight = { requests: 0, bytes: 0, scriptBytes: 0, styleBytes: 0, files: {} };
  const counting: Promise<void>[] = [];
  page.on('response', (response) => {
    const type = response.request().resourceType();
    if (type === 'image') return;
    counting.push(
      (async () => {
        const size = response.status() === 204 ? 0 : gzipSync(await response.body()).length;
        weight.requests += 1;
        weight.bytes += size;
        weight.files[new URL(response.url()).pathname] = size;
        if (type === 'script') weight.scriptBytes += size;
        if (type === 'stylesheet') weight.styleBytes += size;
      })(),
    );
  });
  await page.goto(path, { waitUntil: 'networkidle' });
  await awake(page);
  await Promise.all(counting);
  return weight;
}

// A trace renders hidden content, for which the browser then loads fonts.
test.use({ trace: 'off' });

const KB = 1000;

/** Pages that stand for the others: the source language, and one with a font of its own. */
const REPRESENTATIVE = new Set(['/en', '/hi', '/en/discover']);

for (const path of [...LANGUAGES.map((lang) => `/${lang}`), '/en/discover']) {
  const tag = REPRESENTATIVE.has(path) ? '' : ' @all';
  test(`${path} loads at most 60 kB besides pictures in 12 requests, with 15 kB of JavaScript and 20 kB of CSS${tag}`, async ({
    page,
  }) => {
    const weight = await measureWeight(page, path);
    test.info().annotations.push({ type: 'weight', description: JSON.stringify({ path, ...weight }) });
    const filesInfo = JSON.stringify(weight.files);
    expect(weight.bytes, filesInfo).toBeLessThanOrEqual(60 * KB);
    expect(weight.scriptBytes, filesInfo).toBeLessThanOrEqual(15 * KB);
    expect(weight.styleBytes, filesInfo).toBeLessThanOrEqual(20 * KB);
    expect(weight.requests, filesInfo).toBeLessThanOrEqual(12);
  });
}

for (const path of ['/en', '/en/discover'])
  test(`a second visit to ${path} loads at most 80 kB, with 25 kB of JavaScript, for an account that hides nothing @all`, async ({
    page,
  }) => {
    await page.request.post('/api/auth/test-login', { data: { person: 'reader' } });
    const first = await page.context().newPage();
    await Promise.all([first.waitForResponse('**/api/me/hidden'), first.goto('/en')]);
    // Wait until the device has stored the hidden list.
    await first.waitForFunction(
      (key) => localStorage.getItem(key) !== null,
      `${USER_KEY_PREFIXES.hidden}list`,
    );
    await first.close();
    const weight = await measureWeight(page, path);
    test.info().annotations.push({ type: 'weight', description: JSON.stringify({ path, ...weight }) });
    const filesInfo = JSON.stringify(weight.files);
    expect(weight.bytes, filesInfo).toBeLessThanOrEqual(80 * KB);
    expect(weight.scriptBytes, filesInfo).toBeLessThanOrEqual(25 * KB);
    expect(weight.styleBytes, filesInfo).toBeLessThanOrEqual(20 * KB);
  });

test('home loads at most 80 kB, with 25 kB of JavaScript, for an account that returns to chats in several languages @all', async ({
  page,
}) => {
  await page.request.post('/api/auth/test-login', { data: { person: 'reader' } });
  for (const name of ['Ebbe Thorsager', 'Teodora Vlašić', 'Kagari Toda']) {
    const { items } = (await (
      await page.request.get(`/api/characters?q=${encodeURIComponent(name)}&limit=1`)
    ).json()) as { items: { id: string }[] };
    await startListedChat(page, items[0]?.id ?? '');
  }
  const first = await page.context().newPage();
  await first.goto('/en', { waitUntil: 'networkidle' });
  await first.close();
  const weight = await measureWeight(page, '/en');
  test.info().annotations.push({ type: 'weight', description: JSON.stringify({ path: '/en', ...weight }) });
  const filesInfo = JSON.stringify(weight.files);
  expect(weight.bytes, filesInfo).toBeLessThanOrEqual(80 * KB);
  expect(weight.scriptBytes, filesInfo).toBeLessThanOrEqual(25 * KB);
});

test('a page with the open login dialog has loaded at most 90 kB of JavaScript @all', async ({ page }) => {
  const scripts = new Map<string, number>();
  const counting: Promise<void>[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'script') return;
    counting.push(response.body().then((body) => void scripts.set(response.url(), gzipSync(body).length)));
  });
  await page.goto('/en', { waitUntil: 'networkidle' });
  await page
    .getByRole('button', { name: t('shell:loggedOut.logIn') })
    .first()
    .click();
  await expect(
    page.getByRole('dialog').getByRole('button', { name: t('signin:continueAsGuest') }),
  ).toBeVisible();
  await page.waitForLoadState('networkidle');
  await Promise.all(counting);
  const bytes = [...scripts.values()].reduce((sum, size) => sum + size, 0);
  const byFile = Object.fromEntries([...scripts].map(([url, size]) => [new URL(url).pathname, size]));
  test.info().annotations.push({ type: 'weight', description: JSON.stringify({ bytes, byFile }) });
  expect(Object.keys(byFile).some((path) => path.includes('SignIn'))).toBe(true);
  expect(bytes).toBeLessThanOrEqual(90 * KB);
});

test('a chat loads at most 155 kB of JavaScript and 20 kB of CSS', async ({ page }) => {
  await page.request.post('/api/auth/anonymous');
  const { items } = (await (await page.request.get(SOMEBODY)).json()) as {
    items: { id: string }[];
  };
  const weight = await measureWeight(page, `/character/${items[0]?.id}`);
  test.info().annotations.push({ type: 'weight', description: JSON.stringify({ path: 'chat', ...weight }) });
  expect(weight.scriptBytes).toBeLessThanOrEqual(155 * KB);
  expect(weight.styleBytes).toBeLessThanOrEqual(20 * KB);
});

for (const { name, path } of [
  { name: 'the character form', path: '/en/create-character' },
  { name: 'the page for moving in', path: '/en/move-in' },
]) {
  test(`${name} loads at most 150 kB of JavaScript and 20 kB of CSS @all`, async ({ page }) => {
    await page.request.post('/api/auth/test-login', { data: { person: 'reader' } });
    const weight = await measureWeight(page, path);
    test.info().annotations.push({ type: 'weight', description: JSON.stringify({ path, ...weight }) });
    const filesInfo = JSON.stringify(weight.files);
    expect(weight.scriptBytes, filesInfo).toBeLessThanOrEqual(150 * KB);
    expect(weight.styleBytes, filesInfo).toBeLessThanOrEqual(20 * KB);
  });
}

test('a membership page without sales loads at most 100 kB of JavaScript, 20 kB of CSS and no PayPal @all', async ({
  page,
}) => {
  await page.request.post('/api/auth/test-login', { data: { person: 'reader' } });
  const weight = await measureWeight(page, '/membership');
  test
    .info()
    .annotations.push({ type: 'weight', description: JSON.stringify({ path: 'membership', ...weight }) });
  const filesInfo = JSON.stringify(weight.files);
  await expect(page.getByText(t('errors:payments_unavailable'))).toBeVisible();
  for (const offer of [
    t('pages:membership.ways.title'),
    t('pages:membership.payPal.question'),
    t('pages:membership.invite.title'),
  ])
    await expect(page.getByRole('main').getByText(offer)).toHaveCount(0);
  await expect(page.locator('#sidebar').getByRole('link', { name: t('shell:nav.membership') })).toHaveCount(
    0,
  );
  // The chat reads this attribute before it links to the membership page.
  await expect(page.locator('html')).not.toHaveAttribute('data-memberships');
  expect(weight.scriptBytes, filesInfo).toBeLessThanOrEqual(100 * KB);
  expect(weight.styleBytes, filesInfo).toBeLessThanOrEqual(20 * KB);
  expect(Object.keys(weight.files).filter((path) => /paypal/i.test(path))).toEqual([]);
});
