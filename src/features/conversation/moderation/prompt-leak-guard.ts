import { memoizeLru } from '../../../lib/memoize-lru.ts';

import {
  characterSection,
  NAMELESS,
  type Names,
  pointOfViewSection,
  type PromptTask,
  safetySection,
  styleSection,
  taskSection,
} from '../prompt/prompt-sections.ts';
import { asCalled } from '../../model/prompt-escape.ts';

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
export const OWN_AT_MOST = 52;
/** In letters, less what other words between them took away. Sayings of a story that are like a prompt stay below. */
const OWN_IN_ORDER = 54;
/** In letters: what another word in between takes away, and a word of the prompt that is left out. */
const BETWEEN_COSTS = 2.5;
const LEFT_OUT_COSTS = 2.5;

/** Digits and marks that people write for letters. */
const FOR_LETTERS: Readonly<Record<string, string>> = {
  '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '8': 'b', '@': 'a', $: 's',
}; // prettier-ignore

/** Text that no form of Unicode changes, with the dashes and quotation marks of print. */
const ASCII = /^[\u0000-\u007f\u2013\u2014\u2018\u2019\u201c\u201d]*$/; // oxlint-disable-line no-control-regex -- ASCII has them

const FOR_LETTER = /[0134578@$\uff10-\uff19]/;

const plain = (text: string): string => (ASCII.test(text) ? text : text.normalize('NFKD')).toLowerCase();

/** Of a text what stays whatever is done to its looks: no case, accents, blanks, marks or numbers. */
export const lettersOf = (text: string): string => plain(text).replaceAll(/[^\p{L}]+/gu, '');

/** The same, with digits for the letters that they are written for. */
const leetLettersOf = (text: string): string =>
  plain(text)
    .replaceAll(/[0134578@$]/g, (sign) => FOR_LETTERS[sign] ?? sign)
    .replaceAll(/[^\p{L}]+/gu, '');

/** Words with a letter in them; digits in a word stand for letters. */
const wordsOf = (text: string): string[] =>
  (plain(text).match(WORD) ?? []).flatMap((word) => {
    if (/^[a-z]+$/.test(word)) return [word];
    return /\p{L}/u.test(word) ? [leetLettersOf(word)] : [];
  });

