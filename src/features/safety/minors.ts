import { folded, type MinorPatterns, patternsOf } from './minors-patterns.ts';
import { SLAVIC } from './minors-words-slavic.ts';
import { ASIAN } from './minors-words-asian.ts';
import { GERMANIC } from './minors-words-germanic.ts';
import { ROMANCE } from './minors-words-romance.ts';

/**
 * How far a sexual word may stand from what says that somebody is a minor, in letters: somebody's age holds for a scene,
 * while a child that is only mentioned has to stand in the same sentence.
 */
const REACH = { strong: 600, loose: 110 };

/** No definition is longer; a text without an end is not read to its end. */
const MAX_CHARACTERS = 600_000;

let compiled: MinorPatterns | null = null;
/** Made when they are first needed: most requests never do. */
function patterns(): MinorPatterns {
  compiled ??= patternsOf([...GERMANIC, ...ROMANCE, ...SLAVIC, ...ASIAN], Date.now());
  return compiled;
}

/** What was found in a text, by where it stands. */
interface Found {
  strong: number[];
  loose: number[];
  act: number[];
  topic: number[];
}

const placesOf = (text: string, pattern: RegExp): number[] =>
  Array.from(text.matchAll(pattern), ({ index }) => index);
const blank = (found: string): string => ' '.repeat(found.length);

function readText(original: string): Found {
  const { harmless, ...lists } = patterns();
  const text = folded(original.slice(0, MAX_CHARACTERS)).replaceAll(harmless, blank);
  // An age that is told of the past or of a relative is none of somebody in the scene.
  const loose = placesOf(text, lists.loose);
  const rest = loose.length === 0 ? text : text.replaceAll(lists.loose, blank);
  return {
    strong: placesOf(rest, lists.strong),
    loose: [...loose, ...placesOf(rest, lists.weak)].sort((one, other) => one - other),
    act: placesOf(text, lists.act),
    topic: placesOf(text, lists.topic),
  };
}

/** Whether a place of one list is near one of the other; both in their order. */
function near(one: readonly number[], other: readonly number[], reach: number): boolean {
  let next = 0;
  for (const place of one) {
    while ((other[next] ?? Infinity) < place - reach) next += 1;
    if ((other[next] ?? Infinity) <= place + reach) return true;
  }
  return false;
}

/** Whether anything in a text is about sex: without that there is nothing to be found, and most texts end here. */
function isSexual(text: string): boolean {
  const { act, topic } = patterns();
  const short = folded(text.slice(0, MAX_CHARACTERS));
  return short.search(act) !== -1 || short.search(topic) !== -1;
}

/** What ends a name and is an age: "Lily, 14", "Lily (15)". Numbered names, as copies have them, are no ages. */
const NAMED_AGE = /(?:[,;|/·、，]\s*(?:1[0-7]|[3-9])|[([（【]\s*1[0-7])\s*[)\]）】]?\s*$/u;

/** A name as the rules are to read it. */
export function nameOf(name: string): string {
  const plain = name.normalize('NFKC');
  return NAMED_AGE.test(plain) ? `${name}, age: ${/\d+(?=\D*$)/.exec(plain)?.[0] ?? ''}.` : name;
}

interface Around {
  minor: boolean;
  act: boolean;
}

/** A reply is looked at word by word, each time beside the same definition: those of the latest stories are read once. */
const known = new Map<string, Around>();
const MOST_KNOWN = 16;

function readAround(context: string): Around {
  const before = known.get(context);
  if (before !== undefined) {
    known.delete(context);
    known.set(context, before);
    return before;
  }
  const found = readText(context);
  const around = { minor: found.strong.length > 0, act: found.act.length > 0 };
  known.set(context, around);
  const oldest = known.keys().next().value;
  if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
  return around;
}

/** Whether a text says of somebody in it that they are a minor, or look like one. */
export function minorIn(text: string): boolean {
  const { harmless, loose, strong } = patterns();
  const short = folded(text.slice(0, MAX_CHARACTERS)).replaceAll(harmless, blank).replaceAll(loose, blank);
  return short.search(strong) !== -1;
}

/**
 * Whether a text speaks of sex with somebody who is, or reads as, a minor: words and ages in twelve languages, whatever
 * the text's own. A rule that knows words and no meaning: it misses what is only hinted at, and now and then it refuses
 * what is harmless.
 * @param context what is known beside the text, such as a character's definition: it may say the age, and the text the act
 * @param minorTold whether what is known besides says of somebody that they are a minor; asked where the text is sexual
 */
export function sexualMinorsIn(text: string, context = '', minorTold?: () => boolean): boolean {
  const sexual = isSexual(text);
  if (!sexual && context === '') return false;
  const around = context === '' ? null : readAround(context);
  if (!sexual && around?.act !== true) return false;
  const found = readText(text);
  if (near(found.strong, found.act, REACH.strong) || near(found.strong, found.topic, REACH.strong))
    return true;
  if (near(found.loose, found.act, REACH.loose)) return true;
  const acts = found.act.length + found.topic.length > 0;
  // The definition says the age, and the text the act; or the other way round.
  if (around !== null && ((around.minor && acts) || (found.strong.length > 0 && around.act))) return true;
  return acts && minorTold?.() === true;
}
