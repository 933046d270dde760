/** Tabs per conversation that receive changes at once; when there are more, the oldest one's socket is closed. */
export const MAX_OPEN_TABS = 32;

/** The chat list (docs/product.md); its recency groups are in days of age. */
export const CHAT_LIST = {
  maxItems: 30,
  /** Chats with one character that are shown before the button for the others. */
  shownPerCharacter: 3,
  todayUnderDays: 1,
  yesterdayUnderDays: 2,
  weekUnderDays: 7,
} as const;

/**
 * Limits of an imported chat. They are far above what other programs' chats contain, and low enough that one file can
 * fill neither a worker's memory nor a row of an object's database (2 MB).
 */
export const CHAT_FILE = {
  maxMessages: 20_000,
  /** Includes blank lines, because each takes time to find. */
  maxLines: 100_000,
  maxVersions: 500,
  /** Each version is a database row. */
  maxVersionsInAll: 60_000,
  /** One version, in UTF-16 units. */
  maxContentChars: 100_000,
  /**
   * All versions together, in UTF-16 units, because each is moderated before anything is stored. Chats of several years
   * have less.
   */
  maxTextChars: 10_000_000,
  maxNameChars: 200,
  /** One line with all its versions. A message of our own export stays below it in any script. */
  maxLineBytes: 8 * 1024 * 1024,
  /** A chat that is one JSON document, which is read as a whole, in UTF-16 units. */
  maxDocumentChars: 8 * 1024 * 1024,
  /** Foreign fields of one line that are only kept for export, as JSON text. */
  maxCarriedChars: 256 * 1024,
  /** Levels of nested lists and objects. */
  maxCarriedDepth: 32,
  /** Messages per read or write. */
  pageMessages: 100,
  /** Text per call, in UTF-16 units; a call to an object carries up to 32 MiB. */
  pageChars: 4 * 1024 * 1024,
} as const;

/** The thinking that is kept with a version, in UTF-16 units; models may think for many pages. */
export const MAX_THINKING_CHARS = 20_000;

/** Pinned messages per conversation; all of them stay in the prompt. */
export const MAX_PINNED = 20;

/** Conversations erased from the trash per run of the cron, each with a call to its object and one to D1. */
export const MAX_EXPIRED_PER_RUN = 100;

/**
 * A chat counts for its character unless that many of the UTC day already count from its network: accounts and guests are
 * free, so that each chat that raises a count has to take a network.
 */
export const CHAT_COUNT = {
  /** An IPv4 address or a /64 of IPv6. */
  perNetworkPerDay: 1,
  /** A /24 of IPv4 or a /48 of IPv6, which are rented as a whole: four networks, as in the competition. */
  perWiderNetworkPerDay: 4,
  /** A chat that its user deletes sooner leaves the count. The trigger on deletion has the same number. */
  withdrawnUnderMs: 24 * 60 * 60_000,
} as const;

/** Answered messages that the row of a conversation counts: the most that the competition asks for. */
export const MAX_COUNTED_TURNS = 5;

/** Characters of a title that is cut from a message, or that a model wrote. */
export const MAX_CUT_TITLE_CHARS = 40;

/** Characters of the last message in the list of conversations. */
export const MAX_LAST_LINE_CHARS = 80;
