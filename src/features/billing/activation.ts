import { BILLING } from './limits.ts';
import type { ProviderSubscription } from './payment-provider.ts';

/** Why a subscription is not somebody's membership. */
export type ActivationError =
  | 'subscription_foreign'
  | 'subscription_wrong_plan'
  | 'subscription_not_active'
  | 'subscription_wrong_currency'
  | 'subscription_wrong_price';

/** Whether it is paid for from now on, and not from a day to come. */
export const hasStarted = ({ beganAt }: Pick<ProviderSubscription, 'beganAt'>, now: number): boolean =>
  beganAt === null || beganAt <= now + BILLING.clockToleranceMs;

/** What is or was for sale, as the company has it. */
export interface Offer {
  planId: string;
  priceCents: number;
}

/**
 * Whether a subscription is a membership of somebody. Whoever begins one does it in their own browser, and could change
 * there whose it is and what it costs.
 * @param isToBeActive false where it is enough that it was once
 */
export function findActivationError(
  { customId, planId, status, amounts }: ProviderSubscription,
  { userId, offer, isToBeActive }: { userId: string; offer: Offer; isToBeActive: boolean },
): ActivationError | null {
  if (customId !== userId) return 'subscription_foreign';
  if (planId !== offer.planId) return 'subscription_wrong_plan';
  if (isToBeActive ? status !== 'active' : status === 'pending') return 'subscription_not_active';
  if (amounts.some((told) => told !== null && told.currency !== BILLING.currency))
    return 'subscription_wrong_currency';
  // What is told and cannot be read may be anything.
  return amounts.some((told) => told?.cents !== offer.priceCents) ? 'subscription_wrong_price' : null;
}

/** What a subscription was begun by, or why it is nobody's membership. */
export type OfferMatch = { offer: Offer; refusal: null } | { offer: null; refusal: ActivationError };

/** Whether something else that was for sale might be what was agreed to. */
export const canMatchOtherOffer = (refusal: ActivationError): boolean =>
  refusal === 'subscription_wrong_plan' || refusal === 'subscription_wrong_price';

/**
 * Which of several offers a subscription is a membership by: plan and price of one, and never the plan of one at the price
 * of another.
 * @param offers what is for sale first; of none of them it is refused as of another plan
 */
export function matchOffer(
  told: ProviderSubscription,
  { offers, ...who }: { userId: string; offers: readonly Offer[]; isToBeActive: boolean },
): OfferMatch {
  let first: ActivationError | null = null;
  for (const offer of offers) {
    const refusal = findActivationError(told, { ...who, offer });
    if (refusal === null) return { offer, refusal };
    if (!canMatchOtherOffer(refusal)) return { offer: null, refusal };
    first ??= refusal;
  }
  return { offer: null, refusal: first ?? 'subscription_wrong_plan' };
}
