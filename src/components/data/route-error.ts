/** Longest message that an address can put on the error page, in characters. */
const MAX_MESSAGE_LENGTH = 200;

/**
 * Parses the error page's address. Any status that is not an HTTP error becomes 500. Control and direction characters
 * are removed from the message, because they could disguise it.
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
