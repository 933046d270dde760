import { and, eq, isNotNull, isNull, lt, lte, ne, or, type SQL, sql } from 'drizzle-orm';
import { BILLING } from './limits.ts';
import { RUNTIME_CONFIG_DEFAULTS } from '../runtime-config/defaults.ts';
import { commissions, paymentEvents, payments, refunds } from '../../db/schema/billing.ts';
import {
  mergeAnonymizedPaymentsStatements,
  refundAnonymizedPaymentStatement,
} from './anonymized-payment-statements.ts';
import type { Database } from '../../db/open.ts';
import { createId } from '../../lib/ids.ts';
import { computeHash } from '../../lib/hash.ts';
import {
  CLAIM_KIND,
  buildClaimKey,
  getClaimKeyRange,
  ALL_CLAIMS_PREFIX,
  buildPaymentHashInput,
  buildReversalKey,
} from './event-keys.ts';
import type { ProviderEvent, PaymentNotice } from './payment-provider.ts';

/** The retry time of an abandoned event. */
const NEVER = Number.MAX_SAFE_INTEGER;

/**
 * Saves an event of the provider once, however often it is delivered. A refund is stored with it: it needs no answer
 * from the provider, and may arrive before its payment.
 * @returns the subscription to settle; null when there is nothing to do
 */
export async function savePaymentEvent(
  db: Database,
  event: ProviderEvent,
  now: number,
): Promise<string | null> {
  const { id, kind, payment } = event;
  const paymentId = payment === null || payment.what === 'completed' ? null : payment.paymentId;
  const subscriptionId =
    event.subscriptionId === null && paymentId !== null
      ? sql`(select ${payments.subscriptionId} from ${payments} where ${payments.id} = ${paymentId})`
      : event.subscriptionId;
  const insert = db
    .insert(paymentEvents)
    .values({
      id,
      kind,
      subscriptionId,
      payment: payment === null ? null : JSON.stringify(payment),
      receivedAt: now,
      retryAt: now,
    })
    // A repeated event keeps its retry time; an abandoned one is queued again.
    .onConflictDoUpdate({
      target: paymentEvents.id,
      set: { retryAt: sql`iif(${paymentEvents.retryAt} = ${NEVER}, ${now}, ${paymentEvents.retryAt})` },
    })
    .returning({ subscriptionId: paymentEvents.subscriptionId, handledAt: paymentEvents.handledAt });
  // An event without a known subscription needs no further handling.
  const settled = db
    .update(paymentEvents)
    .set({ handledAt: now })
    .where(
      and(eq(paymentEvents.id, id), isNull(paymentEvents.handledAt), isNull(paymentEvents.subscriptionId)),
    );
  const back =
    payment === null || payment.what === 'completed' ? [] : await buildRefundStatements(db, payment, now);
  const [kept] = await db.batch([insert, settled, ...back]);
  return kept[0]?.handledAt === null ? kept[0].subscriptionId : null;
}

type RefundNotice = Exclude<PaymentNotice, { what: 'completed' }>;

/** Statements that record a refund or reversal once. */
async function buildRefundStatements(db: Database, notice: RefundNotice, now: number) {
  const { paymentId } = notice;
  const hash = await computeHash(buildPaymentHashInput(paymentId));
  const back =
    notice.what === 'refund'
      ? { id: notice.id, amountCents: notice.amountCents }
      : { id: buildReversalKey(paymentId), amountCents: null };
  return [
    // These check whether the refund is known, so they run before it is inserted.
    ...buildCommissionRefundStatements(db, notice, { id: back.id, now }),
    refundAnonymizedPaymentStatement(db, { ...back, hash, now }),
    db
      .insert(refunds)
      .values({ ...back, paymentId, createdAt: now })
      .onConflictDoNothing(),
  ] as const;
}

/**
 * Deducts a refund from the commission on a deleted account's payment. Commissions are usually settled with their
 * payment, but here the payment was deleted and only the commission remains. It does not know the payment's total, only
 * its share of the refunded amount.
 */
