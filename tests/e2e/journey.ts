import { type APIRequestContext, expect, type Page, test as base } from '@playwright/test';

/** Controls of the scripted model server (see tests/support/model-server.mjs). */
export async function model(control: 'open' | 'reached' | 'ended', key: string): Promise<void> {
  const answer = await fetch(`${process.env.LORELOOM_MODEL_CONTROL}/${control}?key=${key}`);
  if (!answer.ok) throw new Error(`The model server answered ${answer.status} to ${control} ${key}`);
}

/** What the model was told before the messages when it was asked last under a key. */
export async function toldToModel(key: string): Promise<string> {
  const asked = (await (await fetch(`${process.env.LORELOOM_MODEL_CONTROL}/requests`)).json()) as {
    key: string;
    body: { messages: { role: string; content: string }[] } | null;
  }[];
  const last = asked.findLast((request) => request.key === key);
  return (last?.body?.messages ?? []).find(({ role }) => role === 'system')?.content ?? '';
}

/** The newest mail to an address, out of the platform's local mailbox. */
export async function readMail(origin: string, to: string): Promise<{ subject: string; text: string }> {
  const box = `${origin}/cdn-cgi/local/explorer/api/local/email/sending`;
  let id = '';
  await expect
    .poll(async () => {
      const { result } = (await (await fetch(box)).json()) as {
        result: { messageId: string; to: string[]; sentAt: string }[];
      };
      const mine = result.filter((mail) => mail.to.includes(to));
      id = mine.toSorted((a, b) => b.sentAt.localeCompare(a.sentAt))[0]?.messageId ?? '';
      return id;
    })
    .not.toBe('');
  const one = (await (await fetch(`${box}?email_id=${encodeURIComponent(id)}`)).json()) as {
    result: { subject: string; text: string };
  };
  return one.result;
}

/** The login code that was sent to an address. */
export async function readCode(origin: string, to: string): Promise<string> {
  const { text } = await readMail(origin, to);
  const code = /\b\d{6}\b/.exec(text)?.[0];
  if (code === undefined) throw new Error('The mail holds no code');
  return code;
}

/**
 * The address that finds somebody of the seeded catalogue: whoever comes first in its lists may have been made by a test
 * beside this one, and be changed or deleted by it.
 */
export const SOMEBODY = '/api/characters?q=Ebbe+Thorsager&limit=1';

/** Some of the seeded catalogue, none of them made by a test; at most 100. */
export async function catalogue(
  request: APIRequestContext,
  limit: number,
): Promise<{ id: string; name: string; avatar_url: string }[]> {
  const ask = async (path: string) => (await request.get(path)).json();
  const { items } = (await ask(SOMEBODY)) as { items: { creator: { id: string } }[] };
  const { characters } = (await ask(`/api/creators/${items[0]?.creator.id}?limit=${limit}`)) as {
    characters: { items: { id: string; name: string; avatar_url: string }[] };
  };
  return characters.items;
}

/** Islands that are on the page have woken, but for those that wait to be asked or seen. */
export async function awake(page: Page): Promise<void> {
  await expect(page.locator('astro-island[ssr]:not([client="ask"], [client="visible"])')).toHaveCount(0);
}

/** A guest in a fresh conversation with the catalogue's first character. */
export async function chat(page: Page) {
  await page.request.post('/api/auth/anonymous');
  const { items } = (await (await page.request.get(SOMEBODY)).json()) as {
    items: { id: string; name: string }[];
  };
  const character = items[0] as { id: string; name: string };
  await page.goto(`/character/${character.id}`);
  await awake(page);
  const messages = page.getByRole('list', { name: 'Messages' }).getByRole('listitem');
  await expect(messages).toHaveCount(1);
  const box = page.getByRole('textbox', { name: `Message to ${character.name}` });
  const say = async (text: string) => {
    await box.fill(text);
    await box.press('Enter');
  };
  return { messages, box, say, character };
}

/** What a chat's page has to say, beside the notice in its list that an AI answers. */
export const noteInChat = (page: Page) =>
  page.getByRole('note').filter({ hasNotText: 'is a computer program' });

/** Takes the network away, once the page has every typeface: a sign drawn later would ask for one that is not there. */
export async function goOffline(page: Page): Promise<void> {
  await page.evaluate(async () => {
    // Those that stand in for one are the device's own, and it may lack them.
    await Promise.allSettled([...document.fonts].map((face) => face.load()));
  });
  await page.context().setOffline(true);
}

/** Collects what moves while a page loads; ask for it when the page rests. */
export async function watchShifts(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    interface Shift extends PerformanceEntry {
      value: number;
      sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
    }
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    const place = ({ x, y, width, height }: DOMRectReadOnly) => `${x} ${y} ${width}×${height}`;
    new PerformanceObserver((list) => {
      for (const { value, startTime, sources } of list.getEntries() as Shift[]) {
        const what = sources.map(({ node, previousRect, currentRect }) => {
          const name = node instanceof Element ? node.outerHTML : (node?.textContent ?? '');
          return `${name.slice(0, 60)} from ${place(previousRect)} to ${place(currentRect)}`;
        });
        shifts.push(`${value} after ${startTime} ms: ${what.join('; ')}`);
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return () => page.evaluate(() => (window as unknown as { shifts: string[] }).shifts);
}

/** A page that fails its test when the browser reports anything: errors, refused scripts, missing files. */
export const test = base.extend<{ troubles: string[] }>({
  baseURL: async ({}, use) => use(process.env.LORELOOM_URL),
  troubles: [
    async ({ page }, use) => {
      const troubles: string[] = [];
      page.on('pageerror', (error) => troubles.push(error.message));
      page.on('console', (message) => {
        // A refusal is an answer, not a trouble: what the page makes of it is what tests see. Pictures close with their
        // character, and a list may show somebody whom a test beside has just taken out of it.
        const refusal =
          message.text().startsWith('Failed to load resource') &&
          /\/(?:api|media)\//.test(message.location().url);
        // Which file it was is what whoever reads the failure asks first.
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
 * For tests of what cannot be fetched: the browser reports it, and that is what they are about. Errors of the page's own
 * count still.
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
