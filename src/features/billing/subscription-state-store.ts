import {
  and,
  count,
  desc,
  eq,
  getTableColumns,
  inArray,
  isNotNull,
  isNull,
  ne,
  sql,
  type SQL,
} from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { commissions, paymentEvents, payments, refunds, subscriptions } from '../../db/schema/billing.ts';
import { BILLING } from './limits.ts';
import type { Database } from '../../db/open.ts';
import { users } from '../../db/schema/core.ts';
import { buildCheckedUpdate } from './reconciliation-queue-store.ts';
import type { SubscriptionState, Payment, Refund } from './subscription-state.ts';
import type { Commission } from './commission.ts';
import { CLAIM_KIND, REVERSAL_PREFIX } from './event-keys.ts';
import type { SubscriptionWithPayments } from './paid-period.ts';
import { isClaimedSql } from './payment-event-store.ts';
import type { PaymentNotice } from './payment-provider.ts';
import {
  type BillableSubscription,
  type SubscriptionStatus,
  BILLABLE_STATUSES,
} from './subscription-rules.ts';

/*
 * A settlement reads everything, asks the provider, and writes everything in one batch, so a crash between two steps
 * changes nothing. Each settlement increases `reconciled_at`, and a batch only succeeds if there was no other write about
 * the same user since the read.
 */

/** Covers years of events of one subscription, and stays far below the size limit of a response. */
const MAX_EVENTS = 500;

/**
 * Loads everything that a settlement depends on; null when there is no such subscription.
 * @param now in ms
 */
export async function loadSubscriptionState(db: Database, id: string, now: number) {
  const owner = sql`(select user_id from ${subscriptions} where id = ${id})`;
  const waiting = and(eq(paymentEvents.subscriptionId, id), isNull(paymentEvents.handledAt));
  const [rows, own, paid, owed, events, unpaid] = await db.batch([
    db.select().from(subscriptions).where(eq(subscriptions.id, id)),
    db
      .select({ ...getTableColumns(subscriptions), isClaimed: isClaimedSql })
      .from(subscriptions)
      .where(sql`${subscriptions.userId} = ${owner}`),
    db
      .select()
      .from(payments)
      .where(sql`${payments.userId} = ${owner}`),
    db
      .select()
      .from(commissions)
      .where(
        sql`${commissions.paymentId} in (select ${payments.id} from ${payments} where ${payments.subscriptionId} = ${id})`,
      ),
    db
      .select({ id: paymentEvents.id, payment: paymentEvents.payment })
      .from(paymentEvents)
      .where(waiting)
      .limit(MAX_EVENTS),
    selectUnpaidElsewhere(db, owner, now),
  ]);
  const row = rows[0];
  if (row === undefined) return null;
  const paidFor = (which: string) => paid.filter(({ subscriptionId }) => subscriptionId === which);
  return {
    row,
    own: own.map((one) => ({ ...one, payments: paidFor(one.id) })) satisfies SubscriptionWithPayments[],
    hasUnpaid: new Set(unpaid.map((one) => one.id)),
    payments: paidFor(id) satisfies Payment[],
    commissions: owed satisfies Commission[],
    eventIds: events.map((event) => event.id),
    notices: events.flatMap(({ payment }) =>
      payment === null ? [] : [JSON.parse(payment) as PaymentNotice],
    ),
    seen: own.reduce((sum, { reconciledAt }) => sum + reconciledAt, 0),
  };
}
export type LoadedSubscriptionState = NonNullable<Awaited<ReturnType<typeof loadSubscriptionState>>>;

/**
 * Selects the user's subscriptions whose payer has an earlier one with another account that had started and was never
 * paid for.
 */
