/** What a person may keep in a conversation's memory; in UTF-16 units, as a browser counts. */
export const MEMORY_LIMITS = {
  /** An entry is a few sentences; this holds a long paragraph. */
  maxEntryChars: 2000,
  maxEntries: 200,
  /** All entries read as one text. */
  maxSummaryChars: 20_000,
  /** What one note may rest on: as many messages as a chat that is brought in may have. */
  maxSourceMessages: 20_000,
} as const;
