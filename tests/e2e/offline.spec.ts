import type { BrowserContext, Page } from '@playwright/test';
import { awake, catalogue, expect, SOMEBODY, lossyTest as test } from './journey.ts';
import { violations } from './violations.ts';

// What a device keeps is part of what is tried here.
test.use({ serviceWorkers: 'allow' });

/** The service worker stands and answers for this page. */
async function kept(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

/** Everything that this device keeps, as `cache path`. */
function copies(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const found: string[] = [];
    for (const name of await caches.keys()) {
      for (const { url } of await (await caches.open(name)).keys()) {
        const { pathname, search } = new URL(url);
        found.push(`${name.replace(/-[^-]*$/, '')} ${pathname}${search}`);
      }
    }
    return found.toSorted();
  });
}

const personal = async (page: Page) =>
  (await copies(page)).filter(
    (copy) => copy.startsWith('loreloom-person ') || /\/api\/|\/character\//.test(copy),
  );

/** A guest who opened a chat and said something; the device has kept it. */
async function chat(page: Page): Promise<{ href: string; name: string }> {
  await page.request.post('/api/auth/anonymous');
  const { items } = (await (await page.request.get(SOMEBODY)).json()) as {
    items: { id: string; name: string }[];
  };
  const { id, name } = items[0] as { id: string; name: string };
  await page.goto(`/character/${id}`);
  await awake(page);
  await kept(page);
  await expect(messages(page)).toHaveCount(1);
  const box = page.getByRole('textbox', { name: `Message to ${name}` });
  await box.fill('The lamp was lit before I came [[scenario:tokens n=5 ms=1]]');
  await box.press('Enter');
  await expect(messages(page)).toHaveCount(3);
  await expect(messages(page).last()).toContainText('w4');
  await expect(page).toHaveURL(/conversation_id=/);
  const { pathname, search } = new URL(page.url());
  const href = pathname + search;
  const conversation = new URLSearchParams(search).get('conversation_id');
  await expect.poll(() => copies(page)).toContain(`loreloom-person ${href}`);
  await expect
    .poll(() =>
      page.evaluate(async (path) => {
        const copy = await caches.match(path);
        return ((await copy?.json()) as { messages: unknown[] } | undefined)?.messages.length;
      }, `/api/conversations/${conversation}`),
    )
    .toBe(3);
  return { href, name };
}

const messages = (page: Page) => page.getByRole('list', { name: 'Messages' }).getByRole('listitem');
const noConnection = (page: Page) => page.getByRole('heading', { name: 'There is no connection right now.' });

async function offline(context: BrowserContext, whether: boolean): Promise<void> {
  await context.setOffline(whether);
}

test('a conversation that I had open reads without a network, and goes on with one', async ({
  page,
  context,
}) => {
  const { href, name } = await chat(page);
  await offline(context, true);
  await page.goto(href);
  await awake(page);
  await expect(messages(page)).toHaveCount(3);
  await expect(messages(page).nth(1)).toContainText('The lamp was lit before I came');
  const note = page.getByText('You are reading the copy on this device');
  await expect(note).toBeInViewport();
  // By another address of the same conversation, too.
  await page.goto(`/messages/${new URLSearchParams(href.split('?')[1]).get('conversation_id')}`);
  await expect(messages(page)).toHaveCount(3);
  await offline(context, false);
  await expect(note).toBeHidden();
  const box = page.getByRole('textbox', { name: `Message to ${name}` });
  await box.fill('And it still burns [[scenario:tokens n=3 ms=1]]');
  await box.press('Enter');
  await expect(messages(page)).toHaveCount(5);
  await expect(messages(page).last()).toContainText('w2');
});

test('word of a copy that comes late, when the network is back, does not stay', async ({ page, context }) => {
  const { href } = await chat(page);
  // What the service worker says is heard when this test says so.
  await page.addInitScript(() => {
    const held: unknown[] = [];
    const hold = (event: MessageEvent): void => {
      if (!event.isTrusted) return;
      held.push(event.data);
      event.stopImmediatePropagation();
    };
    navigator.serviceWorker.addEventListener('message', hold, true);
    Object.assign(window, {
      letGo: () => {
        navigator.serviceWorker.removeEventListener('message', hold, true);
        for (const data of held) navigator.serviceWorker.dispatchEvent(new MessageEvent('message', { data }));
        return held;
      },
    });
  });
  await offline(context, true);
  await page.goto(href);
  await awake(page);
  await expect(messages(page)).toHaveCount(3);
  const note = page.getByText('You are reading the copy on this device');
  await expect(note).toBeHidden();
  await offline(context, false);
  // Browsers end a worker that has nothing to do, and with it all that it remembered.
  const browser = await context.newCDPSession(page);
  await browser.send('ServiceWorker.enable');
  await browser.send('ServiceWorker.stopAllWorkers');
  const said = await page.evaluate(() => (window as unknown as { letGo(): unknown[] }).letGo());
  expect(said).toContainEqual({ kind: 'copy' });
  await expect(note).toBeVisible();
  await expect(note).toBeHidden();
});

