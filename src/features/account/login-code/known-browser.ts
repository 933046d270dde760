import { computeKeyedHash, toHex } from '../../../lib/hash.ts';
import { timingSafeEqual } from '../../../lib/timing-safe-equal.ts';
import { KNOWN_BROWSER } from '../limits.ts';

/*
 * A browser that has logged in to an address, or has opened a link sent there, keeps a mark for it: a random number and an
 * HMAC of it with the address. Strangers have none, so their requests for codes do not delay those of the address's owner.
 * Without AUTH_SECRET a mark does not reveal its address. One cookie holds the marks of all addresses, the latest first.
 */

/** Base name of the cookie, before `getCookieName`. */
export const KNOWN_BROWSER_COOKIE = 'known-browser';

const NUMBER_BYTES = 8;
/** Hex digits of the HMAC that are kept. */
const HMAC_CHARS = 32;
const MARK_PATTERN = /^[0-9a-f]{48}$/;

async function computeMark(number: string, email: string, secret: string): Promise<string> {
  const hmac = await computeKeyedHash(`browsers of an address\n${secret}`, `${number}\n${email}`);
  return number + hmac.slice(0, HMAC_CHARS);
}

const listMarks = (cookie: string | undefined): string[] =>
  (cookie ?? '').split('.', KNOWN_BROWSER.maxAddresses).filter((mark) => MARK_PATTERN.test(mark));

/**
 * Returns what identifies the browser to the address; null when no one has logged in to the address there.
 * @param cookie the value of the cookie
 * @param secret AUTH_SECRET
 */
export async function findKnownBrowser(
  cookie: string | undefined,
  email: string,
  secret: string,
): Promise<string | null> {
  const marks = listMarks(cookie);
  const expected = await Promise.all(
    marks.map((mark) => computeMark(mark.slice(0, 2 * NUMBER_BYTES), email, secret)),
  );
  return marks.find((mark, index) => timingSafeEqual(mark, expected[index] ?? '')) ?? null;
}

/** Creates the mark that makes a browser known to an address; in a link sent there, it shows that its user reads the mailbox. */
export const createMark = (email: string, secret: string): Promise<string> =>
  computeMark(toHex(crypto.getRandomValues(new Uint8Array(NUMBER_BYTES))), email, secret);

/** Returns the cookie's value with another mark, which need not be a valid one; unchanged if it has no mark's form. */
export function addMark(cookie: string | undefined, mark: string): string {
  const marks = listMarks(cookie);
  const others = marks.filter((other) => other !== mark);
  return (MARK_PATTERN.test(mark) ? [mark, ...others] : marks).slice(0, KNOWN_BROWSER.maxAddresses).join('.');
}

/** Returns the cookie's value after a login to the address. A known browser stays the same one. */
export async function storeKnownBrowser(
  cookie: string | undefined,
  email: string,
  secret: string,
): Promise<string> {
  return addMark(
    cookie,
    (await findKnownBrowser(cookie, email, secret)) ?? (await createMark(email, secret)),
  );
}
