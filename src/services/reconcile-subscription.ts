import { BILLING } from '../features/billing/limits.ts';
import type { Database } from '../db/open.ts';
import type { Environment } from '../env/read-environment.ts';
import { isDeletedAccount } from '../features/account/used-token-store.ts';
import {
  type OfferMatch,
  matchOffer,
  hasStarted,
  canMatchOtherOffer,
  type Offer,
} from '../features/billing/activation.ts';
import {
  createSubscription,
  hasRegisteredAccount,
  recordUnchanged,
  getPayerAndInviter,
  loadSubscriptionState,
  type LoadedSubscriptionState,
  listBillableSubscriptions,
  listRefunds,
  saveSubscriptionState,
} from '../features/billing/subscription-state-store.ts';
import { buildCommissionStatements } from '../features/billing/commission-store.ts';
import { hasPendingPayment, resolvePaymentEvents } from '../features/billing/payment-event-store.ts';
import type {
  ProviderPayment,
  ProviderSubscription,
  PaymentProvider,
} from '../features/billing/payment-provider.ts';
import { toProviderPayments, computeSettlement } from '../features/billing/settlement.ts';
import {
  isScheduled,
  findReplacements,
  type SubscriptionStatus,
} from '../features/billing/subscription-rules.ts';
import { readRuntimeConfig, readRecentOffers } from '../features/runtime-config/runtime-config-gateway.ts';
import type { RuntimeConfig } from '../features/runtime-config/contract.ts';
import { type StoredOffer, toOffer } from '../features/runtime-config/offers.ts';
import { isId } from '../lib/ids.ts';
import { log, type LogEvent } from '../lib/log.ts';
import { describeError } from '../lib/redact.ts';
import { createPayPalProvider } from './payment-provider.ts';
import { buildMailStatements } from './subscription-mails.ts';

/** Everything that a reconciliation needs. */
export interface BillingContext {
  db: Database;
  company: PaymentProvider;
  business: RuntimeConfig;
  /** The current offer; null when none is for sale. */
  offer: Offer | null;
  /** The current and recent offers: a user may still be at PayPal with an older one. @throws ReconciliationPending */
  readRecentOffers(): Promise<Offer[]>;
  /** Base of links in mails; without it none are sent. */
  site: string | null;
}

/** Creates the billing context of a deployment; null when PayPal is not configured. */
export async function createBillingContext(
  env: Pick<Env, 'KV'>,
  db: Database,
  { paypal, siteUrl }: Pick<Environment, 'paypal' | 'siteUrl'>,
): Promise<(BillingContext & { paypal: NonNullable<Environment['paypal']> }) | null> {
  if (paypal === undefined) return null;
  const business = await readRuntimeConfig(env);
  const toOffers = ({ paypal_plan, price_cents: priceCents }: StoredOffer): Offer[] => {
    const planId = paypal_plan ?? paypal.planStoryteller;
    return planId === undefined ? [] : [{ planId, priceCents }];
  };
  const [offer = null] = toOffers(toOffer(business));
  return {
    db,
    paypal,
    company: createPayPalProvider(paypal),
    business,
    offer,
    async readRecentOffers() {
      try {
        return (await readRecentOffers(env)).flatMap(toOffers);
      } catch (error) {
        throw new ReconciliationPending(`nobody knows what was for sale: ${describeError(error)}`);
      }
    },
    site: siteUrl ?? null,
  };
}

/** Waits between queries when PayPal may answer differently in a moment. */
export const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** PayPal did not answer, or concurrent writes won every time: try again later. */
export class ReconciliationPending extends Error {
  override name = 'NotSettled';
}

/** `nobodys`: the subscription belongs to no account of this site. */
export type ReconciliationResult = 'settled' | 'nobodys';

/** Of several concurrent writers for one user, all but one start over. */
const MAX_ATTEMPTS = 6;

/** Logs a billing event, without the user. */
export function logBillingEvent(event: LogEvent, reason: string): void {
  log(event, { reason });
}

/**
 * Reads a subscription from PayPal and updates the stored state to match: subscription, payments, commissions and the
 * user's plan. Safe to repeat at any time and in any order.
 * @param begun PayPal's latest answer about a subscription that is not stored yet
 * @throws ReconciliationPending
 */
