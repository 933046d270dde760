import { type APIRequestContext, expect, type Page, test as base } from '@playwright/test';
import { WITHOUT_MESSAGES_HEADER } from '../../src/features/offline/contract.ts';
import { t } from '../support/texts.ts';

/** Controls the scripted model server (see tests/support/model-server.mjs). */
export async function model(control: 'open' | 'reached' | 'ended', key: string): Promise<void> {
  const answer = await fetch(`${process.env.LORELOOM_MODEL_CONTROL}/${control}?key=${key}`);
  if (!answer.ok) throw new Error(`The model server answered ${answer.status} to ${control} ${key}`);
}

/** Returns the system prompt of the last request to the scripted model under this key. */
export async function toldToModel(key: string): Promise<string> {
  const asked = (await (await fetch(`${process.env.LORELOOM_MODEL_CONTROL}/requests`)).json()) as {
    key: string;
    body: { messages: { role: string; content: string }[] } | null;
  }[];
  const last = asked.findLast((request) => request.key === key);
  return (last?.body?.messages ?? []).find(({ role }) => role === 'system')?.content ?? '';
}

/** Reads the newest mail to an address from the platform's local mailbox. */
export async function readMail(origin: string, to: string): Promise<{ subject: string; text: string }> {
  const box = `${origin}/cdn-cgi/local/explorer/api/local/email/sending`;
  let id = '';
  await expect
    .poll(async () => {
      const { result } = (await (await fetch(box)).json()) as {
        result: { messageId: string; to: string[]; sentAt: string }[];
      };
      const received = result.filter((mail) => mail.to.includes(to));
      id = received.toSorted((a, b) => b.sentAt.localeCompare(a.sentAt))[0]?.messageId ?? '';
      return id;
    })
    .not.toBe('');
  const mail = (await (await fetch(`${box}?email_id=${encodeURIComponent(id)}`)).json()) as {
    result: { subject: string; text: string };
  };
  return mail.result;
}

/** Reads the login code from the newest mail to an address. */
export async function readCode(origin: string, to: string): Promise<string> {
  const { text } = await readMail(origin, to);
  const code = /\b\d{6}\b/.exec(text)?.[0];
  if (code === undefined) throw new Error('The mail holds no code');
  return code;
}

/** Logs an account in without a dialog; it is created when the address is new. */
export async function logIn(request: APIRequestContext, origin: string, email: string): Promise<void> {
  await request.post('/api/auth/send-login-code', { data: { email } });
  const code = await readCode(origin, email);
  const answer = await request.post('/api/auth/login-with-code', { data: { email, code } });
  expect(answer.status()).toBe(201);
}

/**
 * The address that finds one character of the seeded catalogue. The first character of a list would not do: a parallel
 * test may have created it and may change or delete it.
 */
export const SOMEBODY = '/api/characters?q=Ebbe+Thorsager&limit=1';

/** Returns up to 100 characters of the seeded catalogue, none of them created by a test. */
export async function catalogue(
  request: APIRequestContext,
  limit: number,
): Promise<{ id: string; name: string; avatar_url: string }[]> {
  const getJson = async (path: string) => (await request.get(path)).json();
  const { items } = (await getJson(SOMEBODY)) as { items: { creator: { id: string } }[] };
  const { characters } = (await getJson(`/api/creators/${items[0]?.creator.id}?limit=${limit}`)) as {
    characters: { items: { id: string; name: string; avatar_url: string }[] };
  };
  return characters.items;
}

/** Waits until the page's islands are hydrated, except those that hydrate on demand or when visible. */
export async function awake(page: Page): Promise<void> {
  await expect(page.locator('astro-island[ssr]:not([client="ask"], [client="visible"])')).toHaveCount(0);
}

/** Opens a new conversation with a seeded character as a new guest. */
export async function chat(page: Page) {
  await page.request.post('/api/auth/anonymous');
  const { items } = (await (await page.request.get(SOMEBODY)).json()) as {
    items: { id: string; name: string }[];
  };
  const character = items[0] as { id: string; name: string };
  await page.goto(`/character/${character.id}`);
  await awake(page);
  const messages = page.getByRole('list', { name: t('chat:messages') }).getByRole('listitem');
  await expect(messages).toHaveCount(1);
  const box = page.getByRole('textbox', { name: t('chat:composerLabel', { name: character.name }) });
  const say = async (text: string) => {
    await box.fill(text);
    await box.press('Enter');
  };
  return { messages, box, say, character };
}

