/**
 * The notice that an AI answers stands at the beginning of every conversation, and again once it has gone on for so long:
 * what the strictest of the laws asks (New York, General Business Law article 47).
 */
export const NOTICE_INTERVAL_MS = 3 * 60 * 60 * 1000;

/**
 * Whether the notice has to stand before what is said now.
 * @param noticedAt when it stood there last; null where nobody knows. Both in milliseconds since 1970, so that neither
 * midnight nor a change of the clocks counts
 */
export function isNoticeDue(noticedAt: number | null, now: number): boolean {
  // A clock that went back says nothing of how long it has been.
  return noticedAt === null || now < noticedAt || now - noticedAt >= NOTICE_INTERVAL_MS;
}
