import { and, desc, eq, inArray, isNull, ne, or, sql, type SQL } from 'drizzle-orm';
import type { ListCursor } from '../../db/cursor.ts';
import type { Database } from '../../db/open.ts';
import { characters, characterTags, users } from '../../db/schema/core.ts';
import type { CharacterCard, CharacterDetail } from './contract.ts';
import { sanitizeText } from '../../lib/sanitize-text.ts';
import { getPortraitUrl } from './portrait.ts';

/** Who looks: decides what of the catalogue may be seen. */
export interface Viewer {
  userId: string | null;
  /** Signed in, adult, and spicy mode on. */
  spicy: boolean;
}

/** Nobody in particular: what public pages, the same for everyone, may show. */
export const PUBLIC_VIEWER: Viewer = { userId: null, spicy: false };

/** Of a character and its creator, for `toCard`. */
export const cardColumns = {
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

/** What is shown of a character. Names go into titles and many a list: they are made drawable here. */
export function toCard(row: CardRow): CharacterCard {
  return {
    id: row.id,
    name: sanitizeText(row.name),
    oneliner: row.oneliner,
    avatar_url: getPortraitUrl(row.avatarKey),
    tags: JSON.parse(row.tags) as string[],
    chat_count: row.chatCount,
    featured: row.featured,
    nsfw_allowed: row.nsfwAllowed,
    creator: { id: row.creatorId, name: sanitizeText(row.creatorNickname ?? row.creatorUsername) },
  };
}

/** Where a character stands among the newest. */
export const toNewestCursor = ({ createdAt, id }: CardRow): ListCursor => ({ value: createdAt, id });

/** What stands in lists: public, not taken down, not in the trash, and not for adults unless the viewer is spicy. */
export function isListedFor(viewer: Viewer): SQL {
  const flags = viewer.spicy ? [false, true] : [false];
  // Written out: the database does not find the index of what is listed (`characters_listed`) by parameters.
  return and(
    sql`${characters.visibility} = 'public' and ${characters.moderation} = 'shown'`,
    inArray(characters.nsfwAllowed, flags),
    isNull(characters.deletedAt),
  ) as SQL;
}

/**
 * What opens for a viewer who has its address: private ones and those that moderation took down are their owner's alone,
 * those for adults need spicy mode or are one's own, and what lies in the trash opens for nobody.
 */
export function isVisibleTo(viewer: Viewer): SQL {
  const forOthers = and(
    ne(characters.visibility, 'private'),
    eq(characters.moderation, 'shown'),
    viewer.spicy ? undefined : eq(characters.nsfwAllowed, false),
  );
  const own = viewer.userId === null ? undefined : eq(characters.creatorId, viewer.userId);
  return and(isNull(characters.deletedAt), or(own, forOthers)) as SQL;
}

/** The characters that the home page shows, at most `limit`. */
export async function listFeaturedCharacters(db: Database, limit: number): Promise<CharacterCard[]> {
  const rows = await db
    .select(cardColumns)
    .from(characters)
    .innerJoin(users, eq(users.id, characters.creatorId))
    .where(and(eq(characters.featured, true), isListedFor(PUBLIC_VIEWER)))
    .orderBy(desc(characters.chatCount), desc(characters.id))
    .limit(limit);
  return rows.map(toCard);
}

/** Those of some characters that this viewer may find in lists, in the order of their ids. */
export async function listCharactersById(
  db: Database,
  ids: readonly string[],
  viewer: Viewer = PUBLIC_VIEWER,
): Promise<CharacterCard[]> {
  if (ids.length === 0) return [];
  // Crossed in this order and no other: an index of all that is public would be read from end to end.
  const rows = await db
    .select(cardColumns)
    .from(sql`(select distinct value as id from json_each(${JSON.stringify(ids)})) as wanted`)
    .crossJoin(characters)
    .crossJoin(users)
    .where(and(sql`${characters.id} = wanted.id`, eq(users.id, characters.creatorId), isListedFor(viewer)));
  const cards = new Map(rows.map((row) => [row.id, toCard(row)]));
  return [...new Set(ids)].flatMap((id) => cards.get(id) ?? []);
}

/** One character, or null when there is none that this viewer may know of; unlisted ones open by their link. */
export async function getCharacter(
  db: Database,
  id: string,
  viewer: Viewer,
): Promise<CharacterDetail | null> {
  const row = await db
    .select({
      ...cardColumns,
      summary: characters.summary,
      summaryGenerated: characters.summaryGenerated,
      characterTraits: characters.characterTraits,
      firstMessage: characters.firstMessage,
      modelType: characters.modelType,
      visibility: characters.visibility,
      pointOfView: characters.pointOfView,
      suggestedReplies: characters.suggestedReplies,
    })
    .from(characters)
    .innerJoin(users, eq(users.id, characters.creatorId))
    .where(and(eq(characters.id, id), isVisibleTo(viewer)))
    .get();
  if (row === undefined) return null;
  return {
    ...toCard(row),
    summary: row.summary,
    summary_generated: row.summaryGenerated,
    character_traits: row.characterTraits,
    first_message: row.firstMessage,
    model_type: row.modelType,
    visibility: row.visibility,
    point_of_view: row.pointOfView,
    suggested_replies: row.suggestedReplies,
    created_at: new Date(row.createdAt).toISOString(),
  };
}
