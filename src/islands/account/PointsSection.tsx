import { useStore } from '@nanostores/react';
import { useRef, type ReactNode } from 'react';
import type { SessionUser } from '../../features/account/contract.ts';
import type { LedgerEntry, PointsStatus } from '../../features/wallet/contract.ts';
import { LEDGER_REASONS } from '../../features/wallet/ledger.ts';
import { formatDayAndTime, formatNumber, formatTime } from '../../locales/format.ts';
import { useLang, useTranslate } from '../shared/i18n.tsx';
import { hasMemberships } from '../shared/site.ts';
import { LINK, SECONDARY } from '../shared/styles.ts';
import { accountPage } from './account-state.ts';
import { LoadError, RemoteContent, Section, useShowMore, useOnceNearby } from './components.tsx';

/** The user's plan, their points and daily messages, and the points history. */
export function PointsSection({ plan }: { plan: SessionUser['plan'] }) {
  const words = useTranslate('account');
  return (
    <Section id="points" title={words('points')}>
      <p className="flex flex-wrap items-center gap-x-4">
        <span>{words('plan', { plan: words(`plan_${plan}`) })}</span>
        {hasMemberships() ? (
          <a className={`${LINK} row-link`} href="/membership">
            {words('planLink')}
          </a>
        ) : null}
      </p>
      <RemoteContent remote={accountPage.points}>{(points) => <PlanLimits points={points} />}</RemoteContent>
      <LedgerList />
    </Section>
  );
}

function PlanLimits({ points }: { points: PointsStatus }) {
  const words = useTranslate('account');
  const lang = useLang();
  const { daily_messages_used: used, daily_message_limit: limit } = points;
  const formatUsedToday = () => {
    // Messages covered by a membership are not counted, so the number would be incomplete.
    if (points.unlimited) return '∞';
    return limit === null ? formatNumber(used, lang) : words('todayOf', { used, limit });
  };
  return (
    <>
      <dl className="figures">
        <Figure label={words('current')} value={formatNumber(points.current_points, lang)}>
          {words('refills', {
            time: formatTime(points.refills_at, lang),
            points: points.refill_to,
          })}
        </Figure>
        <Figure label={words('permanent')} value={formatNumber(points.permanent_points, lang)}>
          {words('permanentNote')}
        </Figure>
        <Figure label={words('today')} value={formatUsedToday()}>
          {limit === null
            ? words('todayOpen')
            : words('todayAgain', { time: formatTime(points.daily_resets_at, lang) })}
        </Figure>
      </dl>
      <p className="mt-4 text-sm text-text-quiet">
        {points.unlimited ? words('costCovered') : words('cost', { cost: points.message_cost })}
      </p>
    </>
  );
}

function Figure({ label, value, children }: { label: string; value: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <span className="figure">{value}</span>
        <span className="block text-sm text-text-quiet">{children}</span>
      </dd>
    </div>
  );
}

function LedgerList() {
  const { status, entries, nextCursor, cutOff } = useStore(accountPage.$ledger, { ssr: 'initial' });
  const words = useTranslate('account');
  const place = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const showMore = useShowMore(list, entries.length);
  const show = () => void accountPage.showLedger();
  useOnceNearby(place, show);
  const waits = status === 'idle' || status === 'loading';
  return (
    <div ref={place}>
      <h3 id="ledger-title">{words('ledger')}</h3>
      {entries.length > 0 ? (
        <ul ref={list} aria-labelledby="ledger-title" className="rows">
          {entries.map((entry) => (
            <LedgerRow key={entry.id} entry={entry} />
          ))}
        </ul>
      ) : null}
      {entries.length === 0 && waits ? (
        <p role="status" className="text-text-quiet">
          {words('partLoading')}
        </p>
      ) : null}
      {entries.length === 0 && status === 'ready' ? (
        <p className="text-text-quiet">{words('ledgerEmpty')}</p>
      ) : null}
      {status === 'failed' ? <LoadError again={show} /> : null}
      {entries.length > 0 && nextCursor !== null && status !== 'failed' ? (
        <button
          type="button"
          className={`${SECONDARY} mt-3`}
          aria-busy={waits}
          onClick={() => {
            showMore();
            show();
          }}
        >
          {words('more')}
        </button>
      ) : null}
      {cutOff ? <p className="mt-3 text-sm text-text-quiet">{words('ledgerRest')}</p> : null}
    </div>
  );
}

/** The translation key for a ledger entry's reason. */
function getReasonKey({ kind, reason }: LedgerEntry) {
  if (kind === 'message_free') return 'free';
  if (kind === 'message_covered') return 'covered';
  if (kind !== 'message') return kind;
  if (reason === LEDGER_REASONS.suggestions.spent) return 'suggestions';
  if (reason === LEDGER_REASONS.test.spent) return 'test';
  return reason === LEDGER_REASONS.draft.spent ? 'draft' : 'reply';
}

function LedgerRow({ entry }: { entry: LedgerEntry }) {
  const words = useTranslate('account');
  const lang = useLang();
  const { at, amount, balance_after: balance, conversation_id: conversationId } = entry;
  const changed = `${amount > 0 ? '+' : ''}${formatNumber(amount, lang)}`;
  return (
    <li className="flex items-baseline gap-x-4">
      <span className="min-w-0 flex-1">
        {words(`ledger_${getReasonKey(entry)}`)}
        <span className="flex flex-wrap items-center gap-x-4 text-sm text-text-quiet">
          <time dateTime={at}>{formatDayAndTime(at, lang)}</time>
          {conversationId === undefined ? null : (
            <a className={`${LINK} row-link`} href={`/messages/${encodeURIComponent(conversationId)}`}>
              {words('openChat')}
            </a>
          )}
        </span>
      </span>
      <span className="flex-none text-end tabular-nums">
        <span className={amount > 0 ? 'text-state' : ''}>{changed}</span>
        <span className="block text-sm text-text-quiet">{words('balance', { balance })}</span>
      </span>
    </li>
  );
}
