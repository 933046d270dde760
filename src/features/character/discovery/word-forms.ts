/*
 * A catalogue holds all languages at once, and no text says which one it is in. So there is one rule for each script, made
 * of the endings that its languages decline and conjugate with, the same for what is written and for what is typed. It
 * takes off less than a grammar of one language would: what two words are found by together must rarely be two words.
 */

/** Endings of the folded Latin script with what stands in their place, the longest first. */
const LATIN_ENDINGS: readonly (readonly [ending: string, becomes: string, leaves: number])[] = [
  ['erinnen', 'er', 4],
  ['erin', 'er', 4],
  ['eaux', 'eau', 3],
  ['aux', 'al', 3],
  ['xes', 'x', 2],
  // Polish adjectives on «-owy», beside nouns whose plural is on «-ów»: «królowa» is not «król».
  ['owego', 'owa', 3],
  ['owemu', 'owa', 3],
  ['owych', 'owa', 3],
  ['owymi', 'owa', 3],
  ['owej', 'owa', 3],
  ['owym', 'owa', 3],
  ['nya', '', 4],
  ['ami', '', 4],
  ['ach', '', 4],
  ['owi', '', 4],
  ['ego', '', 4],
  ['emu', '', 4],
  ['ych', '', 4],
  ['ymi', '', 4],
  ['ing', '', 4],
  ['ed', '', 4],
  ['en', '', 4],
  ['em', '', 4],
  ['er', '', 5],
  ['ej', '', 4],
  ['om', '', 4],
  ['ow', '', 4],
  ['ym', '', 4],
  ['s', '', 3],
];
/** What is left of a word when its last vowels go, at least. */
const MIN_LATIN_CHARS = 4;
const LATIN_VOWEL = /[aeiouy]$/;
/** English doubles a consonant before these: «run», «running». What ends in two by itself, as «fall», keeps them. */
const DOUBLING = new Set(['ing', 'ed']);
const DOUBLED = /([bdgmnpt])\1$/;
/** What ends in «f» and has «v» in the plural: English «wolf», «knife», «life», and not every «save». */
const F_OR_V = /(?<=wol|^el|[^s]el|hal|cal|thie|ea|oa|ar|oo|[nw]i|.li|^li(?=.e))[fv]e?$/;
/** Spanish «luz» and «luces», too short to lose their vowels; Portuguese «luzes». */
const SHORT_Z = /(?<=^[lpv](?:.(?=z$)|[iou]))ze?$/;
/** Spanish «actriz» and «actrices», and not every «prize» and «plaza». */
const Z_OR_C = /(?<=...[aeiou]|.[eu]|[ae]i)z$/;
const LATIN = /^[a-z]+$/;

const CYRILLIC_ENDINGS: readonly string[] = [
  ...['иями', 'ями', 'ами', 'ого', 'его', 'ому', 'ему', 'ыми', 'ими'],
  ...['ах', 'ях', 'ов', 'ев', 'ых', 'их', 'ым', 'им', 'ом', 'ем', 'ам', 'ям'],
];
const MIN_CYRILLIC_CHARS = 3;
const CYRILLIC_VOWEL = /[аеиоуыэюяйь]$/;
const CYRILLIC = /^\p{sc=Cyrillic}+$/u;

/** Signs of vowels and nasals at a word's end, and the glide that stands between two of them. */
const DEVANAGARI_ENDING = /(?:[\u093e-\u094c\u0902\u0903]|(?<=\u093f)\u092f)$/;
const MIN_DEVANAGARI_CHARS = 2;
const DEVANAGARI = /^[\p{sc=Devanagari}]+$/u;

/** Takes off what `shorter` finds again and again, until it finds nothing more. */
function stripRepeatedly(word: string, shorter: (word: string) => string): string {
  let rest = word;
  for (;;) {
    const next = shorter(rest);
    if (next === rest) return rest;
    rest = next;
  }
}

function stripLatinEnding(word: string): string {
  for (const [ending, becomes, leaves] of LATIN_ENDINGS) {
    if (!word.endsWith(ending) || word.length - ending.length < leaves) continue;
    if (ending === 's' && word.endsWith('ss')) continue;
    const rest = word.slice(0, -ending.length);
    return DOUBLING.has(ending) ? rest.replace(DOUBLED, '$1') : rest + becomes;
  }
  return word;
}

const stripLatinVowel = (word: string): string =>
  word.length > MIN_LATIN_CHARS && LATIN_VOWEL.test(word) ? word.slice(0, -1) : word;

/** What is written in two ways before different endings: Italian «strega», «streghe», English «city», «cities». */
function normalizeSpelling(word: string): string {
  if (/[cg]h$/.test(word)) return word.slice(0, -1);
  if (word.endsWith('y')) return `${word.slice(0, -1)}i`;
  return word.replace(F_OR_V, 'f').replace(SHORT_Z, 'ce').replace(Z_OR_C, 'c');
}

function stripCyrillicEnding(word: string): string {
  const ending = CYRILLIC_ENDINGS.find(
    (known) => word.endsWith(known) && word.length - known.length >= MIN_CYRILLIC_CHARS,
  );
  return ending === undefined ? word : word.slice(0, -ending.length);
}

const stripCyrillicVowel = (word: string): string =>
  word.length > MIN_CYRILLIC_CHARS && CYRILLIC_VOWEL.test(word) ? word.slice(0, -1) : word;

function stripDevanagariEnding(word: string): string {
  return word.length > MIN_DEVANAGARI_CHARS && DEVANAGARI_ENDING.test(word) ? word.slice(0, -1) : word;
}

/** The signs of katakana that have a kin in hiragana. */
const KATAKANA = /[\u30a1-\u30f6\u30fd\u30fe]/gu;
const HIRAGANA_OFFSET = 0x60;

/**
 * A word in hiragana where it is in katakana: «ガクセイ» and «がくせい» are one word, as capitals and small letters are.
 * @param word folded, as search-words.ts gives it
 */
export function toHiragana(word: string): string {
  return word.replaceAll(KATAKANA, (sign) => String.fromCharCode(sign.charCodeAt(0) - HIRAGANA_OFFSET));
}

/**
 * What the forms of a word have in common: «witches» and «witch», «драконы» and «дракона». A word that has none, or is of
 * a script that does not inflect, is given back as it is.
 * @param word folded, as search-words.ts gives it
 */
export function getStem(word: string): string {
  // What only looks like an ending once the vowels are gone is none.
  if (LATIN.test(word))
    return normalizeSpelling(stripRepeatedly(stripRepeatedly(word, stripLatinEnding), stripLatinVowel));
  if (CYRILLIC.test(word))
    return stripRepeatedly(stripRepeatedly(word, stripCyrillicEnding), stripCyrillicVowel);
  if (DEVANAGARI.test(word)) return stripRepeatedly(word, stripDevanagariEnding);
  return word;
}
