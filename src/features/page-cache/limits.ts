const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * How long shared caches keep a public page, in seconds. What changes a page has them forget it; these ages are for what
 * nobody tells them of (counts of chats, orders of lists), and the longest that a page outlives a call that did not reach
 * them: `maxAge` and `swr` together, `swr` being how long the old page is given while a new one is drawn.
 */
export const SHARED_PAGES = {
  home: { maxAge: 300, swr: 600 },
  /** What is new or trending is expected to move. */
  list: { maxAge: 60, swr: 300 },
  character: { maxAge: 300, swr: 600 },
  creator: { maxAge: 300, swr: 600 },
  /** Nobody is to be seen in it a minute after leaving, also where nobody could tell caches of it. */
  competition: { maxAge: 60, swr: 0 },
  /** Checked every few minutes; an old one would say that all is well. */
  status: { maxAge: 60, swr: 0 },
  /** Changes with a deployment alone, and that begins with an empty cache. */
  blog: { maxAge: 3600, swr: 86_400 },
  /** Sitemaps, feeds and what else programs read: they come by every few hours. */
  file: { maxAge: 3600, swr: 0 },
} as const;

/** Having shared caches forget pages. The platform bounds it: 5 calls a minute, of which 25 may be saved up. */
export const PAGE_PURGES = {
  maxTagsPerCall: 100,
  callIntervalMs: 12_000,
  maxSavedCalls: 25,
  /** Between one try and the next, doubled each time. */
  firstRetryDelayMs: MINUTE_MS,
  maxRetryDelayMs: 6 * HOUR_MS,
  /** Four hours after the first: by then every page of what was changed has grown too old by itself. */
  maxAttempts: 8,
  timeoutMs: 5000,
} as const;
