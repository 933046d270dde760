/** Recency groups of the drawer, in days of age (SPEC section 4). */
export const CHAT_LIST = {
  maxItems: 30,
  todayUnderDays: 1,
  yesterdayUnderDays: 2,
  weekUnderDays: 7,
} as const;

/**
 * What a chat that is brought in may hold. Each is far above what chats of other programs have, and low enough that
 * one file cannot fill a worker's memory or a row of an object's database (2 MB).
 */
export const CHAT_FILE = {
  maxMessages: 20_000,
  /** Blank ones too: each takes time to find. */
  maxLines: 100_000,
  maxVersions: 500,
  /** Each is a row of its own. */
  maxVersionsInAll: 60_000,
  /** One version, in UTF-16 units. */
  maxContentChars: 100_000,
  /** All versions together, in UTF-16 units: each is looked at before anything is kept. Chats of years have less. */
  maxTextChars: 10_000_000,
  maxNameChars: 200,
  /** One line with all its versions: what a message of ours can grow to, in any script. */
  maxLineBytes: 8 * 1024 * 1024,
  /** What other programs keep in one line and we only carry, as JSON. */
  maxCarriedChars: 256 * 1024,
  /** Lists in lists in lists: beyond this nobody means it. */
  maxCarriedDepth: 32,
  /** Messages that are read or written at once. */
  pageMessages: 100,
  /** Text that is handed on at once, in UTF-16 units: a call to an object carries up to 32 MiB. */
  pageChars: 4 * 1024 * 1024,
} as const;

/** Messages that always stay in the prompt, a conversation. */
export const MAX_PINNED = 20;
