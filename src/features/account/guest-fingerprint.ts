import { equalInConstantTime } from '../../lib/constant-time.ts';
import { computeKeyedHash } from '../../lib/hash.ts';

/*
 * What a device remembers of the guests that began on it: how many, on which day, and nothing of who they were. It is
 * signed, so that what comes back is what was written here.
 */

/** The cookie that holds it, before `cookieName`. */
export const GUESTS_COOKIE = 'guests';

const MARK = /^(\d{1,6})\.(\d{1,4})\.([0-9a-f]{64})$/;

/** A key of its own: a signature of something else is none here. */
const signatureOf = (day: string, count: string, secret: string): Promise<string> =>
  computeKeyedHash(`guests of a device\n${secret}`, `${day}.${count}`);

/**
 * @param day in days since the epoch @param count guests that began on this device that day
 * @param secret AUTH_SECRET
 */
export async function guestMark(day: number, count: number, secret: string): Promise<string> {
  return `${day}.${count}.${await signatureOf(String(day), String(count), secret)}`;
}

/** How many guests began on a device that day, by its mark: none by one of another day, or that is not ours. */
export async function guestsOn(mark: string | undefined, day: number, secret: string): Promise<number> {
  const [, markedDay, count, signature] = MARK.exec(mark ?? '') ?? [];
  if (markedDay === undefined || count === undefined || signature === undefined) return 0;
  if (!equalInConstantTime(signature, await signatureOf(markedDay, count, secret))) return 0;
  return Number(markedDay) === day ? Number(count) : 0;
}
