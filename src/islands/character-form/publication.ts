import type { NewCharacterBody } from './form-rules.ts';

/** An attempt to publish. Repeating it with the same key and body creates no second character. */
export interface PublishAttempt {
  key: string;
  body: NewCharacterBody & { import_id?: string };
}

/** Publication progress of a draft, shared by all tabs that have the draft open. */
export interface Publication {
  /** Distinguishes a draft from a later one stored in its place. */
  draftId: string;
  /** Number of attempts that ended without a character. */
  tries: number;
  /** The attempt that has no answer yet. */
  attempt: PublishAttempt | null;
}

/** The state before any attempt. */
export const createPublication = (draftId: string): Publication => ({ draftId, tries: 0, attempt: null });

/**
 * Starts an attempt, or returns the unanswered one. The key is derived from the draft, so that independent tabs use the
 * same one.
 */
export function startAttempt(
  { draftId, tries, attempt }: Publication,
  body: PublishAttempt['body'],
): Publication & { attempt: PublishAttempt } {
  return { draftId, tries, attempt: attempt ?? { key: `${draftId}-${tries}`, body } };
}

/** Records that the attempt was answered without creating a character. */
export const finishAttempt = ({ draftId, tries }: Publication): Publication => ({
  draftId,
  tries: tries + 1,
  attempt: null,
});

/** Merges a tab's publication state with the stored one; for the same draft, the more advanced one wins. */
export function mergePublications(own: Publication, stored: Publication | null): Publication {
  if (stored === null || stored.draftId !== own.draftId) return own;
  const isNewer = stored.tries > own.tries || (stored.tries === own.tries && own.attempt === null);
  if (!isNewer) return own;
  const { draftId, tries, attempt } = stored;
  return { draftId, tries, attempt };
}
