import { computeKeyedHash } from '../../lib/hash.ts';
import { timingSafeEqual } from '../../lib/timing-safe-equal.ts';

/*
 * Values of cookies that the client cannot change or make up: base64url of the value, a dot and an HMAC-SHA-256. Each purpose
 * has a key of its own, so a value signed for one purpose is not valid for another.
 */

/** Longer values are not ours. */
const MAX_COOKIE_CHARS = 2000;

const sign = (purpose: string, encoded: string, secret: string): Promise<string> =>
  computeKeyedHash(`${purpose}\n${secret}`, encoded);

const toBase64Url = (text: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

function fromBase64Url(text: string): string {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return new TextDecoder().decode(Uint8Array.from(binary, (sign) => sign.charCodeAt(0)));
}

/** @param secret AUTH_SECRET */
export async function signCookieValue(purpose: string, value: string, secret: string): Promise<string> {
  const encoded = toBase64Url(value);
  return `${encoded}.${await sign(purpose, encoded, secret)}`;
}

/** Returns the value of a cookie; null if there is none or if it was not signed by us for this purpose. */
export async function readSignedCookie(
  purpose: string,
  cookie: string | undefined,
  secret: string,
): Promise<string | null> {
  if (cookie === undefined || cookie.length > MAX_COOKIE_CHARS) return null;
  const [, encoded, signature] = /^([\w-]+)\.([0-9a-f]{64})$/.exec(cookie) ?? [];
  if (encoded === undefined || signature === undefined) return null;
  if (!timingSafeEqual(signature, await sign(purpose, encoded, secret))) return null;
  return fromBase64Url(encoded);
}
