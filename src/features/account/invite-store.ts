import { and, count, desc, eq, isNull, sql } from 'drizzle-orm';
import type { Database } from '../../db/open.ts';
import { users } from '../../db/schema/core.ts';
import { commissions } from '../../db/schema/billing.ts';
import type { Invites } from './invite-contract.ts';

/** Covers years of payments of many users; older ones are in the data export. */
const MAX_LISTED_COMMISSIONS = 500;

/** Returns a user's invite code, how many users accepted it, and their commissions. */
export async function getInvites(
  db: Database,
  userId: string,
): Promise<Pick<Invites, 'code' | 'invitee_count' | 'commissions'>> {
  const [owners, counted, owed] = await db.batch([
    db.select({ code: users.inviteCode }).from(users).where(eq(users.id, userId)),
    db.select({ invitees: count() }).from(users).where(eq(users.invitedBy, userId)),
    db
      .select({
        amount_cents: commissions.amountCents,
        currency: commissions.currency,
        status: commissions.status,
        createdAt: commissions.createdAt,
      })
      .from(commissions)
      .where(eq(commissions.inviterId, userId))
      .orderBy(desc(commissions.createdAt), desc(commissions.id))
      .limit(MAX_LISTED_COMMISSIONS),
  ]);
  return {
    code: owners[0]?.code ?? null,
    invitee_count: counted[0]?.invitees ?? 0,
    commissions: owed.map(({ createdAt, ...rest }) => ({ ...rest, at: new Date(createdAt).toISOString() })),
  };
}

/** Returns the name that others see of the user with this invite code; null for an unknown or suspended user. */
export async function getInviterName(db: Database, code: string): Promise<string | null> {
  const row = await db
    .select({ name: sql<string>`coalesce(${users.nickname}, ${users.username})` })
    .from(users)
    .where(and(eq(users.inviteCode, code), isNull(users.suspendedAt)))
    .get();
  return row?.name ?? null;
}

/**
 * Gives a user an invite code, unless they have one or the code is taken. One conditional write: concurrent calls save
 * one code, and a code that may already be shared never changes.
 * @returns whether the user has a code now
 */
export async function saveInviteCode(
  db: Database,
  { userId, code, now }: { userId: string; code: string; now: number },
): Promise<boolean> {
  await db
    .update(users)
    .set({ inviteCode: code, updatedAt: now })
    .where(
      and(
        eq(users.id, userId),
        isNull(users.inviteCode),
        sql`not exists (select 1 from ${users} as other where other.invite_code = ${code})`,
      ),
    );
  const row = await db.select({ code: users.inviteCode }).from(users).where(eq(users.id, userId)).get();
  return (row?.code ?? null) !== null;
}
