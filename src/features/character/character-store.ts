import { and, desc, eq, inArray, lt, or, sql, type SQL } from 'drizzle-orm';
import { readCursor, writeCursor } from '../../db/cursor.ts';
import type { Database } from '../../db/open.ts';
import { characters, characterTags, users } from '../../db/schema.ts';
import type { CharacterCard, CharacterDetail, CharacterList, ListCharactersQuery } from './contract.ts';
import { searchTerms } from './search.ts';

/** Who looks: decides what of the catalogue may be seen. */
export interface Viewer {
  userId: string | null;
  /** Signed in, adult, and spicy mode on. */
  spicy: boolean;
}

/** Nobody in particular: what public pages, the same for everyone, may show. */
export const PUBLIC_VIEWER: Viewer = { userId: null, spicy: false };

const cardColumns = {
  id: characters.id,
  name: characters.name,
  oneliner: characters.oneliner,
  avatarKey: characters.avatarKey,
  chatCount: characters.chatCount,
  featured: characters.featured,
  nsfwAllowed: characters.nsfwAllowed,
  createdAt: characters.createdAt,
  creatorId: users.id,
  creatorUsername: users.username,
  creatorNickname: users.nickname,
  tags: sql<string>`(select json_group_array(${characterTags.tag}) from ${characterTags} where ${characterTags.characterId} = ${characters.id})`,
};

type CardRow = {
  id: string;
  name: string;
  oneliner: string;
  avatarKey: string;
  chatCount: number;
  featured: boolean;
  nsfwAllowed: boolean;
  createdAt: number;
  creatorId: string;
  creatorUsername: string;
  creatorNickname: string | null;
  tags: string;
};

function toCard(row: CardRow): CharacterCard {
  return {
    id: row.id,
    name: row.name,
    oneliner: row.oneliner,
    avatar_url: `/media/${row.avatarKey}`,
    tags: JSON.parse(row.tags) as string[],
    chat_count: row.chatCount,
    featured: row.featured,
    nsfw_allowed: row.nsfwAllowed,
    creator: { id: row.creatorId, name: row.creatorNickname ?? row.creatorUsername },
  };
}

/** `in (0)` for most, `in (0, 1)` for the spicy: both walk the same index. */
function listed(viewer: Viewer): SQL {
  const flags = viewer.spicy ? [false, true] : [false];
  return and(eq(characters.visibility, 'public'), inArray(characters.nsfwAllowed, flags)) as SQL;
}

/**
 * One page of the public catalogue, newest or most chatted first, or by relevance when `q` is given.
 * A cursor that is not ours starts from the beginning. «Trending» follows popularity, newest first
 * among equals.
 */
export async function listCharacters(
  db: Database,
  query: ListCharactersQuery,
  viewer: Viewer,
): Promise<CharacterList> {
  const conditions: (SQL | undefined)[] = [listed(viewer)];
  if (query.tag !== undefined) {
    conditions.push(
      inArray(
        characters.id,
        db
          .select({ id: characterTags.characterId })
          .from(characterTags)
          .where(eq(characterTags.tag, query.tag)),
      ),
    );
  }
  const terms = query.q === undefined || query.q === '' ? null : searchTerms(query.q);
  if (terms !== null) {
    if (terms === '') return { items: [], next_cursor: null };
    conditions.push(
      sql`${characters}.rowid in (select rowid from character_search where character_search match ${terms})`,
    );
  }
  const byNewest = query.sort === 'new';
  const after = readCursor(query.cursor);
  const sortColumn = byNewest ? characters.createdAt : characters.chatCount;
  if (after !== null) {
    conditions.push(
      or(lt(sortColumn, after.value), and(eq(sortColumn, after.value), lt(characters.id, after.id))),
    );
  }
  const rows = await db
    .select(cardColumns)
    .from(characters)
    .innerJoin(users, eq(users.id, characters.creatorId))
    .where(and(...conditions))
    .orderBy(desc(sortColumn), desc(characters.id))
    .limit(query.limit + 1);
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  return {
    items: page.map(toCard),
    next_cursor:
      rows.length > query.limit && last !== undefined
        ? writeCursor({ value: byNewest ? last.createdAt : last.chatCount, id: last.id })
        : null,
  };
}

/** The characters that the home page shows, at most `limit`. */
export async function featuredCharacters(db: Database, limit: number): Promise<CharacterCard[]> {
  const rows = await db
    .select(cardColumns)
    .from(characters)
    .innerJoin(users, eq(users.id, characters.creatorId))
    .where(and(eq(characters.featured, true), listed(PUBLIC_VIEWER)))
    .orderBy(desc(characters.chatCount), desc(characters.id))
    .limit(limit);
  return rows.map(toCard);
}

/**
 * One character, or null when there is none that this viewer may know of: private ones are their
 * owner's alone, unlisted ones open by their link, and those for adults need spicy mode.
 */
export async function getCharacter(
  db: Database,
  id: string,
  viewer: Viewer,
): Promise<CharacterDetail | null> {
  const row = await db
    .select({
      ...cardColumns,
      summary: characters.summary,
      characterTraits: characters.characterTraits,
      firstMessage: characters.firstMessage,
      modelType: characters.modelType,
      visibility: characters.visibility,
      pointOfView: characters.pointOfView,
      suggestedReplies: characters.suggestedReplies,
    })
    .from(characters)
    .innerJoin(users, eq(users.id, characters.creatorId))
    .where(eq(characters.id, id))
    .get();
  if (row === undefined) return null;
  const own = viewer.userId === row.creatorId;
  if (row.visibility === 'private' && !own) return null;
  if (row.nsfwAllowed && !viewer.spicy && !own) return null;
  return {
    ...toCard(row),
    summary: row.summary,
    character_traits: row.characterTraits,
    first_message: row.firstMessage,
    model_type: row.modelType,
    visibility: row.visibility,
    point_of_view: row.pointOfView,
    suggested_replies: row.suggestedReplies,
    created_at: new Date(row.createdAt).toISOString(),
  };
}
