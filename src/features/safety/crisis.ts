import { inSigns, inWords, plainLetters } from './crisis-text.ts';
import { compileParts, composedIn, type CompiledParts } from './crisis-parts.ts';
import { CHINESE_PARTS, JAPANESE_PARTS } from './crisis-parts-east.ts';
import { ENGLISH_PARTS, GERMAN_PARTS } from './crisis-parts-germanic.ts';
import { PORTUGUESE_PARTS, SPANISH_PARTS } from './crisis-parts-iberia.ts';
import { FRENCH_PARTS, ITALIAN_PARTS } from './crisis-parts-romance.ts';
import { POLISH_PARTS, RUSSIAN_PARTS } from './crisis-parts-slavic.ts';
import { HINDI_PARTS, INDONESIAN_PARTS } from './crisis-parts-south.ts';
import { compileShapes, isOvercome, shapedIn, type CompiledShapes } from './crisis-shapes.ts';
import { CHINESE_SHAPES, JAPANESE_SHAPES } from './crisis-shapes-east.ts';
import { ENGLISH_SHAPES, GERMAN_SHAPES } from './crisis-shapes-germanic.ts';
import { PORTUGUESE_SHAPES, SPANISH_SHAPES } from './crisis-shapes-iberia.ts';
import { FRENCH_SHAPES, ITALIAN_SHAPES } from './crisis-shapes-romance.ts';
import { POLISH_SHAPES, RUSSIAN_SHAPES } from './crisis-shapes-slavic.ts';
import { HINDI_SHAPES, INDONESIAN_SHAPES } from './crisis-shapes-south.ts';
import { compile, type CompiledWords, type CrisisWords, type WordKind, type Words } from './crisis-words.ts';
import { GERMAN } from './crisis-words-de.ts';
import { CHINESE, JAPANESE } from './crisis-words-east.ts';
import { ENGLISH } from './crisis-words-en.ts';
import { FRENCH } from './crisis-words-fr.ts';
import { ITALIAN } from './crisis-words-it.ts';
import { PORTUGUESE, SPANISH } from './crisis-words-iberia.ts';
import { POLISH, RUSSIAN } from './crisis-words-slavic.ts';
import { HINDI, INDONESIAN } from './crisis-words-south.ts';

/** What a text may show that a person needs help with. */
export type CrisisKind = 'suicide' | 'self_harm' | 'harm_to_others';

const LATIN = /[a-z]/;
/**
 * Every list is asked of every text that has letters of its script: people write in more than one language, whatever the
 * site speaks to them.
 */
const LISTS = [
  [ENGLISH, ENGLISH_PARTS, ENGLISH_SHAPES, LATIN],
  [SPANISH, SPANISH_PARTS, SPANISH_SHAPES, LATIN],
  [FRENCH, FRENCH_PARTS, FRENCH_SHAPES, LATIN],
  [GERMAN, GERMAN_PARTS, GERMAN_SHAPES, LATIN],
  [ITALIAN, ITALIAN_PARTS, ITALIAN_SHAPES, LATIN],
  [PORTUGUESE, PORTUGUESE_PARTS, PORTUGUESE_SHAPES, LATIN],
  [RUSSIAN, RUSSIAN_PARTS, RUSSIAN_SHAPES, /\p{Script=Cyrillic}/u],
  [JAPANESE, JAPANESE_PARTS, JAPANESE_SHAPES, /[\p{Script=Han}\p{Script=Hiragana}]/u],
  [HINDI, HINDI_PARTS, HINDI_SHAPES, /[a-z\p{Script=Devanagari}]/u],
  [POLISH, POLISH_PARTS, POLISH_SHAPES, LATIN],
  [CHINESE, CHINESE_PARTS, CHINESE_SHAPES, /\p{Script=Han}/u],
  [INDONESIAN, INDONESIAN_PARTS, INDONESIAN_SHAPES, LATIN],
] as const;
interface Language {
  words: CompiledWords;
  parts: CompiledParts;
  shapes: CompiledShapes;
}
const compiled = new Map<CrisisWords, Language>();

/** The languages that a text may be in. A list is made when a text first asks for it, since that takes longer than reading. */
const languagesOf = (text: string): Language[] =>
  LISTS.filter(([, , , letters]) => letters.test(text)).map(([words, parts, shapes]) => {
    const made = compiled.get(words) ?? {
      words: compile(words),
      parts: compileParts(parts),
      shapes: compileShapes(shapes),
    };
    compiled.set(words, made);
    return made;
  });

