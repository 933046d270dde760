import { expect, type Page, test as base } from '@playwright/test';

/** Controls of the scripted model server (see tests/support/model-server.mjs). */
export async function model(control: 'open' | 'reached' | 'ended', key: string): Promise<void> {
  const answer = await fetch(`${process.env.LORELOOM_MODEL_CONTROL}/${control}?key=${key}`);
  if (!answer.ok) throw new Error(`The model server answered ${answer.status} to ${control} ${key}`);
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

/** Islands that are on the page have woken, but for those that wait to be asked. */
export async function awake(page: Page): Promise<void> {
  await expect(page.locator('astro-island[ssr]:not([client="ask"])')).toHaveCount(0);
}

/** A page that fails its test when the browser reports anything: errors, refused scripts, missing files. */
export const test = base.extend<{ troubles: string[] }>({
  baseURL: async ({}, use) => use(process.env.LORELOOM_URL),
  troubles: [
    async ({ page }, use) => {
      const troubles: string[] = [];
      page.on('pageerror', (error) => troubles.push(error.message));
      page.on('console', (message) => {
        // A refusal of the API is an answer, not a trouble: what the page makes of it is what tests see.
        const refusal =
          message.text().startsWith('Failed to load resource') && message.location().url.includes('/api/');
        if (message.type() === 'error' && !refusal) troubles.push(message.text());
      });
      await use(troubles);
      expect(troubles).toEqual([]);
    },
    { auto: true },
  ],
});
export { expect };
