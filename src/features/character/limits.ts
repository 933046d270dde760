const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Summaries that a model writes, to introduce a character to new users. */
export const SUMMARY = {
  requestedWords: 60,
  /** Limit for storing; models write more than they are asked for. */
  maxChars: 600,
  /** A shorter text is not an introduction. */
  minChars: 15,
  maxTokens: 300,
  temperature: 0.5,
  timeLimitMs: MINUTE_MS,
  /** Delays between attempts; one more attempt follows the last delay. */
  retryDelaysMs: [2 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS],
  /** After the last attempt the summary is given up; if that write fails, there is one more attempt. */
  lastRetryDelayMs: DAY_MS,
  /** Versions of a character that are summarised right away. Later ones cost their creator nothing, so they wait. */
  maxPromptVersions: 10,
  /** Since the previous change. */
  cooldownMs: 10 * MINUTE_MS,
  maxPerRun: 20,
  maxConcurrent: 4,
} as const;

/**
 * Characters as files. A file is read in the pieces in which it arrives. These limits keep everything built from it
 * within the part of a Worker's memory (128 MB) that the file leaves.
 */
export const CARD = {
  /**
   * Of the text, without embedded files if it is longer. Cards, including lorebooks, have a fraction of it. An export
   * holds it several times.
   */
  maxJsonBytes: 4 * 1024 * 1024,
  /** Lists, objects and their values: each takes up to a hundred bytes of memory, however short its text is. */
  maxValues: 200_000,
  maxDepth: 64,
  /**
   * All texts of a picture that are neither the card nor a file of it: generous for the metadata that drawing programs
   * write.
   */
  maxTextBytes: 16 * 1024 * 1024,
  /**
   * Texts and EXIF of other programs that are kept with the card and exported in its PNG; an export holds them and the
   * card's text in memory.
   */
  maxMetadataBytes: 4 * 1024 * 1024,
  /** A picture of 50 MiB, in the smallest chunks that programs write, has a tenth of this. */
  maxChunks: 100_000,
  /** Files in an archive. */
  maxFiles: 4096,
  maxDirectoryBytes: 1024 * 1024,
  /** Text compresses to a twentieth at best; a higher ratio than this was made on purpose. */
  maxRatio: 200,
  /** Entries of a list that are read, such as tags. */
  maxListed: 1000,
  maxNicknameChars: 50,
  /** Sources named by a card that the importing user sees; the card itself keeps all of them. */
  maxSources: 5,
  maxSourceChars: 200,
  lorebook: {
    /** The most entries that a prompt considers: far above any lorebook written by hand. */
    maxEntries: 5000,
    maxKeys: 100,
    maxKeyChars: 500,
    maxContentChars: 20_000,
    /** As JSON: a quarter of the size limit of a database row. */
    maxBytes: 512 * 1024,
  },
  /** Cards of an account that were not used for a character; the oldest are deleted first. */
  maxUnclaimed: 60,
  /** A card that was not used for a character is deleted after this. */
  unclaimedRetentionMs: DAY_MS,
  /** Per run of the clean-up; R2 deletes at most a thousand objects in one call. */
  maxClearedPerRun: 500,
} as const;

/** Deleted characters and conversations can be restored for this long (docs/product.md). */
export const TRASH = { retentionMs: 30 * DAY_MS } as const;

/** Updates of the public lists, per run of the cron. */
export const LISTINGS = {
  /** Characters whose conversation count is copied by one statement. */
  refreshBatchSize: 500,
  maxRoundsPerRun: 10,
  /** Characters whose search words are missing. */
  maxWordsPerRun: 1000,
  /** The most popular characters that match a filter, of which the most liked are listed. */
  likedMatches: 48,
  /** The most popular characters of each tag among which similar ones are looked for: few rows, however many there are. */
  similarCandidatesPerTag: 24,
} as const;

/** Searches that found nothing are repeated with words that are spelled nearly like the typed ones. */
export const SPELLING = {
  /** Of a character's name and free tags. */
  maxWords: 24,
  /** Words that are compared with a typed one. */
  maxCompared: 200,
  /** Words that are searched for instead of a typed one. */
  maxCandidates: 4,
} as const;