export async function reconcileSubscription(
  billing: BillingContext,
  id: string,
  begun?: ProviderSubscription,
): Promise<ReconciliationResult> {
  let known = begun;
  for (let round = 0; round < MAX_ATTEMPTS; round += 1) {
    const { db, company } = billing;
    const read = await loadSubscriptionState(db, id, Date.now());
    // Reuse an earlier answer only while nothing has been written since.
    if (read?.row.reconciledAt !== 0) known = undefined;
    const now = Date.now();
    const [remote, listed] = await Promise.all([
      known ?? fetchSubscription(billing, id),
      company.payments(id, { from: now - BILLING.lookbackMs, to: now }),
    ]);
    if (remote === null) {
      await recordUnchanged(db, id, now);
      if (read !== null) logBillingEvent('subscription_not_found', 'the company does not know it');
      // A payment has arrived, so PayPal should know the subscription in a moment.
      if (await hasPendingPayment(db, id))
        throw new ReconciliationPending('the company does not know it yet');
      return read === null ? 'nobodys' : 'settled';
    }
    if (read === null) {
      if (
        !(await recordSubscription(billing, remote, {
          hasPaid: (listed.ok ? listed.payments : []).length > 0,
          now,
        }))
      )
        return 'nobodys';
      known = remote;
    } else if (
      await writeReconciliation(billing, read, {
        remote,
        listed: listed.ok ? listed.payments : null,
        now,
      })
    ) {
      await cancelReplaced(billing, read, remote);
      return 'settled';
    }
  }
  throw new ReconciliationPending('others wrote all the time');
}

/** @returns null when PayPal does not know the subscription */
async function fetchSubscription(
  { company }: BillingContext,
  id: string,
): Promise<ProviderSubscription | null> {
  const answer = await company.getSubscription(id);
  if (answer.ok) return answer.subscription;
  if (answer.code === 'unknown') return null;
  throw new ReconciliationPending(answer.reason);
}

/** The reasons recorded at PayPal; both sides can read them. */
const CANCELLATION_REASONS = {
  replaced: 'A newer membership has taken its place.',
  refused: 'It is no membership of this site, and nothing more is taken for it.',
} as const;

/**
 * Cancels a subscription that was made with our plan and is no valid membership, so that the user is not billed for
 * nothing. Safe to repeat. Payments made before that can only be refunded by the operator.
 * @returns false when the outcome is unknown
 */
export async function cancelRejected(
  { company }: Pick<BillingContext, 'company'>,
  { id, status }: ProviderSubscription,
  why: string,
): Promise<boolean> {
  if (!isRunning(status)) return true;
  logBillingEvent('subscription_refused', `${id}: ${why}`);
  const cancelled = await company.cancelSubscription(id, CANCELLATION_REASONS.refused);
  if (!cancelled.ok) logBillingEvent('subscription_refused', `${id}: not cancelled, ${cancelled.reason}`);
  return cancelled.ok || cancelled.code !== 'unavailable';
}

/**
 * Matches a subscription to an offer. Recent offers are read only when the current one does not match: an older one may
 * have been for sale when the user agreed.
 * @throws ReconciliationPending when the recent offers cannot be read
 */
export async function resolveAgreement(
  { offer, readRecentOffers }: BillingContext,
  remote: ProviderSubscription,
  who: { userId: string; isToBeActive: boolean },
): Promise<OfferMatch> {
  const offers = offer === null ? [] : [offer];
  const agreement = matchOffer(remote, { ...who, offers });
  if (agreement.refusal === null || !canMatchOtherOffer(agreement.refusal)) return agreement;
  return matchOffer(remote, { ...who, offers: [...offers, ...(await readRecentOffers())] });
}

const isRunning = (status: ProviderSubscription['status']): boolean =>
  status === 'active' || status === 'suspended';

/**
 * Stores a subscription that PayPal reports before the user's browser did, which may have been closed. One with a future
 * start grants nothing yet, but must be stored because it will be billed.
 * @returns false when it is no membership of this site
 */
async function recordSubscription(
  billing: BillingContext,
  remote: ProviderSubscription,
  { hasPaid, now }: { hasPaid: boolean; now: number },
): Promise<boolean> {
  const { db, offer } = billing;
  const { id, customId, status, planId, beganAt } = remote;
  if (customId !== null) {
    const isOurs = await hasRegisteredAccount(db, customId);
    const agreed = isOurs
      ? await resolveAgreement(billing, remote, { userId: customId, isToBeActive: false })
      : null;
    // Without an offer for sale a match cannot be decided. Wait for an offer or for the operator.
    if (offer === null && agreed?.offer === null)
      throw new ReconciliationPending(`${id}: nothing is for sale here`);
    const isAwaitingPayment = await hasPendingPayment(db, id);
    if (agreed?.refusal === null) {
      const isPaid = remote.lastPayment !== null || hasPaid || isAwaitingPayment;
      // A subscription that ended before it started, without a payment, needs no row.
      if (isPaid || isRunning(status) || !isScheduled({ startsAt: beganAt }, now)) {
        await createSubscription(db, { ...toSubscriptionTerms(remote, agreed.offer), userId: customId, now });
        return true;
      }
    }
    // Money has arrived, but PayPal still reports the subscription as pending: ask again later.
    if (status === 'pending' && isOurs && isAwaitingPayment) throw new ReconciliationPending('it is pending');
    // The account was deleted, or the subscription matches no offer of this site.
    const isDeleted = !isOurs && isId(customId) && (await isDeletedAccount(db, customId));
    // It may belong to another site of the same PayPal account, or its account may be missing because the
    // database was restored to an earlier day. Leave it alone.
    if (!isOurs && !isDeleted && isRunning(status) && (isId(customId) || planId === offer?.planId))
      logBillingEvent('subscription_refused', `${id}: its account is not known here, it is left as it is`);
    const why = isDeleted ? 'its account is gone' : (agreed?.refusal ?? null);
    const isRefused = why !== null && why !== 'subscription_not_active';
    if (isRefused && !(await cancelRejected(billing, remote, why)))
      throw new ReconciliationPending('it is not cancelled');
  }
  await resolvePaymentEvents(db, id, now);
  return false;
}

