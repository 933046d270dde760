import type { ModerationActionKind } from './moderation-action-contract.ts';

/** What a measure took away: names, of an account the nickname first, or a picture's key. */
export interface RemovedContent {
  names: string[];
  picture: string | null;
}

/**
 * Reads what was noted of what a measure took away. Pure.
 * @param note as the measure wrote it; null where it took nothing away, but hid it or shut it
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