function buildCommissionRefundStatements(
  db: Database,
  notice: RefundNotice,
  { id, now }: { id: string; now: number },
) {
  const { paymentId } = notice;
  const ofGone = and(
    eq(commissions.paymentId, paymentId),
    ne(commissions.status, 'reversed'),
    sql`not exists (select 1 from payments as paid where paid.id = ${paymentId})`,
    sql`not exists (select 1 from refunds as known where known.id = ${id})`,
  );
  // A commission from before shares were stored has the share of that time.
  const share = sql`coalesce(${commissions.percent}, ${RUNTIME_CONFIG_DEFAULTS.commission_percent})`;
  const backCents = notice.what === 'reversed' ? null : notice.amountCents;
  const taken: SQL<number> =
    backCents === null
      ? sql`${commissions.amountCents}`
      : sql`cast(round(${share} * ${backCents} / 100.0) as integer)`;
  const isAll = sql`${taken} >= ${commissions.amountCents}`;
  const split = db
    .select({
      id: sql<string>`${createId(now)}`.as('id'),
      inviterId: commissions.inviterId,
      inviteeId: commissions.inviteeId,
      paymentId: sql<string>`${`${paymentId}/${id}`}`.as('payment_id'),
      percent: commissions.percent,
      amountCents: taken.as('amount_cents'),
      currency: commissions.currency,
      status: sql<'reversed'>`'reversed'`.as('status'),
      payoutId: commissions.payoutId,
      clawbackPayoutId: sql<string | null>`null`.as('clawback_payout_id'),
      createdAt: commissions.createdAt,
    })
    .from(commissions)
    .where(and(ofGone, eq(commissions.status, 'paid'), sql`${taken} > 0 and not (${isAll})`));
  return [
    // A refunded part of a commission that was already paid out is deducted from the next payout.
    db.insert(commissions).select(split).onConflictDoNothing(),
    db
      .update(commissions)
      .set({
        amountCents: sql`case when ${isAll} then ${commissions.amountCents} else ${commissions.amountCents} - ${taken} end`,
        status: sql`case when ${isAll} then 'reversed' else ${commissions.status} end`,
      })
      .where(ofGone),
  ] as const;
}

/** A user's statement, in their own session, that a subscription is theirs. */
interface Claim {
  userId: string;
  subscriptionId: string;
}
const getClaimKey = ({ userId, subscriptionId }: Claim): string => buildClaimKey(userId, subscriptionId);
const isClaimEvent = eq(paymentEvents.kind, CLAIM_KIND);

/**
 * Saves a claim before the provider is asked: without an answer, it is retried like the provider's events. Ignored for
 * a user with too many unanswered claims.
 */
export async function saveClaim(db: Database, claim: Claim, now: number): Promise<void> {
  const retryAt = now + BILLING.eventRetryDelaysMs[0];
  const [from, to] = getClaimKeyRange(claim.userId);
  await db.run(sql`insert into ${paymentEvents} (id, kind, subscription_id, received_at, tries, retry_at)
    select ${getClaimKey(claim)}, ${CLAIM_KIND}, ${claim.subscriptionId}, ${now}, 0, ${retryAt}
    where (select count(*) from payment_events as other where other.id >= ${from} and other.id < ${to}
      and other.handled_at is null) < ${BILLING.maxOpenClaims}
    on conflict (id) do update set handled_at = null, received_at = ${now}, tries = 0, retry_at = ${retryAt}`);
}

/** Deletes a claim that the provider contradicts. */
export async function deleteClaim(db: Database, claim: Claim): Promise<void> {
  await db.delete(paymentEvents).where(eq(paymentEvents.id, getClaimKey(claim)));
}

/** Whether a user has claimed a subscription in their own session. */
export async function isClaimed(db: Database, claim: Claim): Promise<boolean> {
  const row = await db
    .select({ id: paymentEvents.id })
    .from(paymentEvents)
    .where(eq(paymentEvents.id, getClaimKey(claim)))
    .get();
  return row !== undefined;
}

/** The same condition for each selected row of `subscriptions`. */
export const isClaimedSql = sql<boolean>`exists (select 1 from payment_events as said
  where said.id = ${ALL_CLAIMS_PREFIX} || subscriptions.user_id || ':' || subscriptions.id)`.mapWith(Boolean);

const isPending = (subscriptionId: string) =>
  and(eq(paymentEvents.subscriptionId, subscriptionId), isNull(paymentEvents.handledAt));

/**
 * Locks the pending events of a subscription for one worker, which settles it. One answer of the provider covers all
 * events, including those that failed before and wait longer. `tries` is negative while locked; the lock of a crashed
 * worker expires after the lease.
 * @returns false when nothing is due, or another worker holds the lock
 */
