import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { buildClearedName } from '../safety/cleared-name-statements.ts';
import { buildDropRetainedSuspensionsStatement } from '../safety/retained-suspension-statements.ts';
import type { Database } from '../../db/open.ts';
import {
  purgeUserPagesStatement,
  purgeCharacterPagesStatement,
} from '../page-cache/page-purge-statements.ts';
import { isRemovedByStaff, REMOVED_CONTENT_STEP } from '../safety/removed-picture-statements.ts';
import { caseSteps, moderationActions } from '../../db/schema/safety.ts';
import { characters, pictures, users } from '../../db/schema/core.ts';
import {
  buildHiddenBySuspensionCondition,
  buildNoSuspensionCondition,
  buildDeferredShowStatement,
} from '../safety/suspended-character-statements.ts';
import { createId } from '../../lib/ids.ts';
import { NO_PICTURE } from '../character/portrait.ts';
import type { ModerationAction } from './moderation-action-contract.ts';
import {
  buildGrantAppealsStatements,
  type Revocation,
  buildRevocationStepsStatement,
} from './revocation-statements.ts';
import { findModerationAction, buildActiveActionCondition } from './moderation-action-store.ts';

// Revokes moderation actions and restores what they removed, in one batch.

type BatchStatements = Parameters<Database['batch']>[0];

/** Whether the character's creator is suspended, which keeps it hidden whatever else is revoked. */
const isCreatorSuspended = sql`exists (select 1 from ${users} as maker where maker.id = ${characters.creatorId} and maker.suspended_at is not null)`;

/** Whether no action on the character itself keeps it hidden. */
const isNotRestricted = sql`not exists (select 1 from ${moderationActions} as held where held.subject_id = ${characters.id}
  and held.kind in ('character_hidden', 'character_removed') and held.revoked_at is null)`;

/**
 * Revokes a moderation action and restores what it removed, unless the owner has replaced it. Open appeals against the
 * action are granted.
 * @param input.appealId the appeal that caused the revocation, which is decided separately
 * @returns the action; null if it does not exist. An action that has already ended is unchanged
 */
export async function endModerationAction(
  db: Database,
  { id, adminId, now, appealId = null }: { id: string; appealId?: string | null } & Revocation,
): Promise<ModerationAction | null> {
  const measure = await db.select().from(moderationActions).where(eq(moderationActions.id, id)).get();
  if (measure === undefined) return null;
  if (measure.revokedAt !== null) return findModerationAction(db, id);
  const taken = await db
    .select({ note: caseSteps.note })
    .from(caseSteps)
    .where(and(eq(caseSteps.caseId, id), eq(caseSteps.step, REMOVED_CONTENT_STEP)))
    .get();
  const { pages, acts } = buildRestoration(db, measure, taken?.note ?? null, now);
  const holds = and(eq(moderationActions.id, id), isNull(moderationActions.revokedAt));
  const writes = [
    buildRevocationStepsStatement(db, holds, { adminId, now }),
    ...buildGrantAppealsStatements(db, holds, { adminId, now }, appealId),
    db.update(moderationActions).set({ revokedAt: now }).where(holds),
    ...acts,
    ...pages,
  ];
  await db.batch(writes as unknown as BatchStatements);
  return findModerationAction(db, id);
}

/** Builds the writes that restore the content of an ended action. */
function buildRestoration(
  db: Database,
  { kind, subjectId, ownerId }: typeof moderationActions.$inferSelect,
  taken: string | null,
  now: number,
): { pages: unknown[]; acts: readonly unknown[] } {
  const character = eq(characters.id, subjectId);
  const account = eq(users.id, subjectId);
  const pages = [
    purgeCharacterPagesStatement(db, character, now),
    purgeUserPagesStatement(db, subjectId, now),
  ];
  switch (kind) {
    case 'character_hidden':
    case 'character_removed':
      return { pages, acts: buildShowStatements(db, subjectId, now) };
    case 'account_suspended': {
      const own = eq(characters.creatorId, subjectId);
      return {
        pages: [...pages, purgeCharacterPagesStatement(db, own, now)],
        acts: [
          // Two suspensions can be active after a guest account was merged.
          db
            .update(users)
            .set({ suspendedAt: null })
            .where(and(account, buildNoSuspensionCondition(subjectId))),
          buildShowStatement(
            db,
            and(own, eq(characters.moderation, 'hidden'), buildHiddenBySuspensionCondition(subjectId)) as SQL,
          ),
          buildDropRetainedSuspensionsStatement(db, subjectId),
        ],
      };
    }
    case 'picture_removed': {
      // Nothing to restore if the picture was deleted in the meantime or another action still removes it.
      const there = sql`exists (select 1 from ${pictures} where ${pictures.key} = ${taken} and ${pictures.ownerId} = ${ownerId}
        and ${pictures.createdAt} > 0 and not ${isRemovedByStaff})`;
      return {
        pages,
        acts: [
          db
            .update(characters)
            .set({ avatarKey: taken ?? NO_PICTURE })
            .where(and(character, eq(characters.avatarKey, NO_PICTURE), there)),
          db
            .update(users)
            .set({ avatarKey: taken })
            .where(and(account, isNull(users.avatarKey), there)),
        ],
      };
    }
    case 'name_cleared':
      return {
        pages,
        acts: taken === null ? [] : [buildRestoreNameStatement(db, { subjectId, ownerId, taken })],
      };
  }
}

/**
 * Shows a character again unless something else keeps it hidden; if that is a suspension, its end shows the character.
 */
function buildShowStatements(db: Database, id: string, now: number) {
  return [
    buildDeferredShowStatement(db, { stepId: createId(now), characterId: id, when: isNotRestricted, now }),
    buildShowStatement(db, eq(characters.id, id)),
  ] as const;
}

/** Shows characters that no action keeps hidden. */
function buildShowStatement(db: Database, which: SQL) {
  return db
    .update(characters)
    .set({ moderation: sql`case when ${isCreatorSuspended} then 'hidden' else 'shown' end` })
    .where(and(which, isNotRestricted));
}

/** Restores a cleared name that has not been changed since. When subject and owner are the same, it is an account. */
function buildRestoreNameStatement(
  db: Database,
  { subjectId: id, ownerId, taken }: { subjectId: string; ownerId: string; taken: string },
) {
  if (id !== ownerId)
    return db
      .update(characters)
      .set({ name: taken })
      .where(and(eq(characters.id, id), eq(characters.name, buildClearedName('character', id))));
  return db
    .update(users)
    .set(JSON.parse(taken) as Names)
    .where(and(eq(users.id, id), eq(users.username, buildClearedName('reader', id)), isNull(users.nickname)));
}

interface Names {
  username: string;
  nickname: string | null;
}

/**
 * Revokes all actions that keep a character hidden, and grants the open appeals against them.
 * @returns whether the character exists
 */
export async function showCharacter(
  db: Database,
  { id, adminId, now }: { id: string } & Revocation,
): Promise<boolean> {
  const which = eq(characters.id, id);
  const holds = buildActiveActionCondition(id, ['character_hidden', 'character_removed']);
  const [found] = await db.batch([
    db.select({ id: characters.id }).from(characters).where(which),
    buildRevocationStepsStatement(db, holds, { adminId, now }),
    ...buildGrantAppealsStatements(db, holds, { adminId, now }),
    db.update(moderationActions).set({ revokedAt: now }).where(holds),
    ...buildShowStatements(db, id, now),
    purgeCharacterPagesStatement(db, which, now),
  ]);
  return found.length > 0;
}
