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

/** What PayPal writes into its records of the cancellation, for both sides to read. */
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
 * What somebody has agreed to at PayPal and no answer has come of yet, as PayPal has it now.
 * @returns null when nobody knows
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
      // What has not begun cannot be cancelled; when it does, its account is gone, and that ends it.
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
 * Ends whatever somebody is billed for, before anything of theirs goes: nobody is to pay for an account that is no more.
 * What counts is our row of the subscription, and what they have agreed to of which none is made yet. A plan without either
 * was given by the operator: nobody is billed for it, and it goes with the account. What cannot be cancelled, also because
 * PayPal is not set up any more, keeps the account.
 * @returns the subscription whose end is to be told: that of just now, or of a try before; null when there is none
 */
export async function cancelMembership(
  { db, settings }: ServiceContext,
  userId: string,
): Promise<Result<EndedSubscription | null, 'membership_not_cancelled'>> {
  const tell = (reason: string): void => log('membership_not_cancelled', { reason });
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
    if (!done) return refuse('membership_not_cancelled');
    ended = done;
  }
  const now = Date.now();
  // For as long as a link works, confirming again after a failure says the same as it would have.
  return succeed(findEndedSubscription(ended, { now, since: now - DELETION_LINK.lifetimeMs }));
}
