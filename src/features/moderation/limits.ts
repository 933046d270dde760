/** What one person may report: far more than anybody meets with. Of a message, as much as tells what it is about. */
export const REPORT_LIMITS = {
  maxPerHour: 20,
  maxExcerptChars: 4000,
} as const;

/** What staff writes: reasons and answers are read by people, notes by staff. `maxActionsShown`: with one case. */
export const STAFF_LIMITS = {
  maxReasonChars: 500,
  maxAnswerChars: 500,
  maxNoteChars: 1000,
  maxActionsShown: 20,
  maxStepsShown: 50,
  /** Of a lorebook, in one page: so many texts, and so much of them in UTF-16 units. */
  maxLoreTexts: 20,
  maxLoreChars: 60_000,
} as const;
