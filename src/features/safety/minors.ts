import { latest } from '../../latest.ts';
import { ASIAN_MORE } from './minors-more-asian.ts';
import { GERMANIC_MORE } from './minors-more-germanic.ts';
import { ROMANCE_MORE } from './minors-more-romance.ts';
import { SLAVIC_MORE } from './minors-more-slavic.ts';
import {
  extended,
  folded,
  type MinorPatterns,
  type MinorWords,
  type MoreWords,
  patternsOf,
} from './minors-patterns.ts';
import { SLAVIC } from './minors-words-slavic.ts';
import { ASIAN } from './minors-words-asian.ts';
import { GERMANIC } from './minors-words-germanic.ts';
import { ROMANCE } from './minors-words-romance.ts';
import { isStretched, STRETCHED_AT_MOST } from './stretched.ts';

/**
 * How far a sexual word may stand from what says that somebody is a minor, in letters: somebody's age holds for a scene,
 * while a child that is only mentioned has to stand in the same sentence.
 */
const REACH = { strong: 600, loose: 110 };

/** No definition is longer; a text without an end is not read to its end. */
const MAX_CHARACTERS = 600_000;

const languages = (): MinorWords[] => {
  const more: MoreWords[] = [...GERMANIC_MORE, ...ROMANCE_MORE, ...SLAVIC_MORE, ...ASIAN_MORE];
  return [...GERMANIC, ...ROMANCE, ...SLAVIC, ...ASIAN].map((words, index) => {
    const beside = more[index];
    return beside === undefined ? words : extended(words, beside);
  });
};

let compiled: MinorPatterns | null = null;
/** Made when they are first needed: most requests never do. */
function patterns(): MinorPatterns {
  compiled ??= patternsOf(languages(), Date.now());
  return compiled;
}

/** What was found in a text, by where it stands. */
interface Found {
  strong: number[];
  loose: number[];
  act: number[];
  topic: number[];
  /** Acts that are not between grown-ups alone. */
  open: number[];
}

const inOrder = (places: readonly number[]): number[] => places.toSorted((one, other) => one - other);
const placesOf = (text: string, patterns: readonly RegExp[]): number[] =>
  inOrder(patterns.flatMap((pattern) => Array.from(text.matchAll(pattern), ({ index }) => index)));
const blank = (found: string): string => ' '.repeat(found.length);
const without = (text: string, ...lists: readonly (readonly RegExp[])[]): string =>
  lists.flat().reduce((rest, pattern) => rest.replaceAll(pattern, blank), text);
const has = (text: string, ...lists: readonly (readonly RegExp[])[]): boolean =>
  lists.flat().some((pattern) => text.search(pattern) !== -1);

function readText(original: string): Found {
  const { harmless, ...lists } = patterns();
  const text = without(folded(original.slice(0, MAX_CHARACTERS)), harmless);
  // An age that is told of the past or of a relative is none of somebody in the scene.
  const loose = placesOf(text, lists.loose);
  const rest = loose.length === 0 ? text : without(text, lists.loose);
  const act = placesOf(text, lists.act);
  const mentioned = inOrder([...loose, ...placesOf(rest, lists.weak)]);
  return {
    strong: placesOf(rest, lists.strong),
    loose: mentioned,
    act,
    topic: placesOf(text, lists.topic),
    open: mentioned.length === 0 ? [] : openActs(text, { act, mentioned }),
  };
}

/** What parts "we put the kids to bed" from "and had sex": without it, it is the kids who do. */
const PARTED =
  /[,;:،，、–—]|(?<!\p{L})(?:and|then|so|und|dann|y|luego|et|puis|e|poi|depois|и|потом|i|potem|dan|lalu|और|फिर)(?!\p{L})/u;

/**
 * The acts that are not of a couple in its own bed: parents write of their children and of themselves in one breath.
 * A child that is named within the couple's own words, with nothing between it and the act, is taken to be part of it.
 */
