import type { Page } from '@playwright/test';
import { t } from '../support/texts.ts';
import { awake, catalogue, chat, expect, test } from './journey.ts';
import { violations } from './violations.ts';

/** A reply of two words that comes at once. */
const SHORT = '[[scenario:tokens n=2 ms=0]]';
/** The island's code: while it is held back, the page is its HTML alone. */
const CHAT_SCRIPT = /\/_astro\/Chat\.[^/]*\.js$/;

/** Holds back requests of a page. @returns a function that lets them go on */
async function holdRequests(page: Page, pattern: string | RegExp): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(pattern, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

test('a chat’s HTML has its messages, for their owner alone, and its script asks for none of them', async ({
  page,
  playwright,
  baseURL,
}) => {
  const { messages, say } = await chat(page);
  for (let count = 1; count <= 4; count += 1) {
    await say(`The lamp was lit <before> I came, ${count}. ${SHORT}`);
    await expect(messages).toHaveCount(1 + 2 * count);
    await expect(messages.last()).toContainText('w1');
    await expect(page.getByRole('button', { name: t('chat:send') })).toBeVisible();
  }
  // The question for a guest's name takes room that the HTML does not have.
  await page.getByRole('button', { name: t('chat:dismiss') }).click();
  const { pathname, search } = new URL(page.url());
  const newest = pathname + search;

  const own = await page.request.get(newest);
  const html = await own.text();
  expect(html).toContain('The lamp was lit &lt;before&gt; I came, 4.');
  expect(html).toContain('<meta name="robots" content="noindex">');
  expect(own.headers()['cache-control']).toBe('private, no-store');
  const other = await playwright.request.newContext({ baseURL: baseURL as string });
  for (const isSignedIn of [false, true]) {
    if (isSignedIn) expect((await other.post('/api/auth/anonymous')).status()).toBe(201);
    expect(await (await other.get(newest)).text()).not.toContain('The lamp was lit');
  }
  await other.dispose();

  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname: path } = new URL(request.url());
    if (/^\/api\/(?:conversations|characters)/.test(path)) asked.push(`${request.method()} ${path}`);
  });
  for (const address of [newest, pathname]) {
    const release = await holdRequests(page, CHAT_SCRIPT);
    await page.goto(address, { waitUntil: 'commit' });
    await expect(page.locator('astro-island[component-url*="Chat"][ssr]')).toHaveCount(1);
    await expect(messages).toHaveCount(9);
    await expect(messages.last().locator('.story')).toBeInViewport();
    const readPlace = async () => (await messages.last().boundingBox())?.y;
    const place = await readPlace();
    release();
    await awake(page);
    await expect(page).toHaveURL(newest);
    expect(await readPlace()).toBe(place);
  }
  expect(asked).toEqual([]);
  expect(await violations(page)).toEqual([]);
  await say(`Good night. ${SHORT}`);
  await expect(messages).toHaveCount(11);
  await expect(messages.last()).toContainText('w1');
});

test('a reader who scrolls before the chat’s script runs stays there @all', async ({ page }) => {
  const { messages, say } = await chat(page);
  for (let count = 1; count <= 3; count += 1) {
    await say(`${'The lamp was lit before I came. '.repeat(40)} ${SHORT}`);
    await expect(messages).toHaveCount(1 + 2 * count);
    await expect(page.getByRole('button', { name: t('chat:send') })).toBeVisible();
  }
  const release = await holdRequests(page, CHAT_SCRIPT);
  await page.reload({ waitUntil: 'commit' });
  const list = page.getByRole('region', { name: t('chat:messages') });
  await expect(messages).toHaveCount(7);
  await list.evaluate((element) => (element.scrollTop = 100));
  release();
  await awake(page);
  await expect(page.getByRole('button', { name: t('chat:toLatest') })).toBeVisible();
  expect(await list.evaluate((element) => element.scrollTop)).toBe(100);
});

test('a visitor’s HTML has the greeting where the chat will have it', async ({ page }) => {
  const [character] = await catalogue(page.request, 1);
  const address = `/character/${character?.id}`;
  const html = await (await page.request.get(address)).text();
  expect(/<div[^>]*class="story[^>]*>(?:<[^>]*>)*[^<]{20}/.test(html)).toBe(true);
  await page.request.post('/api/auth/anonymous');
  const release = await holdRequests(page, '**/api/conversations');
  await page.goto(address);
  await awake(page);
  const greeting = page.locator('.story');
  const before = await greeting.boundingBox();
  const text = await greeting.textContent();
  release();
  await expect(page).toHaveURL(/conversation_id=/);
  await expect(page.getByRole('list', { name: t('chat:messages') }).getByRole('listitem')).toHaveCount(1);
  expect(await greeting.textContent()).toBe(text);
  expect(await greeting.boundingBox()).toEqual(before);
});
