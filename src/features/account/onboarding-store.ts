import { and, eq, gt, isNull, or, sql } from 'drizzle-orm';
import { INVITE } from './limits.ts';
import type { Database } from '../../db/open.ts';
import { purgeUserPagesStatement } from '../page-cache/page-purge-statements.ts';
import { users } from '../../db/schema/core.ts';

/*
 * Invitations are accepted here; the wallet grants their points. An onboarding that is not completed records that the
 * points are still owed: accepting an invitation reopens it, and it completes once the points are granted.
 */

/** Condition that the owner of a code was not invited by a user, neither directly nor through others. */
const isNotInvitedBy = (code: string, userId: string) =>
  sql`not exists (with recursive inviters(id) as (
    select invited_by from ${users} as owner where owner.invite_code = ${code}
    union select next.invited_by from ${users} as next join inviters on next.id = inviters.id)
    select 1 from inviters where id = ${userId})`;

/**
 * Accepts an invitation: once per account, before its onboarding is completed or in its first week, never with its own
 * code, that of a suspended account, or that of an account that it invited, directly or through others: two accounts
 * would otherwise give each other points. One conditional write: of concurrent calls, one counts.
 * @returns false for a code that this account cannot accept; true again while the points of this code are still owed
 */
export async function acceptInvite(
  db: Database,
  { userId, code, now }: { userId: string; code: string; now: number },
): Promise<boolean> {
  const inviter = sql`(select inviter.id from ${users} as inviter where inviter.invite_code = ${code} and inviter.id <> ${userId})`;
  const taken = await db
    .update(users)
    .set({ invitedBy: inviter, invitedAt: now, onboardingCompleted: false, updatedAt: now })
    .where(
      and(
        eq(users.id, userId),
        eq(users.isAnonymous, false),
        isNull(users.invitedAt),
        or(eq(users.onboardingCompleted, false), gt(users.createdAt, now - INVITE.redeemWithinMs)),
        sql`${inviter} is not null`,
        isNotInvitedBy(code, userId),
        sql`not exists (select 1 from ${users} as inviter where inviter.invite_code = ${code} and inviter.suspended_at is not null)`,
      ),
    )
    .returning({ id: users.id });
  if (taken.length > 0) return true;
  const pending = await db
    .select({ id: users.id })
    .from(users)
    .where(
      and(eq(users.id, userId), eq(users.onboardingCompleted, false), sql`${users.invitedBy} = ${inviter}`),
    )
    .get();
  return pending !== undefined;
}

/**
 * Completes the onboarding and saves the form. A repeated call changes at most the nickname.
 * @param input.hasGrantedPoints the points of the invitation were granted
 * @returns false when nothing changed, because an invitation was accepted and its points are still owed
 */
export async function completeOnboarding(
  db: Database,
  input: { userId: string; nickname: string | undefined; hasGrantedPoints: boolean; now: number },
): Promise<boolean> {
  const completion = db
    .update(users)
    .set({
      onboardingCompleted: true,
      updatedAt: input.now,
      ...(input.nickname === undefined ? {} : { nickname: input.nickname }),
    })
    .where(
      and(
        eq(users.id, input.userId),
        input.hasGrantedPoints ? undefined : or(isNull(users.invitedAt), eq(users.onboardingCompleted, true)),
      ),
    )
    .returning({ id: users.id });
  const [completed] = await db.batch([
    completion,
    ...(input.nickname === undefined ? [] : [purgeUserPagesStatement(db, input.userId, input.now)]),
  ]);
  return completed.length > 0;
}
