import { CARD, TAGS } from '../character/limits.ts';
import { TEXT_LIMITS } from '../../config/text-limits.ts';
import {
  isSuggestedReply,
  MAX_ALTERNATE_GREETINGS,
  MAX_SUGGESTED_REPLIES,
} from '../character/character-rules.ts';
import { pointOfView, visibility } from '../character/contract.ts';
import { modelType } from '../model/contract.ts';
import { hasVisibleText, toName } from '../../lib/visible-text.ts';
import type { ToldOfFile } from './card-file.ts';
import { cardNoteOf } from './card-notes.ts';
import { assetsOf, type Card, iconOf, lorebookOf, ownFields, textIn, textsIn } from './card-shape.ts';
import type { CardDraft, CardNote } from './contract.ts';

/** What becomes of a card in the form, but for its picture. */
export type DraftTexts = Omit<CardDraft, 'avatar_id' | 'avatar_url'>;

/** What the traits are put together of, in their order: everything that a card tells a model of its character. */
export const TRAIT_TEXTS = [
  'description',
  'personality',
  'scenario',
  'mes_example',
  'system_prompt',
  'post_history_instructions',
] as const;
type TraitText = (typeof TRAIT_TEXTS)[number];

const BETWEEN = '\n\n';
/** A line is looked for in no more than this of a text. */
const LINE_CHARS = 2000;
/** In place of what another program would have told: there is none here. */
const ORIGINAL = /\{\{original\}\}/gi;

/** A text as forms send it back: lines end in one way, and nothing invisible stands around it. */
export function formText(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').trim();
}

/** Cuts between whole characters. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const part = text.slice(0, max);
  return (/[\uD800-\uDBFF]$/.test(part) ? part.slice(0, -1) : part).trimEnd();
}

/** Whole characters only: half of one cannot be stored as it was written. */
const whole = (text: string): string => formText(text.toWellFormed());

const sameWord = (first: string, second: string): boolean =>
  first.trim().toLowerCase() === second.toLowerCase();

/**
 * What a card tells for the form, and what of it could not be taken as it is.
 * @param told what is known of the file that it came in
 */
export function draftOf(
  card: Card,
  told: Partial<ToldOfFile> = {},
): { draft: DraftTexts; notes: CardNote[] } {
  const notes: CardNote[] = [];
  const own = ownFields(card);
  const fitted = (field: string, text: string, max: number): string => {
    const fitting = cut(text, max);
    if (fitting !== text) notes.push(cardNoteOf('cut', { field, from: text.length, to: fitting.length }));
    return fitting;
  };
  const name = fitted('name', nameOf(card), TEXT_LIMITS.characterName);
  const oneliner = fitted('oneliner', onelinerOf(card), TEXT_LIMITS.oneliner);
  const { text } = traitsOf(card);
  const traits = fitted('character_traits', text, TEXT_LIMITS.characterTraits);
  const greeting = whole(textIn(card.data, 'first_mes'));
  const draft: DraftTexts = {
    name,
    oneliner,
    character_traits: traits,
    first_message: fitted('first_message', greeting, TEXT_LIMITS.firstMessage),
    model_type: modelType.safeParse(own['model_type']).data ?? 'roleplay',
    visibility: visibility.safeParse(own['visibility']).data ?? 'private',
    point_of_view: pointOfView.safeParse(own['point_of_view']).data ?? 'normal',
    nsfw_allowed: isForAdults(card),
    suggested_replies: repliesOf(card, notes),
    tags: tagsOf(card, notes),
    alternate_greetings: greetingsOf(card, notes),
  };
  for (const field of ['name', 'oneliner', 'character_traits'] as const) {
    if (!hasVisibleText(draft[field])) {
      draft[field] = '';
      notes.push(cardNoteOf('missing', { field }));
    }
  }
  noteRest(card, notes, told.cutFiles ?? 0);
  if (told.isOlder === true) notes.push(cardNoteOf('older_taken'));
  return { draft, notes };
}

/** Far more than a name has, so that no rule is run over a whole book. */
const nameOf = (card: Card): string => toName(textIn(card.data, 'name').slice(0, LINE_CHARS)).trim();

/** As we wrote it; elsewhere by the tag that sites give such cards. */
function isForAdults(card: Card): boolean {
  const written = ownFields(card)['nsfw_allowed'];
  if (typeof written === 'boolean') return written;
  return textsIn(card.data, 'tags').some((tag) => sameWord(tag, 'nsfw'));
}

