const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Mails that did not go out at once. */
export const MAIL = {
  /** Between one try and the next: a mail server that is away for a day loses nobody a mail. */
  retryDelaysMs: [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS, DAY_MS],
  /** Far above what a try takes: after it, the last one is known to have failed. */
  lastRetryDelayMs: 10 * MINUTE_MS,
  /** In one run: each is about four calls of the thousand that a run may make. */
  maxPerRun: 200,
  maxConcurrent: 5,
  /** News come at most every two months, counted from when they are put in: two days more than any try can take. */
  marketingIntervalMs: 62 * DAY_MS,
  /** News are put in once a day: who is due is found by looking at everybody. */
  newsHourUtc: 15,
  /** People who are written to in a day's run; who is left waits for the next. */
  maxNewsPerRun: 5000,
} as const;
