import type { LedgerEntry, LedgerGroup } from '../../features/wallet/contract.ts';
import { GRANT_REASONS, LEDGER_REASONS } from '../../features/wallet/ledger.ts';
import { sanitizeText } from '../../lib/sanitize-text.ts';
import { formatDate, formatDayAndTime, formatNumber } from '../../locales/format.ts';
import { useLang, useTranslate } from '../shared/i18n.tsx';

/** Formats a group's day, which is a date without a time zone. */
export const formatLedgerDay = (day: string, lang: string, length: 'long' | 'short'): string =>
  formatDate(`${day}T00:00:00Z`, lang, { length, zone: 'UTC' });

/** The translation key for a ledger entry's reason. */
function getReasonKey({ kind, reason }: Pick<LedgerEntry, 'kind' | 'reason'>) {
  if (kind === 'message_free') return 'free';
  if (kind === 'message_covered') return 'covered';
  if (kind !== 'message') return kind;
  if (reason === LEDGER_REASONS.suggestions.spent) return 'suggestions';
  if (reason === LEDGER_REASONS.test.spent) return 'test';
  return reason === LEDGER_REASONS.draft.spent ? 'draft' : 'reply';
}

/** A change of points with its sign. */
function Amount({ amount }: { amount: number }) {
  const lang = useLang();
  return (
    <span className={amount > 0 ? 'text-state' : ''}>
      {`${amount > 0 ? '+' : ''}${formatNumber(amount, lang)}`}
    </span>
  );
}

/** A group of the points history in one line: what it is about, how many changes, and their sum. */
export function LedgerGroupLine({ group }: { group: LedgerGroup }) {
  const words = useTranslate('account');
  const { conversation_id: conversationId, character_name: name, replies, entries } = group;
  const count =
    replies > 0
      ? words('pointsHistoryReplies', { count: replies })
      : words('pointsHistoryChanges', { count: entries });
  return (
    <>
      <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
        {conversationId === undefined ? (
          words(`pointsHistory_${getReasonKey(group)}`)
        ) : name === undefined ? (
          words('pointsHistoryChatDeleted')
        ) : (
          <bdi>{name}</bdi>
        )}
        {conversationId === undefined && entries === 1 ? null : (
          <span className="block text-sm text-text-quiet">{count}</span>
        )}
      </span>
      <span className="flex-none tabular-nums">
        <Amount amount={group.amount} />
      </span>
    </>
  );
}

/** One entry of the ledger. */
export function LedgerRow({ entry }: { entry: LedgerEntry }) {
  const words = useTranslate('account');
  const lang = useLang();
  const { at, amount, balance_after: balance } = entry;
  return (
    <li className="flex items-baseline gap-x-4">
      <span className="min-w-0 flex-1">
        {words(`pointsHistory_${getReasonKey(entry)}`)}
        {entry.kind === 'gift' && entry.reason !== GRANT_REASONS.gift ? (
          <span dir="auto" className="block [overflow-wrap:anywhere]">
            {sanitizeText(entry.reason)}
          </span>
        ) : null}
        <time dateTime={at} className="block text-sm text-text-quiet">
          {formatDayAndTime(at, lang)}
        </time>
      </span>
      <span className="flex-none text-end tabular-nums">
        <Amount amount={amount} />
        <span className="block text-sm text-text-quiet">{words('pointsHistoryBalance', { balance })}</span>
      </span>
    </li>
  );
}
