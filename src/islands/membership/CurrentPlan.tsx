import { useState } from 'react';
import type { Plan, SubscriptionView } from '../../features/billing/contract.ts';
import { formatDate, formatMoney } from '../../locales/format.ts';
import { useLang, useWords } from '../shared/i18n.tsx';
import { SECONDARY } from '../shared/styles.ts';
import { Sure } from '../shared/ui/ConfirmDialog.tsx';
import { isAwaiting, mayLeave, paidUntil, standingOf } from './membership-rules.ts';
import { planName } from './plan-name.ts';

/** One's plan, until when it is paid for, whether it renews itself, and the way out of it. */
export function Yours({
  view,
  plans,
  now,
  isBusy,
  leave,
  lookAgain,
}: {
  view: SubscriptionView;
  plans: Plan[];
  /** In milliseconds since the epoch. */
  now: number;
  isBusy: boolean;
  leave: () => void;
  lookAgain: () => void;
}) {
  const words = useWords('membership');
  const lang = useLang();
  const [isSure, setSure] = useState(false);
  const standing = standingOf(view);
  const name = planName(view.plan, plans, words);
  const end = view.current_period_end;
  const isPaid = standing !== 'free' && standing !== 'given';
  const until = paidUntil(view, now);
  return (
    <>
      <dl className="figures">
        <div>
          <dt>{words('plan')}</dt>
          <dd className="figure">{name}</dd>
        </div>
        {isPaid && end !== null && (standing === 'late' || (until !== null && !isAwaiting(standing))) ? (
          <div>
            <dt>{words('paidUntil')}</dt>
            <dd className="figure">
              <time dateTime={end}>{formatDate(end, lang)}</time>
            </dd>
          </div>
        ) : null}
        {isPaid && standing !== 'over' ? (
          <div>
            <dt>{words('renewal')}</dt>
            <dd className="figure">{words(view.auto_renew ? 'renewalOn' : 'renewalOff')}</dd>
          </div>
        ) : null}
      </dl>
      <Sentence view={view} plans={plans} now={now} />
      {mayLeave(standing) ? (
        <div className="actions">
          {isAwaiting(standing) ? (
            <button type="button" className={SECONDARY} onClick={lookAgain}>
              {words('lookAgain')}
            </button>
          ) : null}
          <button type="button" className={SECONDARY} disabled={isBusy} onClick={() => setSure(true)}>
            {words('leave')}
          </button>
        </div>
      ) : null}
      <Sure
        open={isSure}
        title={words('leaveTitle')}
        text={
          view.is_given
            ? words('leaveTextGiven')
            : until === null || isAwaiting(standing)
              ? words('leaveTextNow')
              : words('leaveText', { date: formatDate(until, lang), plan: name })
        }
        stay={words('leaveStay')}
        go={words('leave')}
        onStay={() => setSure(false)}
        onGo={() => {
          setSure(false);
          leave();
        }}
      />
    </>
  );
}

/** How one stands, in a sentence or two. */
function Sentence({ view, plans, now }: { view: SubscriptionView; plans: Plan[]; now: number }) {
  const words = useWords('membership');
  const lang = useLang();
  const standing = standingOf(view);
  const until = paidUntil(view, now);
  const stays = until === null ? null : words('staysUntil', { date: formatDate(until, lang) });
  switch (standing) {
    case 'renewing': {
      const plan = plans.find(({ id }) => id === view.plan);
      if (until === null || plan === undefined || !view.auto_renew) return null;
      // What was agreed to stays, whatever the plan costs by now. Who has paid for more is asked for the next all the same.
      const price = formatMoney(view.price_cents ?? plan.price_cents, lang);
      return <p>{words('isRenewing', { date: formatDate(view.next_payment_at ?? until, lang), price })}</p>;
    }
    case 'agreed': {
      const date = formatDate(view.begins_at ?? '', lang);
      const plan = plans.find(({ id, available }) => id !== 'free' && available);
      const price = formatMoney(view.price_cents ?? plan?.price_cents ?? 0, lang);
      return (
        <div role="note" className="flex flex-col gap-2 border-s-2 border-state ps-3">
          <p>{words('isAgreed', { date, price })}</p>
          {stays === null ? null : <p>{stays}</p>}
        </div>
      );
    }
    case 'awaited':
      return (
        <p role="note" className="border-s-2 border-state ps-3">
          {until === null ? words('isWaiting') : words('isAwaited', { date: formatDate(until, lang) })}
        </p>
      );
    case 'late':
      return (
        <p role="note" className="border-s-2 border-state ps-3">
          {words('isLate', { date: formatDate(view.current_period_end ?? '', lang) })}
        </p>
      );
    case 'refunded': {
      const next = view.next_payment_at;
      return (
        <div role="note" className="flex flex-col gap-2 border-s-2 border-state ps-3">
          <p>
            {next === null ? words('isRefundedLast') : words('isRefunded', { date: formatDate(next, lang) })}
          </p>
          {stays === null ? null : <p>{stays}</p>}
        </div>
      );
    }
    case 'failing':
    case 'suspended':
      return (
        <div role="note" className="flex flex-col gap-2 border-s-2 border-harm ps-3">
          <p>{words(standing === 'failing' ? 'isFailing' : 'isSuspended')}</p>
          {stays === null ? null : <p>{stays}</p>}
        </div>
      );
    case 'leaving':
      return (
        <p role="note" className="border-s-2 border-state ps-3">
          {until === null ? words('isLeavingNow') : words('isLeaving', { date: formatDate(until, lang) })}
        </p>
      );
    case 'over':
      return view.current_period_end === null ? (
        <p>{words('isFree')}</p>
      ) : (
        <p>{words('isOver', { date: formatDate(view.current_period_end, lang) })}</p>
      );
    case 'waiting':
      return <p role="note">{words('isWaiting')}</p>;
    case 'given':
      return <p>{words('isGiven')}</p>;
    default:
      return <p>{words('isFree')}</p>;
  }
}
