const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * How long shared caches keep public pages, in seconds. Changes purge pages explicitly. These ages bound data that is
 * never purged (chat counts, list orders) and how long a page stays stale after a failed purge: `maxAge` plus `swr`.
 * During `swr` (stale-while-revalidate) the old page is served while a new one is rendered.
 */
export const SHARED_PAGES = {
  home: { maxAge: 300, swr: 600 },
  /** New and trending lists are expected to move. */
  list: { maxAge: 60, swr: 300 },
  character: { maxAge: 300, swr: 600 },
  creator: { maxAge: 300, swr: 600 },
  /** A creator who withdraws must disappear within a minute, even when no purge reaches the cache. */
  competition: { maxAge: 60, swr: 0 },
  /** Checks run every few minutes; a stale page could hide an outage. */
  status: { maxAge: 60, swr: 0 },
  /** Changes only with a deployment, which starts with an empty cache. */
  blog: { maxAge: 3600, swr: 86_400 },
  /** Sitemaps, feeds and other files for programs, which poll every few hours. */
  file: { maxAge: 3600, swr: 0 },
} as const;

/** Cache purges. The platform allows 5 calls a minute and lets up to 25 accumulate. */
export const PAGE_PURGES = {
  maxTagsPerCall: 100,
  callIntervalMs: 12_000,
  maxSavedCalls: 25,
  /** Doubles with each attempt. */
  firstRetryDelayMs: MINUTE_MS,
  maxRetryDelayMs: 6 * HOUR_MS,
  /** The eighth attempt is about four hours after the first; by then every affected page has expired by age. */
  maxAttempts: 8,
  timeoutMs: 5000,
} as const;
