import { inSigns, inWords, plainEntry, plainLetters } from './crisis-text.ts';
import { neededWords } from './crisis-needs.ts';
import { compiledEntries, type Words } from './crisis-words.ts';
import { indexOfNeeds, type NeedsIndex, NeedsTold } from './needs-told.ts';
import {
  CHINESE_URGING,
  HINDI_URGING,
  INDONESIAN_URGING,
  JAPANESE_URGING,
  POLISH_URGING,
  RUSSIAN_URGING,
} from './urging-words-east.ts';
import {
  ENGLISH_URGING,
  FRENCH_URGING,
  GERMAN_URGING,
  ITALIAN_URGING,
  PORTUGUESE_URGING,
  SPANISH_URGING,
} from './urging-words-west.ts';
import type { UrgingWords } from './urging-words.ts';

/**
 * Whether a text urges the one whom it speaks to to die or to hurt themself. Pure, and a list of words like the others:
 * what is only hinted at it misses.
 */

const LATIN = /[a-z]/;
/** Each list, and the letters without which it is not asked. */
const LISTS: readonly (readonly [UrgingWords, RegExp])[] = [
  [ENGLISH_URGING, LATIN],
  [SPANISH_URGING, LATIN],
  [FRENCH_URGING, LATIN],
  [GERMAN_URGING, LATIN],
  [ITALIAN_URGING, LATIN],
  [PORTUGUESE_URGING, LATIN],
  [POLISH_URGING, LATIN],
  [INDONESIAN_URGING, LATIN],
  [RUSSIAN_URGING, /\p{Script=Cyrillic}/u],
  [HINDI_URGING, /[a-z\p{Script=Devanagari}]/u],
  [JAPANESE_URGING, /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u],
  [CHINESE_URGING, /\p{Script=Han}/u],
];

type Shape = 'urged' | 'worthless' | 'nudge' | 'it' | 'made';
type Beside = 'kept' | 'idle' | 'egging' | 'help';
type Compiled = Readonly<Record<Shape, Words> & Record<Beside, RegExp>> & {
  signs: boolean;
  letters: RegExp;
};

/** Small words that deny: no gap of a shape may hold one, and none may stand before what eggs on. */
const DENIALS = 'not|dont|never|nicht|kein|no|nunca|non|pas|ne|não|не|nie|tidak|tak|jangan|bukan|नहीं|मत';

/** Up to four words that deny nothing, between words or behind one that may be left out. */
const withGaps = (entry: string): string =>
  entry
    .replaceAll(' .. ', `(?: (?!(?:${DENIALS}) )[^ .]+){0,4} `)
    .replaceAll(/(?<=\)[?*])\.\. /g, `(?:(?!(?:${DENIALS}) )[^ .]+ ){0,4}`);

/** Words that stand beside a shape, anywhere in what is looked through or, with `$`, at its end. */
function besideIn(entries: readonly string[], script: UrgingWords['script']): RegExp {
  const any = entries
    .map((entry) => plainEntry(entry).replaceAll(' .. ', '(?: [^ ]+){0,4} ').replaceAll('*', '[^ ]*'))
    .join('|');
  return new RegExp(script === 'words' ? ` (?:${any})(?= |$)` : `(?:${any})`, 'u');
}

let compiled: readonly Compiled[] | null = null;

const lists = (): readonly Compiled[] =>
  (compiled ??= LISTS.map(([words, letters]) => {
    const shape = (kind: Shape) => compiledEntries(words[kind].map(withGaps), words.script);
    const beside = (kind: Beside) => besideIn(words[kind], words.script);
    return {
      signs: words.script === 'signs',
      letters,
      urged: shape('urged'),
      worthless: shape('worthless'),
      nudge: shape('nudge'),
      it: shape('it'),
      made: shape('made'),
      kept: beside('kept'),
      idle: beside('idle'),
      egging: beside('egging'),
      help: beside('help'),
    };
  }));

let index: NeedsIndex | null = null;

/** What no text urges without, where no crisis is open, in the languages that part words by blanks. */
function neededIndex(): NeedsIndex {
  if (index !== null) return index;
  const entries = LISTS.flatMap(([words]) =>
    words.script === 'words' ? [...words.urged, ...words.worthless].map(withGaps) : [],
  );
  index = indexOfNeeds(neededWords(plainEntry(entries.map((entry) => entry.trim()).join('\n')).split('\n')));
  return index;
}

/** Letters of the languages that do not: their lists are asked of whatever is written in them. */
const SIGNS = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u;

/**
 * The same as `urgingIn` for a text that grows, where no crisis is open: what has none of the words that urging needs is
 * not looked through again with each new one.
 * @param reach in UTF-16 units: at most so much of the text is shown before what is new
 */
export function growingUrging(reach: number): (text: string, fresh: number) => boolean {
  const needs = new NeedsTold(neededIndex(), reach);
  return (text, fresh) =>
    (needs.takes(text, fresh) || SIGNS.test(text)) && urgingIn(text, { open: false, whole: false });
}

