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

/** When what was given up is tried again by itself. */
const NEVER = Number.MAX_SAFE_INTEGER;

/**
 * Writes down what the company told, once, however often it tells it. What went back is in the books with that: it needs
 * no answer, and may be told of before the payment is.
 * @returns the subscription that is to be settled; null when there is nothing to do
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
      tryAt: now,
    })
    // Told again it waits for its turn as before; what was given up has one again.
    .onConflictDoUpdate({
      target: paymentEvents.id,
      set: { tryAt: sql`iif(${paymentEvents.tryAt} = ${NEVER}, ${now}, ${paymentEvents.tryAt})` },
    })
    .returning({ subscriptionId: paymentEvents.subscriptionId, handledAt: paymentEvents.handledAt });
  // About no subscription that is known, it has said all that it can.
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

/** Writes down what went back of a payment, once. */
async function buildRefundStatements(db: Database, told: RefundNotice, now: number) {
  const { paymentId } = told;
  const hash = await computeHash(buildPaymentHashInput(paymentId));
  const back =
    told.what === 'refund'
      ? { id: told.id, amountCents: told.amountCents }
      : { id: buildReversalKey(paymentId), amountCents: null };
  return [
    // All ask whether it is known: it is written down after them.
    ...buildCommissionRefundStatements(db, told, { id: back.id, now }),
    refundAnonymizedPaymentStatement(db, { ...back, hash, now }),
    db
      .insert(refunds)
      .values({ ...back, paymentId, createdAt: now })
      .onConflictDoNothing(),
  ] as const;
}

/**
 * What inviters are owed is settled with the payment that it is of, and of whoever has gone with their account there is
 * none here any more. What they get back is taken off what is left of it: the commission alone. How much was paid it does
 * not know, but its own part of whatever went back.
 */