export async function lockPaymentEvents(db: Database, subscriptionId: string, now: number): Promise<boolean> {
  const until = now + BILLING.leaseMs;
  const taken = await db
    .update(paymentEvents)
    .set({ tries: sql`-(abs(${paymentEvents.tries}) + 1)`, retryAt: until })
    .where(
      and(
        isPending(subscriptionId),
        sql`exists (select 1 from payment_events as due where due.subscription_id = ${subscriptionId}
          and due.handled_at is null and due.retry_at <= ${now})`,
        sql`not exists (select 1 from payment_events as held where held.subscription_id = ${subscriptionId}
          and held.handled_at is null and held.tries < 0 and held.retry_at > ${now})`,
      ),
    )
    .returning({ id: paymentEvents.id });
  return taken.length > 0;
}

/**
 * Delays events that could not be handled, longer each time. After the last attempt an event is abandoned but kept: the
 * next successful settlement of its subscription includes it.
 * @returns how many were abandoned now
 */
export async function schedulePaymentEventRetry(
  db: Database,
  subscriptionId: string,
  now: number,
): Promise<number> {
  const pauses = JSON.stringify(BILLING.eventRetryDelaysMs);
  const tries = sql<number>`-${paymentEvents.tries}`;
  const isTried = and(isPending(subscriptionId), lt(paymentEvents.tries, 0));
  const isLast = sql`${tries} > ${BILLING.eventRetryDelaysMs.length}`;
  const [, , abandoned] = await db.batch([
    db
      .update(paymentEvents)
      .set({ tries, retryAt: sql`${now} + json_extract(${pauses}, '$[' || (${tries} - 1) || ']')` })
      .where(and(isTried, sql`not (${isLast})`)),
    // For an abandoned claim there is nothing left to find out, so it counts as handled.
    db
      .update(paymentEvents)
      .set({ tries, handledAt: now })
      .where(and(isTried, isLast, isClaimEvent)),
    db
      .update(paymentEvents)
      .set({ tries, retryAt: NEVER })
      .where(and(isTried, isLast))
      .returning({ tries: paymentEvents.tries }),
  ]);
  // Events that were abandoned earlier were tried along with a new one, so they have more tries.
  return abandoned.filter((one) => one.tries === BILLING.eventRetryDelaysMs.length + 1).length;
}

/** Marks the pending events of a subscription as handled, because it concerns no user of this site. */
export async function resolvePaymentEvents(db: Database, subscriptionId: string, now: number): Promise<void> {
  await db.update(paymentEvents).set({ handledAt: now }).where(isPending(subscriptionId));
}

/** Whether a payment of a subscription waits to be recorded, or a user's claim on it waits for an answer. */
export async function hasPendingPayment(db: Database, subscriptionId: string): Promise<boolean> {
  const row = await db
    .select({ id: paymentEvents.id })
    .from(paymentEvents)
    .where(and(isPending(subscriptionId), or(isNotNull(paymentEvents.payment), isClaimEvent)))
    .get();
  return row !== undefined;
}

/** Returns subscriptions with due events, longest waiting first. */
export async function listDueSubscriptionIds(db: Database, now: number): Promise<string[]> {
  const rows = await db
    .select({ id: paymentEvents.subscriptionId })
    .from(paymentEvents)
    .where(
      and(
        isNull(paymentEvents.handledAt),
        lte(paymentEvents.retryAt, now),
        isNotNull(paymentEvents.subscriptionId),
      ),
    )
    .groupBy(paymentEvents.subscriptionId)
    .orderBy(sql`min(${paymentEvents.retryAt})`)
    .limit(BILLING.maxHandledPerRun);
  return rows.flatMap(({ id }) => (id === null ? [] : [id]));
}

/**
 * Deletes events handled long ago, later also abandoned ones, and refunds of payments that are not stored. Anonymized
 * payments that can no longer be refunded are merged into daily sums.
 */
export async function removeOldPaymentEvents(db: Database, now: number): Promise<void> {
  const old = db
    .select({ id: paymentEvents.id })
    .from(paymentEvents)
    .where(
      and(
        lte(paymentEvents.receivedAt, now - BILLING.eventRetentionMs),
        or(
          isNotNull(paymentEvents.handledAt),
          lt(paymentEvents.receivedAt, now - BILLING.abandonedEventRetentionMs),
        ),
      ),
    )
    .limit(BILLING.maxEventsRemovedPerRun);
  await db.batch([
    ...mergeAnonymizedPaymentsStatements(db, now),
    db.delete(paymentEvents).where(sql`${paymentEvents.id} in ${old}`),
    db
      .delete(refunds)
      .where(
        and(
          lte(refunds.createdAt, now - BILLING.eventRetentionMs),
          sql`not exists (select 1 from ${payments} where ${payments.id} = ${refunds.paymentId})`,
        ),
      ),
  ]);
}