/** So much of a sentence before a shape says whether it is meant: words, or signs. */
const WORDS_BEFORE = 6;
const SIGNS_BEFORE = 10;
/** Behind a shape, where a language denies at the end. */
const DENIED_BEHIND =
  /^[^.]{0,8}(?:なんて|わけ(?:が|では|じゃ)|本当では|うそ|ないで|不是真|不是事实|是假的|并非|不对)/u;
const DENIED_NEAR = new RegExp(` (?:${plainEntry(DENIALS)})(?= |$)`, 'u');
const DENIED_BEFORE = new RegExp(` (?:${plainEntry(DENIALS)})$`, 'u');

interface Where {
  list: Compiled;
  /** Whether the person may need help: then hardly anything excuses it. */
  open: boolean;
}

/** Whether a shape stands in a text and is meant. @param text plain, with a lone dot before and behind each sentence */
function isMeant(words: Words, text: string, { list, open }: Where, needsNoHelp = false): boolean {
  const shape = words(text);
  for (let match = shape.exec(text); match !== null; match = shape.exec(text)) {
    const at = match.index + (match[0].startsWith(' ') ? 1 : 0);
    // What begins with a sentence has nothing of it before.
    const sentence = text[at] === '.' ? '' : (text.slice(0, at).split('.').at(-1) ?? '');
    const before = list.signs
      ? sentence.slice(-SIGNS_BEFORE)
      : ` ${sentence.trim().split(' ').slice(-WORDS_BEFORE).join(' ')}`;
    const isDenied = list.signs && DENIED_BEHIND.test(text.slice(at + match[0].length));
    const isKept = isDenied || list.kept.test(before) || (!open && list.idle.test(before));
    if (
      (!isKept || (!isDenied && isEgged(before, list))) &&
      !(needsNoHelp && offersHelp(text, match.index, list))
    )
      return true;
    // Of overlapping ones the next may begin within this.
    shape.lastIndex = match.index + 1;
  }
  return false;
}

/** Whether what stands before a shape makes urging of a denial; «I do not want you to» does not. */
function isEgged(before: string, { egging }: Compiled): boolean {
  const egg = egging.exec(before);
  return egg !== null && !DENIED_BEFORE.test(before.slice(0, egg.index));
}

/** In UTF-16 units: a call for help and «do it now» stand so near to each other. */
const HELP_AROUND = 90;

function offersHelp(text: string, at: number, list: Compiled): boolean {
  const around = text.slice(Math.max(0, at - HELP_AROUND), at + HELP_AROUND);
  return list.help.test(around);
}

/** In UTF-16 units: nothing that is urged once needs more to be seen. */
const READ_AT_MOST = 20_000;

/**
 * @param about.open whether the person may need help: then every nudge counts
 * @param about.whole whether the text has come to its end, or to one of a sentence; a word that is still being said may
 *   become another one
 */
export function urgingIn(text: string, { open, whole }: { open: boolean; whole: boolean }): boolean {
  const read = text.slice(-READ_AT_MOST);
  const isOver = whole || /[.!?…。！？।\n"'»”*]\s*$/u.test(read);
  // What one of a scene says in one paragraph, and another one in the next, is nobody's urging.
  if (!open) return read.split('\n').some((line) => urgesIn(line, { open, isOver }));
  // What is done and what is quoted are sentences of their own, however they are written.
  return (
    urgesIn(read, { open, isOver }) ||
    (read.search(QUOTES) !== -1 && urgesIn(read.replaceAll(QUOTES, ' . '), { open, isOver }))
  );
}

const QUOTES = /["“”„«»「」『』*]/g;

function urgesIn(text: string, { open, isOver }: { open: boolean; isOver: boolean }): boolean {
  const words = ended(inWords(plainLetters(text)), isOver);
  let signs: string | null = null;
  return lists().some((list) => {
    if (!list.letters.test(words)) return false;
    const read = list.signs ? (signs ??= inSigns(words)) : words;
    const where = { list, open };
    const means = (shape: Words) => isMeant(shape, read, where);
    const nudges = () => means(list.nudge) || isMeant(list.it, read, where, true);
    return (
      means(list.urged) || (open ? means(list.worthless) || nudges() : means(list.worthless) && nudges())
    );
  });
}

/** Each sentence between dots of its own; the last one has one where it is over. */
const ended = (words: string, whole: boolean): string => ` .${words.replace(/ \. $/, whole ? ' . ' : ' ')}`;

/** Of a definition only a denial right before it counts: somebody else does all that is told there. */
function isDesigned({ made, signs }: Compiled, text: string): boolean {
  for (const match of text.matchAll(made(text))) {
    const before =
      text
        .slice(Math.max(0, match.index - 40), match.index)
        .split('.')
        .at(-1) ?? '';
    if (!(signs ? /[不没别]|ない/ : DENIED_NEAR).test(before)) return true;
  }
  return false;
}

/** Whether a character is made to urge the person it talks with; the lines that it says are looked at as replies are. */
export function madeToUrge(definition: string): boolean {
  const words = inWords(plainLetters(definition.replaceAll(/\{\{user\}\}/gi, ' user ').slice(0, 200_000)));
  let signs: string | null = null;
  return lists().some((list) => {
    if (!list.letters.test(words)) return false;
    const read = list.signs ? (signs ??= inSigns(words)) : words;
    return isDesigned(list, read);
  });
}
