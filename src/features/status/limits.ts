const MINUTE_MS = 60_000;

/** The synthetic conversation, and what the status page makes of it (docs/watching.md). */
export const CHECK_LIMITS = {
  /** As often as its time comes by (src/jobs/schedule.ts). */
  everyMs: 5 * MINUTE_MS,
  /** A part that takes longer is slow; a reply is judged by its first words and by its end. */
  slowMs: { site: 2000, sign_in: 2000, chats: 4000, firstWords: 10_000, reply: 40_000 },
  /** Of each step. What gave no answer by then is down. */
  limitMs: 10_000,
  replyLimitMs: 75_000,
  /** Without a check for so long, nothing is said of now. */
  staleMs: 30 * MINUTE_MS,
  /** Each check by itself, for the last day; what days came to, for the last three months. */
  shownHours: 24,
  retentionDays: 90,
  /** Checks that no database would take, kept for the next one: half a day of them. */
  maxUnsaved: 144,
  /** Conversations of checks that were cut short, taken away by a later one. */
  maxAbandonedPerRun: 5,
} as const;