const selectUnpaidElsewhere = (db: Database, owner: SQL, now: number) =>
  db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(
      and(
        sql`${subscriptions.userId} = ${owner}`,
        sql`exists (select 1 from subscriptions as other where other.payer_hash = ${subscriptions.payerHash}
          and other.user_id <> ${subscriptions.userId} and other.created_at <= ${subscriptions.createdAt}
          and max(other.created_at, coalesce(other.starts_at, 0)) - ${BILLING.clockToleranceMs}
            <= case when other.status in ('active', 'suspended') then ${now} else other.updated_at end
          and (other.is_refunded = 1 or other.period_end <= max(other.created_at, coalesce(other.starts_at, 0)))
          and not exists (select 1 from payments as paid where paid.subscription_id = other.id
            and paid.status = 'completed' and paid.amount_cents >= coalesce(other.price_cents, 0)))`,
      ),
    );

const matchPayments = (ids: readonly string[]): SQL =>
  sql`${refunds.paymentId} in (select value from json_each(${JSON.stringify(ids)}))`;

/** Returns the refunds of payments. A refund may be known before its payment. */
export async function listRefunds(db: Database, paymentIds: readonly string[]): Promise<Refund[]> {
  const rows = await db.select().from(refunds).where(matchPayments(paymentIds));
  return rows.map(({ id, paymentId, amountCents }) => ({
    paymentId,
    amountCents,
    isReversal: id.startsWith(REVERSAL_PREFIX),
  }));
}

/** Returns the payer and their inviter, for mails and commissions; null when the payer's account was deleted. */
export async function getPayerAndInviter(db: Database, userId: string) {
  const payer = await db.select().from(users).where(eq(users.id, userId)).get();
  if (payer === undefined) return null;
  if (payer.invitedBy === null || payer.invitedBy === userId) return { payer, inviter: null };
  const [inviters, latest, owed] = await db.batch([
    db.select().from(users).where(eq(users.id, payer.invitedBy)),
    db
      .select({ payerHash: subscriptions.payerHash })
      .from(subscriptions)
      .where(eq(subscriptions.userId, payer.invitedBy))
      .orderBy(desc(subscriptions.createdAt), desc(subscriptions.id))
      .limit(1),
    db.select({ number: count() }).from(commissions).where(eq(commissions.inviterId, payer.invitedBy)),
  ]);
  const inviter = inviters[0];
  return {
    payer,
    inviter:
      inviter === undefined
        ? null
        : {
            ...inviter,
            invitedAt: payer.invitedAt,
            /** The payer of the inviter's own subscription. */
            payerHash: latest[0]?.payerHash ?? null,
            isFirst: (owed[0]?.number ?? 0) === 0,
          },
  };
}
export type PayerAndInviter = NonNullable<Awaited<ReturnType<typeof getPayerAndInviter>>>;

/** The changes that a settlement writes. */
export interface Settlement {
  books: SubscriptionState;
  /** What was agreed to, and who pays. */
  terms: {
    priceCents: number;
    payerHash: string | null;
    startsAt: number | null;
    nextBillingAt: number | null;
  };
  /** New or changed payments only. */
  payments: readonly Payment[];
  /** The payments whose refunds were read, and how many refunds there were. */
  basedOn: { paymentIds: readonly string[]; refunds: number };
  plan: { plan: 'storyteller' | 'adventurer' | 'legend'; until: number } | null;
  /** Statements for commissions and mails. */
  extraStatements: readonly BatchItem<'sqlite'>[];
}

/**
 * Writes a settlement, all of it or nothing.
 * @param read the state that it is based on
 * @param now in ms
 * @returns false when there was another write since, or the account was deleted
 */
