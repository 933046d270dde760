import { PICTURE } from './limits.ts';
import { getCharacterTag, getCreatorTag } from '../page-cache/page-tags.ts';

/** A picture with everything that shows it now. Stories that show it by an earlier version of their character are asked apart. */
export interface PictureUsage {
  ownerId: string;
  /** Milliseconds since 1970. */
  uploadedAt: number;
  /** Whether it is its owner's own face, and shown: that of a suspended account is not. */
  isAvatar: boolean;
  /** Whether staff took it away. */
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
 * To whom a picture opens by its address. `everybody`: it is on public pages; `tags` are theirs. `address`: to whoever
 * has it, such as an unlisted character's link. `some`: to its owner, to readers whose story shows it, and, where it
 * is an open character's for adults, to them. `owner`: to nobody else.
 */
export type PictureVisibility =
  | { to: 'everybody'; tags: string[] }
  | { to: 'address' }
  | { to: 'some'; adults: boolean }
  | { to: 'owner' };

/** @param now milliseconds since 1970 */
export function getPictureVisibility(
  { ownerId, uploadedAt: broughtAt, isAvatar: isFace, isRemoved, characters }: PictureUsage,
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
  const isPreview = characters.length === 0 && broughtAt > now - PICTURE.previewTtlMs;
  if (general.length > 0 || isPreview) return { to: 'address' };
  return { to: 'some', adults: open.length > 0 };
}
