import { memoizeLru } from '../../../lib/memoize-lru.ts';

import {
  buildCharacterSection,
  DEFAULT_USER_NAME,
  type MacroNames,
  buildPointOfViewSection,
  type PromptTask,
  buildSafetySection,
  buildStyleSection,
  buildTaskSection,
} from '../prompt/prompt-sections.ts';
import { escapeName } from '../../model/prompt-escape.ts';

/**
 * The words of a prompt that are the product's own, as a reply is compared with them: a model that is talked into telling
 * its instructions gets no further than a few words. What people wrote, such as a character's traits, is theirs to be
 * quoted. Pure; a reply in another language or in a code of its own is not recognised.
 *
 * It is looked for in two ways. By its letters alone: so many of them in one piece, whatever their blanks, marks and
 * digits. And by its words in their order, with others between them and some left out: each word of the prompt brings its
 * letters, each other one takes some away.
 */

/** In letters, for 80 characters as they are written hold at least as many. A phrase of a story is shorter. */
export const MAX_LEAKED_LETTERS = 52;
/** In letters, less what other words between them took away. Sayings of a story that are like a prompt stay below. */
const MAX_ORDERED_SCORE = 54;
/** In letters: what another word in between takes away, and a word of the prompt that is left out. */
const INSERTED_WORD_COST = 2.5;
const OMITTED_WORD_COST = 2.5;

/** Digits and marks that people write for letters. */
const LEET_LETTERS: Readonly<Record<string, string>> = {
  '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '8': 'b', '@': 'a', $: 's',
}; // prettier-ignore

/** Text that no form of Unicode changes, with the dashes and quotation marks of print. */
const ASCII = /^[\u0000-\u007f\u2013\u2014\u2018\u2019\u201c\u201d]*$/; // oxlint-disable-line no-control-regex -- ASCII has them

const LEET_SIGN = /[0134578@$\uff10-\uff19]/;

const foldText = (text: string): string => (ASCII.test(text) ? text : text.normalize('NFKD')).toLowerCase();

/** Of a text what stays whatever is done to its looks: no case, accents, blanks, marks or numbers. */
export const extractLetters = (text: string): string => foldText(text).replaceAll(/[^\p{L}]+/gu, '');

/** The same, with digits for the letters that they are written for. */
const extractLeetLetters = (text: string): string =>
  foldText(text)
    .replaceAll(/[0134578@$]/g, (sign) => LEET_LETTERS[sign] ?? sign)
    .replaceAll(/[^\p{L}]+/gu, '');

/** Words with a letter in them; digits in a word stand for letters. */
const extractWords = (text: string): string[] =>
  (foldText(text).match(WORD) ?? []).flatMap((word) => {
    if (/^[a-z]+$/.test(word)) return [word];
    return /\p{L}/u.test(word) ? [extractLeetLetters(word)] : [];
  });

