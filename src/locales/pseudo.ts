/**
 * The pseudo language: English with accents, about 40 % longer, in brackets. It reveals untranslated texts (no
 * accents), truncated texts (a missing bracket) and layouts without room. Only local and test builds contain it.
 */

/** The usual code of accented English; Intl treats it as English. */
export const PSEUDO_LANGUAGE = 'en-XA';

const PLAIN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const ACCENTED = 'åƀçðéƒĝĥîĵķļɱñöþɋŕšţûṽŵẋýžÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞɊŔŠŢÛṼŴẊÝŽ';

function createAccentMap(): ReadonlyMap<string, string> {
  const accentedLetters = [...ACCENTED];
  return new Map([...PLAIN].map((letter, index) => [letter, accentedLetters[index] ?? letter]));
}
// Marked as pure, so that production builds can drop it.
const ACCENTS = /* @__PURE__ */ createAccentMap();
/** Added above letters that are accented already. */
const COMBINING_DOT = '\u{307}';

/** Parts that stay unchanged: placeholders, nested texts, tags, and addresses in markup. */
const PRESERVED = /(\{\{.*?\}\}|\$t\([^)]*\)|<\/?[a-z\d][^<>]*>|https?:\/\/\S+)/gis;

/** Filler for labels of one word, which long-word languages cannot break either, and for sentences. */
const LONG_WORD = 'éîöûåýéîöûåý';
const SHORT_WORDS = 'öñé ţŵö ţĥŕéé ƒöûŕ ƒîṽé šîẋ šéṽéñ éîĝĥţ ñîñé ţéñ ';
const GROWTH = 0.4;

const addAccents = (text: string) =>
  [...text].map((c) => ACCENTS.get(c) ?? (/\p{L}/u.test(c) ? c + COMBINING_DOT : c)).join('');

/** The filler for a text of `letters` characters. */
function createFiller(letters: number, hasBlanks: boolean): string {
  const fillerLength = Math.ceil(letters * GROWTH);
  const from = hasBlanks ? SHORT_WORDS : LONG_WORD;
  const long = from.repeat(Math.ceil(fillerLength / from.length)).slice(0, fillerLength);
  return hasBlanks ? ` ${long.trim()}` : long;
}

/** A text in the pseudo language. */
export function toPseudoText(text: string): string {
  const parts = text.split(PRESERVED);
  // Splitting by a group puts the preserved parts at odd indexes.
  const words = parts.filter((_, index) => index % 2 === 0).join('');
  const body = parts.map((part, index) => (index % 2 === 1 ? part : addAccents(part))).join('');
  return `⟦${body}${createFiller([...words].length, /\S\s+\S/.test(body))}⟧`;
}

/** A dictionary in the pseudo language, with the same keys. */
export function toPseudoMessages<M extends { readonly [key: string]: unknown }>(messages: M): M {
  return Object.fromEntries(
    Object.entries(messages).map(([key, value]) => [
      key,
      typeof value === 'string' ? toPseudoText(value) : toPseudoMessages(value as Record<string, unknown>),
    ]),
  ) as M;
}
