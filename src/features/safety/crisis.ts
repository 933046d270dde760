import { inSigns, inWords, plainLetters } from './crisis-text.ts';
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
  ENGLISH,
  SPANISH,
  FRENCH,
  GERMAN,
  ITALIAN,
  PORTUGUESE,
  RUSSIAN,
  JAPANESE,
  HINDI,
  POLISH,
  CHINESE,
  INDONESIAN,
];
let compiled: CompiledWords[] | null = null;

/** Longer texts are read this far: no message is longer, and a reply of this length has said what it says. */
const READ_CHARACTERS = 20_000;

const QUOTED = /"[^"\n]*"|“[^”\n]*”|„[^”“"\n]*[”“"]|«[^»\n]*»|「[^」\n]*」|『[^』\n]*』/g;
/** A line of dialogue behind a dash, up to the dash behind which the teller goes on. */
const DASHED = /^[ \t]*[—–][^—–\n]*/gm;
const ACTION = /\*([^*\n]+)\*/g;
const LAUGHTER =
  / (?:lo+l|lmf?ao|rofl|xd+|mdr|ptdr|k{2,}|w+|rs(?:rs)*|(?:ha|he|hi|ja|je|ah|eh|ха|хе|ах){2,}[haejхае]*|(?:wk)+w?k?|(?:हा){2,}|lmao) | ?(?:哈|笑|草){2,}|w+(?=[ .。！!]|$)|[😂🤣]/iu;

/** An emphasised word stays; what a character does, told between stars, is the story's. */
const isAction = (told: string): boolean =>
  / /.test(told.trim()) || /[\p{Script=Han}\p{Script=Hiragana}]{4}/u.test(told);

function found(words: RegExp, text: string): boolean {
  words.lastIndex = 0;
  return words.test(text);
}

const someList = (lists: readonly CompiledWords[], kind: WordKind, words: string): boolean =>
  lists.some((list) => found(list[kind], list.script === 'words' ? words : inSigns(words)));

function kindOf(list: CompiledWords, words: string, light: boolean): CrisisKind | null {
  const whole = list.script === 'words' ? words : inSigns(words);
  const text = whole.replace(list.notMeant, ' . ');
  if (found(list.suicide, text)) return 'suicide';
  if (found(list.suicideUnlessLight, text) && !(light && found(list.light, whole))) return 'suicide';
  if (found(list.selfHarm, text)) return 'self_harm';
  if (found(list.harm, text)) return 'harm_to_others';
  return found(list.threat, text) && found(list.meant, whole) ? 'harm_to_others' : null;
}

/** Whether a person's own words speak of ending their life, of hurting themselves, or of hurting real people; null where they do not. */
export function crisisIn(text: string): CrisisKind | null {
  const lists = (compiled ??= LISTS.map(compile));
  const plain = plainLetters(text.slice(0, READ_CHARACTERS)).replaceAll('**', '');
  const whole = inWords(plain);

  // The words of somebody in the story are not the writer's.
  const quoteless = plain.replace(QUOTED, ' . ').replace(DASHED, ' . ');
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
