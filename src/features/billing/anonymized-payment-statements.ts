import { and, eq, isNotNull, lt, type SQL, sql } from 'drizzle-orm';
import { BILLING } from './limits.ts';
import { anonymizedPayments, payments, refunds } from '../../db/schema/billing.ts';
import type { Database } from '../../db/open.ts';

/*
 * Payments are deleted with the account that paid them, but daily revenue has to stay correct. Each leaves its day and
 * amount under a hash of the provider's payment id for as long as it can be refunded; after that, one sum per day
 * remains.
 */

/** Inlined: a bound parameter is not an integer, so dividing by it would not be an integer division. */
const DAY_MS = sql.raw('86400000');

/** The refunded amount of a payment, including refunds that its row does not contain yet. */
const REFUNDED_CENTS = sql`min(paid.amount_cents, max(paid.refunded_cents,
  coalesce((select sum(coalesce(back.amount_cents, paid.amount_cents)) from ${refunds} as back where back.payment_id = paid.id), 0)))`;

/**
 * Statement that keeps anonymized copies of a user's payments. Belongs in the batch that deletes the account, before
 * their refunds are deleted.
 * @param input.hashes hashes of the payments that were known before the batch, by payment id
 * @param input.goes whether that batch may delete the account
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
  // A payment that has arrived since has no hash; a random id still gets it into the sums.
  return db
    .insert(anonymizedPayments)
    .select(
      sql`select coalesce(hash.value, lower(hex(randomblob(32)))), paid.paid_at / ${DAY_MS}, paid.amount_cents, ${REFUNDED_CENTS},
        paid.paid_at + ${BILLING.anonymizedPaymentRetentionMs}, ${now}
        from ${payments} as paid left join json_each(${JSON.stringify(hashes)}) as hash on hash.key = paid.id
        where paid.user_id = ${userId} and paid.currency = ${BILLING.currency} and ${goes}`,
    )
    .onConflictDoNothing();
}

/**
 * Statement that deducts a refund of a deleted account's payment from its day, once; runs before the refund is
 * inserted.
 * @param refund.hash of the payment
 * @param refund.id of the refund
 * @param refund.amountCents null for the whole payment
 */
export function refundAnonymizedPaymentStatement(
  db: Database,
  refund: { hash: string; id: string; amountCents: number | null; now: number },
) {
  const { amountCents } = anonymizedPayments;
  const all =
    refund.amountCents === null
      ? amountCents
      : sql`min(${amountCents}, ${anonymizedPayments.refundedCents} + ${refund.amountCents})`;
  return db
    .update(anonymizedPayments)
    .set({ refundedCents: sql`${all}`, updatedAt: refund.now })
    .where(
      and(
        eq(anonymizedPayments.id, refund.hash),
        sql`not exists (select 1 from ${refunds} as known where known.id = ${refund.id})`,
      ),
    );
}

/** Merges payments that can no longer be refunded into one sum per day; run by cron, in one batch. */
export function mergeAnonymizedPaymentsStatements(db: Database, now: number) {
  const over = sql`retained_until is not null and retained_until < ${now}`;
  return [
    db
      .insert(anonymizedPayments)
      .select(
        sql`select 'day:' || day, day, sum(amount_cents), sum(refunded_cents), null, 0
          from ${anonymizedPayments} where ${over} group by day`,
      )
      .onConflictDoUpdate({
        target: anonymizedPayments.id,
        set: {
          amountCents: sql`amount_cents + excluded.amount_cents`,
          refundedCents: sql`refunded_cents + excluded.refunded_cents`,
        },
      }),
    db
      .delete(anonymizedPayments)
      .where(and(isNotNull(anonymizedPayments.retainedUntil), lt(anonymizedPayments.retainedUntil, now))),
  ] as const;
}