/** Ours where we wrote it; elsewhere a line of what tells what the card is about. */
function onelinerOf(card: Card): string {
  const written = textIn(ownFields(card), 'oneliner').slice(0, LINE_CHARS);
  if (hasVisibleText(written)) return whole(written);
  const texts = ['creator_notes', 'personality', 'scenario', 'description'];
  const lines = texts.flatMap((name) =>
    textIn(card.data, name)
      .slice(0, LINE_CHARS)
      .split(/[\r\n]+/),
  );
  return whole(lines.find(hasVisibleText) ?? '');
}

/** Which of a card's texts the traits were made of: those of which anything is within what traits may have. */
export function traitsOf(card: Card): { text: string; told: TraitText[] } {
  const told: TraitText[] = [];
  let text = '';
  for (const name of TRAIT_TEXTS) {
    const part = whole(textIn(card.data, name).replaceAll(ORIGINAL, ''));
    if (part === '') continue;
    if (text.length + (text === '' ? 0 : BETWEEN.length) < TEXT_LIMITS.characterTraits) told.push(name);
    text += (text === '' ? '' : BETWEEN) + part;
  }
  return { text, told };
}

function repliesOf(card: Card, notes: CardNote[]): string[] {
  const listed = textsIn(ownFields(card), 'suggested_replies');
  const replies = listed
    .map((reply) => reply.trim())
    .filter((reply) => reply.isWellFormed() && isSuggestedReply(reply))
    .slice(0, MAX_SUGGESTED_REPLIES);
  noteLeftOut(notes, 'suggested_replies', listed.length, replies.length);
  return replies;
}

function tagsOf(card: Card, notes: CardNote[]): string[] {
  const listed = textsIn(card.data, 'tags');
  const tags = TAGS.filter((tag) => listed.some((one) => sameWord(one, tag)));
  const others = listed.filter((one) => !TAGS.some((tag) => sameWord(one, tag)));
  if (others.length > 0) noteLeftOut(notes, 'tags', tags.length + others.length, tags.length);
  return tags;
}

function greetingsOf(card: Card, notes: CardNote[]): string[] {
  const field = 'alternate_greetings';
  const listed = textsIn(card.data, field).map(whole).filter(hasVisibleText);
  const greetings = listed.slice(0, MAX_ALTERNATE_GREETINGS);
  noteLeftOut(notes, field, listed.length, greetings.length);
  const max = TEXT_LIMITS.firstMessage;
  const fitting = greetings.map((greeting) => cut(greeting, max));
  const shortened = greetings.flatMap((greeting, index) => {
    const { length } = fitting[index] as string;
    return length === greeting.length ? [] : { from: greeting.length, to: length };
  });
  const [first, second] = shortened;
  if (second !== undefined) notes.push(cardNoteOf('several_cut', { field, from: shortened.length, to: max }));
  else if (first !== undefined) notes.push(cardNoteOf('cut', { field, ...first }));
  return fitting;
}

function noteLeftOut(notes: CardNote[], field: string, from: number, to: number): void {
  if (to < from) notes.push(cardNoteOf('left_out', { field, from, to }));
}

/** What is not in the form. */
function noteRest(card: Card, notes: CardNote[], cutFiles: number): void {
  const book = lorebookOf(card);
  if (book.tooLarge) notes.push(cardNoteOf('lorebook_too_large', { from: book.entries }));
  else if (book.json !== null) notes.push(cardNoteOf('lorebook_kept', { to: book.entries }));
  const icon = iconOf(card);
  const others = assetsOf(card).filter((asset) => asset.uri !== icon?.uri && asset.uri !== 'ccdefault:');
  const left = others.length + cutFiles;
  if (left > 0) notes.push(cardNoteOf('assets_left', { from: left }));
  const texts = sourcesOf(card);
  if (texts.length > 0) notes.push(cardNoteOf('source_kept', { texts }));
}

/** Where a card of version 3 says that it comes from: the first addresses or names, each in one line. */
function sourcesOf(card: Card): string[] {
  return textsIn(card.data, 'source')
    .map((text) => cut(toName(text.slice(0, LINE_CHARS)).trim(), CARD.maxSourceChars))
    .filter(hasVisibleText)
    .slice(0, CARD.maxSources);
}
