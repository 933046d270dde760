import { and, asc, desc, eq, getTableColumns, isNotNull, lte, ne, sql } from 'drizzle-orm';
import { BILLING } from './limits.ts';
import { DEFAULT_LANGUAGE } from '../../config/languages.ts';
import { payments, subscriptions } from '../../db/schema/billing.ts';
import type { Database } from '../../db/open.ts';
import { mails, users } from '../../db/schema/core.ts';
import { isClaimedSql } from './payment-event-store.ts';
import type { MembershipSubscription } from './subscription-view.ts';

/** Returns all subscriptions of a user with their payments, newest first, for the membership page. */
export async function listMemberships(db: Database, userId: string): Promise<MembershipSubscription[]> {
  const [rows, paid] = await db.batch([
    db
      .select({ ...getTableColumns(subscriptions), isClaimed: isClaimedSql })
      .from(subscriptions)
      .where(eq(subscriptions.userId, userId))
      .orderBy(desc(subscriptions.createdAt), desc(subscriptions.id)),
    db.select().from(payments).where(eq(payments.userId, userId)),
  ]);
  return rows.map((row) => ({
    ...row,
    payments: paid.filter(({ subscriptionId }) => subscriptionId === row.id),
  }));
}

/**
 * Returns the stored end of a user's plan, and whether the operator granted it. A granted plan has no end, and payments
 * do not change it.
 */
export async function getStoredPlan(
  db: Database,
  userId: string,
): Promise<{ isGiven: boolean; until: number | null }> {
  const row = await db
    .select({ plan: users.plan, until: users.planUntil })
    .from(users)
    .where(eq(users.id, userId))
    .get();
  const until = row?.until ?? null;
  return { isGiven: row !== undefined && row.plan !== 'free' && until === null, until };
}

/**
 * Ends paid plans that have expired, a limited number per run, and queues a mail to each user. Both statements select
 * the same users in one batch, so concurrent runs send one mail.
 * @param site base URL for links; without it no mail is sent
 * @param names names of the plans for the mails
 */
export async function endPlans(
  db: Database,
  { site, names, now }: { site: string | null; names: Record<string, string>; now: number },
): Promise<void> {
  const over = and(isNotNull(users.planUntil), lte(users.planUntil, now), ne(users.plan, 'free'));
  const some = db
    .select({ id: users.id })
    .from(users)
    .where(over)
    .orderBy(asc(users.planUntil), asc(users.id))
    .limit(BILLING.maxPlansEndedPerRun);
  const mailRows = db
    .select({
      id: sql<string>`lower(hex(randomblob(13)))`.as('id'),
      userId: users.id,
      address: sql<string>`${users.email}`.as('address'),
      language: sql<string>`coalesce(${users.language}, ${DEFAULT_LANGUAGE})`.as('language'),
      kind: sql<string>`'membership_ended'`.as('kind'),
      variables: sql<
        Record<string, string>
      >`json_object('site', ${site ?? ''}, 'plan', json_extract(${JSON.stringify(names)}, '$.' || ${users.plan}))`.as(
        'variables',
      ),
      dedupeKey: sql<string>`cast(${users.planUntil} as text)`.as('dedupe_key'),
      createdAt: sql<number>`${now}`.as('created_at'),
      retryAt: sql<number>`${now}`.as('retry_at'),
      tries: sql<number>`0`.as('tries'),
    })
    .from(users)
    .where(and(sql`${users.id} in ${some}`, isNotNull(users.email)));
  const ended = db
    .update(users)
    .set({ plan: 'free', planUntil: null, updatedAt: now })
    .where(sql`${users.id} in ${some}`);
  await (site === null ? ended : db.batch([db.insert(mails).select(mailRows).onConflictDoNothing(), ended]));
}
