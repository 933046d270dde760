/**
 * Finds URLs in visible text: the host after a scheme, or a bare domain. A domain is matched only from its first label,
 * so that a long row of labels is scanned once.
 */
const URL_OR_DOMAIN =
  /https?:\/\/([^\s/?#\\:]*)(?::\d+)?(?:[/?#\\]\S*)?|(?<![\p{L}\p{M}\p{N}_-]\.?)((?:[\p{L}\p{M}\p{N}_-]+\.)+(?:\p{L}[\p{L}\p{M}\p{N}-]+|xn--[\w-]+)|(?:\d{1,3}\.){3}\d{1,3})(?::\d+)?(?:[/?#\\]\S*)?/giu;
/** UTF-16 units. Link texts longer than any URL are not checked. */
const MAX_TEXT_CHARS = 2048;
/** Code points that are not drawn, inside or next to a name. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
/** Full stops of other scripts that act as, or look like, the dot in a host name. */
const DOT_LOOKALIKES = /[。．｡․﹒]/g;
const ENDS_NAME = /(?<![^\p{L}\p{M}\p{N}])[^\p{L}\p{M}\p{N}]+$/u;
const WWW = /^www\./;
/** A punycode or percent-encoded host, which may look like a different one. */
const ENCODED_HOST = /(?:^|\.)xn--|%/;

/** The host of a safe URL; for `mailto:`, the domain of the address. */
function getHost(href: string): string {
  const { protocol, hostname, pathname } = new URL(href);
  if (protocol !== 'mailto:') return hostname.replace(ENDS_NAME, '');
  return (pathname.slice(pathname.indexOf('@') + 1) || href).toLowerCase();
}

/** The hosts that a link text mentions, as written. */
function findHosts(words: string): string[] {
  const read = words.replace(INVISIBLE, '').replace(DOT_LOOKALIKES, '.');
  return Array.from(read.matchAll(URL_OR_DOMAIN), ([, ofScheme, domain]) =>
    (ofScheme ?? domain ?? '').replace(ENDS_NAME, '').toLowerCase(),
  );
}

/**
 * Returns the host of a link whose text hides it: the text mentions another host, or the host uses letters that can look
 * like those of another.
 * @param href an absolute URL from `toSafeUrl`
 * @param words the visible text of the link
 * @returns null when the text mentions exactly this host, or none
 */
export function findHiddenHost(href: string, words: string): string | null {
  const host = getHost(href);
  if (words.length > MAX_TEXT_CHARS) return host;
  const plain = host.replace(WWW, '');
  const named = findHosts(words);
  const isShown =
    named.length === 0 ? !ENCODED_HOST.test(host) : named.every((name) => name.replace(WWW, '') === plain);
  return isShown ? null : host;
}
