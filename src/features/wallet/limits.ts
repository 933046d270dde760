const MINUTE_MS = 60_000;

/**
 * The download of everything that is held about a person. What one of them may cost stays well below what one call of
 * the platform may: 1000 calls to databases, objects and pictures, and 30 seconds of computing.
 */
export const DOWNLOADS = {
  perHour: 10,
  /** One that says nothing for so long has broken off; it says something more often than that while it runs. */
  lostAfterMs: 5 * MINUTE_MS,
  saysEveryMs: MINUTE_MS,
  /** Chats of one archive, of which each takes two calls; the next archive goes on after them. */
  chats: 200,
  /** Text of chats after which an archive takes no more of them, before it is packed. */
  chatBytes: 1024 * 1024 * 1024,
  /** Far more than anybody may keep. */
  pictures: 200,
  /** Cards as they were brought. */
  originals: 150,
  /** Entries of the ledger that are fetched at once, and how often. */
  ledgerPage: 5000,
  ledgerPages: 100,
  /** Characters and rows of lists that are fetched at once. */
  page: 100,
  /** Text of one chat that its object holds at once, in bytes. */
  chatRoom: 1024 * 1024,
} as const;

/** Every night each wallet's ledger is compared with its balance. */
export const LEDGER_CHECK = {
  /** In UTC. */
  beginsAtHour: 3,
  /** Wallets without an answer that are kept in mind for a second time: when there are more, it is no matter of single ones. */
  keptSilent: 2000,
  /** Wallets of one run of housekeeping, each of them a call to an object; all the runs of a day look at 38,400. */
  perRun: 400,
  atOnce: 20,
} as const;
