/**
 * In what is read as an address: a scheme's host with whatever else is before its path, or a domain on its own. A domain
 * is looked for from its first part only, so that a long row of parts is read once.
 */
const URL_OR_DOMAIN =
  /https?:\/\/([^\s/?#\\:]*)(?::\d+)?(?:[/?#\\]\S*)?|(?<![\p{L}\p{M}\p{N}_-]\.?)((?:[\p{L}\p{M}\p{N}_-]+\.)+(?:\p{L}[\p{L}\p{M}\p{N}-]+|xn--[\w-]+)|(?:\d{1,3}\.){3}\d{1,3})(?::\d+)?(?:[/?#\\]\S*)?/giu;
/** In UTF-16 units: words longer than any address say nothing that one could check. */
const MAX_TEXT_CHARS = 2048;
/** Drawn as nothing, within a name or beside it. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
/** Points of other scripts that stand for the one between the parts of a name, or look like it. */
const DOT_LOOKALIKES = /[。．｡․﹒]/g;
const ENDS_NAME = /[^\p{L}\p{M}\p{N}]+$/u;
const WWW = /^www\./;
/** A name that was written in other letters than it goes by: one may look like another. */
const ENCODED_HOST = /(?:^|\.)xn--|%/;

/** The host of an address that may be opened: of a mail, the one that takes it. */
function getHost(href: string): string {
  const { protocol, hostname, pathname } = new URL(href);
  if (protocol !== 'mailto:') return hostname.replace(ENDS_NAME, '');
  return (pathname.slice(pathname.indexOf('@') + 1) || href).toLowerCase();
}

/** The hosts that some words name, each as it is written there. */
function findHosts(words: string): string[] {
  const read = words.replace(INVISIBLE, '').replace(DOT_LOOKALIKES, '.');
  return Array.from(read.matchAll(URL_OR_DOMAIN), ([, ofScheme, domain]) =>
    (ofScheme ?? domain ?? '').replace(ENDS_NAME, '').toLowerCase(),
  );
}

/**
 * Where a link leads, if its words hide it: they name another host, or its name is written in letters that may look like
 * those of another.
 * @param href a full address, as `toSafeUrl` gives it
 * @param words what the link shows
 * @returns null where the words name that very host, or no host at all
 */
export function findHiddenHost(href: string, words: string): string | null {
  const host = getHost(href);
  if (words.length > MAX_TEXT_CHARS) return host;
  const plain = host.replace(WWW, '');
  const named = findHosts(words);
  const told =
    named.length === 0 ? !ENCODED_HOST.test(host) : named.every((name) => name.replace(WWW, '') === plain);
  return told ? null : host;
}
