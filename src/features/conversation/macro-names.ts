import { computeSeededFraction } from '../../lib/seeded-fraction.ts';
import type { ConversationMeta } from './conversation-store.ts';

/**
 * Macros of Character Cards, as their specifications define them:
 * - V1 and V2: `{{user}}`, `{{char}}`, `<USER>` and `<BOT>`, in any case;
 * - V3: also `<char>`, `{{random:a,b}}`, `{{pick:a,b}}`, `{{roll:d6}}`, `{{// note}}`, `{{comment: note}}`,
 *   `{{hidden_key:a}}` and `{{reverse:a}}`;
 * - SillyTavern: lists separated by `::`, rolls such as `2d6+1`, `{{time}}`, `{{date}}` and `{{idle_duration}}`.
 *
 * Browser and server evaluate a macro alike: what it depends on is in its arguments, and times are in UTC. Other text in
 * braces stays.
 */

/** What macros are replaced with. */
export interface MacroValues {
  user: string;
  char: string;
  /**
   * When the text was written, in milliseconds since 1970: the value of time and date, and the seed of every draw.
   * Without it times are left out, and equal texts have equal draws.
   */
  at?: number;
}

/** Returns the user's current name in the conversation: their persona's, otherwise their own. */
export function getPersonName(meta: Pick<ConversationMeta, 'persona' | 'userName'>): string {
  return meta.persona?.name ?? meta.userName;
}

/** Returns the current values of macros in the texts of a conversation's character. */
export function getMacroNames(
  meta: Pick<ConversationMeta, 'persona' | 'userName' | 'character'> &
    Partial<Pick<ConversationMeta, 'createdAt'>>,
): MacroValues {
  return {
    user: getPersonName(meta),
    char: meta.character.nickname ?? meta.character.name,
    ...(meta.createdAt === undefined ? {} : { at: meta.createdAt }),
  };
}

/** How often the innermost macros are replaced; texts nested more deeply lose their braces. */
const MAX_LEVELS = 8;
const MAX_ROLLED_DICE = 100;

