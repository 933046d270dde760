import { memoizeLru } from '../../../lib/memoize-lru.ts';

import {
  buildCharacterSection,
  DEFAULT_USER_NAME,
  type MacroNames,
  buildPointOfViewSection,
  type PromptTask,
  buildCrisisSection,
  buildSafetySection,
  buildStyleSection,
  buildTaskSection,
} from '../prompt/prompt-sections.ts';
import { escapeName } from '../../model/prompt-escape.ts';

/**
 * Detects replies that reveal the system prompt, so that a model which is talked into reciting its instructions is
 * stopped after a few words. Only the product's own texts count; user texts such as a character's traits may be quoted in a
 * reply. Thinking, in which models repeat whole paragraphs of their prompt, is also compared with the definition. Pure. A reply in another language or in a cipher is not recognised.
 *
 * There are two checks. The first compares letters alone: a long unbroken run of the prompt's letters is a leak; blanks,
 * punctuation and digits between them are ignored. The second compares words in order, with other words inserted and some
 * omitted: each word of the prompt adds its letters to a score, each inserted or omitted word subtracts a cost.
 */

/** In letters: 80 characters of the prompt's text contain at least this many. Ordinary phrases are shorter. */
export const MAX_LEAKED_LETTERS = 52;
/** In letters, minus the costs of inserted and omitted words. Ordinary sentences that resemble a prompt score lower. */
const MAX_ORDERED_SCORE = 54;
/** In letters: the cost of a word inserted between the prompt's words, and of an omitted word of the prompt. */
const INSERTED_WORD_COST = 2.5;
const OMITTED_WORD_COST = 2.5;

/** Digits and signs that are written in place of letters. */
const LEET_LETTERS: Readonly<Record<string, string>> = {
  '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '8': 'b', '@': 'a', $: 's',
}; // prettier-ignore

/** Text that Unicode normalisation does not change: ASCII with typographic dashes and quotation marks. */
const ASCII = /^[\u0000-\u007f\u2013\u2014\u2018\u2019\u201c\u201d]*$/; // oxlint-disable-line no-control-regex -- ASCII has them

const LEET_SIGN = /[0134578@$\uff10-\uff19]/;

const foldText = (text: string): string => (ASCII.test(text) ? text : text.normalize('NFKD')).toLowerCase();

/** Most tokens of a reply: a lower-case word, with the blank before it. */
const PLAIN_WORD = /^ ?[a-z]+$/;

/** Returns only the letters of a text: without case, accents, blanks, punctuation and digits. */
export const extractLetters = (text: string): string =>
  PLAIN_WORD.test(text) ? text.trimStart() : foldText(text).replaceAll(/[^\p{L}]+/gu, '');

/** The same, with digits and signs replaced by the letters that they imitate. */
const extractLeetLetters = (text: string): string =>
  foldText(text)
    .replaceAll(/[0134578@$]/g, (sign) => LEET_LETTERS[sign] ?? sign)
    .replaceAll(/[^\p{L}]+/gu, '');

/** Words that contain a letter; digits in them are replaced by the letters that they imitate. */
function extractWords(text: string): string[] {
  if (text === '') return [];
  return (foldText(text).match(WORD) ?? []).flatMap((word) => {
    if (/^[a-z]+$/.test(word)) return [word];
    return /\p{L}/u.test(word) ? [extractLeetLetters(word)] : [];
  });
}

