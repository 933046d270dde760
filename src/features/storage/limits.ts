const MINUTE_MS = 60_000;
const MB = 1_000_000;

/** What each kind of user may store, in bytes (decision 69). */
export const STORAGE = {
  /** For guests, who prove nothing and cost nothing: some long chats. */
  guestBytes: 20 * MB,
  /** Including those in the trash. Even an empty conversation takes 120 kB, because it is a database of its own. */
  guestConversations: 200,
  /** Guests may start new chats above `guestBytes` up to this. Accounts may always. */
  guestStartBytes: 24 * MB,
  accountBytes: 500 * MB,
  memberBytes: 5000 * MB,
  /** What was written may be larger than what was reserved for it, by this part of the limit. */
  maxOverrun: 1.1,
  /** Longer than any import, fork or upload takes. A reservation that outlives it was left behind. */
  reservationMs: 30 * MINUTE_MS,
  /** A new conversation, in bytes: its tables and its greeting. */
  emptyConversationBytes: 130_000,
  /** A conversation or search index reports its size once it has changed by this much. */
  reportStepBytes: 128 * 1024,
  /** Files of one user that are received at once. Two tabs of one person work; more only take memory. */
  maxUploadsAtOnce: 2,
} as const;

/** Receiving files. */
export const UPLOAD = {
  /** More of a file is compressed while it arrives. */
  maxHeldBytes: 2 * 1024 * 1024,
  /** More of the compressed file waits in R2. Twice this is in memory for a moment, and a user has two uploads at most. */
  partBytes: 4 * 1024 * 1024,
  /** How long an upload waits for its turn before it is refused. */
  maxWaitMs: 10_000,
  pollMs: 100,
  retryAfterSeconds: 10,
} as const;

/** Items that one call erases from the trash; each conversation is a call to its own object. */
export const MAX_EMPTIED_PER_CALL = 50;
