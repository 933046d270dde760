const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** What a model writes of a character for whoever has not met them. */
export const SUMMARY = {
  requestedWords: 60,
  /** Of what is kept; models write more than they are asked for. */
  maxChars: 600,
  /** Less is no introduction. */
  minChars: 15,
  maxTokens: 300,
  temperature: 0.5,
  timeLimitMs: MINUTE_MS,
  /** Between one try and the next; one more try comes after the last of them. */
  retryDelaysMs: [2 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS],
  /** After the last try it is given up; should that write fail, it is tried once more. */
  lastRetryDelayMs: DAY_MS,
  /** Versions of a character that are told of at once. Later ones cost their maker nothing, so they wait for a rest. */
  maxPromptVersions: 10,
  /** Since the change before. */
  cooldownMs: 10 * MINUTE_MS,
  maxPerRun: 20,
  maxConcurrent: 4,
} as const;

/**
 * Characters as files. A file is read in the pieces that it came in: what else is made of it at once stays, by these
 * bounds, below what a worker's memory (128 MB) has left beside the file.
 */
export const CARD = {
  /** Of the text itself, without the files that are written into it where it is longer: lorebooks and all, cards have a fraction of it. What goes out holds it several times. */
  maxJsonBytes: 4 * 1024 * 1024,
  /** Lists, objects and what is in them: each takes up to a hundred bytes of memory, however short it is written. */
  maxValues: 200_000,
  maxDepth: 64,
  /** In all texts of a picture that are neither the card nor a file of it: what programs tell of a drawing, with room to spare. */
  maxTextBytes: 16 * 1024 * 1024,
  /** A picture of 50 MiB in the smallest pieces that programs write has a tenth of it. */
  maxChunks: 100_000,
  /** Files of an archive. */
  maxFiles: 4096,
  maxDirectoryBytes: 1024 * 1024,
  /** Text is packed to a twentieth at best; whatever unpacks to so much more than it had was made to. */
  maxRatio: 200,
  /** Entries that are read of a list, such as tags. */
  maxListed: 1000,
  maxNicknameChars: 50,
  /** Of where a card says that it comes from, so much is shown to whoever brings it; all of it is kept. */
  maxSources: 5,
  maxSourceChars: 200,
  /** Notes in so many languages, of so many characters each. */
  maxNoteLanguages: 40,
  maxNoteChars: 4000,
  lorebook: {
    /** As many as a prompt looks through: far above any world that was written by hand. */
    maxEntries: 5000,
    maxKeys: 100,
    maxKeyChars: 500,
    maxContentChars: 20_000,
    /** As JSON: a quarter of what a row of the database may have. */
    maxBytes: 512 * 1024,
  },
  /** By one account: who moves here has many. */
  maxPerHour: 60,
  /** Of one account, of which no character was made; the oldest make room. */
  maxUnclaimed: 60,
  /** One of which no character was made goes after this. */
  unclaimedRetentionMs: DAY_MS,
  /** In one run of housekeeping; storage deletes at most a thousand in one call. */
  maxClearedPerRun: 500,
} as const;

/** What was deleted can be had back for so long (contract, «Chat»). */
export const TRASH = { retentionMs: 30 * DAY_MS } as const;

/** How the public lists follow what happens, in one run of housekeeping. */
export const LISTINGS = {
  /** Characters whose count of chats is taken over by one statement. */
  refreshBatchSize: 500,
  maxRoundsPerRun: 10,
  /** Characters whose words nobody has made yet. */
  maxWordsPerRun: 1000,
} as const;

/** What people talk with these days. */
export const TRENDING = {
  halfLifeDays: 2,
  /** After seven half-lives a conversation counts less than a hundredth. */
  windowDays: 14,
  maxIds: 500,
  /** A little less than an hour: a run of housekeeping comes every quarter of one, a moment early or late. */
  refreshIntervalMs: HOUR_MS - 5 * MINUTE_MS,
  /** A season of the competition and a month. */
  retentionDays: 125,
} as const;

/** The catalogue for robots. */
export const SITEMAP = {
  /**
   * Characters in one sitemap, in each language one of them: far below the 50,000 addresses that one may hold, so that
   * none takes long to write.
   */
  maxCharactersPerPart: 10_000,
  /** A little less than a day: a part has room for what is made in one. */
  everyMs: DAY_MS - 5 * MINUTE_MS,
  /** Where the parts begin may be so old in the place where it is read. */
  kvCacheSeconds: 300,
} as const;

/** Characters of one creator that are counted, the newest; whoever has more is said to have more. */
export const MAX_CREATOR_CHARACTERS_COUNTED = 1000;

/** What requests that make a character are remembered by, so that a repeated one makes no second. */
export const CREATION = {
  /** Far above what one takes: one that made nothing by then gives its points back. */
  expiresAfterMs: 10 * MINUTE_MS,
  keptMs: 7 * DAY_MS,
  /** Of one person, neither made nor given up: more would keep those of others waiting for their points. */
  maxOpen: 20,
  /** Given up in one run of housekeeping, each a call to a wallet. */
  perRun: 100,
} as const;

/** What a character was before; the newest of them, and together no more than this, in UTF-16 units of JSON. */
export const CHARACTER_VERSIONS = { maxVersions: 50, maxChars: 4 * 1024 * 1024 } as const;

/**
 * What one account may keep of each: far more than anybody comes back to, and few enough that all of them are read where
 * one has to know them all.
 */
export const MAX_SAVED_ITEMS = { favourites: 2000, follows: 500, hidden: 200 } as const;

/** The character tags of SPEC section 3. */
export const TAGS = ['male', 'female', 'anime', 'fantasy', 'rpg'] as const;

export type Tag = (typeof TAGS)[number];
