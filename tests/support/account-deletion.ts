import { env } from 'cloudflare:workers';
import { expect, vi } from 'vitest';
import { processErasures } from '../../src/services/erase-accounts.ts';
import { purgePages } from '../../src/services/purge-pages.ts';
import { openDatabase } from '../../src/db/open.ts';
import { mailsTo } from '../workers/mailbox.ts';
import type { Visitor } from './factories.ts';

/** Account deletion through the API. */

const LINK_PATTERN = /\/delete-account\?token=([0-9a-f]{64})/;

/** Requests the deletion link and reads its token from the mail. */
export async function requestDeletion(me: Visitor, typed = me.email): Promise<string> {
  const before = mailsTo(me.email).length;
  await me.ask('/api/account/delete-request', { json: { email: typed }, status: 201 });
  return vi.waitFor(() => {
    const fresh = mailsTo(me.email).slice(before);
    const token = fresh.map(({ text }) => LINK_PATTERN.exec(text)?.[1]).find((found) => found !== undefined);
    expect(token).toBeDefined();
    return token as string;
  });
}

export const confirmDeletion = (me: Visitor, token: string): Promise<Response> =>
  me.call('/api/account/delete-confirm', { json: { token } });

/** Deletes an account through the link of the mail. */
export async function deleteAccount(me: Visitor): Promise<void> {
  const response = await confirmDeletion(me, await requestDeletion(me));
  expect([response.status, await response.json()]).toEqual([
    200,
    { deleted: true, membership: 'none', subscription: null },
  ]);
}

export const countErasures = async (): Promise<number> =>
  (await env.DB.prepare('select count(*) as count from erasures').first<number>('count')) ?? 0;

/** Runs cron until no erasure is left, moving the time of each erasure forward. */
export async function runErasures(): Promise<void> {
  const db = openDatabase(env.DB);
  await vi.waitFor(
    async () => {
      const now = Date.now() + 2 * 24 * 3_600_000;
      await processErasures(env, db, { now });
      await purgePages(env, db, { invocation: {}, now });
      expect(await countErasures()).toBe(0);
    },
    { timeout: 20_000, interval: 50 },
  );
}