/** Suggestions while a search is typed. */
export const SUGGESTIONS = { characters: 5, tags: 3 } as const;

/** Suggestions for one user; together these bound the rows that one answer reads. */
export const FOR_YOU = {
  defaultItems: 12,
  maxItems: 24,
  /** The newest likes, favourites and chats, each; older ones say less about the user today. */
  maxChoices: 16,
  /** The newest conversations among which those with a message are looked for. */
  maxConversations: 32,
  /** The newest followed creators. */
  maxFollows: 10,
  /** The strongest tags and creators, by which candidates are looked for. */
  maxTags: 4,
  candidatesPerTag: 8,
  maxCreators: 5,
  candidatesPerCreator: 3,
  popularCandidates: 24,
  /** Popular characters in languages that the user does not read, for catalogues with few others. */
  foreignCandidates: 8,
  maxPerCreator: 2,
} as const;

/** Lists of characters with many recent conversations. */
export const TRENDING = {
  halfLifeDays: 2,
  /** After seven half-lives a conversation counts less than a hundredth. */
  windowDays: 14,
  maxIds: 500,
  /** A little less than an hour: the cron runs every quarter of an hour, a moment early or late. */
  refreshIntervalMs: HOUR_MS - 5 * MINUTE_MS,
  /** A season of the competition and a month. */
  retentionDays: 125,
} as const;

/** The sitemap of the catalogue. */
export const SITEMAP = {
  /**
   * Characters per sitemap; each part has one sitemap per language. Far below the format's limit of 50,000 URLs, so that
   * none takes long to build.
   */
  maxCharactersPerPart: 10_000,
  /** A little less than a day: a part has room for the characters created in one day. */
  everyMs: DAY_MS - 5 * MINUTE_MS,
  /** The list of parts may be this old where it is read. */
  kvCacheSeconds: 300,
} as const;

/** The newest characters of a creator that are counted; a profile with more says that there are more. */
export const MAX_CREATOR_CHARACTERS_COUNTED = 1000;

/** Requests to create a character, kept so that a repeated request creates no second one. */
export const CREATION = {
  /** Far longer than a request takes: one that has created nothing after this is refunded. */
  expiresAfterMs: 10 * MINUTE_MS,
  keptMs: 7 * DAY_MS,
  /** Open requests per user: more would delay the refunds of other users. */
  maxOpen: 20,
  /** Requests given up per run of the cron, each with a call to a wallet. */
  perRun: 100,
} as const;

/** Stored versions of a character: the newest ones, up to this many UTF-16 units of JSON in total. */
export const CHARACTER_VERSIONS = { maxVersions: 50, maxChars: 4 * 1024 * 1024 } as const;

/**
 * Limits of an account's saved items: far more than users return to, and few enough to read all of them where that is
 * needed.
 */
export const MAX_SAVED_ITEMS = { favourites: 2000, likes: 2000, follows: 500, hidden: 200 } as const;

/** News of favourites and followed creators. */
export const NEWS = { maxItems: 6, maxAgeMs: 30 * DAY_MS } as const;

/** Tags that creators write themselves; characters as a reader counts them. */
export const FREE_TAGS = {
  maxPerCharacter: 10,
  maxChars: 30,
  /** A tag is listed from this many public characters on, */
  minListedCharacters: 3,
  /** of this many creators. The index `free_tag_counts_listed` has both numbers too. */
  minListedCreators: 2,
  /** The most used tags, which Discover offers and whose lists shared caches keep. */
  maxListed: 60,
  /** Tags in one filter, of each of the two kinds. */
  maxFilterTags: 5,
  /** Of a more common tag, no more characters are counted. */
  maxCounted: 1000,
  /** Tags counted again in one run of the cron. */
  maxCountsPerRun: 200,
  /** Characters whose tags are renamed in one run of the cron, for each merge. */
  maxMergedPerRun: 500,
} as const;

/** The character tags (docs/product.md). */
export const TAGS = ['male', 'female', 'anime', 'fantasy', 'rpg'] as const;

export type Tag = (typeof TAGS)[number];
