import type { BrowserContext, Page } from '@playwright/test';
import { t } from '../support/texts.ts';
import { awake, catalogue, expect, SOMEBODY, lossyTest as test } from './journey.ts';
import { violations } from './violations.ts';

// These tests cover the copies that the service worker keeps on the device.
test.use({ serviceWorkers: 'allow' });

/** Waits until the service worker controls the page. */
async function waitForServiceWorker(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

/** Lists all copies on the device as `cache path`. */
function listCopies(page: Page): Promise<string[]> {
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

const listPersonalCopies = async (page: Page) =>
  (await listCopies(page)).filter(
    (copy) => copy.startsWith('loreloom-person ') || /\/api\/|\/character\//.test(copy),
  );

/** Opens a chat as a guest, sends a message, and waits until the device has a copy of it. */
async function openStoredChat(page: Page): Promise<{ href: string; name: string }> {
  await page.request.post('/api/auth/anonymous');
  const { items } = (await (await page.request.get(SOMEBODY)).json()) as {
    items: { id: string; name: string }[];
  };
  const { id, name } = items[0] as { id: string; name: string };
  await page.goto(`/character/${id}`);
  await awake(page);
  await waitForServiceWorker(page);
  await expect(getMessages(page)).toHaveCount(1);
  const box = page.getByRole('textbox', { name: t('chat:composerLabel', { name }) });
  await box.fill('The lamp was lit before I came [[scenario:tokens n=5 ms=1]]');
  await box.press('Enter');
  await expect(getMessages(page)).toHaveCount(3);
  await expect(getMessages(page).last()).toContainText('w4');
  await expect(page).toHaveURL(/conversation_id=/);
  const { pathname, search } = new URL(page.url());
  const href = pathname + search;
  const conversation = new URLSearchParams(search).get('conversation_id');
  await expect.poll(() => listCopies(page)).toContain(`loreloom-person ${href}`);
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

const getMessages = (page: Page) =>
  page.getByRole('list', { name: t('chat:messages') }).getByRole('listitem');
const getOfflineHeading = (page: Page) => page.getByRole('heading', { name: t('device:offline.heading') });

async function setOffline(context: BrowserContext, isOffline: boolean): Promise<void> {
  await context.setOffline(isOffline);
}

test('an opened conversation can be read offline and continued online', async ({ page, context }) => {
  const { href, name } = await openStoredChat(page);
  await setOffline(context, true);
  await page.goto(href);
  await awake(page);
  await expect(getMessages(page)).toHaveCount(3);
  await expect(getMessages(page).nth(1)).toContainText('The lamp was lit before I came');
  const note = page.getByText(t('chat:offlineReading'));
  await expect(note).toBeInViewport();
  // Another address of the same conversation works, too.
  await page.goto(`/messages/${new URLSearchParams(href.split('?')[1]).get('conversation_id')}`);
  await expect(getMessages(page)).toHaveCount(3);
  await setOffline(context, false);
  await expect(note).toBeHidden();
  const box = page.getByRole('textbox', { name: t('chat:composerLabel', { name }) });
  await box.fill('And it still burns [[scenario:tokens n=3 ms=1]]');
  await box.press('Enter');
  await expect(getMessages(page)).toHaveCount(5);
  await expect(getMessages(page).last()).toContainText('w2');
});

test('a late notice about an offline copy disappears when the network is back @all', async ({
  page,
  context,
}) => {
  const { href } = await openStoredChat(page);
  // Hold the service worker's messages until the test releases them.
  await page.addInitScript(() => {
    const heldMessages: unknown[] = [];
    const hold = (event: MessageEvent): void => {
      if (!event.isTrusted) return;
      heldMessages.push(event.data);
      event.stopImmediatePropagation();
    };
    navigator.serviceWorker.addEventListener('message', hold, true);
    Object.assign(window, {
      releaseMessages: () => {
        navigator.serviceWorker.removeEventListener('message', hold, true);
        for (const data of heldMessages)
          navigator.serviceWorker.dispatchEvent(new MessageEvent('message', { data }));
        return heldMessages;
      },
    });
  });
  await setOffline(context, true);
  await page.goto(href);
  await awake(page);
  await expect(getMessages(page)).toHaveCount(3);
  const note = page.getByText(t('chat:offlineReading'));
  await expect(note).toBeHidden();
  await setOffline(context, false);
  // Browsers stop an idle worker, which then loses its state.
  const browser = await context.newCDPSession(page);
  await browser.send('ServiceWorker.enable');
  await browser.send('ServiceWorker.stopAllWorkers');
  const workerMessages = await page.evaluate(() =>
    (window as unknown as { releaseMessages(): unknown[] }).releaseMessages(),
  );
  expect(workerMessages).toContainEqual({ kind: 'copy' });
  await expect(note).toBeVisible();
  await expect(note).toBeHidden();
});

test('the offline page is in the page’s language, lists stored conversations, and reloads when online @all', async ({
  page,
  context,
}) => {
  const { name } = await openStoredChat(page);
  await page.goto('/de');
  await waitForServiceWorker(page);
  await expect.poll(() => listCopies(page)).toContain('loreloom-pages /de/offline');
  await setOffline(context, true);
  await page.goto('/de/discover');
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  const storedList = page.locator('[data-offline-kept]');
  await expect(storedList.getByRole('link')).toHaveCount(1);
  expect(await violations(page)).toEqual([]);

  await page.goto('/en/discover');
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await expect(getOfflineHeading(page)).toBeVisible();
  await page.getByRole('link', { name: t('device:offline.retry') }).click();
  await expect(page.getByText(t('device:offline.retryFailed'))).toBeVisible();
  await storedList.getByRole('link', { name }).click();
  await expect(getMessages(page)).toHaveCount(3);

  await page.goto('/en/discover');
  await expect(getOfflineHeading(page)).toBeVisible();
  await setOffline(context, false);
  await expect(page).toHaveURL(/\/en\/discover$/);
  await expect(page.getByRole('searchbox').first()).toBeVisible();
});

test('logging out removes all personal copies from the device', async ({ page, context }) => {
  const { href } = await openStoredChat(page);
  expect((await listPersonalCopies(page)).length).toBeGreaterThan(3);
  await page.goto('/en/discover');
  await waitForServiceWorker(page);
  await page.getByRole('button', { name: t('shell:profile.logOut') }).click();
  await page.getByRole('button', { name: t('shell:profile.guestConfirm') }).click();
  await expect(page).toHaveURL(/\/en$/);
  await expect.poll(() => listPersonalCopies(page)).toEqual([]);
  await page.goto('/en/discover');
  await awake(page);
  expect(await listPersonalCopies(page)).toEqual([]);
  await setOffline(context, true);
  await page.goto(href);
  await expect(getOfflineHeading(page)).toBeVisible();
  await expect(page.getByText(t('device:offline.savedEmpty', { limit: 10 }))).toBeVisible();
});

test('a new session on the device cannot open the previous session’s conversations @all', async ({
  page,
  context,
}) => {
  const { href } = await openStoredChat(page);
  await context.clearCookies();
  await page.request.post('/api/auth/anonymous');
  await page.goto('/en/discover');
  await awake(page);
  await expect
    .poll(async () => (await listPersonalCopies(page)).filter((copy) => copy.includes('conversation')))
    .toEqual([]);
  await setOffline(context, true);
  await page.goto(href);
  await expect(getOfflineHeading(page)).toBeVisible();
});

test('a conversation deleted on the server is removed from the device @all', async ({ page }) => {
  const { href } = await openStoredChat(page);
  const id = new URLSearchParams(href.split('?')[1]).get('conversation_id');
  await page.evaluate((path) => fetch(path, { method: 'DELETE' }), `/api/conversations/${id}`);
  await page.goto('/en/discover');
  await awake(page);
  await expect
    .poll(async () => (await listPersonalCopies(page)).filter((copy) => copy.includes(id ?? '-')))
    .toEqual([]);
});

test('the device keeps copies of the last ten conversations only @all', async ({ page }) => {
  const first = await openStoredChat(page);
  const others = (await catalogue(page.request, 11)).filter(({ name }) => name !== first.name).slice(0, 10);
  for (const { id, name } of others) {
    await page.goto(`/character/${id}`);
    await expect(page).toHaveURL(/conversation_id=/);
    // Only what is in the user's list is copied, so say something.
    const box = page.getByRole('textbox', { name: t('chat:composerLabel', { name }) });
    await box.fill('Hello [[scenario:tokens n=1 ms=1]]');
    await box.press('Enter');
    await expect(getMessages(page)).toHaveCount(3);
    const address = new URL(page.url());
    await expect
      .poll(() => listCopies(page))
      .toContain(`loreloom-person ${address.pathname}${address.search}`);
  }
  const conversations = (await listCopies(page)).filter((copy) => /\/api\/conversations\//.test(copy));
  expect(conversations).toHaveLength(10);
  const pages = (await listCopies(page)).filter((copy) => copy.includes('?conversation_id='));
  expect(pages).toHaveLength(10);
});

test('the web app manifest is in the page’s language and its icons load in their sizes @all', async ({
  page,
}) => {
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
