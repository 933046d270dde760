import { and, eq, gt, isNull, or, sql } from 'drizzle-orm';
import { INVITE } from './limits.ts';
import type { Database } from '../../db/open.ts';
import { purgeUserPagesStatement } from '../page-cache/page-purge-statements.ts';
import { users } from '../../db/schema/core.ts';

/*
 * An invitation is taken here and its points are given by the wallet. What says that they are still to be given is an
 * onboarding that is not over: taking opens it anew, and it ends when the points are there.
 */

/**
 * Takes an invitation: once in an account's life, before its onboarding is over or in its first week, and never one's
 * own, nor somebody's whose account is suspended. One conditional write, so that of many at once one counts.
 * @returns false for a code that this account cannot take; true again while the points of this code are still to be given
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
 * Ends the onboarding, with what was filled in. Repeating it changes the nickname at most.
 * @param given the points of the invitation are there
 * @returns false when nothing was changed, because an invitation was taken and its points are still to be given
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
