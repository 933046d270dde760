import { sanitizeText } from '../../lib/sanitize-text.ts';

/** Stands where a character's picture was whose maker is gone. */
export const PLACEHOLDER_PORTRAIT = '/icons/nobody.svg';

/** In the place of a picture's key, for characters whose maker is gone. */
export const NO_PICTURE = '';

/** Where a character's picture is, by its key in R2. */
export const getPortraitUrl = (key: string): string =>
  key === NO_PICTURE ? PLACEHOLDER_PORTRAIT : `/media/${key}`;

/** Stands in the place of a picture that somebody who has a story with its character may not see now. */
export const RESTRICTED_PORTRAIT = '/icons/veiled.svg';

/** What of a character, as it is now, says who of its readers may see its picture. */
interface PortraitAccess {
  nsfwAllowed: boolean;
  moderation: 'shown' | 'hidden' | 'removed';
  creatorId: string;
}

/** Who looks. `spicy`: an adult with spicy mode on. */
interface Reader {
  userId: string;
  spicy: boolean;
}

/**
 * Whether a picture is kept from somebody who has a story with its character: one for adults from whoever did not ask for
 * that, and one that moderation does not show from everybody but its maker.
 */
export function isPortraitRestricted(
  { nsfwAllowed, moderation, creatorId }: PortraitAccess,
  { userId, spicy }: Reader,
): boolean {
  return creatorId !== userId && (moderation !== 'shown' || (nsfwAllowed && !spicy));
}

/** A story's picture of its character as its reader may see it. @param avatarUrl as the story has it */
export function getVisiblePortrait(
  character: PortraitAccess & { avatarUrl: string },
  reader: Reader,
): string {
  return isPortraitRestricted(character, reader) ? RESTRICTED_PORTRAIT : character.avatarUrl;
}

/** The row of a story with that of its character. */
interface ConversationRow extends PortraitAccess {
  /** As the story knows its character; null where nobody wrote it down. */
  storyName: string | null;
  storyAvatar: string | null;
  /** As the character is now. */
  name: string;
  avatarKey: string;
}

/** How a list shows a story's character to its reader: as the story knows it, whatever became of it since. */
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
