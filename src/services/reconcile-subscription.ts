import type { BatchItem } from 'drizzle-orm/batch';
import { BILLING } from '../features/billing/limits.ts';
import { DEFAULT_LANGUAGE } from '../config/languages.ts';
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
  type PayerAndInviter,
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
import { PLAN_NAMES } from '../features/billing/plans.ts';
import {
  toProviderPayments,
  computeSettlement,
  type MembershipMail,
} from '../features/billing/settlement.ts';
import {
  isScheduled,
  findReplacements,
  type SubscriptionStatus,
} from '../features/billing/subscription-rules.ts';
import { readRuntimeConfig, readRecentOffers } from '../features/runtime-config/runtime-config-gateway.ts';
import type { RuntimeConfig } from '../features/runtime-config/contract.ts';
import { type StoredOffer, toOffer } from '../features/runtime-config/offers.ts';
import type { MailDetails } from '../features/mail/contract.ts';
import { insertMailStatement } from '../features/mail/mail-store.ts';
import { isId } from '../lib/ids.ts';
import { parseLanguage } from '../locales/detect.ts';
import { log, type LogEvent } from '../lib/log.ts';
import { describeError } from '../lib/redact.ts';
import { createPayPalProvider } from './payment-provider.ts';

/** What the books are settled with. */
export interface BillingContext {
  db: Database;
  company: PaymentProvider;
  business: RuntimeConfig;
  /** Null where none is for sale. */
  offer: Offer | null;
  /** That anew, and what was until lately: somebody may be at the company's window with it. @throws NotSettled */
  readRecentOffers(): Promise<Offer[]>;
  /** For the links of mails; without it none goes out. */
  site: string | null;
}

/** Who settles the books of a deployment; null where it has no payment company. */
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

/** For what the company may say in a moment. */
export const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** The company did not answer, or others wrote all the time: it is to be tried again. */
export class ReconciliationPending extends Error {
  override name = 'NotSettled';
}

/** `nobodys`: it concerns nobody here. */
export type ReconciliationResult = 'settled' | 'nobodys';

/** Of several who write about one person at once, each but one begins anew. */
const MAX_ATTEMPTS = 6;

/** What is the matter with the books, for the log: never whose they are. */
export function logBillingEvent(event: LogEvent, reason: string): void {
  log(event, { reason });
}

/**
 * Asks the company how things are with a subscription, and sets the books by its answer: the subscription, what was paid
 * for it, what inviters are owed, and the plan of whoever has it. Harmless to repeat, in any order, at any time.
 * @param begun what the company has just said of one that nothing is written down of yet
 * @throws NotSettled
 */
export async function reconcileSubscription(
  cashier: BillingContext,
  id: string,
  begun?: ProviderSubscription,
): Promise<ReconciliationResult> {
  let known = begun;
  for (let round = 0; round < MAX_ATTEMPTS; round += 1) {
    const { db, company } = cashier;
    const read = await loadSubscriptionState(db, id, Date.now());
    // Only where nobody wrote since is what was told before still the newest.
    if (read?.row.checkedAt !== 0) known = undefined;
    const now = Date.now();
    const [told, listed] = await Promise.all([
      known ?? fetchSubscription(cashier, id),
      company.payments(id, { from: now - BILLING.lookbackMs, to: now }),
    ]);
    if (told === null) {
      await recordUnchanged(db, id, now);
      if (read !== null) logBillingEvent('subscription_unknown', 'the company does not know it');
      // Of money that came it knows more in a moment.
      if (await hasPendingPayment(db, id))
        throw new ReconciliationPending('the company does not know it yet');
      return read === null ? 'nobodys' : 'settled';
    }
    if (read === null) {
      if (
        !(await recordSubscription(cashier, told, {
          hasPaid: (listed.ok ? listed.payments : []).length > 0,
          now,
        }))
      )
        return 'nobodys';
      known = told;
    } else if (
      await writeReconciliation(cashier, read, { told, listed: listed.ok ? listed.payments : null, now })
    ) {
      await cancelReplaced(cashier, read, told);
      return 'settled';
    }
  }
  throw new ReconciliationPending('others wrote all the time');
}

/** @returns null for one that the company does not know. */
async function fetchSubscription(
  { company }: BillingContext,
  id: string,
): Promise<ProviderSubscription | null> {
  const answer = await company.getSubscription(id);
  if (answer.ok) return answer.subscription;
  if (answer.code === 'unknown') return null;
  throw new ReconciliationPending(answer.reason);
}

