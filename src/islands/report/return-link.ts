/** Pages from which one comes to report a character. */
const CHAT_PATH = /^\/(?:character|messages)\/[^/]+$/;
const INFO_PATH = /^\/[a-z]{2}\/character-info\/[^/]+$/;

/** Where a reader goes on after a report. */
export interface ReturnLink {
  to: 'chat' | 'character' | 'creator';
  href: string;
}

/**
 * The way back to where one came from: the chat, with its conversation, or the character's page; that page, too, where
 * nobody knows.
 * @param referrer the address that the page was come to from; empty when there is none
 */
export function getReturnLink(
  referrer: string,
  { origin, info }: { origin: string; info: string },
): ReturnLink {
  const from = URL.canParse(referrer) ? new URL(referrer) : null;
  if (from === null || from.origin !== origin) return { to: 'character', href: info };
  const href = from.pathname + from.search;
  if (CHAT_PATH.test(from.pathname)) return { to: 'chat', href };
  return { to: 'character', href: INFO_PATH.test(from.pathname) ? href : info };
}