export async function saveSubscriptionState(
  db: Database,
  read: LoadedSubscriptionState,
  { settlement, now }: { settlement: Settlement; now: number },
): Promise<boolean> {
  const { row, eventIds } = read;
  const { books: state, terms, plan } = settlement;
  const changed =
    row.status !== state.status ||
    row.paymentFailed !== state.paymentFailed ||
    row.isRefunded !== state.isRefunded;
  try {
    await db.batch([
      requireConditionStatement(db, row.id, isUnchanged(read, settlement)),
      ...settlement.payments.map((payment) => upsertPaymentStatement(db, payment, { row, now })),
      ...settlement.extraStatements,
      ...updatePlanStatements(db, row.userId, { plan, now }),
      db
        .update(paymentEvents)
        .set({ handledAt: now })
        .where(sql`${paymentEvents.id} in (select value from json_each(${JSON.stringify(eventIds)}))`),
      db
        .update(subscriptions)
        .set({
          ...state,
          ...terms,
          reconciledAt: Math.max(now, row.reconciledAt + 1),
          ...(changed ? { updatedAt: now } : {}),
        })
        .where(eq(subscriptions.id, row.id)),
    ]);
    return true;
  } catch (error) {
    if (isConflict(error)) return false;
    throw error;
  }
}

/** Aborts the batch when a condition does not hold, by writing a status that the CHECK constraint rejects. */
function requireConditionStatement(db: Database, id: string, holds: SQL) {
  return db
    .update(subscriptions)
    .set({ status: sql`case when ${holds} then ${subscriptions.status} else 'overtaken' end` })
    .where(eq(subscriptions.id, id));
}

/** The CHECK constraint rejected the status, or the subscription was deleted with its account. */
function isConflict(error: unknown): boolean {
  const message = [error, error instanceof Error ? error.cause : null].map(String).join('\n');
  return /CHECK constraint failed: subscriptions_status|FOREIGN KEY constraint failed/.test(message);
}

/** Whether the user's subscriptions, the refunds and the commissions are as they were read. */
function isUnchanged(
  { row, seen, commissions: owed }: LoadedSubscriptionState,
  { basedOn: lookedAt }: Settlement,
): SQL {
  const sum = JSON.stringify(
    owed.map(({ id, status, amountCents }) => `${id} ${status} ${amountCents}`).sort(),
  );
  return sql`(select sum(other.reconciled_at) from ${subscriptions} as other where other.user_id = ${row.userId}) = ${seen}
    and (select count(*) from ${refunds} where ${matchPayments(lookedAt.paymentIds)}) = ${lookedAt.refunds}
    and (select json_group_array(line) from (select id || ' ' || status || ' ' || amount_cents as line from ${commissions}
      where payment_id in (select id from ${payments} where subscription_id = ${row.id}) order by line)) = ${sum}`;
}

function upsertPaymentStatement(
  db: Database,
  payment: Payment,
  { row, now }: { row: LoadedSubscriptionState['row']; now: number },
): BatchItem<'sqlite'> {
  const { id, ...rest } = payment;
  return db
    .insert(payments)
    .values({ id, ...rest, subscriptionId: row.id, userId: row.userId, createdAt: now, updatedAt: now })
    .onConflictDoUpdate({
      target: payments.id,
      set: { status: rest.status, refundedCents: rest.refundedCents, paidAt: rest.paidAt, updatedAt: now },
      setWhere: eq(payments.subscriptionId, row.id),
    });
}

/**
 * Sets the plan that the payments grant. A plan granted by the operator is never changed, and `endPlans` ends expired
 * ones.
 */
function updatePlanStatements(
  db: Database,
  userId: string,
  { plan, now }: { plan: Settlement['plan']; now: number },
): BatchItem<'sqlite'>[] {
  if (plan === null) return [];
  const given = and(ne(users.plan, 'free'), isNull(users.planUntil));
  const isPaid = plan.until > now;
  return [
    db
      .update(users)
      .set({ plan: plan.plan, planUntil: plan.until })
      .where(
        and(
          eq(users.id, userId),
          isPaid
            ? sql`not (${given})`
            : and(isNotNull(users.planUntil), sql`${users.planUntil} > ${plan.until}`),
        ),
      ),
  ];
}

