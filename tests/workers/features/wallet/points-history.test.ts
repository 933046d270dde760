import { runInDurableObject } from 'cloudflare:test';
import { describe, expect, test } from 'vitest';
import type { LedgerGroup, LedgerHistory, LedgerPage } from '../../../../src/features/wallet/contract.ts';
import { MAX_HISTORY_ENTRIES } from '../../../../src/features/wallet/limits.ts';
import { createPositionedId } from '../../../../src/lib/ids.ts';
import {
  getPoints,
  getWalletStub,
  sendMessage,
  signInGuest,
  startConversation,
  Visitor,
} from '../../../support/factories.ts';

const NOON = Date.UTC(2020, 0, 10, 12);
const DAY_MS = 86_400_000;

/** Puts older entries before the wallet's own. @param ages in days before NOON, oldest first */
async function addOldEntries(me: Visitor, ages: readonly number[], conversationId = 'gone'): Promise<void> {
  await getPoints(me);
  await runInDurableObject(getWalletStub(me.id), (_, { storage: { sql } }) => {
    sql.exec('delete from ledger');
    for (const [index, age] of ages.entries()) {
      const at = NOON - age * DAY_MS;
      sql.exec(
        `insert into ledger (position, id, at, kind, reason, amount, balance_after, conversation_id)
         values (?, ?, ?, 'message', 'A reply was written', -1, 0, ?)`,
        index + 1,
        createPositionedId(at, index + 1),
        at,
        conversationId,
      );
    }
  });
}

async function listHistory(me: Visitor, days: number): Promise<LedgerGroup[][]> {
  const pages: LedgerGroup[][] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: LedgerHistory = await me.ask(`/api/points/history?days=${days}&cursor=${cursor}`);
    pages.push(page.items);
    cursor = page.next_cursor;
  }
  return pages;
}

describe('Points history', () => {
  test('a day’s replies in a conversation are one group, which names the character and lists its entries', async () => {
    const me = await signInGuest();
    const [first, second] = [await startConversation(me), await startConversation(me)];
    for (const id of [first, second, first]) await sendMessage(me, id);
    const { items, next_cursor } = await me.ask<LedgerHistory>('/api/points/history');
    expect(next_cursor).toBeNull();
    expect(items).toEqual([
      expect.objectContaining({ conversation_id: first, replies: 2, entries: 2, amount: -2 }),
      expect.objectContaining({ conversation_id: second, replies: 1, entries: 1, amount: -1 }),
      expect.objectContaining({ kind: 'opening', replies: 0, entries: 1, amount: 50 }),
    ]);
    expect(items[0]?.character_name).toMatch(/\S/);
    expect(items[2]).not.toHaveProperty('character_name');

    const path = `/api/points/ledger?limit=1&group=${items[0]?.id}`;
    const newest = await me.ask<LedgerPage>(path);
    expect(newest.items).toEqual([expect.objectContaining({ conversation_id: first, balance_after: 47 })]);
    const older = await me.ask<LedgerPage>(`${path}&cursor=${newest.next_cursor}`);
    expect(older.items).toEqual([expect.objectContaining({ conversation_id: first, balance_after: 49 })]);
    expect(older.next_cursor).toBeNull();
    const opening = await me.ask<LedgerPage>(`/api/points/ledger?group=${items[2]?.id}`);
    expect(opening.items).toEqual([expect.objectContaining({ kind: 'opening' })]);
  });

  test('pages have whole days, without gaps or repeats', async () => {
    const me = await signInGuest();
    await addOldEntries(me, [9, 9, 5, 5, 5, 4, 1]);
    const pages = await listHistory(me, 2);
    expect(pages.map((groups) => groups.map(({ day, entries }) => [day, entries]))).toEqual([
      [
        ['2020-01-09', 1],
        ['2020-01-06', 1],
      ],
      [
        ['2020-01-05', 3],
        ['2020-01-01', 2],
      ],
    ]);
    expect((await listHistory(me, 31)).flat()).toEqual(pages.flat());
  });

  test('a page is built from a limited number of entries, and a longer day continues on the next page', async () => {
    const me = await signInGuest();
    const length = MAX_HISTORY_ENTRIES + 40;
    await addOldEntries(me, [...Array.from({ length }, () => 2), 1, 1]);
    const counts = (await listHistory(me, 31)).map((groups) => groups.map(({ entries }) => entries));
    expect(counts).toEqual([[2], [MAX_HISTORY_ENTRIES], [40]]);
  });

  test('the group of a deleted conversation has no name, and an unknown group is empty', async () => {
    const me = await signInGuest();
    await addOldEntries(me, [1]);
    const { items } = await me.ask<LedgerHistory>('/api/points/history');
    expect(items).toEqual([expect.not.objectContaining({ character_name: expect.anything() })]);
    const id = createPositionedId(NOON, 900);
    expect(await me.ask(`/api/points/ledger?group=${id}.${id}`)).toEqual({ items: [], next_cursor: null });
    expect((await me.call('/api/points/ledger?group=x')).status).toBe(400);
  });

  test('a user sees only their own history, and nobody sees one without a session', async () => {
    const [me, other] = [await signInGuest(), await signInGuest()];
    const id = await startConversation(me);
    await sendMessage(me, id);
    const [group] = (await me.ask<LedgerHistory>('/api/points/history')).items;
    expect((await other.ask<LedgerHistory>('/api/points/history')).items).toEqual([
      expect.objectContaining({ kind: 'opening' }),
    ]);
    const found = await other.ask<LedgerPage>(`/api/points/ledger?group=${group?.id}`);
    expect(found.items).toEqual([]);
    expect((await new Visitor().call('/api/points/history')).status).toBe(401);
  });
});
