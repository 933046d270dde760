import { plainEntry } from './crisis-text.ts';
import { mayStandIn, neededWords } from './crisis-needs.ts';

/**
 * One language's list. An entry is written in plain words: `*` after a word is any ending, ` .. ` is up to four words
 * and ` ... ` up to ten, `.{0,4}` so many signs of one sentence, a lone `.` the end of it; beyond that it is a regular
 * expression. Capitals, accents, apostrophes and doubled letters make no difference.
 */
export interface CrisisWords {
  /** Whether words are parted by blanks. */
  script: 'words' | 'signs';
  /** A wish, thought or plan to die. */
  suicide: readonly string[];
  /** The same words as are said of a bad joke: they count unless it is one of those. */
  suicideUnlessLight: readonly string[];
  selfHarm: readonly string[];
  /** A plan against real people, complete in itself. */
  harm: readonly string[];
  /** Words against somebody close, as they are also said in anger or in play: they count where it is meant. */
  threat: readonly string[];
  /** What says that something is meant, and is not the story. */
  meant: readonly string[];
  /** Figures of speech, and what somebody says they will not do: taken out before anything is looked for. */
  notMeant: readonly string[];
  /** Small matters that one says one wants to die of; together with laughter they make light of it. */
  light: readonly string[];
  /** Somebody else is speaking: what stands in quotation marks beside it is theirs. */
  told: readonly string[];
  /** The writer has said it to somebody: what stands in quotation marks right behind it is their own. */
  toldByMe: readonly string[];
}

export type WordKind = Exclude<keyof CrisisWords, 'script'>;

const KINDS = [
  'suicide',
  'suicideUnlessLight',
  'selfHarm',
  'harm',
  'threat',
  'meant',
  'notMeant',
  'light',
  'told',
  'toldByMe',
] as const satisfies readonly WordKind[];

/** A list as a regular expression for a text that it is about to be asked of, from its beginning. */
export type Words = (text: string) => RegExp;

export type CompiledWords = Readonly<Record<WordKind, Words>> & { script: CrisisWords['script'] };

const NOTHING = /(?!)/gu;

/** Some entries in one. An ending is what is neither a blank, a stop nor a digit: Unicode's classes take long to compile. */
export function expressionOf(plain: readonly string[], script: CrisisWords['script']): RegExp {
  const any = plain
    .join('\n')
    .replaceAll(' ... ', '\u0001')
    .replaceAll(' .. ', '\u0002')
    .replaceAll('.{', '\u0003{')
    .replaceAll('.', String.raw`\.`)
    .replaceAll('\u0001', '(?: [^ .]+){0,10} ')
    .replaceAll('\u0002', '(?: [^ .]+){0,4} ')
    .replaceAll('\u0003', '[^.]')
    .replace(/(?<!\))\*/g, String.raw`[^ .\d]*`)
    .replaceAll('\n', '|');
  return new RegExp(script === 'words' ? ` (?:${any})(?= )` : `(?:${any})`, 'gu');
}

/** So often a list is compiled for what texts may hold of it; then all of it is. */
const TIMES_IN_PART = 3;

/**
 * A list's entries as one regular expression: at first of those alone that a text may hold by its words. All hundred lists
 * in twelve languages, compiled at once, would keep the first message waiting for a second, and most texts are in one
 * language. What is left out matches nothing in that text, so the answer is the same.
 */
export function compiledEntries(entries: readonly string[], script: CrisisWords['script']): Words {
  if (entries.length === 0) return () => NOTHING;
  // All at once: one by one, this alone took half of that second.
  const plain = plainEntry(entries.map((entry) => entry.trim()).join('\n')).split('\n');
  let missing = script === 'words' ? neededWords(plain).map((needs, at) => ({ at, needs })) : [];
  const has = new Set(script === 'words' ? [] : plain.keys());
  let made: RegExp | null = null;
  let times = 0;
  return (text) => {
    const wanted = missing.filter(({ needs }) => mayStandIn(text, needs));
    if (made === null || wanted.length > 0) {
      for (const { at } of times < TIMES_IN_PART ? wanted : missing) has.add(at);
      missing = missing.filter(({ at }) => !has.has(at));
      if (has.size === 0) return NOTHING;
      times += 1;
      made = expressionOf(
        plain.filter((_, at) => has.has(at)),
        script,
      );
    }
    made.lastIndex = 0;
    return made;
  };
}

/** The list as regular expressions, made when it is first needed. */
export function compile(words: CrisisWords): CompiledWords {
  const made = Object.fromEntries(KINDS.map((kind) => [kind, compiledEntries(words[kind], words.script)]));
  return { ...(made as Record<WordKind, Words>), script: words.script };
}