/** What the company writes into its records, for both sides to read. */
const CANCELLATION_REASONS = {
  replaced: 'A newer membership has taken its place.',
  refused: 'It is no membership of this site, and nothing more is taken for it.',
} as const;

/**
 * Has a subscription cancelled that was agreed to in our name and is no membership: nobody is to pay for nothing. Harmless
 * to repeat. What was paid for it until then only the operator can give back.
 * @returns false where nobody knows whether it is
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
 * What somebody agreed to at the company. Only of what is not for sale now anything is read: it may have been when they
 * went there.
 * @throws NotSettled where nobody knows what was for sale
 */
export async function resolveAgreement(
  { offer, readRecentOffers: offersOfLate }: BillingContext,
  told: ProviderSubscription,
  who: { userId: string; isToBeActive: boolean },
): Promise<OfferMatch> {
  const offers = offer === null ? [] : [offer];
  const agreement = matchOffer(told, { ...who, offers });
  if (agreement.refusal === null || !canMatchOtherOffer(agreement.refusal)) return agreement;
  return matchOffer(told, { ...who, offers: [...offers, ...(await offersOfLate())] });
}

const isRunning = (status: ProviderSubscription['status']): boolean =>
  status === 'active' || status === 'suspended';

/**
 * Begins the books of a subscription that the company told of before its owner did: the browser that agreed to it may
 * have been closed. One that is to come brings nothing yet, and is in the books for whoever ends it: it will be billed.
 * @returns false when it is nobody's membership
 */
async function recordSubscription(
  cashier: BillingContext,
  told: ProviderSubscription,
  { hasPaid, now }: { hasPaid: boolean; now: number },
): Promise<boolean> {
  const { db, offer } = cashier;
  const { id, customId, status, planId, beganAt } = told;
  if (customId !== null) {
    const isOurs = await hasRegisteredAccount(db, customId);
    const agreed = isOurs
      ? await resolveAgreement(cashier, told, { userId: customId, isToBeActive: false })
      : null;
    // Nobody can say whether it is what was for sale: that waits for an offer, or for whoever looks.
    if (offer === null && agreed?.offer === null)
      throw new ReconciliationPending(`${id}: nothing is for sale here`);
    const isAwaitingPayment = await hasPendingPayment(db, id);
    if (agreed?.refusal === null) {
      const isPaid = told.lastPayment !== null || hasPaid || isAwaitingPayment;
      // What was given up before it began has nothing to be written down of.
      if (isPaid || isRunning(status) || !isScheduled({ beginsAt: beganAt }, now)) {
        await createSubscription(db, { ...toSubscriptionTerms(told, agreed.offer), userId: customId, now });
        return true;
      }
    }
    // Money came, and the company does not call it begun yet: that is asked again.
    if (status === 'pending' && isOurs && isAwaitingPayment) throw new ReconciliationPending('it is pending');
    // Whoever it was for is gone, or it is not what they could have agreed to here.
    const isDeleted = !isOurs && isId(customId) && (await isDeletedAccount(db, customId));
    // It may be a member's of another site with the same company, or of a database that was put back to an earlier day.
    if (!isOurs && !isDeleted && isRunning(status) && (isId(customId) || planId === offer?.planId))
      logBillingEvent('subscription_refused', `${id}: its account is not known here, it is left as it is`);
    const why = isDeleted ? 'its account is gone' : (agreed?.refusal ?? null);
    const isRefused = why !== null && why !== 'subscription_not_active';
    if (isRefused && !(await cancelRejected(cashier, told, why)))
      throw new ReconciliationPending('it is not cancelled');
  }
  await resolvePaymentEvents(db, id, now);
  return false;
}

/** What is written down of a subscription when it begins, beside whose it is. */
export function toSubscriptionTerms(
  { id, status, price, payerHash, beganAt, nextBillingAt }: ProviderSubscription,
  offer: Offer,
): Omit<Parameters<typeof createSubscription>[1], 'userId' | 'now'> {
  return {
    id,
    plan: 'storyteller',
    status: status === 'pending' ? 'active' : status,
    agreedCents: price?.cents ?? offer.priceCents,
    payerHash,
    beginsAt: beganAt,
    nextBillingAt,
  };
}

