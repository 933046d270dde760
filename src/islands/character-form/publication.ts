import type { NewCharacterBody } from './form-rules.ts';

/** A publication that was begun: repeated with the same key and body it makes no second character. */
export interface PublishAttempt {
  key: string;
  body: NewCharacterBody & { import_id?: string };
}

/** How far a draft is with being published. All tabs that have the same draft share it. */
export interface Publication {
  /** Tells a draft from another one that is kept in its place. */
  draftId: string;
  /** How many attempts ended with nothing made. */
  tries: number;
  /** The one that has no answer yet. */
  attempt: PublishAttempt | null;
}

/** That of a draft that nobody tried to publish. */
export const createPublication = (draftId: string): Publication => ({ draftId, tries: 0, attempt: null });

/** An attempt with a body, or the one that has no answer yet. Tabs that know nothing of each other make the same key. */
export function startAttempt(
  { draftId, tries, attempt }: Publication,
  body: PublishAttempt['body'],
): Publication & { attempt: PublishAttempt } {
  return { draftId, tries, attempt: attempt ?? { key: `${draftId}-${tries}`, body } };
}

/** The attempt had its answer. */
export const finishAttempt = ({ draftId, tries }: Publication): Publication => ({
  draftId,
  tries: tries + 1,
  attempt: null,
});

/** What a tab knows, and what the device kept meanwhile: of the same draft, whichever is further. */
export function mergePublications(own: Publication, stored: Publication | null): Publication {
  if (stored === null || stored.draftId !== own.draftId) return own;
  const isNewer = stored.tries > own.tries || (stored.tries === own.tries && own.attempt === null);
  if (!isNewer) return own;
  const { draftId, tries, attempt } = stored;
  return { draftId, tries, attempt };
}
