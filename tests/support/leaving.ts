import { env } from 'cloudflare:workers';
import { expect, vi } from 'vitest';
import { continueErasures } from '../../src/services/erase-accounts.ts';
import { sendPagePurges } from '../../src/services/purge-pages.ts';
import { openDatabase } from '../../src/db/open.ts';
import { mailsTo } from '../workers/mailbox.ts';
import type { Visitor } from './makers.ts';

/** Somebody who leaves for good. */

const LINK = /\/delete-account\?token=([0-9a-f]{64})/;

/** Asks for the link, and reads its token from the mail. */
export async function askedToDelete(me: Visitor, typed = me.email): Promise<string> {
  const before = mailsTo(me.email).length;
  await me.ask('/api/account/delete-request', { json: { email: typed }, status: 201 });
  return vi.waitFor(() => {
    const fresh = mailsTo(me.email).slice(before);
    const token = fresh.map(({ text }) => LINK.exec(text)?.[1]).find((found) => found !== undefined);
    expect(token).toBeDefined();
    return token as string;
  });
}

export const confirm = (me: Visitor, token: string): Promise<Response> =>
  me.call('/api/account/delete-confirm', { json: { token } });

/** Deletes somebody's account, by the mail's link. */
export async function leave(me: Visitor): Promise<void> {
  const response = await confirm(me, await askedToDelete(me));
  expect([response.status, await response.json()]).toEqual([
    200,
    { deleted: true, membership: 'none', subscription: null },
  ]);
}

export const erasuresLeft = async (): Promise<number> =>
  (await env.DB.prepare('select count(*) as count from erasures').first<number>('count')) ?? 0;

/** Lets cron go on until nothing is left to be erased, as far as time is what it waits for. */
export async function allErased(): Promise<void> {
  const db = openDatabase(env.DB);
  await vi.waitFor(
    async () => {
      const now = Date.now() + 2 * 24 * 3_600_000;
      await continueErasures(env, db, { now });
      await sendPagePurges(env, db, { invocation: {}, now });
      expect(await erasuresLeft()).toBe(0);
    },
    { timeout: 20_000, interval: 50 },
  );
}
