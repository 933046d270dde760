/*
 * The catalogue mixes all languages, and no text states its language. So there is one rule for each script, built from
 * the endings with which its languages inflect, for texts and queries alike. It removes less than the grammar of one
 * language would, because two different words must rarely get the same stem.
 */

/** Endings in the folded Latin script and their replacements, longest first. */
const LATIN_ENDINGS: readonly (readonly [ending: string, becomes: string, leaves: number])[] = [
  ['erinnen', 'er', 4],
  ['erin', 'er', 4],
  ['eaux', 'eau', 3],
  ['aux', 'al', 3],
  ['xes', 'x', 2],
  // Polish adjectives on «-owy», as opposed to nouns whose plural ends in «-ów»: «królowa» is not «król».
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
/** The least length of a word after its last vowels are removed. */
const MIN_LATIN_CHARS = 4;
const LATIN_VOWEL = /[aeiouy]$/;
/**
 * English doubles a consonant before these: «run», «running». Words that end in a double consonant themselves, such as
 * «fall», keep it.
 */
const DOUBLING = new Set(['ing', 'ed']);
const DOUBLED = /([bdgmnpt])\1$/;
/** Words that end in «f» and have «v» in the plural: English «wolf», «knife», «life», but not every «save». */
const F_OR_V = /(?<=wol|^el|[^s]el|hal|cal|thie|ea|oa|ar|oo|[nw]i|.li|^li(?=.e))[fv]e?$/;
/** Spanish «luz» and «luces», too short to lose their vowels; Portuguese «luzes». */
const SHORT_Z = /(?<=^[lpv](?:.(?=z$)|[iou]))ze?$/;
/** Spanish «actriz» and «actrices», but not every «prize» and «plaza». */
const Z_OR_C = /(?<=...[aeiou]|.[eu]|[ae]i)z$/;
const LATIN = /^[a-z]+$/;

const CYRILLIC_ENDINGS: readonly string[] = [
  ...['иями', 'ями', 'ами', 'ого', 'его', 'ому', 'ему', 'ыми', 'ими'],
  ...['ах', 'ях', 'ов', 'ев', 'ых', 'их', 'ым', 'им', 'ом', 'ем', 'ам', 'ям'],
];
const MIN_CYRILLIC_CHARS = 3;
const CYRILLIC_VOWEL = /[аеиоуыэюяйь]$/;
const CYRILLIC = /^\p{sc=Cyrillic}+$/u;

/** Vowel and nasal signs at the end of a word, and the glide between two of them. */
const DEVANAGARI_ENDING = /(?:[\u093e-\u094c\u0902\u0903]|(?<=\u093f)\u092f)$/;
const MIN_DEVANAGARI_CHARS = 2;
const DEVANAGARI = /^[\p{sc=Devanagari}]+$/u;

/** Applies `shorter` until it changes nothing. */
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

/** Unifies stems with two spellings before different endings: Italian «strega», «streghe», English «city», «cities». */
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

/** Katakana with a counterpart in hiragana. */
const KATAKANA = /[\u30a1-\u30f6\u30fd\u30fe]/gu;
const HIRAGANA_OFFSET = 0x60;

/**
 * Converts katakana to hiragana: «ガクセイ» and «がくせい» are the same word, as with upper and lower case.
 * @param word normalised by search-words.ts
 */
export function toHiragana(word: string): string {
  return word.replaceAll(KATAKANA, (sign) => String.fromCharCode(sign.charCodeAt(0) - HIRAGANA_OFFSET));
}

/**
 * Returns the stem that the forms of a word share: «witches» and «witch», «драконы» and «дракона». A word without a
 * shorter stem, or of a script that does not inflect, is returned unchanged.
 * @param word normalised by search-words.ts
 */
export function getStem(word: string): string {
  // Endings are removed before vowels: a part that looks like an ending once the vowels are gone is not one.
  if (LATIN.test(word))
    return normalizeSpelling(stripRepeatedly(stripRepeatedly(word, stripLatinEnding), stripLatinVowel));
  if (CYRILLIC.test(word))
    return stripRepeatedly(stripRepeatedly(word, stripCyrillicEnding), stripCyrillicVowel);
  if (DEVANAGARI.test(word)) return stripRepeatedly(word, stripDevanagariEnding);
  return word;
}
