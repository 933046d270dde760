/** Reports per user, far above normal use, and the length of the message excerpt that a report stores. */
export const REPORT_LIMITS = {
  maxPerHour: 20,
  maxExcerptChars: 4000,
} as const;

/** Lengths of staff texts: users read reasons and answers, staff reads notes. `maxActionsShown` is per case. */
export const STAFF_LIMITS = {
  maxReasonChars: 500,
  maxAnswerChars: 500,
  maxNoteChars: 1000,
  maxActionsShown: 20,
  maxStepsShown: 50,
  maxPeopleFound: 20,
  maxFeaturedShown: 100,
  /** Texts per lorebook page, and their total length in UTF-16 units. */
  maxLoreTexts: 20,
  maxLoreChars: 60_000,
} as const;
