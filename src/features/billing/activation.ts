import { BILLING } from '../../config.ts';
import type { CompanySubscription } from './payment-company.ts';

/** Why a subscription is not somebody's membership. */
export type ActivationRefusal =
  | 'subscription_foreign'
  | 'subscription_wrong_plan'
  | 'subscription_not_active'
  | 'subscription_wrong_currency'
  | 'subscription_wrong_price';

/** Whether it is paid for from now on, and not from a day to come. */
export const hasBegun = ({ beganAt }: Pick<CompanySubscription, 'beganAt'>, now: number): boolean =>
  beganAt === null || beganAt <= now + BILLING.clockMs;

/** What is for sale, as the company has it. */
export interface Offer {
  planId: string;
  priceCents: number;
}

/**
 * Whether a subscription is a membership of somebody. Whoever begins one does it in their own browser, and could change
 * there whose it is and what it costs.
 * @param isToBeActive false where it is enough that it was once
 */
export function refusalOf(
  { customId, planId, status, amounts }: CompanySubscription,
  { userId, offer, isToBeActive }: { userId: string; offer: Offer; isToBeActive: boolean },
): ActivationRefusal | null {
  if (customId !== userId) return 'subscription_foreign';
  if (planId !== offer.planId) return 'subscription_wrong_plan';
  if (isToBeActive ? status !== 'active' : status === 'pending') return 'subscription_not_active';
  if (amounts.some((told) => told !== null && told.currency !== BILLING.currency))
    return 'subscription_wrong_currency';
  // What is told and cannot be read may be anything.
  return amounts.some((told) => told?.cents !== offer.priceCents) ? 'subscription_wrong_price' : null;
}
