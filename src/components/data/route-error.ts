/** A sentence, not a page: what an address may make the error page say. */
const MAX_MESSAGE_LENGTH = 200;

/**
 * What the error page shows, from the address that led to it. Anything but an HTTP error status is 500; a
 * message loses its control and direction characters, with which a text could pose as something else.
 */
export function parseRouteError(search: URLSearchParams): { status: number; message: string } {
  const rawStatus = search.get('status') ?? '';
  const status = /^[45]\d\d$/.test(rawStatus) ? Number(rawStatus) : 500;
  const message = (search.get('message') ?? '')
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return { status, message: [...message].slice(0, MAX_MESSAGE_LENGTH).join('') };
}
