/**
 * When a busy provider can be asked again, in milliseconds since 1970; null when it did not say.
 * @param retryAfter how many seconds it asks to wait
 */
export const getBusyUntil = (retryAfter: number | undefined, now: number): number | null =>
  retryAfter === undefined ? null : now + retryAfter * 1000;

/** Whole seconds from now until a time, both in milliseconds since 1970; 0 for null and once it has passed. */
export const getSecondsLeft = (until: number | null, now: number): number =>
  until === null ? 0 : Math.max(0, Math.ceil((until - now) / 1000));

/** Formats whole seconds as minutes and seconds, such as `9:05`. */
export const formatCountdown = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

/** The seconds that a provider asks to wait as a field of a failure; empty when it named none. */
export const toRetryAfter = (retryAfter: number | undefined): { retryAfter?: number } =>
  retryAfter === undefined ? {} : { retryAfter };
