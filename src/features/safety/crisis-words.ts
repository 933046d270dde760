import { plainEntry } from './crisis-text.ts';

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

export type CompiledWords = Readonly<Record<WordKind, RegExp>> & { script: CrisisWords['script'] };

const NOTHING = /(?!)/gu;

/** A list's entries as one regular expression. */
export function compiledEntries(entries: readonly string[], script: CrisisWords['script']): RegExp {
  if (entries.length === 0) return NOTHING;
  const sources = entries.map((entry) =>
    plainEntry(entry.trim())
      .replaceAll(' ... ', '\u0001')
      .replaceAll(' .. ', '\u0002')
      .replaceAll('.{', '\u0003{')
      .replaceAll('.', String.raw`\.`)
      .replaceAll('\u0001', '(?: [^ .]+){0,10} ')
      .replaceAll('\u0002', '(?: [^ .]+){0,4} ')
      .replaceAll('\u0003', '[^.]')
      .replace(/(?<!\))\*/g, String.raw`[\p{L}\p{M}]*`),
  );
  const any = `(?:${sources.join('|')})`;
  return new RegExp(script === 'words' ? ` ${any}(?= )` : any, 'gu');
}

/** The list as regular expressions, made when it is first needed. */
export function compile(words: CrisisWords): CompiledWords {
  const made = Object.fromEntries(KINDS.map((kind) => [kind, compiledEntries(words[kind], words.script)]));
  return { ...(made as Record<WordKind, RegExp>), script: words.script };
}