function buildCommissionRefundStatements(
  db: Database,
  told: RefundNotice,
  { id, now }: { id: string; now: number },
) {
  const { paymentId } = told;
  const ofGone = and(
    eq(commissions.paymentId, paymentId),
    ne(commissions.status, 'reversed'),
    sql`not exists (select 1 from payments as paid where paid.id = ${paymentId})`,
    sql`not exists (select 1 from refunds as known where known.id = ${id})`,
  );
  // One from before shares were kept is of the share of that time.
  const share = sql`coalesce(${commissions.percent}, ${RUNTIME_CONFIG_DEFAULTS.commission_percent})`;
  const backCents = told.what === 'reversed' ? null : told.amountCents;
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
      recoveredBy: sql<string | null>`null`.as('recovered_by'),
      createdAt: commissions.createdAt,
    })
    .from(commissions)
    .where(and(ofGone, eq(commissions.status, 'paid'), sql`${taken} > 0 and not (${isAll})`));
  return [
    // A part of what was paid out already is to be taken off the next payout.
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

/** What somebody says of a subscription, in a session of their own. */
interface Claim {
  userId: string;
  subscriptionId: string;
}
const getClaimKey = ({ userId, subscriptionId }: Claim): string => buildClaimKey(userId, subscriptionId);
const isClaimEvent = eq(paymentEvents.kind, CLAIM_KIND);

/**
 * Writes down that somebody says that a subscription is theirs, before the company is asked: should no answer come, it is
 * asked for again as what the company tells of is. Whoever has said so of too many that nobody knows is not listened to.
 */
export async function saveClaim(db: Database, claim: Claim, now: number): Promise<void> {
  const tryAt = now + BILLING.eventRetryDelaysMs[0];
  const [from, to] = getClaimKeyRange(claim.userId);
  await db.run(sql`insert into ${paymentEvents} (id, kind, subscription_id, received_at, tries, try_at)
    select ${getClaimKey(claim)}, ${CLAIM_KIND}, ${claim.subscriptionId}, ${now}, 0, ${tryAt}
    where (select count(*) from payment_events as other where other.id >= ${from} and other.id < ${to}
      and other.handled_at is null) < ${BILLING.maxOpenClaims}
    on conflict (id) do update set handled_at = null, received_at = ${now}, tries = 0, try_at = ${tryAt}`);
}

/** Forgets what somebody said of a subscription: the company says otherwise. */
export async function deleteClaim(db: Database, claim: Claim): Promise<void> {
  await db.delete(paymentEvents).where(eq(paymentEvents.id, getClaimKey(claim)));
}

/** Whether somebody has said, in a session of their own, that a subscription is theirs. */
export async function isClaimed(db: Database, claim: Claim): Promise<boolean> {
  const row = await db
    .select({ id: paymentEvents.id })
    .from(paymentEvents)
    .where(eq(paymentEvents.id, getClaimKey(claim)))
    .get();
  return row !== undefined;
}

/** The same of each row of `subscriptions` that is read. */
export const isClaimedSql = sql<boolean>`exists (select 1 from payment_events as said
  where said.id = ${ALL_CLAIMS_PREFIX} || subscriptions.user_id || ':' || subscriptions.id)`.mapWith(Boolean);

const isPending = (subscriptionId: string) =>
  and(eq(paymentEvents.subscriptionId, subscriptionId), isNull(paymentEvents.handledAt));

/**
 * Takes what waits of a subscription, for one who will settle it: of many events at once one asks, and the others are in
 * its answer, also those that failed before and wait for longer. While somebody is at it, the tries are below zero; whoever
 * died of it is waited for no longer than a lease.
 * @returns false when there is nothing, or somebody is at it
 */
export async function lockPaymentEvents(db: Database, subscriptionId: string, now: number): Promise<boolean> {
  const until = now + BILLING.leaseMs;
  const taken = await db
    .update(paymentEvents)
    .set({ tries: sql`-(abs(${paymentEvents.tries}) + 1)`, tryAt: until })
    .where(
      and(
        isPending(subscriptionId),
        sql`exists (select 1 from payment_events as due where due.subscription_id = ${subscriptionId}
          and due.handled_at is null and due.try_at <= ${now})`,
        sql`not exists (select 1 from payment_events as held where held.subscription_id = ${subscriptionId}
          and held.handled_at is null and held.tries < 0 and held.try_at > ${now})`,
      ),
    )
    .returning({ id: paymentEvents.id });
  return taken.length > 0;
}

/**
 * Has what could not be handled wait for longer each time. What was tried often enough is given up, and stays: whenever
 * the subscription is settled after all, it is in that.
 * @returns how many were given up now
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
      .set({ tries, tryAt: sql`${now} + json_extract(${pauses}, '$[' || (${tries} - 1) || ']')` })
      .where(and(isTried, sql`not (${isLast})`)),
    // Of what somebody said, nothing is left to be found.
    db
      .update(paymentEvents)
      .set({ tries, handledAt: now })
      .where(and(isTried, isLast, isClaimEvent)),
    db
      .update(paymentEvents)
      .set({ tries, tryAt: NEVER })
      .where(and(isTried, isLast))
      .returning({ tries: paymentEvents.tries }),
  ]);
  // Those of before were tried along with one that is new, and oftener.
  return abandoned.filter((one) => one.tries === BILLING.eventRetryDelaysMs.length + 1).length;
}

/** Writes down that what waits of a subscription concerns nobody here. */
export async function resolvePaymentEvents(db: Database, subscriptionId: string, now: number): Promise<void> {
  await db.update(paymentEvents).set({ handledAt: now }).where(isPending(subscriptionId));
}

/** Whether a payment waits to be written down for a subscription, or somebody for what they say they have paid for. */
export async function hasPendingPayment(db: Database, subscriptionId: string): Promise<boolean> {
  const row = await db
    .select({ id: paymentEvents.id })
    .from(paymentEvents)
    .where(and(isPending(subscriptionId), or(isNotNull(paymentEvents.payment), isClaimEvent)))
    .get();
  return row !== undefined;
}

/** Subscriptions of which something waits whose time has come, the longest waiting first. */
export async function listDueSubscriptionIds(db: Database, now: number): Promise<string[]> {
  const rows = await db
    .select({ id: paymentEvents.subscriptionId })
    .from(paymentEvents)
    .where(
      and(
        isNull(paymentEvents.handledAt),
        lte(paymentEvents.tryAt, now),
        isNotNull(paymentEvents.subscriptionId),
      ),
    )
    .groupBy(paymentEvents.subscriptionId)
    .orderBy(sql`min(${paymentEvents.tryAt})`)
    .limit(BILLING.maxHandledPerRun);
  return rows.flatMap(({ id }) => (id === null ? [] : [id]));
}

/**
 * Forgets what was handled long ago, later what was given up, and what went back of payments that are not here; of those
 * that nothing can go back of, nothing but their days is kept.
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
