/**
 * The test language: English with an accent on every letter, about 40 % longer, in brackets. It shows text that comes
 * from no dictionary (plain letters), text that is cut off (a bracket is missing) and layouts that have no room.
 * Local and test builds alone carry it.
 */

/** Its code: the platform's usual one for «English, with accents», which counts and writes numbers as English does. */
export const PSEUDO_LANGUAGE = 'en-XA';

const PLAIN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const ACCENTED = 'åƀçðéƒĝĥîĵķļɱñöþɋŕšţûṽŵẋýžÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞɊŔŠŢÛṼŴẊÝŽ';

function createAccentMap(): ReadonlyMap<string, string> {
  const accentedLetters = [...ACCENTED];
  return new Map([...PLAIN].map((letter, index) => [letter, accentedLetters[index] ?? letter]));
}
// Said to be pure, so that a build that never asks for it leaves it out.
const ACCENTS = /* @__PURE__ */ createAccentMap();
/** For letters that are accented already: a dot above them. */
const COMBINING_DOT = '\u{307}';

/** What stays as it is: placeholders, texts within texts, tags, and addresses in markup. */
const PRESERVED = /(\{\{.*?\}\}|\$t\([^)]*\)|<\/?[a-z\d][^<>]*>|https?:\/\/\S+)/gis;

/** Filling for labels of one word, which languages with long words cannot break either, and for sentences. */
const LONG_WORD = 'éîöûåýéîöûåý';
const SHORT_WORDS = 'öñé ţŵö ţĥŕéé ƒöûŕ ƒîṽé šîẋ šéṽéñ éîĝĥţ ñîñé ţéñ ';
const GROWTH = 0.4;

const addAccents = (text: string) =>
  [...text].map((c) => ACCENTS.get(c) ?? (/\p{L}/u.test(c) ? c + COMBINING_DOT : c)).join('');

/** As much filling as a text of `letters` characters grows by. */
function createFiller(letters: number, hasBlanks: boolean): string {
  const fillerLength = Math.ceil(letters * GROWTH);
  const from = hasBlanks ? SHORT_WORDS : LONG_WORD;
  const long = from.repeat(Math.ceil(fillerLength / from.length)).slice(0, fillerLength);
  return hasBlanks ? ` ${long.trim()}` : long;
}

/** One text in the test language. */
export function toPseudoText(text: string): string {
  const parts = text.split(PRESERVED);
  // Split at a group, what is kept stands at the odd places.
  const words = parts.filter((_, index) => index % 2 === 0).join('');
  const body = parts.map((part, index) => (index % 2 === 1 ? part : addAccents(part))).join('');
  return `⟦${body}${createFiller([...words].length, /\S\s+\S/.test(body))}⟧`;
}

/** A dictionary in the test language, with the keys it has. */
export function toPseudoMessages<M extends { readonly [key: string]: unknown }>(messages: M): M {
  return Object.fromEntries(
    Object.entries(messages).map(([key, value]) => [
      key,
      typeof value === 'string' ? toPseudoText(value) : toPseudoMessages(value as Record<string, unknown>),
    ]),
  ) as M;
}
