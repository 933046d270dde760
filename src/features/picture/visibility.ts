import { PICTURE } from './limits.ts';
import { getCharacterTag, getCreatorTag } from '../page-cache/page-tags.ts';

/** A picture and its current uses. Conversations that show an earlier version of a character are checked separately. */
export interface PictureUsage {
  ownerId: string;
  /** Ms since 1970. */
  uploadedAt: number;
  /** Whether it is the owner's visible avatar; false for a suspended account. */
  isAvatar: boolean;
  /** Whether one of the owner's personas has it. Only the owner sees a persona. */
  isOfPersona: boolean;
  /** Whether staff removed it. */
  isRemoved: boolean;
  characters: readonly {
    id: string;
    visibility: 'public' | 'unlisted' | 'private';
    nsfwAllowed: boolean;
    moderation: 'shown' | 'hidden' | 'removed';
    deletedAt: number | null;
  }[];
}

/**
 * Who can open a picture by its URL. `everybody`: it appears on public pages, which have these `tags`. `address`: anyone
 * with the URL, for example of an unlisted character. `some`: its owner, users whose conversation shows it, and, if it
 * belongs to a visible adult character, adults. `owner`: its owner only.
 */
export type PictureVisibility =
  | { to: 'everybody'; tags: string[] }
  | { to: 'address' }
  | { to: 'some'; adults: boolean }
  | { to: 'owner' };

/** @param now ms since 1970 */
export function getPictureVisibility(
  { ownerId, uploadedAt: broughtAt, isAvatar: isFace, isOfPersona, isRemoved, characters }: PictureUsage,
  now: number,
): PictureVisibility {
  if (isRemoved) return { to: 'owner' };
  const open = characters.filter(
    ({ visibility, moderation, deletedAt }) =>
      visibility !== 'private' && moderation === 'shown' && deletedAt === null,
  );
  const general = open.filter(({ nsfwAllowed }) => !nsfwAllowed);
  const listed = general.filter(({ visibility }) => visibility === 'public');
  if (isFace || listed.length > 0) {
    const tags = listed.map(({ id }) => getCharacterTag(id));
    return { to: 'everybody', tags: isFace ? [getCreatorTag(ownerId), ...tags] : tags };
  }
  const isPreview = characters.length === 0 && !isOfPersona && broughtAt > now - PICTURE.previewTtlMs;
  if (general.length > 0 || isPreview) return { to: 'address' };
  return { to: 'some', adults: open.length > 0 };
}
