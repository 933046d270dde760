import type { NewBody } from './form-rules.ts';

/** A publication that was begun: repeated with the same key and body it makes no second character. */
export interface Attempt {
  key: string;
  body: NewBody & { import_id?: string };
}

/** How far a draft is with being published. All tabs that have the same draft share it. */
export interface Publication {
  /** Tells a draft from another one that is kept in its place. */
  draftId: string;
  /** How many attempts ended with nothing made. */
  tries: number;
  /** The one that has no answer yet. */
  attempt: Attempt | null;
}

/** That of a draft that nobody tried to publish. */
export const newPublication = (draftId: string): Publication => ({ draftId, tries: 0, attempt: null });

/** An attempt with a body, or the one that has no answer yet. Tabs that know nothing of each other make the same key. */
export function begun(
  { draftId, tries, attempt }: Publication,
  body: Attempt['body'],
): Publication & { attempt: Attempt } {
  return { draftId, tries, attempt: attempt ?? { key: `${draftId}-${tries}`, body } };
}

/** The attempt had its answer. */
export const ended = ({ draftId, tries }: Publication): Publication => ({
  draftId,
  tries: tries + 1,
  attempt: null,
});

/** What a tab knows, and what the device kept meanwhile: of the same draft, whichever is further. */
export function met(mine: Publication, kept: Publication | null): Publication {
  if (kept === null || kept.draftId !== mine.draftId) return mine;
  const isFurther = kept.tries > mine.tries || (kept.tries === mine.tries && mine.attempt === null);
  if (!isFurther) return mine;
  const { draftId, tries, attempt } = kept;
  return { draftId, tries, attempt };
}
