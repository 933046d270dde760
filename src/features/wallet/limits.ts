const MINUTE_MS = 60_000;

/**
 * The download of everything that is held about a person. What one of them may cost stays well below what one call of
 * the platform may: 1000 calls to databases, objects and pictures, and 30 seconds of computing.
 */
export const DOWNLOADS = {
  maxPerHour: 10,
  /** One that says nothing for so long has broken off; it says something more often than that while it runs. */
  staleAfterMs: 5 * MINUTE_MS,
  heartbeatMs: MINUTE_MS,
  /** Chats of one archive, of which each takes two calls; the next archive goes on after them. */
  chats: 200,
  /** Text of chats after which an archive takes no more of them, before it is packed. */
  maxChatBytes: 1024 * 1024 * 1024,
  /** Far more than anybody may keep. */
  maxPictures: 200,
  /** Cards as they were brought. */
  maxOriginals: 150,
  /** Entries of the ledger that are fetched at once, and how often. */
  ledgerPage: 5000,
  maxLedgerPages: 100,
  /** Characters and rows of lists that are fetched at once. */
  pageSize: 100,
  /** Text of one chat that its object holds at once, in bytes. */
  chatPageBytes: 1024 * 1024,
} as const;

/** Every night each wallet's ledger is compared with its balance. */
export const LEDGER_AUDIT = {
  /** In UTC. */
  startHour: 3,
  /** Wallets without an answer that are kept in mind for a second time: when there are more, it is no matter of single ones. */
  maxUnresponsive: 2000,
  /** Wallets of one run of housekeeping, each of them a call to an object; all the runs of a day look at 38,400. */
  walletsPerRun: 400,
  concurrency: 20,
} as const;
