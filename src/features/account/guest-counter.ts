import { timingSafeEqual } from '../../lib/timing-safe-equal.ts';
import { computeKeyedHash } from '../../lib/hash.ts';

/*
 * Counts the guests that were created on a device, per day and without identifying them. The value is signed, so the
 * client cannot change it.
 */

/** Base name of the cookie that holds the counter, before `getCookieName`. */
export const GUESTS_COOKIE = 'guests';

const COUNTER_PATTERN = /^(\d{1,6})\.(\d{1,4})\.([0-9a-f]{64})$/;

/** Uses a key of its own, so that a signature made for another purpose is not valid here. */
const computeCounterSignature = (day: string, count: string, secret: string): Promise<string> =>
  computeKeyedHash(`guests of a device\n${secret}`, `${day}.${count}`);

/**
 * @param day in days since the epoch
 * @param count guests created on this device that day
 * @param secret AUTH_SECRET
 */
export async function signGuestCounter(day: number, count: number, secret: string): Promise<string> {
  return `${day}.${count}.${await computeCounterSignature(String(day), String(count), secret)}`;
}

/**
 * Returns how many guests were created on a device that day: 0 if the counter is of another day or not signed by us.
 */
export async function readGuestCounter(
  counter: string | undefined,
  day: number,
  secret: string,
): Promise<number> {
  const [, signedDay, count, signature] = COUNTER_PATTERN.exec(counter ?? '') ?? [];
  if (signedDay === undefined || count === undefined || signature === undefined) return 0;
  if (!timingSafeEqual(signature, await computeCounterSignature(signedDay, count, secret))) return 0;
  return Number(signedDay) === day ? Number(count) : 0;
}
