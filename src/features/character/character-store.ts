import { and, desc, eq, inArray, isNull, ne, or, sql, type SQL } from 'drizzle-orm';
import type { ListCursor } from '../../db/cursor.ts';
import type { Database } from '../../db/open.ts';
import { characters, characterTags, users } from '../../db/schema/core.ts';
import type { CharacterCard, CharacterDetail } from './contract.ts';
import { freeTagsColumn } from './free-tag-statements.ts';
import { sanitizeText } from '../../lib/sanitize-text.ts';
import { getPortraitUrl } from './portrait.ts';
import { selectIsStaff, toStaffField } from './staff-statements.ts';

/** The user who looks at the catalogue, which decides what they may see. */
export interface Viewer {
  userId: string | null;
  /** Signed in, adult, and spicy mode on. */
  spicy: boolean;
}

/** No particular user: the view of public pages, which are the same for everyone. */
export const PUBLIC_VIEWER: Viewer = { userId: null, spicy: false };

/** What a card shows, as SQLite writes it. */
interface StoredCard {
  name: string;
  oneliner: string;
  avatar_key: string;
  tags: string[];
  chat_count: number;
  likes: number;
  featured: 0 | 1;
  nsfw_allowed: 0 | 1;
  language: string | null;
  creator: string;
  creator_name: string;
}

const storedTags = sql`(select json_group_array(${characterTags.tag}) from ${characterTags} where ${characterTags.characterId} = ${characters.id})`;

/**
 * A character and its creator, for `toCard`. A card is one column of JSON, because reading many columns of many rows
 * would take most of the processor time of a list.
 */
export const cardColumns = {
  id: characters.id,
  createdAt: characters.createdAt,
  card: sql`json_object('name', ${characters.name}, 'oneliner', ${characters.oneliner}, 'avatar_key', ${characters.avatarKey},
    'tags', json(${storedTags}), 'chat_count', ${characters.chatCount}, 'likes', ${characters.likeCount}, 'featured', ${characters.featured},
    'nsfw_allowed', ${characters.nsfwAllowed}, 'language', ${characters.language}, 'creator', ${users.id}, 'creator_name', coalesce(${users.nickname}, ${users.username}))`
    .mapWith((text: string) => JSON.parse(text) as StoredCard)
    .as('card'),
};

interface CardRow {
  id: string;
  createdAt: number;
  card: StoredCard;
}

/** Converts a row to a card. Names appear in titles and many lists, so they are sanitised here. */
export function toCard({ id, card }: CardRow): CharacterCard {
  return {
    id,
    name: sanitizeText(card.name),
    oneliner: card.oneliner,
    avatar_url: getPortraitUrl(card.avatar_key),
    tags: card.tags,
    chat_count: card.chat_count,
    likes: card.likes,
    featured: card.featured === 1,
    nsfw_allowed: card.nsfw_allowed === 1,
    language: card.language,
    creator: { id: card.creator, name: sanitizeText(card.creator_name) },
  };
}

/** Returns the position of a character in a newest-first list. */
export const toNewestCursor = ({ createdAt, id }: CardRow): ListCursor => ({ value: createdAt, id });

/** Condition for lists: public, not moderated, not in the trash, and not for adults unless the viewer is spicy. */
export function isListedFor(viewer: Viewer): SQL {
  const flags = viewer.spicy ? [false, true] : [false];
  // Inlined: with parameters the planner does not use the partial index `characters_listed`.
  return and(
    sql`${characters.visibility} = 'public' and ${characters.moderation} = 'shown'`,
    inArray(characters.nsfwAllowed, flags),
    isNull(characters.deletedAt),
  ) as SQL;
}

/**
 * Condition for opening a character by its URL. Private and moderated ones open only for their owner, those for adults
 * need spicy mode or are the viewer's own, and those in the trash never open.
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

/** Returns the characters of the home page, at most `limit`. */
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

/** Returns those of the given characters that the viewer may see in lists, in the order of the ids. */
export async function listCharactersById(
  db: Database,
  ids: readonly string[],
  viewer: Viewer = PUBLIC_VIEWER,
): Promise<CharacterCard[]> {
  if (ids.length === 0) return [];
  // Cross joins fix the join order; otherwise the planner scans the whole index of public characters.
  const rows = await db
    .select(cardColumns)
    .from(sql`(select distinct value as id from json_each(${JSON.stringify(ids)})) as wanted`)
    .crossJoin(characters)
    .crossJoin(users)
    .where(and(sql`${characters.id} = wanted.id`, eq(users.id, characters.creatorId), isListedFor(viewer)));
  const cards = new Map(rows.map((row) => [row.id, toCard(row)]));
  return [...new Set(ids)].flatMap((id) => cards.get(id) ?? []);
}

/** Selects a character if the viewer may see it; unlisted ones open by their link. */
export const selectCharacter = (
  db: Database,
  id: string,
  viewer: Viewer,
  staffEmails: readonly string[] = [],
) =>
  db
    .select({
      ...cardColumns,
      isStaff: selectIsStaff(staffEmails),
      summary: characters.summary,
      summaryGenerated: characters.summaryGenerated,
      about: characters.about,
      characterTraits: characters.characterTraits,
      firstMessage: characters.firstMessage,
      modelType: characters.modelType,
      visibility: characters.visibility,
      pointOfView: characters.pointOfView,
      suggestedReplies: characters.suggestedReplies,
      freeTags: freeTagsColumn,
    })
    .from(characters)
    .innerJoin(users, eq(users.id, characters.creatorId))
    .where(and(eq(characters.id, id), isVisibleTo(viewer)));

type CharacterRow = Awaited<ReturnType<typeof selectCharacter>>[number];

/** Converts a row of `selectCharacter`. */
export const toCharacter = ({ isStaff, ...row }: CharacterRow): CharacterDetail => {
  const card = toCard(row);
  return {
    ...card,
    creator: { ...card.creator, ...toStaffField(isStaff) },
    summary: row.summary,
    summary_generated: row.summaryGenerated,
    about: row.about,
    character_traits: row.characterTraits,
    first_message: row.firstMessage,
    model_type: row.modelType,
    visibility: row.visibility,
    point_of_view: row.pointOfView,
    suggested_replies: row.suggestedReplies,
    free_tags: JSON.parse(row.freeTags) as string[],
    created_at: new Date(row.createdAt).toISOString(),
  };
};

/**
 * Returns a character, or null when the viewer may not see one with this id; unlisted ones open by their link.
 * @param staffEmails addresses of the staff, whose names get a badge
 */
export async function getCharacter(
  db: Database,
  id: string,
  viewer: Viewer,
  staffEmails: readonly string[] = [],
): Promise<CharacterDetail | null> {
  const row = await selectCharacter(db, id, viewer, staffEmails).get();
  return row === undefined ? null : toCharacter(row);
}
