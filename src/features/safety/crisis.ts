import { inSigns, inWords, plainLetters } from './crisis-text.ts';
import { compileParts, composedIn, type CompiledParts } from './crisis-parts.ts';
import { CHINESE_PARTS, JAPANESE_PARTS } from './crisis-parts-east.ts';
import { ENGLISH_PARTS, GERMAN_PARTS } from './crisis-parts-germanic.ts';
import { PORTUGUESE_PARTS, SPANISH_PARTS } from './crisis-parts-iberia.ts';
import { FRENCH_PARTS, ITALIAN_PARTS } from './crisis-parts-romance.ts';
import { POLISH_PARTS, RUSSIAN_PARTS } from './crisis-parts-slavic.ts';
import { HINDI_PARTS, INDONESIAN_PARTS } from './crisis-parts-south.ts';
import { compile, type CompiledWords, type WordKind } from './crisis-words.ts';
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

/** Every list is asked of every text: people write in more than one language, whatever the site speaks to them. */
const LISTS = [
  [ENGLISH, ENGLISH_PARTS],
  [SPANISH, SPANISH_PARTS],
  [FRENCH, FRENCH_PARTS],
  [GERMAN, GERMAN_PARTS],
  [ITALIAN, ITALIAN_PARTS],
  [PORTUGUESE, PORTUGUESE_PARTS],
  [RUSSIAN, RUSSIAN_PARTS],
  [JAPANESE, JAPANESE_PARTS],
  [HINDI, HINDI_PARTS],
  [POLISH, POLISH_PARTS],
  [CHINESE, CHINESE_PARTS],
  [INDONESIAN, INDONESIAN_PARTS],
] as const;
interface Language {
  words: CompiledWords;
  parts: CompiledParts;
}
let compiled: Language[] | null = null;

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

function found(words: RegExp, text: string): boolean {
  words.lastIndex = 0;
  return words.test(text);
}

const someList = (lists: readonly Language[], kind: WordKind, text: string): boolean =>
  lists.some(({ words }) => found(words[kind], words.script === 'words' ? text : inSigns(text)));

/** As far back as «I told my mother» may stand before what was told. */
const TOLD_BEFORE = 80;
const QUOTED_HERE = 'quotedhere';

/** Whether the writer says right before a quotation that it was they who said it. */
const isSaidByWriter = (lists: readonly Language[], before: string): boolean =>
  someList(lists, 'toldByMe', inWords(`${before.slice(-TOLD_BEFORE)} ${QUOTED_HERE}`));

function kindOf({ words: list, parts }: Language, words: string, light: boolean): CrisisKind | null {
  const whole = list.script === 'words' ? words : inSigns(words);
  const text = whole.replace(list.notMeant, ' . ');
  if (found(list.suicide, text)) return 'suicide';
  if (found(list.suicideUnlessLight, text) && !(light && found(list.light, whole))) return 'suicide';
  if (found(list.selfHarm, text)) return 'self_harm';
  if (found(list.harm, text)) return 'harm_to_others';
  if (found(list.threat, text) && found(list.meant, whole)) return 'harm_to_others';
  return composedIn(parts, text, light);
}

/** Whether a person's own words speak of ending their life, of hurting themselves, or of hurting real people; null where they do not. */
export function crisisIn(text: string): CrisisKind | null {
  const lists = (compiled ??= LISTS.map(([words, parts]) => ({
    words: compile(words),
    parts: compileParts(parts),
  })));
  const plain = plainLetters(text.slice(0, READ_CHARACTERS)).replaceAll('**', '');
  const whole = inWords(plain);

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
    return order.find((kind) => kinds.has(kind)) ?? null;
  };
  // What is told between stars counts only where the text says that it is meant.
  return of(inWords(spoken)) ?? (spoken !== own && someList(lists, 'meant', whole) ? of(inWords(own)) : null);
}
