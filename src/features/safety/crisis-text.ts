import { isWestern } from './western-signs.ts';

/**
 * A text as the word lists read it: plain letters, single blanks, and a lone dot where a sentence ends. Spellings that
 * mean the same become one, whether they come from haste, from a keyboard without accents, or from filters elsewhere.
 */

const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss', ё: 'е', ł: 'l', œ: 'oe', æ: 'ae', ø: 'o', ı: 'i', 'ँ': 'ं',
}; // prettier-ignore

/** Digits and marks that stand for a letter inside a word. */
const FOR_LETTERS: Readonly<Record<string, string>> = {
  '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', $: 's', '!': 'i', '|': 'l',
}; // prettier-ignore

/** Words that people write with stars for letters. */
const STARRED: readonly (readonly [RegExp, string])[] = [
  [/(?<![a-z])k[*#]+l/g, 'kill'],
  [/(?<![a-z])su?[*#]+(?:c|ic)?[*#]?ide/g, 'suicide'],
  [/(?<![a-z])d[*#]e(?![a-z])/g, 'die'],
];

/** Traditional signs that the lists use, and their simplified ones. */
const SIMPLIFIED = new Map(
  [
    '殺杀結结輕轻遺遗書书樓楼臥卧軌轨藥药傷伤殘残劃划們们學学帶带開开槍枪媽妈鄰邻認认計计師师覺觉燒烧燙烫為为沒没無无',
    '個个這这過过還还來来說说讓让麼么樣样應应該该買买會会離离對对間间繩绳體体點点醫医關关氣气動动發发誰谁斷断見见',
    '臉脸尷尴髮发臂臂給给幫帮準准備备戲戏劇剧從从爾尔捅捅單单場场廢废壞坏歲岁愛爱實实話话講讲讀读寫写問问題题',
  ]
    .join('')
    .match(/../gu)
    ?.map((pair) => [pair[0] ?? '', pair[1] ?? '']),
);

const KATAKANA_TO_HIRAGANA = 0x60;

function letters(text: string): string {
  // Some of them are no letters' marks any more once they are made alike.
  const together = text.replace(/(?<=\p{L})['’‘ʼ`´](?=\p{L})/gu, '');
  return isWestern(together) ? together.toLowerCase() : alike(together);
}

const alike = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\u200b-\u200f\u2060\ufeff\u00ad\u093c]/g, '')
    .replace(/[ßёłœæøıँ]/g, (letter) => PLAIN_LETTERS[letter] ?? letter)
    .normalize('NFD')
    .replace(/([a-z])[\u0300-\u036f]+/g, '$1')
    .replace(/\u093c/g, '')
    .normalize('NFC')
    .replace(/[\u30a1-\u30f6]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - KATAKANA_TO_HIRAGANA))
    .replace(/\p{Script=Han}/gu, (sign) => SIMPLIFIED.get(sign) ?? sign);

/** "kiiiill" and "kill" are one word; a list's own words are made alike, so that they still meet. */
const once = (text: string): string => text.replace(/([\p{Script=Latin}\p{Script=Cyrillic}])\1+/gu, '$1');

/** The letters of a word list's entry, made alike with those of a text; its other signs are left. */
export const plainEntry = (entry: string): string => once(letters(entry));

/** The letters of a text with what stood for some of them put right; its marks are left. */
export function plainLetters(text: string): string {
  let plain = letters(text);
  for (const [starred, word] of STARRED) plain = plain.replace(starred, word);
  return plain
    .replace(/(?<=[a-z])[013457@$!|](?=[a-z])/g, (sign) => FOR_LETTERS[sign] ?? sign)
    .replace(/(?<![\p{L}\p{M}\p{N}])(?:[a-z][ .\-_]){2,}[a-z](?![\p{L}\p{N}])/gu, (spread) =>
      spread.replace(/[ .\-_]/g, ''),
    );
}

/**
 * A text whose letters fit into one byte each, kept so: what is left of accents leaves it in two, for which every list
 * would be made a second time.
 */
const narrow = (text: string): string => (/^[ -ÿ]*$/.test(text) ? text.split('').join('') : text);

/** Words between blanks, with " . " where a sentence ends. */
export const inWords = (plain: string): string =>
  narrow(
    ` ${once(plain)
      .replace(/[.!?…。\n;।]+/g, ' . ')
      .replace(/[^\p{L}\p{M}\p{N}ー.]+/gu, ' ')
      .trim()} . `,
  );

/** The same for scripts without blanks. */
export const inSigns = (words: string): string => words.replaceAll(' ', '');