/** A word, and one that may still be going on. */
const WORD = /[\p{L}\p{M}\p{N}@$'’]+/gu;
const LAST_WORD = /[\p{L}\p{M}\p{N}@$'’]+$/u;

/** What a character is asked to say to somebody in need: they may say it in the same words. */
const QUOTABLE_LINE = /^(?:If the person seems to speak|Say that you have read it|Ask them to call)/;

const TASKS: readonly PromptTask[] = [
  { kind: 'reply' },
  { kind: 'continue', text: '' },
  { kind: 'draft' },
  { kind: 'suggestions' },
];

/** Where one text ends and the next begins; no letter is like it. */
const TEXT_END = '\n';

/** What of a prompt no reply may tell. */
export interface PromptFingerprint {
  letters: string;
  leet: string;
  /** Where each word stands: its places in their order, counted from 1. */
  places: ReadonlyMap<string, readonly number[]>;
  /** By place, whether one text ends there and the next begins. */
  ends: Uint8Array;
}

/** As many as stories are written in at once, in one place; each takes about as much as a page. */
const MAX_CACHED = 32;
const getCached = memoizeLru(MAX_CACHED, (key) => buildFingerprint(JSON.parse(key) as MacroNames));

/** All that a prompt of this story may say of its own. */
export const getPromptFingerprint = ({ user, char }: MacroNames): PromptFingerprint =>
  getCached(JSON.stringify({ user, char }));

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
    ...(['general', 'adult'] as const).map((rating) => buildSafetySection(rating, null, names)),
    ...(['suicide', 'self_harm', 'harm_to_others'] as const).flatMap((kind) =>
      TASKS.map((task) => buildSafetySection('general', kind, names, task)),
    ),
    ...TASKS.map((task) => buildTaskSection(task, names) ?? ''),
  ];
  // The texts have most of their lines in common.
  const lines = [...new Set(texts.flatMap((text) => text.split('\n')))].map((line) => ({
    line,
    letters: QUOTABLE_LINE.test(line) ? TEXT_END : extractLetters(line),
    leet: QUOTABLE_LINE.test(line) ? TEXT_END : extractLeetLetters(line),
  }));
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
  // In a prompt these stand together.
  const together = `${buildStyleSection({ kind: 'reply' })}\n${buildSafetySection('general', null, names)}`;
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

/** Each line once beside each of its neighbours, for who recites goes on from one to the next; empty ones part texts. */
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

/** Reads a reply as it comes, and says when too much of a prompt's own words has been told. */
export class PromptLeakDetector {
  readonly #fingerprint: PromptFingerprint;
  #letters = '';
  #leet = '';
  /** The end of the text, where a word may go on. */
  #open = '';
  /** Whether no digit stood for a letter so far: then both are the same. */
  #isPlain = true;
  /** What has been told in order up to a place of the prompt, in letters; only where that is anything. */
  #scores: OrderedScores = { places: [], scores: [] };
  #before: OrderedScores = { places: [], scores: [] };

  constructor(own: PromptFingerprint) {
    this.#fingerprint = own;
  }

  /** Whether with this text, which goes on with what was said before, too much was told. */
  isLeak(text: string): boolean {
    const { letters, leet } = this.#fingerprint;
    const fresh = extractLetters(text);
    this.#letters += fresh;
    const told = hasLeakedRun(letters, this.#letters, fresh.length) || this.#isLeetLeak(text, fresh, leet);
    this.#letters = this.#letters.slice(-MAX_LEAKED_LETTERS);
    return told || this.#isOrderedLeak(text);
  }

  /** @param fresh the letters of the text */
  #isLeetLeak(text: string, fresh: string, own: string): boolean {
    if (this.#isPlain && !LEET_SIGN.test(text)) {
      // The prompt has hardly a digit itself: what is the same letter for letter was compared.
      this.#leet = (this.#leet + fresh).slice(-MAX_LEAKED_LETTERS);
      return false;
    }
    this.#isPlain = false;
    const freshLeet = extractLeetLetters(text);
    const seen = this.#leet + freshLeet;
    this.#leet = seen.slice(-MAX_LEAKED_LETTERS);
    return hasLeakedRun(own, seen, freshLeet.length);
  }

  #isOrderedLeak(text: string): boolean {
    const read = this.#open + text;
    // As long as no word is, so that one without an end costs no more than another.
    this.#open = (LAST_WORD.exec(read.slice(-MAX_WORD_CHARS))?.[0] ?? '').slice(-MAX_WORD_CHARS + 1);
    const whole = read.slice(0, read.length - this.#open.length);
    for (const word of extractWords(whole)) if (this.#scoreWord(word) >= MAX_ORDERED_SCORE) return true;
    return false;
  }

  /** @returns the most that has been told in order up to this word */
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

/** Places in their order, and the score of each. */
interface OrderedScores {
  places: number[];
  scores: number[];
}

const NO_PLACES: readonly number[] = [];

/** In UTF-16 units. */
const MAX_WORD_CHARS = 60;

/** Whether letters go on telling so much of a prompt's own in one piece. @param fresh how many of them are new */
function hasLeakedRun(own: string, letters: string, fresh: number): boolean {
  const first = Math.max(MAX_LEAKED_LETTERS, letters.length - fresh + 1);
  for (let end = first; end <= letters.length; end += RUN_BATCH_SIZE) {
    const last = Math.min(letters.length, end + RUN_BATCH_SIZE - 1);
    // What all of these pieces have in common is looked for once: hardly ever does it stand in a prompt.
    if (!own.includes(letters.slice(last - MAX_LEAKED_LETTERS, end))) continue;
    for (let each = end; each <= last; each += 1)
      if (own.includes(letters.slice(each - MAX_LEAKED_LETTERS, each))) return true;
  }
  return false;
}

/** So many pieces, each a letter further on, are looked for by what they have in common, which stays long enough. */
const RUN_BATCH_SIZE = MAX_LEAKED_LETTERS / 2;
