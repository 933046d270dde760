import { and, eq, isNotNull, lt, type SQL, sql } from 'drizzle-orm';
import { BILLING } from './limits.ts';
import { gonePayments, payments, refunds } from '../../db/schema/billing.ts';
import type { Database } from '../../db/open.ts';

/*
 * Payments go with the account that paid them, and the days on which they were paid keep their revenue: of each the day and
 * the sum stay, under a hash of the company's id, as long as something may go back of it; then of each day the sum.
 */

/** Written out: a bound number is no whole one, and neither is what is divided by it. */
const DAY_MS = sql.raw('86400000');

/** What went back of a payment, also where its books were not settled by that yet. */
const REFUNDED_CENTS = sql`min(paid.amount_cents, max(paid.refunded_cents,
  coalesce((select sum(coalesce(back.amount_cents, paid.amount_cents)) from ${refunds} as back where back.payment_id = paid.id), 0)))`;

/**
 * Keeps what somebody paid who goes. For the batch in which the account goes, before what went back of it does.
 * @param input.hashes of the payments that are known, by their ids @param input.goes whether they go, as that batch asks it
 */
export function anonymizePaymentsStatement(
  db: Database,
  {
    userId,
    hashes,
    goes,
    now,
  }: { userId: string; hashes: Readonly<Record<string, string>>; goes: SQL; now: number },
) {
  // One that came in this very moment has no hash, and is in the sums all the same.
  return db
    .insert(gonePayments)
    .select(
      sql`select coalesce(hash.value, lower(hex(randomblob(32)))), paid.paid_at / ${DAY_MS}, paid.amount_cents, ${REFUNDED_CENTS},
        paid.paid_at + ${BILLING.anonymizedPaymentRetentionMs}, ${now}
        from ${payments} as paid left join json_each(${JSON.stringify(hashes)}) as hash on hash.key = paid.id
        where paid.user_id = ${userId} and paid.currency = ${BILLING.currency} and ${goes}`,
    )
    .onConflictDoNothing();
}

/**
 * Takes what goes back of a gone account's payment off its day, once; to be written before the refund itself is.
 * @param back.hash of the payment @param back.id of the refund @param back.amountCents null: all of it
 */
export function refundAnonymizedPaymentStatement(
  db: Database,
  refund: { hash: string; id: string; amountCents: number | null; now: number },
) {
  const { amountCents } = gonePayments;
  const all =
    refund.amountCents === null
      ? amountCents
      : sql`min(${amountCents}, ${gonePayments.refundedCents} + ${refund.amountCents})`;
  return db
    .update(gonePayments)
    .set({ refundedCents: sql`${all}`, updatedAt: refund.now })
    .where(
      and(
        eq(gonePayments.id, refund.hash),
        sql`not exists (select 1 from ${refunds} as known where known.id = ${refund.id})`,
      ),
    );
}

/** Makes one sum a day of what nothing can go back of any more; run by cron, in one batch. */
export function mergeAnonymizedPaymentsStatements(db: Database, now: number) {
  const over = sql`kept_until is not null and kept_until < ${now}`;
  return [
    db
      .insert(gonePayments)
      .select(
        sql`select 'day:' || day, day, sum(amount_cents), sum(refunded_cents), null, 0
          from ${gonePayments} where ${over} group by day`,
      )
      .onConflictDoUpdate({
        target: gonePayments.id,
        set: {
          amountCents: sql`amount_cents + excluded.amount_cents`,
          refundedCents: sql`refunded_cents + excluded.refunded_cents`,
        },
      }),
    db.delete(gonePayments).where(and(isNotNull(gonePayments.keptUntil), lt(gonePayments.keptUntil, now))),
  ] as const;
}
