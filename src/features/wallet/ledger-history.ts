import type { LedgerEntry, LedgerGroup } from './contract.ts';
import { LEDGER_REASONS } from './ledger.ts';
import { getLocalDay } from './user-day.ts';

const DAY_MS = 86_400_000;

const REPLY_REASONS: ReadonlySet<string> = new Set([
  LEDGER_REASONS.reply.spent,
  LEDGER_REASONS.reply.covered,
]);

/** Identifies what an entry was about: its conversation, or its kind outside of conversations. */
const getSubject = ({ conversation_id: conversationId, kind, reason }: LedgerEntry): string =>
  conversationId ?? `${kind} ${reason}`;

/**
 * Groups ledger entries by local day and by conversation, or by kind outside of conversations.
 * @param entries newest first
 * @param zone the user's time zone; null for UTC
 * @returns the groups in the order of their newest entries
 */
export function groupEntries(entries: readonly LedgerEntry[], zone: string | null): LedgerGroup[] {
  const groups = new Map<string, { group: LedgerGroup; newestId: string }>();
  for (const entry of entries) {
    const day = getLocalDay(zone, Date.parse(entry.at));
    const key = `${day} ${getSubject(entry)}`;
    const known = groups.get(key);
    const { group, newestId } = known ?? {
      newestId: entry.id,
      group: {
        id: '',
        day: new Date(day * DAY_MS).toISOString().slice(0, 10),
        ...(entry.conversation_id === undefined ? {} : { conversation_id: entry.conversation_id }),
        kind: entry.kind,
        reason: entry.reason,
        entries: 0,
        replies: 0,
        amount: 0,
      },
    };
    groups.set(key, {
      newestId,
      group: {
        ...group,
        id: `${newestId}.${entry.id}`,
        entries: group.entries + 1,
        replies: group.replies + Number(REPLY_REASONS.has(entry.reason)),
        amount: group.amount + entry.amount,
      },
    });
  }
  return [...groups.values()].map(({ group }) => group);
}
