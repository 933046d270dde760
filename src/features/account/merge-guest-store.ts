import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../db/open.ts';
import { appeals, moderationActions, staffAccessLog } from '../../db/schema/safety.ts';
import { purgeCharacterPagesStatement } from '../page-cache/page-purge-statements.ts';
import { buildHiddenCharactersStatement } from '../safety/suspended-character-statements.ts';
import { characters, users } from '../../db/schema/core.ts';
import { createId } from '../../lib/ids.ts';

/**
 * Moves staff decisions about a guest, the guest's appeals and the records of staff access to the account that the
 * guest is merged into; otherwise signing in would end a suspension. Belongs in the batch that deletes the guest.
 * @param stillGuest whether the guest still is one; each statement checks it
 */
export function mergeGuestDecisionsStatements(
  db: Database,
  { guestId, userId, stillGuest, now }: { guestId: string; userId: string; stillGuest: SQL; now: number },
) {
  const isSuspended = sql`exists (select 1 from ${users} as shut where shut.id = ${guestId} and shut.is_anonymous = 1
    and shut.suspended_at is not null)`;
  const ofAccount = and(eq(characters.creatorId, userId), isSuspended);
  const shown = and(ofAccount, eq(characters.moderation, 'shown'));
  const own = (subject: SQL) => sql`case when ${subject} = ${guestId} then ${userId} else ${subject} end`;
  return [
    // Hide the account's characters, as a suspension of the account itself would.
    buildHiddenCharactersStatement(db, {
      stepId: createId(now),
      of: userId,
      suspension: guestId,
      when: isSuspended,
      now,
    }),
    purgeCharacterPagesStatement(db, ofAccount, now),
    db.update(characters).set({ moderation: 'hidden' }).where(shown),
    db
      .update(users)
      .set({ suspendedAt: sql`coalesce(${users.suspendedAt}, ${now})` })
      .where(and(eq(users.id, userId), isSuspended)),
    db
      .update(moderationActions)
      .set({ ownerId: userId, subjectId: own(sql`${moderationActions.subjectId}`) })
      .where(and(eq(moderationActions.ownerId, guestId), stillGuest)),
    db
      .update(appeals)
      .set({ userId })
      .where(and(eq(appeals.userId, guestId), stillGuest)),
    db
      .update(staffAccessLog)
      .set({ ownerId: userId, resourceId: own(sql`${staffAccessLog.resourceId}`) })
      .where(and(eq(staffAccessLog.ownerId, guestId), stillGuest)),
  ] as const;
}