/** Creates a user's subscription without any payment; the next settlement adds what is paid. */
export async function createSubscription(
  db: Database,
  {
    id,
    userId,
    plan,
    status,
    priceCents,
    payerHash,
    startsAt,
    nextBillingAt,
    now,
  }: Pick<
    LoadedSubscriptionState['row'],
    'id' | 'userId' | 'plan' | 'status' | 'payerHash' | 'startsAt' | 'nextBillingAt'
  > & {
    priceCents: number;
    now: number;
  },
): Promise<void> {
  const account = db
    .select({
      id: sql<string>`${id}`.as('id'),
      userId: users.id,
      plan: sql<LoadedSubscriptionState['row']['plan']>`${plan}`.as('plan'),
      status: sql<LoadedSubscriptionState['row']['status']>`${status}`.as('status'),
      periodEnd: sql<number>`${now}`.as('period_end'),
      priceCents: sql<number>`${priceCents}`.as('price_cents'),
      payerHash: sql<string | null>`${payerHash}`.as('payer_hash'),
      paymentFailed: sql<boolean>`0`.as('payment_failed'),
      isRefunded: sql<boolean>`0`.as('is_refunded'),
      startsAt: sql<number | null>`${startsAt}`.as('starts_at'),
      nextBillingAt: sql<number | null>`${nextBillingAt}`.as('next_billing_at'),
      reconciledAt: sql<number>`0`.as('reconciled_at'),
      createdAt: sql<number>`${now}`.as('created_at'),
      updatedAt: sql<number>`${now}`.as('updated_at'),
    })
    .from(users)
    .where(and(eq(users.id, userId), eq(users.isAnonymous, false), eq(users.isSystem, false)));
  await db.insert(subscriptions).select(account).onConflictDoNothing();
}

/**
 * Records that the provider was asked and does not know the subscription. Marks its pending events as handled, except
 * payments and claims.
 */
export async function recordUnchanged(db: Database, id: string, now: number): Promise<void> {
  await db.batch([
    db
      .update(paymentEvents)
      .set({ handledAt: now })
      .where(
        and(
          eq(paymentEvents.subscriptionId, id),
          isNull(paymentEvents.handledAt),
          isNull(paymentEvents.payment),
          ne(paymentEvents.kind, CLAIM_KIND),
        ),
      ),
    db.update(subscriptions).set(buildCheckedUpdate(now)).where(eq(subscriptions.id, id)),
  ]);
}

/** Returns the owner and status of a subscription, and whether it was ever settled; null when it is not known here. */
export async function getSubscriptionOwner(
  db: Database,
  id: string,
): Promise<{ userId: string; status: SubscriptionStatus; isSettled: boolean } | null> {
  const row = await db
    .select({
      userId: subscriptions.userId,
      status: subscriptions.status,
      reconciledAt: subscriptions.reconciledAt,
    })
    .from(subscriptions)
    .where(eq(subscriptions.id, id))
    .get();
  if (row === undefined) return null;
  const { userId: owner, status, reconciledAt } = row;
  return { userId: owner, status, isSettled: reconciledAt > 0 };
}

/** Whether the user has an account that can pay; guests and the system user have none. */
export async function hasRegisteredAccount(db: Database, userId: string): Promise<boolean> {
  const row = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), eq(users.isAnonymous, false), eq(users.isSystem, false)))
    .get();
  return row !== undefined;
}

/** Returns a user's subscriptions that may be billed, newest first. */
export async function listBillableSubscriptions(
  db: Database,
  userId: string,
): Promise<BillableSubscription[]> {
  const { id, status, payerHash, periodEnd, startsAt, paymentFailed, createdAt } = subscriptions;
  return db
    .select({ id, status, payerHash, periodEnd, startsAt, paymentFailed, createdAt, isClaimed: isClaimedSql })
    .from(subscriptions)
    .where(and(eq(subscriptions.userId, userId), inArray(status, [...BILLABLE_STATUSES])))
    .orderBy(desc(createdAt), desc(id));
}
