const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Pictures that people bring. */
export const PICTURE = {
  /** A small file may claim any size, and whoever sees it pays in memory: 64 MiB at most by this, and every phone draws it. */
  maxSidePx: 4096,
  /** By one account: more than anybody chooses from, too few to keep files here. */
  maxPerHour: 20,
  /** Of one account, that nothing shows; the oldest make room. */
  maxUnused: 50,
  /** One that was brought just now, and that nothing shows yet, opens by its address for so long; then to its owner alone. */
  previewTtlMs: HOUR_MS,
  /** One that nothing shows goes after this: a form that it was sent for may be open for long. */
  unusedRetentionMs: DAY_MS,
  /** Taken away in one run of housekeeping; storage deletes at most a thousand in one call. */
  maxClearedPerRun: 500,
} as const;
