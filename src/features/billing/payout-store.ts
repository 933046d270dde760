import { and, asc, desc, eq, isNull, not, sql } from 'drizzle-orm';
import { BILLING } from './limits.ts';
import { commissions, payouts } from '../../db/schema/billing.ts';
import type { Database } from '../../db/open.ts';
import { users } from '../../db/schema/core.ts';

/** The limit of each list in one response. */
const MAX_LISTED = 500;

export type Payout = typeof payouts.$inferSelect;

/** Due commissions, minus reversed ones that were paid out and not deducted yet. */
const owedCents = sql<number>`sum(case when ${commissions.status} = 'due' then ${commissions.amountCents}
  when ${commissions.status} = 'reversed' and ${commissions.payoutId} is not null and ${commissions.clawbackPayoutId} is null
  then -${commissions.amountCents} else 0 end)`;

/** Suspended users are not paid; what is due waits until the suspension ends. */
const isUserSuspended = (userId: string) =>
  sql`exists (select 1 from ${users} where ${users.id} = ${userId} and ${users.suspendedAt} is not null)`;

/** Returns users who are owed commission, and how much, longest waiting first, without suspended users. */
export async function listOwedCommissions(db: Database) {
  return db
    .select({
      user_id: users.id,
      username: users.username,
      email: users.email,
      amount_cents: owedCents.as('owed'),
      currency: commissions.currency,
    })
    .from(commissions)
    .innerJoin(users, eq(users.id, commissions.inviterId))
    .where(isNull(users.suspendedAt))
    .groupBy(users.id, commissions.currency)
    .having(sql`owed > 0`)
    .orderBy(asc(sql`min(${commissions.createdAt})`))
    .limit(MAX_LISTED);
}

/** Returns payouts, newest first. */
export async function listPayouts(db: Database): Promise<Payout[]> {
  return db.select().from(payouts).orderBy(desc(payouts.createdAt), desc(payouts.id)).limit(MAX_LISTED);
}

/**
 * Records that a user was paid everything due. One batch: commission that becomes due concurrently belongs to the next
 * payout.
 * @param amountCents the amount paid; nothing is recorded when a different amount is due
 * @returns the recorded payout; otherwise `done` is null and `dueCents` is the amount due, 0 for a suspended user
 */
export async function recordPayout(
  db: Database,
  {
    id,
    userId,
    amountCents,
    note,
    now,
  }: { id: string; userId: string; amountCents: number; note: string; now: number },
): Promise<{ done: Payout | null; dueCents: number }> {
  const currency = BILLING.currency;
  const mine = and(eq(commissions.inviterId, userId), eq(commissions.currency, currency));
  const paid = sql`exists (select 1 from ${payouts} where ${payouts.id} = ${id})`;
  const [rows, , , due] = await db.batch([
    db
      .insert(payouts)
      .select(
        db
          .select({
            id: sql<string>`${id}`.as('id'),
            userId: sql<string>`${userId}`.as('user_id'),
            amountCents: owedCents.as('amount_cents'),
            currency: sql<string>`${currency}`.as('currency'),
            note: sql<string>`${note}`.as('note'),
            createdAt: sql<number>`${now}`.as('created_at'),
          })
          .from(commissions)
          .where(and(mine, not(isUserSuspended(userId))))
          .having(sql`${owedCents} > 0 and ${owedCents} = ${amountCents}`),
      )
      .returning(),
    db
      .update(commissions)
      .set({ clawbackPayoutId: id })
      .where(
        and(
          mine,
          eq(commissions.status, 'reversed'),
          sql`${commissions.payoutId} is not null and ${commissions.clawbackPayoutId} is null`,
          paid,
        ),
      ),
    db
      .update(commissions)
      .set({ status: 'paid', payoutId: id })
      .where(and(mine, eq(commissions.status, 'due'), paid)),
    db
      .select({ cents: owedCents })
      .from(commissions)
      .where(and(mine, not(isUserSuspended(userId)))),
  ]);
  return { done: rows[0] ?? null, dueCents: due[0]?.cents ?? 0 };
}
