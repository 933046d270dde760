import type { PaymentClient, Plan, SubscriptionView } from '../../features/billing/contract.ts';
import type { Failure } from '../shared/api.ts';

/**
 * The status of a membership. `given`: granted by the operator without payment. `agreed`: starts on a future date.
 * `waiting`: PayPal has not confirmed the first payment, and the plan is still free. `awaited`: a payment is due and
 * the plan continues for now; `late`: it no longer does. `refunded`: the last payment was refunded. `leaving`:
 * cancelled, but paid for until a future date.
 */
export type MembershipStatus =
  | 'free'
  | 'given'
  | 'agreed'
  | 'waiting'
  | 'awaited'
  | 'late'
  | 'renewing'
  | 'failing'
  | 'refunded'
  | 'suspended'
  | 'leaving'
  | 'over';

export function getMembershipStatus({
  plan,
  status,
  is_failing,
  is_refunded,
  is_awaited,
  is_given,
  begins_at,
  current_period_end,
  pending_downgrade,
}: SubscriptionView): MembershipStatus {
  // A granted plan outlasts the paid period.
  if (pending_downgrade) return is_given ? 'given' : 'leaving';
  switch (status) {
    case 'active':
      if (is_failing) return 'failing';
      if (is_refunded) return 'refunded';
      if (begins_at !== null) return 'agreed';
      if (plan === 'free') return current_period_end === null ? 'waiting' : 'late';
      return is_awaited && !is_given ? 'awaited' : 'renewing';
    case 'suspended':
      return 'suspended';
    case 'none':
      return plan === 'free' ? 'free' : 'given';
    default:
      return plan === 'free' ? 'over' : 'given';
  }
}

/** Whether the user may subscribe: never twice at once, but at any time after cancelling. */
export const canSubscribe = (status: MembershipStatus): boolean =>
  status === 'free' || status === 'over' || status === 'leaving';

/** Whether there is a subscription to cancel. */
export const canCancel = (status: MembershipStatus): boolean =>
  status !== 'free' && status !== 'given' && status !== 'leaving' && status !== 'over';

/** Whether PayPal has yet to report a payment, which may take some minutes. */
export const isPending = (status: MembershipStatus): boolean =>
  status === 'waiting' || status === 'awaited' || status === 'late';

/** The end of the paid period, or null if it has passed. */
export function getPaidPeriodEnd({ current_period_end: end }: SubscriptionView, now: number): string | null {
  return end !== null && Date.parse(end) > now ? end : null;
}

/** PayPal rejects a start time that has passed when the request arrives. */
const MIN_LEAD_TIME_MS = 5 * 60_000;

/** The start of a new subscription after the paid period, so that no time is paid twice; null to start at once. */
export function getSubscriptionStart({ starts_at: startsAt }: PaymentClient, now: number): string | null {
  return startsAt !== null && Date.parse(startsAt) > now + MIN_LEAD_TIME_MS ? startsAt : null;
}

/** Whether a retry may succeed. PayPal may take some seconds to mark an approved subscription as active. */
export function canRetry({ status, code }: Pick<Failure, 'status' | 'code'>): boolean {
  return (
    status === 0 || status === 401 || status === 429 || status >= 500 || code === 'subscription_not_active'
  );
}

/** Rows of the comparison, in order. A plan shows the first of the row's features that it has. */
export const PLAN_ASPECTS = [
  { id: 'characters', features: ['all_characters'] },
  { id: 'messages', features: ['unlimited_messages', 'daily_messages'] },
  { id: 'points', features: ['points_refill', 'unlimited_messages'] },
  { id: 'responses', features: ['faster_responses'] },
  { id: 'support', features: ['priority_support'] },
  { id: 'personas', features: ['personas'] },
] as const satisfies readonly { id: string; features: readonly Plan['features'][number][] }[];

/** The feature that a plan has in a row; null if it has none. */
export function findFeature(
  { features }: Plan,
  aspect: (typeof PLAN_ASPECTS)[number],
): Plan['features'][number] | null {
  return aspect.features.find((feature) => features.includes(feature)) ?? null;
}
