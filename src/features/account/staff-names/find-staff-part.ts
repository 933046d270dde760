import { normalizeLetter, normalizeLetters } from './normalize-letters.ts';
import {
  FILLER_WORDS,
  HAN_EXCEPTIONS,
  HAN_TITLES,
  SITE_NAME,
  STAFF_NAMES,
  STAFF_TITLES,
} from './staff-words.ts';

/**
 * A character of a name with its folded forms: capitals look like other letters than small ones (В like B), and some small
 * letters look like a small capital (т like T).
 */
interface Sign {
  text: string;
  folded: readonly [asWritten: string, lowerCase: string, upperCase: string];
}

/** Which form of a sign is compared. */
type Form = 0 | 1 | 2;
const FORMS: readonly Form[] = [0, 1, 2];

const LETTER = /[\p{L}\p{M}\p{N}]/u;
const DIGIT = /^\p{N}$/u;
const HAN = /^\p{sc=Han}$/u;
const KATAKANA = /^[\p{sc=Katakana}ー]$/u;
/** Letters of a name that are written one by one, like «a d m i n». */
const MIN_SPELLED_LETTERS = 3;

/** The folded words; built at the first use. */
let folded: {
  titles: Set<string>;
  all: Set<string>;
  han: string[];
  exceptions: string[];
  site: string;
} | null = null;

function loadFoldedWords() {
  const fold = (words: readonly string[]) => words.map((word) => normalizeLetters(word.toLowerCase()));
  folded ??= {
    titles: new Set(fold(STAFF_TITLES)),
    all: new Set(fold([...STAFF_TITLES, ...STAFF_NAMES, ...FILLER_WORDS])),
    han: fold(HAN_TITLES),
    exceptions: fold(HAN_EXCEPTIONS),
    site: normalizeLetters(SITE_NAME.toLowerCase()),
  };
  return folded;
}

/** Whether a folded text is a sequence of words. */
function isMadeOf(text: string, words: ReadonlySet<string>): boolean {
  const ends = [0];
  for (let end = 1; end <= text.length; end += 1) {
    if (ends.some((start) => words.has(text.slice(start, end)))) ends.push(end);
  }
  return text !== '' && ends.at(-1) === text.length;
}

/** Whether a folded text is a sequence of words, one of them a title. */
function hasTitle(text: string): boolean {
  const { titles, all } = loadFoldedWords();
  if (!isMadeOf(text, all)) return false;
  return [...titles].some((title) => {
    const at = text.indexOf(title);
    const [before, after] = [text.slice(0, at), text.slice(at + title.length)];
    return at !== -1 && [before, after].every((rest) => rest === '' || isMadeOf(rest, all));
  });
}

const join = (signs: readonly Sign[], form: Form): string => signs.map((sign) => sign.folded[form]).join('');
const getText = (signs: readonly Sign[]): string => signs.map(({ text }) => text).join('');
const isEveryFormFree = (signs: readonly Sign[], matches: (text: string) => boolean): boolean =>
  !FORMS.some((form) => matches(join(signs, form)));

/** The writing systems that separate words from each other by themselves. */
function getScript({ text, folded: [form] }: Sign): 'han' | 'katakana' | 'other' {
  // 〇 is Han and looks like an O.
  if (HAN.test(form)) return 'han';
  return KATAKANA.test(text) ? 'katakana' : 'other';
}

/** Splits signs where two neighbours belong to different parts. */
function splitSigns(signs: readonly Sign[], isBoundary: (before: Sign, after: Sign) => boolean): Sign[][] {
  const parts: Sign[][] = [];
  signs.forEach((sign, index) => {
    const before = signs[index - 1];
    if (before === undefined || isBoundary(before, sign)) parts.push([sign]);
    else parts.at(-1)?.push(sign);
  });
  return parts;
}

const isLetter = ({ folded: [form] }: Sign): boolean => form === '' || LETTER.test(form);

/** Splits a name at everything that is no letter, and where the writing system changes. */
const splitWords = (signs: readonly Sign[]): Sign[][] =>
  splitSigns(
    signs,
    (before, after) => isLetter(before) !== isLetter(after) || getScript(before) !== getScript(after),
  ).filter(([first]) => first !== undefined && isLetter(first));

/** Returns a word without the digits around it; a word of digits stays, because they may stand for letters. */
function trimDigits(word: Sign[]): Sign[] {
  const start = word.findIndex(({ text }) => !DIGIT.test(text));
  const end = word.findLastIndex(({ text }) => !DIGIT.test(text));
  return start === -1 ? word : word.slice(start, end + 1);
}

/** Returns a word with and without the digits around it, and its parts as in «SiteAdmin». */
function listReadings(word: Sign[]): Sign[][] {
  const humps = splitSigns(
    word,
    (before, after) => /^\p{Ll}$/u.test(before.text) && /^\p{Lu}$/u.test(after.text),
  );
  return [word, trimDigits(word), ...humps];
}

/** Joins letters that are written one by one. */
function listSpelledWords(words: readonly Sign[][]): Sign[][] {
  const runs: Sign[][] = [[]];
  for (const word of words.map(trimDigits)) {
    if (word.length === 1) runs.at(-1)?.push(...word);
    else runs.push([]);
  }
  return runs.filter(({ length }) => length >= MIN_SPELLED_LETTERS);
}

function findHanTitle(word: readonly Sign[]): Sign[] | null {
  const { han, exceptions } = loadFoldedWords();
  const text = exceptions.reduce((rest, one) => rest.replaceAll(one, ' '.repeat(one.length)), join(word, 0));
  const title = han.find((one) => text.includes(one));
  return title === undefined ? null : [...word];
}

/**
 * Returns the part of a name that would make others believe that the person belongs to the site's staff; null if there is
 * none. Look-alike letters, capitals, accents, digits for letters, and signs between letters do not hide it.
 */
export function findStaffPart(name: string): string | null {
  const signs = [...name.normalize('NFC')].map((text): Sign => ({
    text,
    folded: [
      normalizeLetter(text),
      normalizeLetters(text.toLowerCase()),
      normalizeLetters(text.toUpperCase()),
    ],
  }));
  const { all, site } = loadFoldedWords();
  const letters = signs.filter(isLetter);
  const words = splitWords(signs);
  const hasSiteName = (part: readonly Sign[]) => !isEveryFormFree(part, (text) => text.includes(site));
  if (hasSiteName(letters)) return getText(words.find(hasSiteName) ?? signs);
  for (const word of words) {
    const [first] = word;
    const titled =
      first !== undefined && getScript(first) === 'han'
        ? findHanTitle(word)
        : listReadings(word).find((part) => !isEveryFormFree(part, hasTitle));
    if (titled) return getText(titled);
  }
  if (listSpelledWords(words).some((part) => !isEveryFormFree(part, hasTitle))) return name;
  return isEveryFormFree(letters, (text) => isMadeOf(text, all) && !isFiller(text)) ? null : name;
}

/** Whether a folded text consists of words that alone do not make a name look like staff. */
const isFiller = (text: string): boolean =>
  isMadeOf(text, new Set(FILLER_WORDS.map((word) => normalizeLetters(word))));