/** Longer texts are read this far: no message is longer, and a reply of this length has said what it says. */
const READ_CHARACTERS = 20_000;

const QUOTED = /"[^"\n]*"|“[^”\n]*”|„[^”“"\n]*[”“"]|«[^»\n]*»|「[^」\n]*」|『[^』\n]*』/g;
/** A line of dialogue behind a dash, up to the dash behind which the teller goes on. */
const DASHED = /^[ \t]*[—–][^—–\n]*/gm;
const ACTION = /\*([^*\n]+)\*/g;
const LAUGHTER =
  / (?:lo+l|lmf?ao|rofl|xd+|mdr|ptdr|k{2,}|w{2,}|rs(?:rs)*|(?:ha|he|hi|ja|je|ah|eh|ха|хе|ах){2,}[haejхае]*|(?:wk)+w?k?|(?:हा){2,}|lmao) | ?(?:哈|笑|草){2,}|(?<=[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}])w+(?=[ .。！!]|$)|[😂🤣]/iu;

/** An emphasised word stays; what a character does, told between stars, is the story's. */
const isAction = (told: string): boolean =>
  / /.test(told.trim()) || /[\p{Script=Han}\p{Script=Hiragana}]{4}/u.test(told);

const found = (words: Words, text: string): boolean => words(text).test(text);

const someList = (lists: readonly Language[], kind: WordKind, text: string): boolean =>
  lists.some(({ words }) => found(words[kind], words.script === 'words' ? text : inSigns(text)));

/** As far back as «I told my mother» may stand before what was told. */
const TOLD_BEFORE = 80;
const QUOTED_HERE = 'quotedhere';

/** Whether the writer says right before a quotation that it was they who said it. */
const isSaidByWriter = (lists: readonly Language[], before: string): boolean =>
  someList(lists, 'toldByMe', inWords(`${before.slice(-TOLD_BEFORE)} ${QUOTED_HERE}`));

function ownLifeIn({ words: list, shapes }: Language, text: string, light: boolean): CrisisKind | null {
  if (found(list.suicide, text)) return 'suicide';
  if (found(list.suicideUnlessLight, text) && !light) return 'suicide';
  const shaped = shapedIn(shapes, text);
  if (shaped === 'suicide') return shaped;
  return found(list.selfHarm, text) ? 'self_harm' : shaped;
}

const isBehind = ({ words: { script }, shapes }: Language, words: string): boolean =>
  isOvercome(shapes, script === 'words' ? words : inSigns(words));

function kindOf(language: Language, words: string, light: boolean): CrisisKind | null {
  const { words: list } = language;
  const whole = list.script === 'words' ? words : inSigns(words);
  const text = whole.replace(list.notMeant(whole), ' . ');
  const kind = ownLifeIn(language, text, light && found(list.light, whole));
  if (kind !== null) return kind;
  if (found(list.harm, text)) return 'harm_to_others';
  if (found(list.threat, text) && found(list.meant, whole)) return 'harm_to_others';
  return composedIn(language.parts, text, light);
}

/** Whether a person's own words speak of ending their life, of hurting themselves, or of hurting real people; null where they do not. */
export function crisisIn(text: string): CrisisKind | null {
  const plain = plainLetters(text.slice(0, READ_CHARACTERS)).replaceAll('**', '');
  const whole = inWords(plain);
  const lists = languagesOf(whole);

  // The words of somebody in the story are not the writer's.
  const quoteless = plain
    .replace(QUOTED, (quote, at: number) => (isSaidByWriter(lists, plain.slice(0, at)) ? quote : ' . '))
    .replace(DASHED, ' . ');
  const own = quoteless !== plain && someList(lists, 'told', inWords(quoteless)) ? quoteless : plain;
  const spoken = own.replace(ACTION, (all, told: string) => (isAction(told) ? ' . ' : all));
  const light = LAUGHTER.test(` ${plain} `);

  const order: readonly CrisisKind[] = ['suicide', 'self_harm', 'harm_to_others'];
  const of = (words: string): CrisisKind | null => {
    const kinds = new Set(lists.map((list) => kindOf(list, words, light)));
    const kind = order.find((one) => kinds.has(one)) ?? null;
    return kind === 'harm_to_others' || !lists.some((list) => isBehind(list, words)) ? kind : null;
  };
  // What is told between stars counts only where the text says that it is meant.
  return of(inWords(spoken)) ?? (spoken !== own && someList(lists, 'meant', whole) ? of(inWords(own)) : null);
}