test('a page that cannot be fetched says so in its language, shows what can be read, and goes on by itself', async ({
  page,
  context,
}) => {
  const { name } = await chat(page);
  await page.goto('/de');
  await kept(page);
  await expect.poll(() => copies(page)).toContain('loreloom-pages /de/offline');
  await offline(context, true);
  await page.goto('/de/discover');
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  const readable = page.locator('[data-offline-kept]');
  await expect(readable.getByRole('link')).toHaveCount(1);
  expect(await violations(page)).toEqual([]);

  await page.goto('/en/discover');
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await expect(noConnection(page)).toBeVisible();
  await page.getByRole('link', { name: 'Try again' }).click();
  await expect(page.getByText('Still no connection.')).toBeVisible();
  await readable.getByRole('link', { name }).click();
  await expect(messages(page)).toHaveCount(3);

  await page.goto('/en/discover');
  await expect(noConnection(page)).toBeVisible();
  await offline(context, false);
  await expect(page).toHaveURL(/\/en\/discover$/);
  await expect(page.getByRole('searchbox').first()).toBeVisible();
});

test('after I log out nothing of mine is left on this device', async ({ page, context }) => {
  const { href } = await chat(page);
  expect((await personal(page)).length).toBeGreaterThan(3);
  await page.goto('/en/discover');
  await kept(page);
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('button', { name: 'Log out and lose the chats' }).click();
  await expect(page).toHaveURL(/\/en$/);
  await expect.poll(() => personal(page)).toEqual([]);
  await page.goto('/en/discover');
  await awake(page);
  expect(await personal(page)).toEqual([]);
  await offline(context, true);
  await page.goto(href);
  await expect(noConnection(page)).toBeVisible();
  await expect(page.getByText('No conversation is kept on this device yet.')).toBeVisible();
});

test('somebody else on this device does not find what I read here', async ({ page, context }) => {
  const { href } = await chat(page);
  await context.clearCookies();
  await page.request.post('/api/auth/anonymous');
  await page.goto('/en/discover');
  await awake(page);
  await expect
    .poll(async () => (await personal(page)).filter((copy) => copy.includes('conversation')))
    .toEqual([]);
  await offline(context, true);
  await page.goto(href);
  await expect(noConnection(page)).toBeVisible();
});

test('a conversation that is gone on the server is gone here', async ({ page }) => {
  const { href } = await chat(page);
  const id = new URLSearchParams(href.split('?')[1]).get('conversation_id');
  await page.evaluate((path) => fetch(path, { method: 'DELETE' }), `/api/conversations/${id}`);
  await page.goto('/en/discover');
  await awake(page);
  await expect
    .poll(async () => (await personal(page)).filter((copy) => copy.includes(id ?? '-')))
    .toEqual([]);
});

test('a device keeps the last ten conversations and no more', async ({ page }) => {
  const me = await chat(page);
  const others = (await catalogue(page.request, 11)).filter(({ name }) => name !== me.name).slice(0, 10);
  for (const { id } of others) {
    await page.goto(`/character/${id}`);
    await expect(page).toHaveURL(/conversation_id=/);
    const here = new URL(page.url());
    await expect.poll(() => copies(page)).toContain(`loreloom-person ${here.pathname}${here.search}`);
  }
  const conversations = (await copies(page)).filter((copy) => /\/api\/conversations\//.test(copy));
  expect(conversations).toHaveLength(10);
  const pages = (await copies(page)).filter((copy) => copy.includes('?conversation_id='));
  expect(pages).toHaveLength(10);
});

test('the app can be installed in every language, with icons that are there', async ({ page }) => {
  await page.goto('/ja');
  const href = await page.locator('link[rel=manifest]').getAttribute('href');
  const answer = await page.request.get(href ?? '');
  expect(answer.headers()['content-type']).toContain('application/manifest+json');
  const manifest = (await answer.json()) as {
    start_url: string;
    display: string;
    icons: { src: string; sizes: string; purpose: string }[];
  };
  expect(manifest).toMatchObject({ start_url: '/ja', display: 'standalone', lang: 'ja', scope: '/' });
  for (const { src, sizes } of manifest.icons) {
    const size = await page.evaluate(async (path) => {
      const picture = new Image();
      picture.src = path;
      await picture.decode();
      return `${picture.naturalWidth}x${picture.naturalHeight}`;
    }, src);
    expect(size).toBe(sizes);
  }
  expect(manifest.icons.map(({ purpose }) => purpose)).toContain('maskable');
});
