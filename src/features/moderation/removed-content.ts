import type { ModerationActionKind } from './moderation-action-contract.ts';

/** The content that an action removed: names (for an account the nickname first), or a picture's key. */
export interface RemovedContent {
  names: string[];
  picture: string | null;
}

/**
 * Parses the note about removed content. Pure.
 * @param note as the action stored it; null if it only hid something
 */
export function parseRemovedContent(
  { kind, subjectId, ownerId }: { kind: ModerationActionKind; subjectId: string; ownerId: string },
  note: string | null,
): RemovedContent | null {
  if (note === null) return null;
  if (kind === 'picture_removed') return { names: [], picture: note };
  if (subjectId !== ownerId) return { names: [note], picture: null };
  const { nickname, username } = JSON.parse(note) as { nickname: string | null; username: string };
  return { names: nickname === null ? [username] : [nickname, username], picture: null };
}
