import { useEffect, useRef } from 'react';
import type { Plan, SubscriptionView } from '../../features/billing/contract.ts';
import { formatFailure } from '../shared/errors.ts';
import { useLang, useTranslate } from '../shared/i18n.tsx';
import { PRIMARY } from '../shared/styles.ts';
import { canRetry } from './membership-rules.ts';
import type { MembershipStore, MembershipOperation } from './membership-state.ts';
import { getPlanName } from './plan-name.ts';

/** The state of the last action: in progress, done, or failed with what the user can do next. */
export function ActivationStatus({
  operation,
  membership,
  view,
  plans,
  supportEmail,
}: {
  operation: MembershipOperation;
  membership: MembershipStore;
  view: SubscriptionView | null;
  plans: Plan[];
  supportEmail: string | null;
}) {
  const words = useTranslate('membership');
  const place = useRef<HTMLDivElement>(null);
  const { kind, busy, done, failure } = operation;
  useEffect(() => {
    // The control that started the action may be far below or no longer there.
    if (done || failure !== null) place.current?.focus();
  }, [done, failure]);
  // For an unconfirmed payment or a plan that starts later, the status section explains the state.
  const hasStarted = view !== null && view.plan !== 'free' && view.begins_at === null;
  const begun = hasStarted ? getPlanName(view.plan, plans, words) : null;
  const said =
    kind === null
      ? ''
      : kind === 'activate'
        ? busy
          ? words('activating')
          : done && begun !== null
            ? words('activated', { plan: begun })
            : ''
        : busy
          ? words('cancelling')
          : done
            ? words('cancelled')
            : '';
  return (
    <div ref={place} tabIndex={-1} className="told">
      <p role="status" className={said === '' ? 'sr-only' : 'border-s-2 border-state ps-3'}>
        {said}
      </p>
      {failure === null ? null : (
        <ActivationError
          operation={operation}
          again={() => void membership.activateAgain()}
          supportEmail={supportEmail}
        />
      )}
    </div>
  );
}

function ActivationError({
  operation: { kind, failure, subscriptionId },
  again,
  supportEmail,
}: {
  operation: MembershipOperation;
  again: () => void;
  supportEmail: string | null;
}) {
  const words = useTranslate('membership');
  const errors = useTranslate('errors');
  const lang = useLang();
  if (failure === null) return null;
  const head = errors(kind === 'leave' ? 'downgrade_failed' : 'activate_failed');
  const reason = failure.code === 'downgrade_failed' ? '' : formatFailure(failure, errors, lang);
  return (
    <div role="alert" className="flex flex-col items-start gap-3 border-s-2 border-danger ps-3">
      <p className="font-medium">{head}</p>
      {reason === '' ? null : <p>{reason}</p>}
      {subscriptionId === null ? null : (
        <p className="break-words">{words('subscriptionId', { id: subscriptionId })}</p>
      )}
      <div className="actions">
        {kind === 'activate' && canRetry(failure) ? (
          <button type="button" className={PRIMARY} onClick={again}>
            {words('tryAgain')}
          </button>
        ) : null}
        {supportEmail === null ? null : (
          <a className="button" href={`mailto:${supportEmail}`}>
            {words('contactSupport', { address: supportEmail })}
          </a>
        )}
      </div>
    </div>
  );
}