/** A macro that contains no other one. Each character is read at most twice: another opening ends the search. */
const INNERMOST = /\{\{(?!\{)((?:[^{}]|\{(?!\{)|\}(?!\}))*)\}\}|<(user|bot|char)>/giu;
const TAG = /<(user|bot|char)>/giu;
const NAMED = /^([a-z_]+)(?:\s*::?|\s)([\s\S]*)$/iu;
const DICE = /^(\d{0,3})d(\d{1,9})([+-]\d{1,9})?$/iu;

/** How a macro with a value is evaluated: as a reader sees it, or with everything that some reader may see. */
interface Evaluation extends MacroValues {
  /** Returns a number from 0 up to 1 for a draw. @param isPick whether equal macros have equal draws */
  draw: (isPick: boolean, content: string) => number;
  /** Joins the values of a list instead of drawing one of them. */
  all?: boolean;
  /** Keeps the keys that only lorebooks see. */
  keepsHiddenKeys?: boolean;
  /** Leaves the names as macros. */
  keepsNames?: boolean;
}

/** Returns the draws of one text: for each macro its own, and for equal picks the same. */
function createDraws(at: number | undefined): Evaluation['draw'] {
  let count = 0;
  return (isPick, content) => computeSeededFraction(`${at ?? ''} ${isPick ? content : (count += 1)}`);
}

/** Replaces the macros of a text. */
export function replaceMacros(text: string, values: MacroValues): string {
  return evaluate(text, { ...values, draw: createDraws(values.at) });
}

/** The same for a text of a lorebook that is only searched for keys: `{{hidden_key:a}}` leaves `a`. */
export function replaceScannedMacros(text: string, values: MacroValues): string {
  return evaluate(text, { ...values, draw: createDraws(values.at), keepsHiddenKeys: true });
}

/** Replaces all macros but the names, once and for all: for a text that a user sends. */
export function resolveMacros(text: string, at: number): string {
  return evaluate(text, { user: '', char: '', at, draw: createDraws(at), keepsNames: true });
}

/** Replaces macros with everything that they may become, so that a safety rule reads all of it. */
export function expandMacros(text: string, names: Pick<MacroValues, 'user' | 'char'>): string {
  return evaluate(text, { ...names, draw: () => 0, all: true, keepsHiddenKeys: true });
}

function evaluate(text: string, evaluation: Evaluation): string {
  const { user, char } = evaluation;
  const values = { ...evaluation, user: removeMacroSigns(user), char: removeMacroSigns(char) };
  let result = text;
  for (let level = 0; level < MAX_LEVELS; level += 1) {
    const next = result.replaceAll(INNERMOST, (macro: string, content?: string, tag?: string) =>
      tag === undefined ? evaluateMacro(macro, content ?? '', values) : getName(macro, tag, values),
    );
    if (next === result) return result;
    result = next;
  }
  return evaluation.keepsNames === true ? result : result.replaceAll(/[{}<>]/g, '');
}

/** A name is never read as a macro: one that contains itself would grow with each level. */
function removeMacroSigns(name: string): string {
  const plain = name.replaceAll(/[{}]/g, '');
  return /<(?:user|bot|char)>/iu.test(plain) ? plain.replaceAll(/[<>]/g, '') : plain;
}

function getName(macro: string, who: string, { user, char, keepsNames }: Evaluation): string {
  if (keepsNames === true) return macro;
  return who.toLowerCase() === 'user' ? user : char;
}

/** @returns the macro with its tags replaced where it is other text */
function evaluateMacro(macro: string, written: string, values: Evaluation): string {
  const content = written.trim();
  if (content.startsWith('//')) return '';
  const [, named = content, argument = ''] = NAMED.exec(content) ?? [];
  const name = named.toLowerCase();
  switch (name) {
    case 'user':
    case 'char':
      return argument === '' ? getName(macro, name, values) : replaceTags(macro, values);
    case 'random':
    case 'pick': {
      const options = splitList(argument);
      if (values.all === true) return options.join(' ');
      return options[Math.floor(values.draw(name === 'pick', argument) * options.length)] ?? '';
    }
    case 'roll':
      return roll(argument, values);
    case 'reverse':
      return [...argument].toReversed().join('');
    case 'hidden_key':
      return values.keepsHiddenKeys === true ? argument : '';
    case 'comment':
      return '';
    case 'time':
      return formatTime(values.at).slice(11, 16);
    case 'date':
      return formatTime(values.at).slice(0, 10);
    case 'idle_duration':
      // A text is evaluated for the moment when it was written.
      return 'just now';
    default:
      return replaceTags(macro, values);
  }
}

const replaceTags = (text: string, values: Evaluation): string =>
  text.replaceAll(TAG, (tag: string, who: string) => getName(tag, who, values));

const formatTime = (at: number | undefined): string =>
  at === undefined || !Number.isFinite(new Date(at).getTime()) ? '' : new Date(at).toISOString();

/** Splits a list at `::` where it has one, otherwise at commas; `\,` is a comma. */
function splitList(list: string): string[] {
  if (list.includes('::')) return list.split('::').map((option) => option.trim());
  return list.split(/(?<!\\),/u).map((option) => option.replaceAll(String.raw`\,`, ',').trim());
}

/** Rolls dice such as `6`, `d6` or `2d6+1`; empty for anything else. */
function roll(dice: string, values: Evaluation): string {
  const plain = dice.replaceAll(/\s/g, '');
  const [, count = '', sides, more = '0'] = DICE.exec(/^\d+$/.test(plain) ? `d${plain}` : plain) ?? [];
  if (sides === undefined || Number(sides) === 0 || Number(count) > MAX_ROLLED_DICE) return '';
  let sum = Number(more);
  for (let die = 0; die < Number(count || 1); die += 1)
    sum += 1 + Math.floor(values.draw(false, dice) * Number(sides));
  return String(sum);
}