/** Starts a conversation with a first message, so that the user's list has it. */
export async function startListedChat(page: Page, characterId: string): Promise<void> {
  const made = await page.request.post('/api/conversations', { data: { character_id: characterId } });
  expect(made.status()).toBe(201);
  const { conversation } = (await made.json()) as { conversation: { id: string } };
  const data = { content: 'Hello [[scenario:tokens n=2 ms=0]]', client_message_id: crypto.randomUUID() };
  const sent = await page.request.post(`/api/conversations/${conversation.id}/messages`, { data });
  expect(await sent.text()).toContain('event: done');
}

/** Returns the notes of a chat page other than the AI notice. */
export const noteInChat = (page: Page) =>
  page.getByRole('note').filter({ hasNotText: new RegExp(t('chat:aiNotice', { name: '.+' })) });

/** Lets chat pages load their messages by script instead of by their HTML, so that a test can change the API's answers. */
export const loadMessagesByScript = (page: Page) =>
  page.route(
    ({ pathname }) => /^\/(?:messages|character)\//.test(pathname),
    (route) => route.continue({ headers: { ...route.request().headers(), [WITHOUT_MESSAGES_HEADER]: '1' } }),
  );

/** Cuts the network after loading every font: a character shown later could need a font that is not loaded yet. */
export async function goOffline(page: Page): Promise<void> {
  await page.evaluate(async () => {
    // Fallback fonts are local to the device, which may lack them.
    await Promise.allSettled([...document.fonts].map((face) => face.load()));
  });
  await page.context().setOffline(true);
}

/** Records layout shifts while a page loads. @returns a function that reads them once the page is idle */
export async function watchShifts(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    interface Shift extends PerformanceEntry {
      value: number;
      sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
    }
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    const describeRect = ({ x, y, width, height }: DOMRectReadOnly) => `${x} ${y} ${width}×${height}`;
    new PerformanceObserver((list) => {
      for (const { value, startTime, sources } of list.getEntries() as Shift[]) {
        const moves = sources.map(({ node, previousRect, currentRect }) => {
          const name = node instanceof Element ? node.outerHTML : (node?.textContent ?? '');
          return `${name.slice(0, 60)} from ${describeRect(previousRect)} to ${describeRect(currentRect)}`;
        });
        shifts.push(`${value} after ${startTime} ms: ${moves.join('; ')}`);
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return () => page.evaluate(() => (window as unknown as { shifts: string[] }).shifts);
}

/** A test that fails when the browser reports a problem: an error, a blocked script, a missing file. */
export const test = base.extend<{ troubles: string[] }>({
  baseURL: async ({}, use) => use(process.env.LORELOOM_URL),
  troubles: [
    async ({ page }, use) => {
      const troubles: string[] = [];
      page.on('pageerror', (error) => troubles.push(error.message));
      page.on('console', (message) => {
        // A refused API or media request is no problem: the tests check how the page handles it. Pictures become private with
        // their character, and a list may show a character that a parallel test has just hidden.
        const refusal =
          message.text().startsWith('Failed to load resource') &&
          /\/(?:api|media)\//.test(message.location().url);
        // The address shows which file failed to load.
        if (message.type() === 'error' && !refusal)
          troubles.push(`${message.text()} (${message.location().url})`);
      });
      await use(troubles);
      expect(troubles).toEqual([]);
    },
    { auto: true },
  ],
});

/**
 * For tests with failing requests: it ignores the browser's reports of them. Errors thrown by the page still fail the
 * test.
 */
export const lossyTest = test.extend({
  troubles: async ({ page }, use) => {
    const troubles: string[] = [];
    page.on('pageerror', (error) => troubles.push(error.message));
    await use(troubles);
    expect(troubles).toEqual([]);
  },
});
export { expect };