/** A word, and a word at the end of the text that may be incomplete. */
const WORD = /[\p{L}\p{M}\p{N}@$'’]+/gu;
const LAST_WORD = /(?<![\p{L}\p{M}\p{N}@$'’])[\p{L}\p{M}\p{N}@$'’]+$/u;
const ASCII_WORD_SIGN = /[a-zA-Z0-9@$']/;

/** The word at the end of a text; '' if there is none. Reads backwards, because an expression begins at every sign. */
function findLastWord(text: string): string {
  let from = text.length;
  while (from > 0 && ASCII_WORD_SIGN.test(text[from - 1] as string)) from -= 1;
  if (from > 0 && text.charCodeAt(from - 1) > 0x7f) return LAST_WORD.exec(text)?.[0] ?? '';
  return text.slice(from);
}

/** Lines that ask the character to speak to a user in need. A reply may use the same words. */
const QUOTABLE_LINE = /^(?:If the person seems to speak|Say that you have read it|Ask them to call)/;

const TASKS: readonly PromptTask[] = [
  { kind: 'reply' },
  { kind: 'continue', replyId: '', text: '' },
  { kind: 'draft' },
  { kind: 'suggestions' },
];

/** Separates texts; it is not a letter, so no run of letters crosses it. */
const TEXT_END = '\n';

/** The searchable form of a prompt's own texts. */
export interface PromptFingerprint {
  letters: string;
  leet: string;
  /** The positions of each word in order, counted from 1. */
  places: ReadonlyMap<string, readonly number[]>;
  /** By position, 1 where one text ends and the next begins. */
  ends: Uint8Array;
}

/**
 * About the number of conversations in which one isolate writes replies at the same time; an entry takes some kilobytes.
 */
const MAX_CACHED = 32;
const getCached = memoizeLru(MAX_CACHED, (key) => buildFingerprint(JSON.parse(key) as MacroNames));

/** Returns the fingerprint of all texts that a prompt with these names may contain. Cached. */
export const getPromptFingerprint = ({ user, char }: MacroNames): PromptFingerprint =>
  getCached(JSON.stringify({ user, char }));

/** By the parts of a definition, which are the same from turn to turn. */
const joinedParts = new WeakMap<readonly { text: string }[], Pick<PromptFingerprint, 'letters' | 'leet'>>();

/** Adds the parts of a definition to a fingerprint: a long unbroken run of their letters is a leak, too. */
export function addParts(own: PromptFingerprint, parts: readonly { text: string }[]): PromptFingerprint {
  const join = (extract: (text: string) => string) =>
    parts
      .map(({ text }) => extract(text))
      .filter((part) => part.length >= MAX_LEAKED_LETTERS)
      .join(TEXT_END);
  const joined = joinedParts.get(parts) ?? { letters: join(extractLetters), leet: join(extractLeetLetters) };
  joinedParts.set(parts, joined);
  return {
    ...own,
    letters: `${own.letters}${TEXT_END}${joined.letters}`,
    leet: `${own.leet}${TEXT_END}${joined.leet}`,
  };
}

function buildFingerprint({ user, char }: MacroNames): PromptFingerprint {
  const names = { user: escapeName(user) || DEFAULT_USER_NAME, char: escapeName(char) };
  const emptyCharacter = { name: '', oneliner: '', characterTraits: '', firstMessage: '' };
  const texts = [
    ...(['normal', 'multiPeople', 'rpg', 'reverse'] as const).flatMap((pointOfView) => [
      buildPointOfViewSection(pointOfView, names),
      ...TASKS.map((task) =>
        buildCharacterSection({ ...emptyCharacter, pointOfView }, names, task, () => ''),
      ),
    ]),
    ...TASKS.map(buildStyleSection),
    ...(['general', 'adult'] as const).map((rating) => buildSafetySection(rating)),
    ...(['suicide', 'self_harm', 'harm_to_others'] as const).flatMap((kind) =>
      TASKS.map((task) => buildCrisisSection(kind, names, task)),
    ),
    ...TASKS.flatMap((task) => (task.kind === 'reply' ? [] : buildTaskSection(task, names))),
  ];
  // The texts share most of their lines, so process each distinct line once.
  const lines = [...new Set(texts.flatMap((text) => text.split('\n')))].map((line) => {
    const letters = QUOTABLE_LINE.test(line) ? TEXT_END : extractLetters(line);
    const leet = letters !== TEXT_END && LEET_SIGN.test(line) ? extractLeetLetters(line) : letters;
    return { line, letters, leet };
  });
  const known = new Map(lines.map((line) => [line.line, line]));
  const joinRuns = (as: 'letters' | 'leet') => {
    const parts = texts.flatMap((text) =>
      text
        .split('\n')
        .map((line) => known.get(line)?.[as] ?? '')
        .join('')
        .split(TEXT_END),
    );
    return [...new Set(parts)].filter((part) => part.length >= MAX_LEAKED_LETTERS).join(TEXT_END);
  };
  // These two sections follow each other in a prompt.
  const together = `${buildStyleSection({ kind: 'reply' })}\n${buildSafetySection('general')}`;
  const order = orderNeighbours([together, ...texts].map((text) => text.split('\n'))).flatMap((line) =>
    line === '' || QUOTABLE_LINE.test(line) ? [''] : extractWords(line),
  );
  const places = new Map<string, number[]>();
  const ends = new Uint8Array(order.length + 2);
  ends[order.length + 1] = 1;
  for (const [index, word] of order.entries()) {
    if (word === '') ends[index + 1] = 1;
    else if (places.has(word)) places.get(word)?.push(index + 1);
    else places.set(word, [index + 1]);
  }
  return { letters: joinRuns('letters'), leet: joinRuns('leet'), places, ends };
}

/**
 * Lists every pair of neighbouring lines once, because a model that recites its prompt continues from one line to the
 * next. Empty strings separate texts.
 */
function orderNeighbours(texts: readonly (readonly string[])[]): string[] {
  const seen = new Set<string>();
  const out: string[] = [];
  for (const text of texts) {
    const lines = text.filter((line) => line !== '');
    out.push('');
    let isLast = false;
    for (const [at, line] of lines.entries()) {
      const before = at === 0 ? '' : (lines[at - 1] as string);
      const pair = `${before}\n${line}`;
      const isNew = !seen.has(pair);
      seen.add(pair);
      if (isNew && !isLast && before !== '') out.push('', before);
      if (isNew) out.push(line);
      isLast = isNew;
    }
  }
  return out;
}

/** Reads a reply as it is streamed and detects when it has revealed too much of the prompt. */
export class PromptLeakDetector {
  readonly #fingerprint: PromptFingerprint;
  readonly #letters: RunSearch;
  readonly #leet: RunSearch;
  /** The end of the text so far, which may be an incomplete word. */
  #open = '';
  /** Whether no digit or sign imitated a letter so far; then `#letters` and `#leet` read the same. */
  #isPlain = true;
  /** The score of the best match that ends at each position of the prompt; only positive scores are stored. */
  #scores: OrderedScores = { places: [], scores: [] };
  #before: OrderedScores = { places: [], scores: [] };

  constructor(own: PromptFingerprint) {
    this.#fingerprint = own;
    this.#letters = new RunSearch(own.letters);
    this.#leet = new RunSearch(own.leet);
  }

  /** Returns whether the reply, continued by this text, has revealed too much. */
  isLeak(text: string): boolean {
    const fresh = extractLetters(text);
    return this.#letters.read(fresh) || this.#isLeetLeak(text, fresh) || this.#isOrderedLeak(text);
  }

  /** @param fresh the letters of the text */
  #isLeetLeak(text: string, fresh: string): boolean {
    if (this.#isPlain && !LEET_SIGN.test(text)) {
      // Without such signs the two forms are equal, and `#letters` was compared already.
      this.#leet.skip(fresh);
      return false;
    }
    this.#isPlain = false;
    return this.#leet.read(PLAIN_WORD.test(text) ? fresh : extractLeetLetters(text));
  }

  #isOrderedLeak(text: string): boolean {
    const read = this.#open + text;
    // Longer than any word; the cap bounds the cost of a word that never ends.
    this.#open = findLastWord(read.slice(-MAX_WORD_CHARS)).slice(-MAX_WORD_CHARS + 1);
    const whole = read.slice(0, read.length - this.#open.length);
    for (const word of extractWords(whole)) if (this.#scoreWord(word) >= MAX_ORDERED_SCORE) return true;
    return false;
  }

  /** Updates the scores with one word. @returns the highest score of a match that ends at this word */
  #scoreWord(word: string): number {
    const { ends } = this.#fingerprint;
    const spots = this.#fingerprint.places.get(word) ?? NO_PLACES;
    const before = this.#scores;
    const now = this.#before;
    now.places.length = 0;
    now.scores.length = 0;
    let [most, spot, cell, last, carried] = [0, 0, 0, 0, 0];
    for (;;) {
      const spotAt = spots[spot] ?? Infinity;
      const cellAt = before.places[cell] ?? Infinity;
      const at = Math.min(spotAt, cellAt, carried > 0 ? last + 1 : Infinity);
      if (at === Infinity) break;
      if (ends[at] === 1) {
        carried = 0;
        continue;
      }
      let score = last === at - 1 ? carried : 0;
      if (at === spotAt) {
        const isNext = before.places[cell - 1] === at - 1;
        score = Math.max(score, word.length + (isNext ? (before.scores[cell - 1] as number) : 0));
        spot += 1;
      }
      if (at === cellAt) {
        score = Math.max(score, (before.scores[cell] as number) - INSERTED_WORD_COST);
        cell += 1;
      }
      last = at;
      carried = score - OMITTED_WORD_COST;
      if (score <= 0) continue;
      now.places.push(at);
      now.scores.push(score);
      if (score > most) most = score;
    }
    this.#scores = now;
    this.#before = before;
    return most;
  }
}

/** Positions in ascending order and their scores. */
interface OrderedScores {
  places: number[];
  scores: number[];
}

const NO_PLACES: readonly number[] = [];

/** In UTF-16 units. */
const MAX_WORD_CHARS = 60;

/** This many letters are a piece that ordinary texts hardly ever share with the prompt. */
const PIECE_LETTERS = MAX_LEAKED_LETTERS / 2;

/** Searches a growing text for a run of the prompt's letters that is too long. */
class RunSearch {
  readonly #own: string;
  /** The end of the letters read so far. */
  #letters = '';
  /** How many of the next letters cannot complete a run. */
  #clear = 0;

  /** @param own the prompt's letters */
  constructor(own: string) {
    this.#own = own;
  }

  /** Adds letters and returns whether one of them completes a run. */
  read(fresh: string): boolean {
    const letters = this.#letters + fresh;
    let end = Math.max(MAX_LEAKED_LETTERS, this.#letters.length + this.#clear + 1);
    let isFound = false;
    while (end <= letters.length && !isFound) {
      // A piece that the prompt does not have rules out every run that contains it: those that end up to a piece later.
      if (!this.#own.includes(letters.slice(end - PIECE_LETTERS, end))) end += PIECE_LETTERS + 1;
      else if (this.#own.includes(letters.slice(end - MAX_LEAKED_LETTERS, end))) isFound = true;
      else end += 1;
    }
    this.#clear = Math.max(0, end - letters.length - 1);
    this.#letters = letters.slice(-MAX_LEAKED_LETTERS);
    return isFound;
  }

  /** Adds letters that cannot complete a run. */
  skip(fresh: string): void {
    this.#clear = Math.max(0, this.#clear - fresh.length);
    this.#letters = (this.#letters + fresh).slice(-MAX_LEAKED_LETTERS);
  }
}
