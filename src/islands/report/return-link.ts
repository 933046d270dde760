/** Pages that link to the report form. */
const CHAT_PATH = /^\/(?:character|messages)\/[^/]+$/;
const INFO_PATH = /^\/[a-z]{2}\/character-info\/[^/]+$/;

/** The link shown after a report. */
export interface ReturnLink {
  to: 'chat' | 'character' | 'creator';
  href: string;
}

/**
 * The link back to the referring chat or character page; the character page if the referrer is unknown.
 * @param referrer `document.referrer`; empty for none
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
