import type { Database } from '../db/open.ts';
import { DELETION_LINK } from '../features/account/limits.ts';
import type { EndedSubscription } from '../features/billing/contract.ts';
import { addMonth } from '../features/billing/months.ts';
import type { PaymentProvider } from '../features/billing/payment-provider.ts';
import { cancelSubscriptions, type CancellationPorts } from '../features/billing/cancel-subscriptions.ts';
import {
  findEndedSubscription,
  isBillable,
  type Subscription,
} from '../features/billing/subscription-rules.ts';
import {
  saveSubscriptionStatus,
  listOpenClaims,
  listSubscriptions,
} from '../features/billing/subscription-store.ts';
import { refuse, type Result, type ServiceContext, succeed } from './context.ts';
import { createPayPalProvider } from './payment-provider.ts';
import { sleep } from './reconcile-subscription.ts';
import { log } from '../lib/log.ts';

/** The reason recorded at PayPal; both sides can read it. */
const CANCELLATION_REASON = 'The account was deleted by its owner.';

function createCancellationDeps(
  db: Database,
  company: PaymentProvider,
  tell: (reason: string) => void,
): CancellationPorts {
  return {
    cancel: (id) => company.cancelSubscription(id, CANCELLATION_REASON),
    fetchStatus: async (id) => {
      const answer = await company.getSubscription(id);
      return answer.ok ? { ok: true, status: answer.subscription.status } : answer;
    },
    sleep,
    saveStatus: (id, status) => saveSubscriptionStatus(db, { id, status, now: Date.now() }),
    log: tell,
  };
}

/**
 * Reads the subscriptions that a user agreed to at PayPal and that are not stored yet.
 * @returns null when PayPal did not answer
 */
async function readClaimedSubscriptions(
  company: PaymentProvider,
  ids: readonly string[],
  { userId, tell }: { userId: string; tell: (reason: string) => void },
): Promise<Subscription[] | null> {
  const subscriptions: Subscription[] = [];
  const now = Date.now();
  for (const id of ids) {
    const answer = await company.getSubscription(id);
    if (answer.ok) {
      const { status, customId, lastPayment } = answer.subscription;
      // A pending subscription cannot be cancelled. If it starts later, reconciliation cancels it, because its account is
      // gone.
      if (customId !== userId || status === 'pending') continue;
      const periodEnd = lastPayment === null ? now : addMonth(lastPayment.at);
      subscriptions.push({ id, status, periodEnd, updatedAt: now });
    } else if (answer.code !== 'unknown') {
      tell(`agreed to, and ${answer.reason}`);
      return null;
    }
  }
  return subscriptions;
}

/**
 * Cancels everything that a user is billed for before the account is deleted, so that no deleted account keeps paying.
 * Covers stored subscriptions and claims without one. A plan granted by the operator has neither and needs no
 * cancellation. When cancelling fails, or PayPal is no longer configured, the account is kept.
 * @returns the ended subscription to report, from this call or an earlier one; null without one
 */
export async function cancelMembership(
  { db, settings }: ServiceContext,
  userId: string,
): Promise<Result<EndedSubscription | null, 'cancellation_failed'>> {
  const tell = (reason: string): void => log('cancellation_failed', { reason });
  const [known, claims] = await Promise.all([listSubscriptions(db, userId), listOpenClaims(db, userId)]);
  const { paypal } = settings;
  let ended = known;
  if (known.some(isBillable) || claims.length > 0) {
    if (paypal === undefined) tell('PayPal is not set up');
    const company = paypal && createPayPalProvider(paypal);
    const agreed = company && (await readClaimedSubscriptions(company, claims, { userId, tell }));
    const done =
      company &&
      agreed &&
      (await cancelSubscriptions(
        [...known, ...agreed],
        createCancellationDeps(db, company, tell),
        Date.now(),
      ));
    if (!done) return refuse('cancellation_failed');
    ended = done;
  }
  const now = Date.now();
  // While a deletion link is valid, confirming again after a failure reports the same subscription.
  return succeed(findEndedSubscription(ended, { now, since: now - DELETION_LINK.lifetimeMs }));
}
