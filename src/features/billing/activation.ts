import { BILLING } from './limits.ts';
import type { ProviderSubscription } from './payment-provider.ts';

/** Why a subscription is not accepted as the user's membership. */
export type ActivationError =
  | 'subscription_wrong_account'
  | 'subscription_wrong_plan'
  | 'subscription_not_active'
  | 'subscription_wrong_currency'
  | 'subscription_wrong_price';

/** Whether it has started, rather than being scheduled for a later day. */
export const hasStarted = ({ beganAt }: Pick<ProviderSubscription, 'beganAt'>, now: number): boolean =>
  beganAt === null || beganAt <= now + BILLING.clockToleranceMs;

/** An offer that is or was for sale, in the provider's terms. */
export interface Offer {
  planId: string;
  priceCents: number;
}

/**
 * Checks that a subscription is the user's membership. It is created in the user's own browser, where its owner and its
 * price could be tampered with.
 * @param isToBeActive false also accepts a subscription that was active before
 */
export function findActivationError(
  { customId, planId, status, amounts }: ProviderSubscription,
  { userId, offer, isToBeActive }: { userId: string; offer: Offer; isToBeActive: boolean },
): ActivationError | null {
  if (customId !== userId) return 'subscription_wrong_account';
  if (planId !== offer.planId) return 'subscription_wrong_plan';
  if (isToBeActive ? status !== 'active' : status === 'pending') return 'subscription_not_active';
  if (amounts.some((amount) => amount !== null && amount.currency !== BILLING.currency))
    return 'subscription_wrong_currency';
  // A stated amount that cannot be read could be anything, so it is refused.
  return amounts.some((amount) => amount?.cents !== offer.priceCents) ? 'subscription_wrong_price' : null;
}

/** The offer that a subscription was created from, or why it matches none. */
export type OfferMatch = { offer: Offer; refusal: null } | { offer: null; refusal: ActivationError };

/** Whether the subscription might match another offer. */
export const canMatchOtherOffer = (refusal: ActivationError): boolean =>
  refusal === 'subscription_wrong_plan' || refusal === 'subscription_wrong_price';

/**
 * Finds the offer that a subscription matches, by plan and price of the same offer.
 * @param offers current ones first; without any, the subscription is refused for its plan
 */
export function matchOffer(
  remote: ProviderSubscription,
  { offers, ...who }: { userId: string; offers: readonly Offer[]; isToBeActive: boolean },
): OfferMatch {
  let first: ActivationError | null = null;
  for (const offer of offers) {
    const refusal = findActivationError(remote, { ...who, offer });
    if (refusal === null) return { offer, refusal };
    if (!canMatchOtherOffer(refusal)) return { offer: null, refusal };
    first ??= refusal;
  }
  return { offer: null, refusal: first ?? 'subscription_wrong_plan' };
}
