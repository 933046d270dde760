import type { characters } from '../../db/schema/core.ts';

/*
 * The names by which shared caches know public pages: a page carries those of everything that it shows, and a change
 * gives those of everything that shows what was changed. Ids are short and of plain signs; whatever is not becomes no
 * name.
 */

/** Every list of characters, its sitemaps included. */
export const LIST_TAG = 'list';

const ID = /^[A-Za-z0-9_.-]{1,64}$/;

const createTagBuilder = (prefix: string) => (id: string) => (ID.test(id) ? `${prefix}:${id}` : LIST_TAG);

/** Pages that show a character: their own, lists with their card, and their portrait. */
export const getCharacterTag = createTagBuilder('character');
/** Pages that name somebody as a maker of characters, and their face. */
export const getCreatorTag = createTagBuilder('creator');

/** What decides whether, and as what, a character is shown in public pages. */
export type PublicCharacterState = Pick<
  typeof characters.$inferSelect,
  'id' | 'creatorId' | 'visibility' | 'moderation' | 'nsfwAllowed' | 'deletedAt'
>;

/** Whether a character stands in public pages: those are drawn for nobody in particular. */
function isPublicCharacter(character: PublicCharacterState): boolean {
  return (
    character.visibility === 'public' &&
    character.moderation === 'shown' &&
    !character.nsfwAllowed &&
    character.deletedAt === null
  );
}

/**
 * The pages that a change of a character makes untrue. Counts of chats make none so: those grow old by themselves.
 * @param tagsChange whether it came to stand in other lists
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
