import type { characters } from '../../db/schema/core.ts';

// Cache tags of public pages. A page carries a tag for everything it shows; a change purges the tags of everything it
// affects. Ids are short and plain; an id that does not match falls back to the list tag.

/** Every list of characters, including the sitemaps. */
export const LIST_TAG = 'list';

const ID = /^[A-Za-z0-9_.-]{1,64}$/;

const createTagBuilder = (prefix: string) => (id: string) => (ID.test(id) ? `${prefix}:${id}` : LIST_TAG);

/** A character's page, lists with its card, and its portrait. */
export const getCharacterTag = createTagBuilder('character');
/** Pages that name a creator, and the creator's avatar. */
export const getCreatorTag = createTagBuilder('creator');

/** The fields that decide whether and how a character appears in public pages. */
export type PublicCharacterState = Pick<
  typeof characters.$inferSelect,
  'id' | 'creatorId' | 'visibility' | 'moderation' | 'nsfwAllowed' | 'deletedAt'
>;

/** Public pages are rendered without a session, so they show only what every visitor may see. */
function isPublicCharacter(character: PublicCharacterState): boolean {
  return (
    character.visibility === 'public' &&
    character.moderation === 'shown' &&
    !character.nsfwAllowed &&
    character.deletedAt === null
  );
}

/**
 * Returns the tags of the pages that a change to a character makes outdated. Chat counts purge nothing; they only expire.
 * @param tagsChange whether the character moved to other tag lists
 */
export function findStaleTags(
  before: PublicCharacterState,
  after: PublicCharacterState,
  { tagsChange = false }: { tagsChange?: boolean } = {},
): string[] {
  const [was, is] = [isPublicCharacter(before), isPublicCharacter(after)];
  if (!was && !is) return [];
  const { id, creatorId } = after;
  const moves = was !== is;
  const tags = [getCharacterTag(id)];
  if (moves) tags.push(getCreatorTag(creatorId));
  if (moves || tagsChange) tags.push(LIST_TAG);
  return tags;
}
