/** Limits of a conversation's memory. Lengths are in UTF-16 units, which browsers count too. */
export const MEMORY_LIMITS = {
  /** One entry has a few sentences; this is a long paragraph. */
  maxEntryChars: 2000,
  maxEntries: 200,
  /** All entries joined into one text. */
  maxSummaryChars: 20_000,
  /**
   * Sources of one note; equals the maximum number of messages of a conversation. They are 57 bytes each in the note's row,
   * which may have 2 MB.
   */
  maxSourceMessages: 20_000,
} as const;
