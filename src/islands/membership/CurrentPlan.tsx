import { useState } from 'react';
import type { Plan, SubscriptionView } from '../../features/billing/contract.ts';
import { formatDate, formatMoney } from '../../locales/format.ts';
import { useLang, useTranslate } from '../shared/i18n.tsx';
import { SECONDARY } from '../shared/styles.ts';
import { ConfirmDialog } from '../shared/ui/ConfirmDialog.tsx';
import { isPending, canCancel, getPaidPeriodEnd, getMembershipStatus } from './membership-rules.ts';
import { getPlanName } from './plan-name.ts';

/** The user's plan, the end of the paid period, whether it renews, and the button to cancel. */
export function CurrentPlan({
  view,
  plans,
  now,
  isBusy,
  leave,
  lookAgain,
}: {
  view: SubscriptionView;
  plans: Plan[];
  /** Milliseconds since the epoch. */
  now: number;
  isBusy: boolean;
  leave: () => void;
  lookAgain: () => void;
}) {
  const words = useTranslate('membership');
  const lang = useLang();
  const [isConfirming, setIsConfirming] = useState(false);
  const status = getMembershipStatus(view);
  const name = getPlanName(view.plan, plans, words);
  const end = view.current_period_end;
  const isPaid = status !== 'free' && status !== 'given';
  const until = getPaidPeriodEnd(view, now);
  return (
    <>
      <dl className="figures">
        <div>
          <dt>{words('planLabel')}</dt>
          <dd className="figure">{name}</dd>
        </div>
        {isPaid && end !== null && (status === 'late' || (until !== null && !isPending(status))) ? (
          <div>
            <dt>{words('paidUntilLabel')}</dt>
            <dd className="figure">
              <time dateTime={end}>{formatDate(end, lang)}</time>
            </dd>
          </div>
        ) : null}
        {isPaid && status !== 'over' ? (
          <div>
            <dt>{words('renewalLabel')}</dt>
            <dd className="figure">{words(view.auto_renew ? 'renewalOn' : 'renewalOff')}</dd>
          </div>
        ) : null}
      </dl>
      <StatusMessage view={view} plans={plans} now={now} />
      {canCancel(status) ? (
        <div className="actions">
          {isPending(status) ? (
            <button type="button" className={SECONDARY} onClick={lookAgain}>
              {words('checkAgain')}
            </button>
          ) : null}
          <button type="button" className={SECONDARY} disabled={isBusy} onClick={() => setIsConfirming(true)}>
            {words('cancelMembership')}
          </button>
        </div>
      ) : null}
      <ConfirmDialog
        open={isConfirming}
        title={words('cancelTitle')}
        text={
          view.is_given
            ? words('cancelTextGift')
            : until === null || isPending(status)
              ? words('cancelTextNow')
              : words('cancelText', { date: formatDate(until, lang), plan: name })
        }
        stay={words('cancelKeepMembership')}
        go={words('cancelMembership')}
        onStay={() => setIsConfirming(false)}
        onGo={() => {
          setIsConfirming(false);
          leave();
        }}
      />
    </>
  );
}

/** One or two sentences about the membership's status. */
function StatusMessage({ view, plans, now }: { view: SubscriptionView; plans: Plan[]; now: number }) {
  const words = useTranslate('membership');
  const lang = useLang();
  const status = getMembershipStatus(view);
  const until = getPaidPeriodEnd(view, now);
  const planUntil = until === null ? null : words('benefitsUntil', { date: formatDate(until, lang) });
  switch (status) {
    case 'renewing': {
      const plan = plans.find(({ id }) => id === view.plan);
      if (until === null || plan === undefined || !view.auto_renew) return null;
      // The agreed price applies, even if the plan costs something else now. A next payment may be due before a
      // longer paid period ends.
      const price = formatMoney(view.price_cents ?? plan.price_cents, lang);
      return <p>{words('statusRenews', { date: formatDate(view.next_payment_at ?? until, lang), price })}</p>;
    }
    case 'agreed': {
      const date = formatDate(view.begins_at ?? '', lang);
      const plan = plans.find(({ id, available }) => id !== 'free' && available);
      const price = formatMoney(view.price_cents ?? plan?.price_cents ?? 0, lang);
      return (
        <div role="note" className="flex flex-col gap-2 border-s-2 border-state ps-3">
          <p>{words('statusStartsLater', { date, price })}</p>
          {planUntil === null ? null : <p>{planUntil}</p>}
        </div>
      );
    }
    case 'awaited':
      return (
        <p role="note" className="border-s-2 border-state ps-3">
          {until === null
            ? words('statusPaymentPending')
            : words('statusRenewalPending', { date: formatDate(until, lang) })}
        </p>
      );
    case 'late':
      return (
        <p role="note" className="border-s-2 border-state ps-3">
          {words('statusPaymentLate', { date: formatDate(view.current_period_end ?? '', lang) })}
        </p>
      );
    case 'refunded': {
      const next = view.next_payment_at;
      return (
        <div role="note" className="flex flex-col gap-2 border-s-2 border-state ps-3">
          <p>
            {next === null
              ? words('statusRefundedLast')
              : words('statusRefunded', { date: formatDate(next, lang) })}
          </p>
          {planUntil === null ? null : <p>{planUntil}</p>}
        </div>
      );
    }
    case 'failing':
    case 'suspended':
      return (
        <div role="note" className="flex flex-col gap-2 border-s-2 border-danger ps-3">
          <p>{words(status === 'failing' ? 'statusPaymentFailed' : 'statusSuspended')}</p>
          {planUntil === null ? null : <p>{planUntil}</p>}
        </div>
      );
    case 'leaving':
      return (
        <p role="note" className="border-s-2 border-state ps-3">
          {until === null
            ? words('statusCancelledNow')
            : words('statusCancelled', { date: formatDate(until, lang) })}
        </p>
      );
    case 'over':
      return view.current_period_end === null ? (
        <p>{words('statusFree')}</p>
      ) : (
        <p>{words('statusEnded', { date: formatDate(view.current_period_end, lang) })}</p>
      );
    case 'waiting':
      return <p role="note">{words('statusPaymentPending')}</p>;
    case 'given':
      return <p>{words('statusGift')}</p>;
    default:
      return <p>{words('statusFree')}</p>;
  }
}
