import { sanitizeText } from '../../lib/visible-text.ts';

/** Stands where a character's picture was whose maker is gone. */
export const NOBODYS_PORTRAIT = '/icons/nobody.svg';

/** In the place of a picture's key, for characters whose maker is gone. */
export const NO_PICTURE = '';

/** Where a character's picture is, by its key in R2. */
export const portraitUrl = (key: string): string => (key === NO_PICTURE ? NOBODYS_PORTRAIT : `/media/${key}`);

/** Stands in the place of a picture that somebody who has a story with its character may not see now. */
export const VEILED_PORTRAIT = '/icons/veiled.svg';

/** What of a character, as it is now, says who of its readers may see its picture. */
interface Veiling {
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
export function isVeiled(
  { nsfwAllowed, moderation, creatorId }: Veiling,
  { userId, spicy }: Reader,
): boolean {
  return creatorId !== userId && (moderation !== 'shown' || (nsfwAllowed && !spicy));
}

/** A story's picture of its character as its reader may see it. @param avatarUrl as the story has it */
export function portraitFor(character: Veiling & { avatarUrl: string }, reader: Reader): string {
  return isVeiled(character, reader) ? VEILED_PORTRAIT : character.avatarUrl;
}

/** The row of a story with that of its character. */
interface StoryRow extends Veiling {
  /** As the story knows its character; null where nobody wrote it down. */
  storyName: string | null;
  storyAvatar: string | null;
  /** As the character is now. */
  name: string;
  avatarKey: string;
}

/** How a list shows a story's character to its reader: as the story knows it, whatever became of it since. */
export function storyFace(row: StoryRow, reader: Reader): { name: string; avatarUrl: string } {
  const avatarUrl = row.storyAvatar ?? portraitUrl(row.avatarKey);
  return {
    name: sanitizeText(row.storyName ?? row.name),
    avatarUrl: portraitFor({ ...row, avatarUrl }, reader),
  };
}