/** A word, and one that may still be going on. */
const WORD = /[\p{L}\p{M}\p{N}@$'’]+/gu;
const LAST_WORD = /[\p{L}\p{M}\p{N}@$'’]+$/u;

/** What a character is asked to say to somebody in need: they may say it in the same words. */
const TO_BE_SAID = /^(?:If the person seems to speak|Say that you have read it|Ask them to call)/;

const TASKS: readonly PromptTask[] = [
  { kind: 'reply' },
  { kind: 'continue', text: '' },
  { kind: 'draft' },
  { kind: 'suggestions' },
];

/** Where one text ends and the next begins; no letter is like it. */
const END = '\n';

/** What of a prompt no reply may tell. */
export interface OwnWords {
  letters: string;
  leet: string;
  /** Where each word stands: its places in their order, counted from 1. */
  places: ReadonlyMap<string, readonly number[]>;
  /** By place, whether one text ends there and the next begins. */
  ends: Uint8Array;
}

/** As many as stories are written in at once, in one place; each takes about as much as a page. */
const MOST_KEPT = 32;
const kept = memoizeLru(MOST_KEPT, (key) => madeOf(JSON.parse(key) as Names));

/** All that a prompt of this story may say of its own. */
export const ownWords = ({ user, char }: Names): OwnWords => kept(JSON.stringify({ user, char }));

function madeOf({ user, char }: Names): OwnWords {
  const names = { user: asCalled(user) || NAMELESS, char: asCalled(char) };
  const nobody = { name: '', oneliner: '', characterTraits: '', firstMessage: '' };
  const texts = [
    ...(['normal', 'multiPeople', 'rpg', 'reverse'] as const).flatMap((pointOfView) => [
      pointOfViewSection(pointOfView, names),
      ...TASKS.map((task) => characterSection({ ...nobody, pointOfView }, names, task, () => '')),
    ]),
    ...TASKS.map(styleSection),
    ...(['general', 'adult'] as const).map((rating) => safetySection(rating, null, names)),
    ...(['suicide', 'self_harm', 'harm_to_others'] as const).flatMap((kind) =>
      TASKS.map((task) => safetySection('general', kind, names, task)),
    ),
    ...TASKS.map((task) => taskSection(task, names) ?? ''),
  ];
  // The texts have most of their lines in common.
  const lines = [...new Set(texts.flatMap((text) => text.split('\n')))].map((line) => ({
    line,
    letters: TO_BE_SAID.test(line) ? END : lettersOf(line),
    leet: TO_BE_SAID.test(line) ? END : leetLettersOf(line),
  }));
  const known = new Map(lines.map((line) => [line.line, line]));
  const runs = (as: 'letters' | 'leet') => {
    const parts = texts.flatMap((text) =>
      text
        .split('\n')
        .map((line) => known.get(line)?.[as] ?? '')
        .join('')
        .split(END),
    );
    return [...new Set(parts)].filter((part) => part.length >= OWN_AT_MOST).join(END);
  };
  // In a prompt these stand together.
  const together = `${styleSection({ kind: 'reply' })}\n${safetySection('general', null, names)}`;
  const order = neighbours([together, ...texts].map((text) => text.split('\n'))).flatMap((line) =>
    line === '' || TO_BE_SAID.test(line) ? [''] : wordsOf(line),
  );
  const places = new Map<string, number[]>();
  const ends = new Uint8Array(order.length + 2);
  ends[order.length + 1] = 1;
  for (const [index, word] of order.entries()) {
    if (word === '') ends[index + 1] = 1;
    else if (places.has(word)) places.get(word)?.push(index + 1);
    else places.set(word, [index + 1]);
  }
  return { letters: runs('letters'), leet: runs('leet'), places, ends };
}

/** Each line once beside each of its neighbours, for who recites goes on from one to the next; empty ones part texts. */
function neighbours(texts: readonly (readonly string[])[]): string[] {
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
export class OwnWordsTold {
  readonly #own: OwnWords;
  #letters = '';
  #leet = '';
  /** The end of the text, where a word may go on. */
  #open = '';
  /** Whether no digit stood for a letter so far: then both are the same. */
  #isPlain = true;
  /** What has been told in order up to a place of the prompt, in letters; only where that is anything. */
  #told: Told = { places: [], scores: [] };
  #before: Told = { places: [], scores: [] };

  constructor(own: OwnWords) {
    this.#own = own;
  }

  /** Whether with this text, which goes on with what was said before, too much was told. */
  tells(text: string): boolean {
    const { letters, leet } = this.#own;
    const fresh = lettersOf(text);
    this.#letters += fresh;
    const told = tellsRun(letters, this.#letters, fresh.length) || this.#tellsLeet(text, fresh, leet);
    this.#letters = this.#letters.slice(-OWN_AT_MOST);
    return told || this.#tellsInOrder(text);
  }

  /** @param fresh the letters of the text */
  #tellsLeet(text: string, fresh: string, own: string): boolean {
    if (this.#isPlain && !FOR_LETTER.test(text)) {
      // The prompt has hardly a digit itself: what is the same letter for letter was compared.
      this.#leet = (this.#leet + fresh).slice(-OWN_AT_MOST);
      return false;
    }
    this.#isPlain = false;
    const freshLeet = leetLettersOf(text);
    const seen = this.#leet + freshLeet;
    this.#leet = seen.slice(-OWN_AT_MOST);
    return tellsRun(own, seen, freshLeet.length);
  }

  #tellsInOrder(text: string): boolean {
    const read = this.#open + text;
    // As long as no word is, so that one without an end costs no more than another.
    this.#open = (LAST_WORD.exec(read.slice(-MOST_OF_A_WORD))?.[0] ?? '').slice(-MOST_OF_A_WORD + 1);
    const whole = read.slice(0, read.length - this.#open.length);
    for (const word of wordsOf(whole)) if (this.#take(word) >= OWN_IN_ORDER) return true;
    return false;
  }

  /** @returns the most that has been told in order up to this word */
  #take(word: string): number {
    const { ends } = this.#own;
    const spots = this.#own.places.get(word) ?? NOWHERE;
    const before = this.#told;
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
        score = Math.max(score, (before.scores[cell] as number) - BETWEEN_COSTS);
        cell += 1;
      }
      last = at;
      carried = score - LEFT_OUT_COSTS;
      if (score <= 0) continue;
      now.places.push(at);
      now.scores.push(score);
      if (score > most) most = score;
    }
    this.#told = now;
    this.#before = before;
    return most;
  }
}

/** Places in their order, and the score of each. */
interface Told {
  places: number[];
  scores: number[];
}

const NOWHERE: readonly number[] = [];

/** In UTF-16 units. */
const MOST_OF_A_WORD = 60;

/** Whether letters go on telling so much of a prompt's own in one piece. @param fresh how many of them are new */
function tellsRun(own: string, letters: string, fresh: number): boolean {
  const first = Math.max(OWN_AT_MOST, letters.length - fresh + 1);
  for (let end = first; end <= letters.length; end += ENDS_AT_ONCE) {
    const last = Math.min(letters.length, end + ENDS_AT_ONCE - 1);
    // What all of these pieces have in common is looked for once: hardly ever does it stand in a prompt.
    if (!own.includes(letters.slice(last - OWN_AT_MOST, end))) continue;
    for (let each = end; each <= last; each += 1)
      if (own.includes(letters.slice(each - OWN_AT_MOST, each))) return true;
  }
  return false;
}

/** So many pieces, each a letter further on, are looked for by what they have in common, which stays long enough. */
const ENDS_AT_ONCE = OWN_AT_MOST / 2;
