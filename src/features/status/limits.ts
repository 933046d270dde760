const MINUTE_MS = 60_000;

/** Limits of the synthetic conversation and of the status page (docs/monitoring.md). */
export const CHECK_LIMITS = {
  /** Must match the cron interval in src/jobs/schedule.ts. */
  everyMs: 5 * MINUTE_MS,
  /** A part that takes longer counts as slow. A reply has two limits: to its first words and to its end. */
  slowMs: { site: 2000, sign_in: 2000, chats: 4000, firstWords: 10_000, reply: 40_000 },
  /** Timeout of each step. A step without an answer counts as down. */
  limitMs: 10_000,
  replyLimitMs: 75_000,
  /** With no check for this long, the current state is unknown. */
  staleMs: 30 * MINUTE_MS,
  /** Single checks are shown for the last day, daily sums for the last three months. */
  shownHours: 24,
  retentionDays: 90,
  /** Checks kept in KV until the database accepts them: half a day of checks. */
  maxUnsaved: 144,
  /** Conversations of interrupted checks that a later check deletes. */
  maxAbandonedPerRun: 5,
} as const;
