import { and, asc, eq, exists, inArray, isNotNull, lte, notExists, type SQL, sql } from 'drizzle-orm';
import { BRAND } from '../../../config/brand.ts';
import { ERASURE } from '../limits.ts';
import { TRASH } from '../../character/limits.ts';
import {
  cards,
  characterCopies,
  characterDays,
  characterExtras,
  characterVersions,
  favourites,
  likes,
} from '../../../db/schema/character.ts';
import { judgeScores, competitionStandings, competitionWithdrawals } from '../../../db/schema/competition.ts';
import { caseSteps, reports } from '../../../db/schema/safety.ts';
import type { Database } from '../../../db/open.ts';
import { purgeCharacterPagesStatement } from '../../page-cache/page-purge-statements.ts';
import {
  characterFreeTags,
  characters,
  characterTags,
  conversations,
  erasures,
  personas,
  users,
} from '../../../db/schema/core.ts';
import { createId } from '../../../lib/ids.ts';
import { NO_PICTURE, PLACEHOLDER_PORTRAIT } from '../../character/portrait.ts';

/*
 * Permanent deletion of characters, with their creator's account or out of the trash. A character that has
 * conversations keeps its row and name, because the conversations refer to it. The system user then owns it, no list
 * shows it, and everything else that its creator wrote is removed. It gets a row of its own in `erasures`, under its
 * own id, until all those conversations have removed what they stored about it.
 */

/**
 * Makes the full-text index of the catalogue delete a character's words together with the character. By default FTS5
 * keeps them, unfindable, until it next merges its segments. The setting is persistent.
 */
export async function enableSearchSecureDelete(db: Database): Promise<void> {
  await db.run(sql`insert into character_search (character_search, rank) values ('secure-delete', 1)`);
}

/** Written exactly like the condition of the partial index `users_system`; without it, every user would be read. */
export const IS_SYSTEM_USER = sql`${users.isSystem} = 1`;

/**
 * Returns the account that owns content whose creator was deleted; creates it where no catalogue import has done so.
 */
export async function ensureSystemUser(db: Database, now: number): Promise<string> {
  const find = () => db.select({ id: users.id }).from(users).where(IS_SYSTEM_USER).orderBy(users.id).get();
  const known = await find();
  if (known !== undefined) return known.id;
  const id = createId(now);
  await db.insert(users).values({
    id,
    username: BRAND.name,
    isAnonymous: false,
    isSystem: true,
    onboardingCompleted: true,
    createdAt: now,
    updatedAt: now,
  });
  return (await find())?.id ?? id;
}

/**
 * Statements that delete characters. They belong in one batch, in this order. The first returns the ids of the
 * characters that keep a row.
 * @param which selects the characters; every statement evaluates it, and the last one makes it false
 * @param keptBy limits the conversations that make a character keep its row
 */
export function deleteCharactersStatements(
  db: Database,
  { which, keptBy, systemUserId, now }: { which: SQL; keptBy?: SQL; systemUserId: string; now: number },
) {
  const stories = db
    .select({ id: conversations.id })
    .from(conversations)
    .where(and(eq(conversations.characterId, characters.id), keptBy));
  const going = db.select({ id: characters.id }).from(characters).where(which);
  return [
    db
      .insert(erasures)
      .select(
        db
          .select({
            userId: characters.id,
            conversationIds: sql<string[]>`'[]'`.as('conversation_ids'),
            pictureKeys: sql<string[]>`'[]'`.as('picture_keys'),
            startedAt: sql<number>`${now}`.as('started_at'),
            retryAt: sql<number>`${now}`.as('retry_at'),
            tries: sql<number>`0`.as('tries'),
          })
          .from(characters)
          .where(and(which, exists(stories))),
      )
      .onConflictDoNothing()
      .returning({ id: erasures.userId }),
    purgeCharacterPagesStatement(db, which, now),
    // The card clean-up removes the original from storage: nothing uses it any more.
    db.update(cards).set({ characterId: null }).where(inArray(cards.characterId, going)),
    db.delete(characterTags).where(inArray(characterTags.characterId, going)),
    db.delete(characterFreeTags).where(inArray(characterFreeTags.characterId, going)),
    db.delete(characterExtras).where(inArray(characterExtras.characterId, going)),
    db.delete(characterVersions).where(inArray(characterVersions.characterId, going)),
    db.delete(characterCopies).where(inArray(characterCopies.characterId, going)),
    db.delete(characterDays).where(inArray(characterDays.characterId, going)),
    db.delete(favourites).where(inArray(favourites.characterId, going)),
    db.delete(likes).where(inArray(likes.characterId, going)),
    db
      .delete(caseSteps)
      .where(
        inArray(
          caseSteps.caseId,
          db.select({ id: reports.id }).from(reports).where(inArray(reports.characterId, going)),
        ),
      ),
    db.delete(reports).where(inArray(reports.characterId, going)),
    db.delete(competitionWithdrawals).where(inArray(competitionWithdrawals.characterId, going)),
    db.delete(judgeScores).where(inArray(judgeScores.characterId, going)),
    db.delete(competitionStandings).where(inArray(competitionStandings.characterId, going)),
    db.update(personas).set({ characterId: null }).where(inArray(personas.characterId, going)),
    db
      .update(conversations)
      .set({ avatarUrl: PLACEHOLDER_PORTRAIT })
      .where(inArray(conversations.characterId, going)),
    db.delete(characters).where(and(which, notExists(stories))),
    db
      .update(characters)
      .set({
        creatorId: systemUserId,
        oneliner: '',
        characterTraits: '',
        firstMessage: '',
        about: '',
        visibility: 'private',
        suggestedReplies: [],
        summary: null,
        summaryGenerated: false,
        summaryRetryAt: null,
        summaryTries: 0,
        avatarKey: NO_PICTURE,
        featured: false,
        chatCount: 0,
        moderation: 'shown',
        language: null,
        deletedAt: null,
        importKey: null,
        feeAttempt: null,
        bytes: 0,
        updatedAt: now,
      })
      .where(which),
  ] as const;
}

/**
 * Deletes characters whose time in the trash has expired, oldest first, a limited number per run, and records what must
 * be erased outside the database. Safe to repeat: a character that was just restored from the trash is kept.
 */
export async function purgeTrashedCharacters(db: Database, now: number): Promise<void> {
  await deleteTrashedCharacters(db, lte(characters.deletedAt, now - TRASH.retentionMs), now);
}

/**
 * Deletes a user's characters in the trash, oldest first, a limited number per call.
 * @returns the ids of those that were there
 */
export function eraseCharacterTrash(db: Database, creatorId: string, now: number): Promise<string[]> {
  return deleteTrashedCharacters(db, eq(characters.creatorId, creatorId), now);
}

async function deleteTrashedCharacters(db: Database, which: SQL, now: number): Promise<string[]> {
  const over = and(isNotNull(characters.deletedAt), which) as SQL;
  const due = await db
    .select({ id: characters.id })
    .from(characters)
    .where(over)
    .orderBy(asc(characters.deletedAt))
    .limit(ERASURE.maxPerRun);
  if (due.length === 0) return [];
  const systemUserId = await ensureSystemUser(db, now);
  await enableSearchSecureDelete(db);
  const ids = due.map(({ id }) => id);
  const among = sql`${characters.id} in (select value from json_each(${JSON.stringify(ids)}))`;
  await db.batch(deleteCharactersStatements(db, { which: and(among, over) as SQL, systemUserId, now }));
  return ids;
}
