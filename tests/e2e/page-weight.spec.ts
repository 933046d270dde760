import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { LANGUAGES } from '../../src/config/languages.ts';
import { USER_KEY_PREFIXES } from '../../src/islands/shared/user-storage.ts';
import { awake, expect, SOMEBODY, test as base } from './journey.ts';
import { startSite } from './own-site.ts';

/** A server with the seeded catalogue alone: whom the journeys made, with names in every script, would be weighed too. */
const test = base.extend<object, { fresh: string }>({
  fresh: [
    async ({}, use) => {
      const site = await startSite({});
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
  /** Bytes of each, so that one sees what made a page heavy. */
  files: Record<string, number>;
}

/** What a page loads until it rests, pictures aside, in gzip bytes as the edge would send them. */
async function weigh(page: Page, path: string): Promise<Weight> {
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

// A trace looks at what is not drawn yet, and the browser then fetches typefaces for it.
test.use({ trace: 'off' });

const KB = 1000;

for (const path of [...LANGUAGES.map((lang) => `/${lang}`), '/en/discover']) {
  test(`${path} weighs at most 60 kB in 12 requests, with 15 kB of JavaScript and 20 kB of CSS, pictures aside`, async ({
    page,
  }) => {
    const weight = await weigh(page, path);
    test.info().annotations.push({ type: 'weight', description: JSON.stringify({ path, ...weight }) });
    const what = JSON.stringify(weight.files);
    expect(weight.bytes, what).toBeLessThanOrEqual(60 * KB);
    expect(weight.scriptBytes, what).toBeLessThanOrEqual(15 * KB);
    expect(weight.styleBytes, what).toBeLessThanOrEqual(20 * KB);
    expect(weight.requests, what).toBeLessThanOrEqual(12);
  });
}

test('home brings an account that hides nothing no more JavaScript than a visitor, from the second page on', async ({
  page,
}) => {
  await page.request.post('/api/auth/test-login', { data: { person: 'reader' } });
  const first = await page.context().newPage();
  await Promise.all([first.waitForResponse('**/api/me/hidden'), first.goto('/en')]);
  // Known on this device, from now on.
  await first.waitForFunction((key) => localStorage.getItem(key) !== null, `${USER_KEY_PREFIXES.hidden}list`);
  await first.close();
  const weight = await weigh(page, '/en');
  test
    .info()
    .annotations.push({ type: 'weight', description: JSON.stringify({ path: 'account', ...weight }) });
  const what = JSON.stringify(weight.files);
  expect(weight.scriptBytes, what).toBeLessThanOrEqual(15 * KB);
  expect(weight.styleBytes, what).toBeLessThanOrEqual(20 * KB);
});

test('the sign-in dialog wakes with at most 90 kB of JavaScript in all', async ({ page }) => {
  const scripts = new Map<string, number>();
  const counting: Promise<void>[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'script') return;
    counting.push(response.body().then((body) => void scripts.set(response.url(), gzipSync(body).length)));
  });
  await page.goto('/en', { waitUntil: 'networkidle' });
  await page.getByRole('button', { name: 'Log in' }).first().click();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Continue as guest' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  await Promise.all(counting);
  const bytes = [...scripts.values()].reduce((sum, size) => sum + size, 0);
  const byFile = Object.fromEntries([...scripts].map(([url, size]) => [new URL(url).pathname, size]));
  test.info().annotations.push({ type: 'weight', description: JSON.stringify({ bytes, byFile }) });
  expect(Object.keys(byFile).some((path) => path.includes('SignIn'))).toBe(true);
  expect(bytes).toBeLessThanOrEqual(90 * KB);
});

test('a chat brings at most 150 kB of JavaScript and 20 kB of CSS', async ({ page }) => {
  await page.request.post('/api/auth/anonymous');
  const { items } = (await (await page.request.get(SOMEBODY)).json()) as {
    items: { id: string }[];
  };
  const weight = await weigh(page, `/character/${items[0]?.id}`);
  test.info().annotations.push({ type: 'weight', description: JSON.stringify({ path: 'chat', ...weight }) });
  expect(weight.scriptBytes).toBeLessThanOrEqual(150 * KB);
  expect(weight.styleBytes).toBeLessThanOrEqual(20 * KB);
});

test('the form for a character brings at most 150 kB of JavaScript and 20 kB of CSS', async ({ page }) => {
  await page.request.post('/api/auth/test-login', { data: { person: 'reader' } });
  const weight = await weigh(page, '/en/create-character');
  test.info().annotations.push({ type: 'weight', description: JSON.stringify({ path: 'form', ...weight }) });
  const what = JSON.stringify(weight.files);
  expect(weight.scriptBytes, what).toBeLessThanOrEqual(150 * KB);
  expect(weight.styleBytes, what).toBeLessThanOrEqual(20 * KB);
});

test('the membership page brings at most 100 kB of JavaScript and 20 kB of CSS, and nothing of PayPal to whom nothing is sold', async ({
  page,
}) => {
  await page.request.post('/api/auth/test-login', { data: { person: 'reader' } });
  const weight = await weigh(page, '/membership');
  test
    .info()
    .annotations.push({ type: 'weight', description: JSON.stringify({ path: 'membership', ...weight }) });
  const what = JSON.stringify(weight.files);
  await expect(page.getByText('Memberships cannot be bought on this site at present.')).toBeVisible();
  for (const offer of ['Where you can pay', 'Why PayPal', 'Invite friends'])
    await expect(page.getByRole('main').getByText(offer)).toHaveCount(0);
  // What the chat reads before it leads to a membership.
  await expect(page.locator('html')).not.toHaveAttribute('data-sells');
  expect(weight.scriptBytes, what).toBeLessThanOrEqual(100 * KB);
  expect(weight.styleBytes, what).toBeLessThanOrEqual(20 * KB);
  expect(Object.keys(weight.files).filter((path) => /paypal/i.test(path))).toEqual([]);
});
