/**
 * Milliseconds between two AI notices in one conversation. The strictest law requires the notice at the beginning and
 * every three hours after it (New York, General Business Law article 47).
 */
export const NOTICE_INTERVAL_MS = 3 * 60 * 60 * 1000;

/**
 * Whether the AI notice has to be shown before the next message.
 * @param noticedAt when it was last shown; null when unknown. Both are in milliseconds since 1970, so that neither
 *   midnight nor daylight saving time matters
 */
export function isNoticeDue(noticedAt: number | null, now: number): boolean {
  // When the clock was set back, the elapsed time is unknown, so the notice is due.
  return noticedAt === null || now < noticedAt || now - noticedAt >= NOTICE_INTERVAL_MS;
}
