const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Limits of the outbox. */
export const MAIL = {
  /** Delays between attempts. A mail server that is down for a day causes no lost mail. */
  retryDelaysMs: [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS, DAY_MS],
  /** Far longer than one attempt takes; after it, the last attempt counts as failed. */
  lastRetryDelayMs: 10 * MINUTE_MS,
  /** Mails per run: each needs about four of the run's 1,000 subrequests. */
  maxPerRun: 200,
  maxConcurrent: 5,
  /** Newsletters are at least two months apart, counted from queueing; the two extra days cover all attempts. */
  marketingIntervalMs: 62 * DAY_MS,
  /** Newsletters are queued once a day, because finding the recipients scans all users. */
  newsHourUtc: 15,
  /** Recipients per daily run; the rest follow in the next runs. */
  maxNewsPerRun: 5000,
} as const;