async function writeReconciliation(
  cashier: BillingContext,
  read: LoadedSubscriptionState,
  {
    told,
    listed,
    now,
  }: { told: ProviderSubscription; listed: readonly ProviderPayment[] | null; now: number },
): Promise<boolean> {
  const { db, business } = cashier;
  const { row } = read;
  const people = await getPayerAndInviter(db, row.userId);
  if (people === null) return false;
  // Where the company gives no list, events and what it says of the last payment are enough.
  const paid = [...toProviderPayments(read.told), ...(listed ?? [])];
  const paymentIds = [...new Set([...read.payments, ...paid].map((payment) => payment.id))];
  const back = await listRefunds(db, paymentIds);
  // One that began here is never less than that: PayPal calls nothing so that ran before.
  const status: SubscriptionStatus = told.status === 'pending' ? row.status : told.status;
  const { inviter } = people;
  // Who pays for both has invited themselves.
  const payerHash = told.payerHash ?? row.payerHash;
  const isShared = inviter !== null && (payerHash === null || inviter.payerHash !== payerHash);
  const {
    shares,
    told: news,
    tooSmall,
    ...settlement
  } = computeSettlement(
    read,
    { ...told, status },
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
        ...buildMailStatements(cashier, { people, news, shares, plan: row.plan, now }),
      ],
    },
    now,
  });
  if (isWritten) for (const { id } of tooSmall) logBillingEvent('payment_too_small', `${id} for ${row.id}`);
  return isWritten;
}

/** The mails of a settling, to whoever pays and to who invited them. */
function buildMailStatements(
  { db, site }: BillingContext,
  {
    people: { payer, inviter },
    news,
    shares,
    plan,
    now,
  }: {
    people: PayerAndInviter;
    news: readonly MembershipMail[];
    shares: ReturnType<typeof computeSettlement>['shares'];
    plan: LoadedSubscriptionState['row']['plan'];
    now: number;
  },
): BatchItem<'sqlite'>[] {
  if (site === null) return [];
  const mails: BatchItem<'sqlite'>[] = [];
  const language = (known: string | null) => parseLanguage(known) ?? DEFAULT_LANGUAGE;
  if (payer.email !== null) {
    const to = { userId: payer.id, address: payer.email, language: language(payer.language), now };
    for (const { kind, about, cents, at } of news) {
      const details: MailDetails<'membership_started'> = {
        site,
        plan: PLAN_NAMES[plan],
        price_cents: cents,
        until: at,
      };
      mails.push(insertMailStatement(db, { ...to, kind, details, about }));
    }
  }
  const first = shares.find(({ change }) => change.do === 'begin')?.change;
  if (first?.do === 'begin' && inviter?.isFirst === true && inviter.email !== null) {
    const to = { userId: inviter.id, address: inviter.email, language: language(inviter.language), now };
    const details = { site, amount_cents: first.amountCents };
    mails.push(insertMailStatement(db, { ...to, kind: 'first_commission', details, about: 'first' }));
  }
  return mails;
}

/** Nobody pays twice: of two that run, one makes room for the other (`findReplacements`). What is paid of it still counts. */
async function cancelReplaced(
  cashier: BillingContext,
  { row: { id, userId, checkedAt } }: LoadedSubscriptionState,
  told: ProviderSubscription,
): Promise<void> {
  const { db, company } = cashier;
  const running = await listBillableSubscriptions(db, userId);
  if (running.length < 2) return;
  if (checkedAt === 0 && isRunning(told.status))
    logBillingEvent('paid_twice', running.map((one) => one.id).join(' and '));
  for (const { older, newer } of findReplacements(running, Date.now())) {
    const asked =
      newer === id ? { ok: true as const, subscription: told } : await company.getSubscription(newer);
    const isBefore = running.some((one) => one.id === older && isScheduled(one, Date.now()));
    if (!asked.ok || !canReplace(asked.subscription, { isNow: !isBefore, now: Date.now() })) continue;
    const cancelled = await company.cancelSubscription(older, CANCELLATION_REASONS.replaced);
    // Whatever it answered, only the fresh question says what became of it; a later settling tries again.
    if (!cancelled.ok) logBillingEvent('second_subscription_not_cancelled', cancelled.reason);
    const answer = await company.getSubscription(older);
    if (answer.ok && (answer.subscription.status === 'cancelled' || answer.subscription.status === 'expired'))
      // The membership that has taken its place has begun all the same.
      await reconcileSubscription(cashier, older).catch((error: unknown) =>
        logBillingEvent('books_wait', describeError(error)),
      );
  }
}

/**
 * One whose money does not come is no reason to end another, nor is one that is to begin.
 * @param isNow false where what it replaces has not begun either
 */
const canReplace = (told: ProviderSubscription, { isNow, now }: { isNow: boolean; now: number }): boolean =>
  told.status === 'active' && told.failedPayments === 0 && (!isNow || hasStarted(told, now));
