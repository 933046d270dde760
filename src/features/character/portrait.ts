import { sanitizeText } from '../../lib/sanitize-text.ts';

/** Replaces the picture of a character whose creator was deleted. */
export const PLACEHOLDER_PORTRAIT = '/icons/nobody.svg';

/** Picture key of characters whose creator was deleted. */
export const NO_PICTURE = '';

/** Returns the URL of a character's picture, by its key in R2. */
export const getPortraitUrl = (key: string): string =>
  key === NO_PICTURE ? PLACEHOLDER_PORTRAIT : `/media/${key}`;

/** Returns the URL of a picture at list size; it serves the whole picture if there is no other. */
export const getListPictureUrl = (url: string): string =>
  url.replace(/^\/media\/(?=[0-9a-f]{32}\.)/, '/media/list/');

/** Replaces a picture that the reader of a conversation may not see now. */
export const RESTRICTED_PORTRAIT = '/icons/veiled.svg';

/** The character's current data that decides who may see its picture. */
interface PortraitAccess {
  nsfwAllowed: boolean;
  moderation: 'shown' | 'hidden' | 'removed';
  creatorId: string;
}

/** The reader of a conversation. `spicy`: an adult with spicy mode on. */
interface Reader {
  userId: string;
  spicy: boolean;
}

/**
 * Whether the reader of a conversation may not see the character's picture: pictures for adults need spicy mode, and
 * those of moderated characters are visible to their creator only.
 */
export function isPortraitRestricted(
  { nsfwAllowed, moderation, creatorId }: PortraitAccess,
  { userId, spicy }: Reader,
): boolean {
  return creatorId !== userId && (moderation !== 'shown' || (nsfwAllowed && !spicy));
}

/**
 * Returns a conversation's picture of its character as the reader may see it.
 * @param character.avatarUrl the picture that the conversation stores
 */
export function getVisiblePortrait(
  character: PortraitAccess & { avatarUrl: string },
  reader: Reader,
): string {
  return isPortraitRestricted(character, reader) ? RESTRICTED_PORTRAIT : character.avatarUrl;
}

/** The row of a conversation joined with that of its character. */
interface ConversationRow extends PortraitAccess {
  /** As the conversation knows its character; null where that was not stored. */
  storyName: string | null;
  storyAvatar: string | null;
  /** As the character is now. */
  name: string;
  avatarKey: string;
}

/**
 * Returns the name and picture of a conversation's character for lists: as the conversation knows it, even if the
 * character has changed since.
 */
export function presentConversationCharacter(
  row: ConversationRow,
  reader: Reader,
): { name: string; avatarUrl: string } {
  const avatarUrl = row.storyAvatar ?? getPortraitUrl(row.avatarKey);
  return {
    name: sanitizeText(row.storyName ?? row.name),
    avatarUrl: getVisiblePortrait({ ...row, avatarUrl }, reader),
  };
}
