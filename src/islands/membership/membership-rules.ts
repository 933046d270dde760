import type { PaymentClient, Plan, SubscriptionView } from '../../features/billing/contract.ts';
import type { Failure } from '../shared/api.ts';

/**
 * Where somebody is with their membership. `given`: by the operator, without a payment. `agreed`: it begins on a day that is
 * to come. `waiting`: PayPal has not confirmed the first payment yet, and it brings nothing by now. `awaited`: a payment is
 * on its way, and everything stays as it is meanwhile; `late`: it stays so no more. `refunded`: what was paid last went back.
 * `leaving`: cancelled, and paid for until a day that is to come.
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
  // Who was given their plan keeps it when what they paid for ends.
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

/** Who may begin to pay: nobody pays twice, and whoever cancelled may come back at any time. */
export const canSubscribe = (standing: MembershipStatus): boolean =>
  standing === 'free' || standing === 'over' || standing === 'leaving';

/** Who has something to cancel. */
export const canCancel = (standing: MembershipStatus): boolean =>
  standing !== 'free' && standing !== 'given' && standing !== 'leaving' && standing !== 'over';

/** Whose payment PayPal has not told of: in some minutes it may be there. */
export const isPending = (standing: MembershipStatus): boolean =>
  standing === 'waiting' || standing === 'awaited' || standing === 'late';

/** The end of what is paid for, while it is to come. */
export function getPaidPeriodEnd({ current_period_end: end }: SubscriptionView, now: number): string | null {
  return end !== null && Date.parse(end) > now ? end : null;
}

/** PayPal takes no beginning that is over by the time it is asked. */
const MIN_LEAD_TIME_MS = 5 * 60_000;

/** The beginning of a subscription by which nothing is paid twice; null for at once. */
export function getSubscriptionStart({ starts_at: startsAt }: PaymentClient, now: number): string | null {
  return startsAt !== null && Date.parse(startsAt) > now + MIN_LEAD_TIME_MS ? startsAt : null;
}

/** Whether asking once more can end otherwise. PayPal may take some seconds to call active what was just agreed to. */
export function canRetry({ status, code }: Pick<Failure, 'status' | 'code'>): boolean {
  return (
    status === 0 || status === 401 || status === 429 || status >= 500 || code === 'subscription_not_active'
  );
}

/** What plans are compared by, in the order of the page; of each, a plan has the first feature that it lists. */
export const PLAN_ASPECTS = [
  { id: 'characters', features: ['all_characters'] },
  { id: 'messages', features: ['unlimited_messages', 'daily_messages'] },
  { id: 'points', features: ['points_refill', 'unlimited_messages'] },
  { id: 'responses', features: ['faster_responses'] },
  { id: 'support', features: ['priority_support'] },
  { id: 'personas', features: ['personas'] },
] as const satisfies readonly { id: string; features: readonly Plan['features'][number][] }[];

/** What a plan has of an aspect; null where it has nothing of it. */
export function findFeature(
  { features }: Plan,
  aspect: (typeof PLAN_ASPECTS)[number],
): Plan['features'][number] | null {
  return aspect.features.find((feature) => features.includes(feature)) ?? null;
}
