import { and, desc, eq, ne, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../../db/open.ts';
import { characterWords, favourites, follows, hiddenItems, likes } from '../../../db/schema/character.ts';
import { characters, characterTags, conversations, users } from '../../../db/schema/core.ts';
import { reports } from '../../../db/schema/safety.ts';
import { sanitizeText } from '../../../lib/sanitize-text.ts';
import { isListedFor, isVisibleTo, listCharactersById, type Viewer } from '../character-store.ts';
import { FOR_YOU } from '../limits.ts';
import { EVERY_CHARACTER, getLanguageTerm, getTagTerm, parseTagTerms } from './list-filters.ts';
import { selectPopularPlaces } from './listing-store.ts';
import type { Suggestion } from './suggestion-contract.ts';
import {
  type Candidate,
  type ChoiceKind,
  type Choices,
  deriveTaste,
  listStrongest,
  NO_CHOICES,
  rankSuggestions,
} from './suggestion-rules.ts';

/*
 * Suggestions for one user. Three calls of the database: what the user chose, candidates, and the cards of those picked.
 * Every statement follows an index and reads a fixed number of rows at most, however many choices and characters there are
 * (docs/discovery.md has the figures). Nothing is stored.
 */

interface SuggestionInput {
  userId: string;
  viewer: Viewer;
  /** False: neither likes nor favourites, follows or conversations are read. */
  isPersonal: boolean;
  /** Of the page. */
  language: string;
  limit: number;
}

/** Returns characters for a user, best first, each with its reason. */
export async function suggestCharacters(db: Database, input: SuggestionInput): Promise<Suggestion[]> {
  const taste = deriveTaste(input.isPersonal ? await readChoices(db, input) : NO_CHOICES, input.language);
  const searches = {
    languages: [...taste.languages],
    tags: listStrongest(taste.tags, FOR_YOU.maxTags),
    creatorIds: listStrongest(taste.creators, FOR_YOU.maxCreators),
  };
  const picked = rankSuggestions(await listCandidates(db, input, searches), taste, input.limit);
  const ids = picked.map(({ id }) => id);
  const cards = new Map((await listCharactersById(db, ids, input.viewer)).map((card) => [card.id, card]));
  return picked.flatMap(({ id, reason }) => {
    const character = cards.get(id);
    return character === undefined ? [] : [{ character, reason }];
  });
}

/** Whether the selected character is the site's own. */
const isSiteOwned = sql<number>`${characters.creatorId} in (select ${users.id} from ${users} where ${users.isSystem} = 1)`;

/** Reads the newest of what the user chose: characters that they can still open, and followed creators. */
async function readChoices(db: Database, { userId, viewer }: SuggestionInput): Promise<Choices> {
  const limit = sql`limit ${FOR_YOU.maxChoices}`;
  const newest = sql`select character_id, begun, deleted_at from ${conversations}
    where owner_id = ${userId} order by id desc limit ${FOR_YOU.maxConversations}`;
  const chosen = sql`select * from (select 'liked' as kind, character_id from ${likes} where user_id = ${userId} order by created_at desc ${limit})
    union all select * from (select 'favourite', character_id from ${favourites} where user_id = ${userId} order by created_at desc ${limit})
    union all select * from (select 'chatted', character_id from (${newest}) where begun = 1 and deleted_at is null ${limit})`;
  const [rows, creators] = await db.batch([
    // Cross joins without sorting: the database follows the three lists in their order.
    db
      .select({
        kind: sql<ChoiceKind>`chosen.kind`,
        id: characters.id,
        name: characters.name,
        creatorId: characters.creatorId,
        isSiteOwned,
        terms: characterWords.tags,
      })
      .from(sql`(${chosen}) as chosen`)
      .crossJoin(characters)
      .crossJoin(characterWords)
      .where(
        and(
          sql`${characters.id} = chosen.character_id`,
          eq(characterWords.characterId, characters.id),
          isVisibleTo(viewer),
        ),
      ),
    db
      .select({ id: follows.creatorId })
      .from(follows)
      .where(eq(follows.userId, userId))
      .orderBy(desc(follows.createdAt))
      .limit(FOR_YOU.maxFollows),
  ]);
  return {
    characters: rows.map((row) => ({ ...toTagged(row), kind: row.kind, name: sanitizeText(row.name) })),
    creatorIds: creators.map(({ id }) => id),
  };
}

/** Reads what both choices and candidates are compared by. */
const toTagged = (row: { id: string; creatorId: string; isSiteOwned: number; terms: string }) => ({
  id: row.id,
  creatorId: row.creatorId,
  isSiteOwned: row.isSiteOwned === 1,
  ...parseTagTerms(row.terms),
});

/**
 * Lists candidates: the most popular characters of each tag in the languages that the user reads, the newest of each
 * creator, and the most popular of all. The search index has them in the order of popularity.
 */
async function listCandidates(
  db: Database,
  input: SuggestionInput,
  searches: { languages: readonly string[]; tags: readonly string[]; creatorIds: readonly string[] },
): Promise<Candidate[]> {
  const { viewer } = input;
  const readable = `(${searches.languages.map(getLanguageTerm).join(' OR ')})`;
  const find = (match: string, count: number) =>
    selectCandidates(db, input, selectPopularPlaces(match, viewer, count));
  const found = await db.batch([
    find(readable, FOR_YOU.popularCandidates),
    find(`${EVERY_CHARACTER} NOT ${readable}`, FOR_YOU.foreignCandidates),
    selectCandidates(db, input, selectNewest(db, searches.creatorIds, viewer)),
    ...searches.tags.map((tag) => find(`${getTagTerm(tag)} AND ${readable}`, FOR_YOU.candidatesPerTag)),
  ]);
  return found.flat().map((row) => ({ ...toTagged(row), chatCount: row.chatCount }));
}

/** Selects the places in the search index of the newest characters of each creator. */
function selectNewest(db: Database, creatorIds: readonly string[], viewer: Viewer): SQL {
  const newest = db
    .select({ id: characters.id })
    .from(characters)
    .where(and(sql`${characters.creatorId} = wanted.value`, isListedFor(viewer)))
    .orderBy(desc(characters.createdAt), desc(characters.id))
    .limit(FOR_YOU.candidatesPerCreator);
  return sql`select ${characterWords.popularRowId} as place
    from json_each(${JSON.stringify(creatorIds)}) as wanted cross join ${characterWords}
    where ${characterWords.characterId} in (${newest})`;
}

/**
 * Selects the characters at places of the search index that may be suggested: not the user's own, reported or hidden, and
 * not one of their chats.
 */
function selectCandidates(db: Database, { userId, viewer, isPersonal }: SuggestionInput, places: SQL) {
  const { kind, target } = hiddenItems;
  const { subject, subjectId } = reports;
  const hidden = sql`select 1 from ${hiddenItems} where ${hiddenItems.userId} = ${userId}`;
  const reported = sql`select 1 from ${reports} where ${reports.reporterId} = ${userId}`;
  return db
    .select({
      id: characters.id,
      creatorId: characters.creatorId,
      isSiteOwned,
      terms: characterWords.tags,
      chatCount: characters.chatCount,
    })
    .from(sql`(${places}) as places`)
    .crossJoin(characterWords)
    .crossJoin(characters)
    .where(
      and(
        sql`${characterWords.popularRowId} = places.place`,
        eq(characters.id, characterWords.characterId),
        isListedFor(viewer),
        ne(characters.creatorId, userId),
        sql`not exists (${hidden} and ${kind} = 'creator' and ${target} = ${characters.creatorId})`,
        sql`not exists (${hidden} and ${kind} = 'tag' and exists (select 1 from ${characterTags}
          where ${characterTags.tag} = ${target} and ${characterTags.characterId} = ${characters.id}))`,
        sql`not exists (${reported} and ${subject} = 'character' and ${subjectId} = ${characters.id})`,
        sql`not exists (${reported} and ${subject} = 'creator' and ${subjectId} = ${characters.creatorId})`,
        isPersonal
          ? sql`not exists (select 1 from ${conversations} where ${conversations.characterId} = ${characters.id}
              and ${conversations.ownerId} = ${userId} and ${conversations.isBegun} = 1)`
          : undefined,
      ),
    );
}
