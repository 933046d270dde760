import { timingSafeEqual } from '../../lib/timing-safe-equal.ts';
import { computeKeyedHash } from '../../lib/hash.ts';

/*
 * What a device remembers of the guests that began on it: how many, on which day, and nothing of who they were. It is
 * signed, so that what comes back is what was written here.
 */

/** The cookie that holds it, before `getCookieName`. */
export const GUESTS_COOKIE = 'guests';

const COUNTER_PATTERN = /^(\d{1,6})\.(\d{1,4})\.([0-9a-f]{64})$/;

/** A key of its own: a signature of something else is none here. */
const computeCounterSignature = (day: string, count: string, secret: string): Promise<string> =>
  computeKeyedHash(`guests of a device\n${secret}`, `${day}.${count}`);

/**
 * @param day in days since the epoch @param count guests that began on this device that day
 * @param secret AUTH_SECRET
 */
export async function signGuestCounter(day: number, count: number, secret: string): Promise<string> {
  return `${day}.${count}.${await computeCounterSignature(String(day), String(count), secret)}`;
}

/** How many guests began on a device that day, by its mark: none by one of another day, or that is not ours. */
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