function openActs(text: string, { act, mentioned }: { act: number[]; mentioned: number[] }): number[] {
  const couples = patterns()
    .couple.flatMap((pattern) => Array.from(text.matchAll(pattern)))
    .map(({ 0: said, index }) => ({ from: index, to: index + said.length }))
    .filter(({ from, to }) => {
      const last = mentioned.findLast((place) => place >= from && place < to);
      return last === undefined || PARTED.test(text.slice(last, to));
    });
  return act.filter((place) => !couples.some(({ from, to }) => place >= from && place < to));
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
  return has(folded(text.slice(0, MAX_CHARACTERS)), act, topic);
}

/** In UTF-16 units: nothing that is said of sex in one breath is longer. */
const LONGEST_SAID = 120 + STRETCHED_AT_MOST;

/**
 * Whether anything in a text that grows is about sex, each piece of it looked at once.
 * @returns asked with the text up to its end, and how much of that is new; only what it is shown counts
 */
export function growingSexual(): (text: string, fresh: number) => boolean {
  let since = Infinity;
  return (text, fresh) => {
    const may = isStretched(text, fresh) || isSexual(text.slice(-(fresh + LONGEST_SAID)));
    since = may ? 0 : since + fresh;
    return since <= text.length + LONGEST_SAID;
  };
}

/** What ends a name and is an age: "Lily, 14", "Lily (15)". Numbered names, as copies have them, are no ages. */
const NAMED_AGE = /(?:[,;|/·、，]\s*(?:1[0-7]|[3-9])|[([（【]\s*1[0-7])\s*[)\]）】]?\s*$/u;

/** What is longer is no name. */
const LONGEST_NAME = 60;

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
const readAround = latest(16, (context): Around => {
  const found = readText(context);
  return { minor: found.strong.length > 0, act: found.act.length > 0 };
});

/**
 * Whether what is known beside a text may tell of an act, before anything of it is taken to be harmless: where neither of
 * the two does, there is nothing to be found.
 */
export const mayTellAct = latest(
  16,
  (context) => context !== '' && has(folded(context.slice(0, MAX_CHARACTERS)), patterns().act),
);

/** How often a text says, as far as the rules read it, that somebody is a minor, and how often it tells of an act. */
export function countedIn(text: string): { ages: number; acts: number; topics: number } {
  const { strong, act, topic } = readText(text);
  return { ages: strong.length, acts: act.length, topics: topic.length };
}

/** Whether a text says of somebody in it that they are a minor, or look like one. */
export function minorIn(text: string): boolean {
  const { harmless, loose, strong } = patterns();
  return has(without(folded(text.slice(0, MAX_CHARACTERS)), harmless, loose), strong);
}

/**
 * Whether a character's definition says of somebody whom its reader may meet in it that they are a minor: the character,
 * the reader, or anybody who is told of by an age of now. A relative's age, one of the past, and whom somebody teaches or
 * protects say nothing of that; nor does a time that something lasted. It is stricter than what is asked of an act: whoever
 * writes for adults can leave an age out, and nobody can take back what was told.
 */
export function minorCharacterIn(text: string): boolean {
  const { harmless, aside, loose, strong } = patterns();
  const read = without(folded(text.slice(0, MAX_CHARACTERS)), harmless, aside, loose);
  return has(read, strong) || (text.length <= LONGEST_NAME && NAMED_AGE.test(text.normalize('NFKC')));
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
  if (!sexual && !mayTellAct(context)) return false;
  const around = context === '' ? null : readAround(context);
  if (!sexual && around?.act !== true) return false;
  const found = readText(text);
  if (near(found.strong, found.act, REACH.strong) || near(found.strong, found.topic, REACH.strong))
    return true;
  if (near(found.loose, found.open, REACH.loose)) return true;
  const acts = found.act.length + found.topic.length > 0;
  // The definition says the age, and the text the act; or the other way round.
  if (around !== null && ((around.minor && acts) || (found.strong.length > 0 && around.act))) return true;
  return acts && minorTold?.() === true;
}
