const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Limits of uploaded pictures. */
export const PICTURE = {
  /**
   * A small file can declare any size and exhaust a viewer's memory. This limits it to 64 MiB, which any phone can show.
   */
  maxSidePx: 4096,
  /** Lists show portraits up to 240 pixels wide, on screens with up to two device pixels for each. */
  maxListWidthPx: 480,
  maxListHeightPx: 640,
  /** Unused pictures per account; the oldest are deleted first. */
  maxUnused: 50,
  /** How long after its upload an unused picture is visible to anyone with its URL; later to its owner only. */
  previewTtlMs: HOUR_MS,
  /** Unused pictures are deleted after this. Long, because the form they were uploaded for may stay open. */
  unusedRetentionMs: DAY_MS,
  /** Deletions per run; R2 deletes at most 1,000 objects per call. */
  maxClearedPerRun: 500,
} as const;
