import { and, asc, eq, exists, inArray, isNotNull, lte, notExists, type SQL, sql } from 'drizzle-orm';
import { BRAND } from '../../../config/brand.ts';
import { ERASURE } from '../limits.ts';
import { TRASH } from '../../character/limits.ts';
import {
  cards,
  characterDays,
  characterExtras,
  characterVersions,
  favourites,
} from '../../../db/schema/character.ts';
import {
  competitionMarks,
  competitionStandings,
  competitionWithdrawals,
} from '../../../db/schema/competition.ts';
import { caseSteps, reports } from '../../../db/schema/safety.ts';
import type { Database } from '../../../db/open.ts';
import { purgeCharacterPagesStatement } from '../../page-cache/page-purge-statements.ts';
import { characters, characterTags, conversations, erasures, users } from '../../../db/schema/core.ts';
import { createId } from '../../../lib/ids.ts';
import { NO_PICTURE, PLACEHOLDER_PORTRAIT } from '../../character/portrait.ts';

/*
 * How characters go for good, with their maker or out of the trash. One that people have stories with stays as a name:
 * their conversations point to it. It belongs to the house then, is in no list, and holds nothing else that its maker
 * wrote. It has a row in `erasures` of its own, under its own id, until all those conversations have let go of what they
 * knew of it.
 */

/**
 * Has the catalogue's index forget words together with their character: otherwise it would keep them, unfindable, until
 * it next puts itself in order. Once said, it stays said.
 */
export async function enableSearchSecureDelete(db: Database): Promise<void> {
  await db.run(sql`insert into character_search (character_search, rank) values ('secure-delete', 1)`);
}

/** The account that owns what belongs to nobody any more; made where no catalogue came with one. */
export async function ensureSystemUser(db: Database, now: number): Promise<string> {
  const find = () =>
    db.select({ id: users.id }).from(users).where(eq(users.isHouse, true)).orderBy(users.id).get();
  const known = await find();
  if (known !== undefined) return known.id;
  const id = createId(now);
  await db.insert(users).values({
    id,
    username: BRAND.name,
    isAnonymous: false,
    isHouse: true,
    onboardingCompleted: true,
    createdAt: now,
    updatedAt: now,
  });
  return (await find())?.id ?? id;
}

/**
 * The writes by which characters go; they belong into one batch, in this order. The first gives the ids of those that
 * stay as a name.
 * @param which the characters, asked by each write; the last one makes it untrue
 * @param keptBy of the conversations with one of them, those that have it stay as a name
 */
export function deleteCharactersStatements(
  db: Database,
  { which, keptBy, house, now }: { which: SQL; keptBy?: SQL; house: string; now: number },
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
            begunAt: sql<number>`${now}`.as('begun_at'),
            tryAt: sql<number>`${now}`.as('try_at'),
            tries: sql<number>`0`.as('tries'),
          })
          .from(characters)
          .where(and(which, exists(stories))),
      )
      .onConflictDoNothing()
      .returning({ id: erasures.userId }),
    purgeCharacterPagesStatement(db, which, now),
    // The original in storage goes by its own clearing: nothing is made of it any more.
    db.update(cards).set({ characterId: null }).where(inArray(cards.characterId, going)),
    db.delete(characterTags).where(inArray(characterTags.characterId, going)),
    db.delete(characterExtras).where(inArray(characterExtras.characterId, going)),
    db.delete(characterVersions).where(inArray(characterVersions.characterId, going)),
    db.delete(characterDays).where(inArray(characterDays.characterId, going)),
    db.delete(favourites).where(inArray(favourites.characterId, going)),
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
    db.delete(competitionMarks).where(inArray(competitionMarks.characterId, going)),
    db.delete(competitionStandings).where(inArray(competitionStandings.characterId, going)),
    db
      .update(conversations)
      .set({ avatarUrl: PLACEHOLDER_PORTRAIT })
      .where(inArray(conversations.characterId, going)),
    db.delete(characters).where(and(which, notExists(stories))),
    db
      .update(characters)
      .set({
        creatorId: house,
        oneliner: '',
        characterTraits: '',
        firstMessage: '',
        visibility: 'private',
        suggestedReplies: [],
        summary: null,
        summaryGenerated: false,
        summaryTryAt: null,
        summaryTries: 0,
        avatarKey: NO_PICTURE,
        featured: false,
        chatCount: 0,
        moderation: 'shown',
        language: null,
        deletedAt: null,
        updatedAt: now,
      })
      .where(which),
  ] as const;
}

/**
 * Takes characters out of the database whose time in the trash is over, some at a time, the oldest first; what is to be
 * taken away elsewhere is written down. Harmless to repeat: one that was taken out of the trash just then stays.
 */
export async function purgeTrashedCharacters(db: Database, now: number): Promise<void> {
  const over = and(
    isNotNull(characters.deletedAt),
    lte(characters.deletedAt, now - TRASH.retentionMs),
  ) as SQL;
  const due = await db
    .select({ id: characters.id })
    .from(characters)
    .where(over)
    .orderBy(asc(characters.deletedAt))
    .limit(ERASURE.maxPerRun);
  if (due.length === 0) return;
  const house = await ensureSystemUser(db, now);
  await enableSearchSecureDelete(db);
  const among = sql`${characters.id} in (select value from json_each(${JSON.stringify(due.map(({ id }) => id))}))`;
  await db.batch(deleteCharactersStatements(db, { which: and(among, over) as SQL, house, now }));
}
