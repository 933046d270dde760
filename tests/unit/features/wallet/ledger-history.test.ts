import { describe, expect, test } from 'vitest';
import type { LedgerEntry } from '../../../../src/features/wallet/contract.ts';
import { LEDGER_REASONS } from '../../../../src/features/wallet/ledger.ts';
import { groupEntries } from '../../../../src/features/wallet/ledger-history.ts';

const buildEntry = (id: string, at: string, more: Partial<LedgerEntry> = {}): LedgerEntry => ({
  id,
  at,
  kind: 'message',
  reason: LEDGER_REASONS.reply.spent,
  amount: -1,
  balance_after: 10,
  ...more,
});

describe('Points history', () => {
  test('groups have the entries of one day and one conversation, even when conversations alternate', () => {
    const entries = [
      buildEntry('e', '2026-11-28T20:00:00.000Z', { conversation_id: 'lumi' }),
      buildEntry('d', '2026-11-28T19:00:00.000Z', { conversation_id: 'tavi' }),
      buildEntry('c', '2026-11-28T18:00:00.000Z', { conversation_id: 'lumi' }),
      buildEntry('b', '2026-11-28T17:00:00.000Z', {
        conversation_id: 'lumi',
        reason: LEDGER_REASONS.suggestions.spent,
      }),
      buildEntry('a', '2026-11-27T17:00:00.000Z', { conversation_id: 'lumi' }),
    ];
    expect(groupEntries(entries, null)).toMatchObject([
      { id: 'e.b', day: '2026-11-28', conversation_id: 'lumi', entries: 3, replies: 2, amount: -3 },
      { id: 'd.d', day: '2026-11-28', conversation_id: 'tavi', entries: 1, replies: 1, amount: -1 },
      { id: 'a.a', day: '2026-11-27', conversation_id: 'lumi', entries: 1, replies: 1, amount: -1 },
    ]);
  });

  test('entries without a conversation are grouped by their kind', () => {
    const entries = [
      buildEntry('d', '2026-11-28T20:00:00.000Z', { reason: LEDGER_REASONS.test.spent }),
      buildEntry('c', '2026-11-28T16:00:00.000Z', { kind: 'refill', reason: 'Points refilled', amount: 7 }),
      buildEntry('b', '2026-11-28T12:00:00.000Z', { reason: LEDGER_REASONS.test.spent }),
      buildEntry('a', '2026-11-28T08:00:00.000Z', { kind: 'refill', reason: 'Points refilled', amount: 3 }),
    ];
    expect(groupEntries(entries, null)).toMatchObject([
      { id: 'd.b', kind: 'message', entries: 2, replies: 0, amount: -2 },
      { id: 'c.a', kind: 'refill', entries: 2, replies: 0, amount: 10 },
    ]);
  });

  test('days are those of the user’s time zone', () => {
    const entries = [
      buildEntry('b', '2026-11-28T16:00:00.000Z', { conversation_id: 'lumi' }),
      buildEntry('a', '2026-11-28T14:00:00.000Z', { conversation_id: 'lumi' }),
    ];
    expect(groupEntries(entries, null).map(({ day }) => day)).toEqual(['2026-11-28']);
    expect(groupEntries(entries, 'Asia/Tokyo').map(({ day }) => day)).toEqual(['2026-11-29', '2026-11-28']);
  });
});
