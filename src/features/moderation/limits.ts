/** What one person may report: far more than anybody meets with. Of a message, as much as tells what it is about. */
export const REPORTS = {
  perHour: 20,
  excerptChars: 4000,
} as const;

/** What staff writes: reasons and answers are read by people, notes by staff. `measuresShown`: with one case. */
export const STAFF = {
  reasonChars: 500,
  answerChars: 500,
  noteChars: 1000,
  measuresShown: 20,
  stepsShown: 50,
  /** Of a lorebook, in one page: so many texts, and so much of them in UTF-16 units. */
  loreTexts: 20,
  loreChars: 60_000,
} as const;
