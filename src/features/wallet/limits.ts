const MINUTE_MS = 60_000;

/**
 * Limits of the data download. They keep one archive well below the platform's limits per request: 1,000 subrequests and
 * 30 seconds of CPU time.
 */
export const DOWNLOADS = {
  maxPerHour: 10,
  /** A download without a heartbeat for this long counts as broken off. */
  staleAfterMs: 5 * MINUTE_MS,
  heartbeatMs: MINUTE_MS,
  /** Chats per archive, two subrequests each; the next archive continues after them. */
  chats: 200,
  /** Bytes of chat text, uncompressed, after which an archive takes no more chats. */
  maxChatBytes: 1024 * 1024 * 1024,
  /** More than a user can keep. */
  maxPictures: 200,
  /** Original files of imported cards. */
  maxOriginals: 150,
  /** Ledger entries per request, and the maximum number of requests. */
  ledgerPage: 5000,
  maxLedgerPages: 100,
  /** Characters and list rows per query. */
  pageSize: 100,
  /** Bytes of text per chat that its object holds in memory at once. */
  chatPageBytes: 1024 * 1024,
} as const;

/** Limits of the nightly comparison of each wallet's ledger with its balance. */
export const LEDGER_AUDIT = {
  /** UTC. */
  startHour: 3,
  /** Wallets remembered for a second attempt. With more failures the problem is a general one. */
  maxUnresponsive: 2000,
  /** Wallets per run, one subrequest each. All runs of a day cover 38,400 wallets. */
  walletsPerRun: 400,
  concurrency: 20,
} as const;

/**
 * Ledger entries that one page of the points history is built from. A page has whole days, unless one day has more entries:
 * that day is then continued on the next page.
 */
export const MAX_HISTORY_ENTRIES = 500;

/** Most points that staff gives at once. */
export const MAX_GRANT_POINTS = 100_000;

/** Length of the reason that staff gives with points, in UTF-16 units. */
export const MAX_GRANT_REASON_CHARS = 200;