/** Returns the stored terms of a new subscription. */
export function toSubscriptionTerms(
  { id, status, price, payerHash, beganAt, nextBillingAt }: ProviderSubscription,
  offer: Offer,
): Omit<Parameters<typeof createSubscription>[1], 'userId' | 'now'> {
  return {
    id,
    plan: 'storyteller',
    status: status === 'pending' ? 'active' : status,
    priceCents: price?.cents ?? offer.priceCents,
    payerHash,
    startsAt: beganAt,
    nextBillingAt,
  };
}

async function writeReconciliation(
  billing: BillingContext,
  read: LoadedSubscriptionState,
  {
    remote,
    listed,
    now,
  }: { remote: ProviderSubscription; listed: readonly ProviderPayment[] | null; now: number },
): Promise<boolean> {
  const { db, business } = billing;
  const { row } = read;
  const people = await getPayerAndInviter(db, row.userId);
  if (people === null) return false;
  // Without the list of transactions, events and the last payment of the subscription are enough.
  const paid = [...toProviderPayments(read.notices), ...(listed ?? [])];
  const paymentIds = [...new Set([...read.payments, ...paid].map((payment) => payment.id))];
  const back = await listRefunds(db, paymentIds);
  // A stored subscription never returns to pending: PayPal does not report that state for one that was running.
  const status: SubscriptionStatus = remote.status === 'pending' ? row.status : remote.status;
  const { inviter } = people;
  // An inviter with the same payer account has invited themselves and earns no commission.
  const payerHash = remote.payerHash ?? row.payerHash;
  const isShared = inviter !== null && (payerHash === null || inviter.payerHash !== payerHash);
  const {
    shares,
    mails: news,
    tooSmall,
    ...settlement
  } = computeSettlement(
    read,
    { ...remote, status },
    {
      paid,
      isListed: listed !== null,
      back,
      business,
      inviterSince: isShared ? (inviter.invitedAt ?? 0) : null,
      now,
    },
  );
  const isWritten = await saveSubscriptionState(db, read, {
    settlement: {
      ...settlement,
      basedOn: { paymentIds, refunds: back.length },
      extraStatements: [
        ...shares.flatMap((share) =>
          buildCommissionStatements(db, share, {
            row,
            inviterId: inviter?.id ?? null,
            commissions: read.commissions,
            now,
          }),
        ),
        ...buildMailStatements(billing, { people, news, shares, plan: row.plan, now }),
      ],
    },
    now,
  });
  if (isWritten) for (const { id } of tooSmall) logBillingEvent('payment_too_small', `${id} for ${row.id}`);
  return isWritten;
}

/**
 * Cancels the older of two running subscriptions, so that no user pays twice (`findReplacements`). Payments already made
 * for it still count.
 */
async function cancelReplaced(
  billing: BillingContext,
  { row: { id, userId, reconciledAt } }: LoadedSubscriptionState,
  remote: ProviderSubscription,
): Promise<void> {
  const { db, company } = billing;
  const running = await listBillableSubscriptions(db, userId);
  if (running.length < 2) return;
  if (reconciledAt === 0 && isRunning(remote.status))
    logBillingEvent('duplicate_payment', running.map((one) => one.id).join(' and '));
  for (const { older, newer } of findReplacements(running, Date.now())) {
    const asked =
      newer === id ? { ok: true as const, subscription: remote } : await company.getSubscription(newer);
    const isBefore = running.some((one) => one.id === older && isScheduled(one, Date.now()));
    if (!asked.ok || !canReplace(asked.subscription, { isNow: !isBefore, now: Date.now() })) continue;
    const cancelled = await company.cancelSubscription(older, CANCELLATION_REASONS.replaced);
    // After any answer, query the real state; a later reconciliation retries.
    if (!cancelled.ok) logBillingEvent('second_subscription_not_cancelled', cancelled.reason);
    const answer = await company.getSubscription(older);
    if (answer.ok && (answer.subscription.status === 'cancelled' || answer.subscription.status === 'expired'))
      // An error here does not undo the start of the newer membership.
      await reconcileSubscription(billing, older).catch((error: unknown) =>
        logBillingEvent('reconciliation_deferred', describeError(error)),
      );
  }
}

/**
 * A subscription may replace another only if its payments succeed and it has started.
 * @param isNow false when the subscription to replace has not started either
 */
const canReplace = (remote: ProviderSubscription, { isNow, now }: { isNow: boolean; now: number }): boolean =>
  remote.status === 'active' && remote.failedPayments === 0 && (!isNow || hasStarted(remote, now));
