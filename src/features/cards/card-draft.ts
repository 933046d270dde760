import { CARD, TAGS } from '../character/limits.ts';
import { TEXT_LIMITS } from '../../config/text-limits.ts';
import {
  isSuggestedReply,
  MAX_ALTERNATE_GREETINGS,
  MAX_SUGGESTED_REPLIES,
} from '../character/character-rules.ts';
import { pointOfView, visibility } from '../character/contract.ts';
import { modelType } from '../model/contract.ts';
import { hasVisibleText, toName } from '../../lib/sanitize-text.ts';
import type { CardFileInfo } from './card-file.ts';
import { createCardNote } from './card-notes.ts';
import {
  listAssets,
  type Card,
  findIcon,
  getCardLorebook,
  getOwnExtension,
  getTextField,
  getTextList,
} from './card-fields.ts';
import type { CardDraft, CardNote } from './contract.ts';

/** What becomes of a card in the form, but for its picture. */
export type DraftTexts = Omit<CardDraft, 'avatar_id' | 'avatar_url'>;

/** What the traits are put together of, in their order: everything that a card tells a model of its character. */
export const TRAIT_FIELDS = [
  'description',
  'personality',
  'scenario',
  'mes_example',
  'system_prompt',
  'post_history_instructions',
] as const;
type TraitField = (typeof TRAIT_FIELDS)[number];

const SEPARATOR = '\n\n';
/** A line is looked for in no more than this of a text. */
const MAX_LINE_CHARS = 2000;
/** In place of what another program would have told: there is none here. */
const ORIGINAL_MACRO = /\{\{original\}\}/gi;

/** A text as forms send it back: lines end in one way, and nothing invisible stands around it. */
export function normalizeFormText(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').trim();
}

/** Cuts between whole characters. */
function truncateText(text: string, max: number): string {
  if (text.length <= max) return text;
  const part = text.slice(0, max);
  return (/[\uD800-\uDBFF]$/.test(part) ? part.slice(0, -1) : part).trimEnd();
}

/** Whole characters only: half of one cannot be stored as it was written. */
const normalizeWellFormed = (text: string): string => normalizeFormText(text.toWellFormed());

const isSameWord = (first: string, second: string): boolean =>
  first.trim().toLowerCase() === second.toLowerCase();

/**
 * What a card tells for the form, and what of it could not be taken as it is.
 * @param told what is known of the file that it came in
 */
export function buildCardDraft(
  card: Card,
  told: Partial<CardFileInfo> = {},
): { draft: DraftTexts; notes: CardNote[] } {
  const notes: CardNote[] = [];
  const own = getOwnExtension(card);
  const fitted = (field: string, text: string, max: number): string => {
    const fitting = truncateText(text, max);
    if (fitting !== text) notes.push(createCardNote('cut', { field, from: text.length, to: fitting.length }));
    return fitting;
  };
  const name = fitted('name', getCardName(card), TEXT_LIMITS.characterName);
  const oneliner = fitted('oneliner', getOneliner(card), TEXT_LIMITS.oneliner);
  const { text } = buildTraits(card);
  const traits = fitted('character_traits', text, TEXT_LIMITS.characterTraits);
  const greeting = normalizeWellFormed(getTextField(card.data, 'first_mes'));
  const draft: DraftTexts = {
    name,
    oneliner,
    character_traits: traits,
    first_message: fitted('first_message', greeting, TEXT_LIMITS.firstMessage),
    model_type: modelType.safeParse(own['model_type']).data ?? 'roleplay',
    visibility: visibility.safeParse(own['visibility']).data ?? 'private',
    point_of_view: pointOfView.safeParse(own['point_of_view']).data ?? 'normal',
    nsfw_allowed: isNsfwCard(card),
    suggested_replies: getSuggestedReplies(card, notes),
    tags: getTags(card, notes),
    alternate_greetings: getAlternateGreetings(card, notes),
  };
  for (const field of ['name', 'oneliner', 'character_traits'] as const) {
    if (!hasVisibleText(draft[field])) {
      draft[field] = '';
      notes.push(createCardNote('missing', { field }));
    }
  }
  addRemainingNotes(card, notes, told.extractedFiles ?? 0);
  if (told.isOlder === true) notes.push(createCardNote('older_taken'));
  return { draft, notes };
}

/** Far more than a name has, so that no rule is run over a whole book. */
const getCardName = (card: Card): string =>
  toName(getTextField(card.data, 'name').slice(0, MAX_LINE_CHARS)).trim();

/** As we wrote it; elsewhere by the tag that sites give such cards. */
function isNsfwCard(card: Card): boolean {
  const written = getOwnExtension(card)['nsfw_allowed'];
  if (typeof written === 'boolean') return written;
  return getTextList(card.data, 'tags').some((tag) => isSameWord(tag, 'nsfw'));
}

/** Ours where we wrote it; elsewhere a line of what tells what the card is about. */
function getOneliner(card: Card): string {
  const written = getTextField(getOwnExtension(card), 'oneliner').slice(0, MAX_LINE_CHARS);
  if (hasVisibleText(written)) return normalizeWellFormed(written);
  const texts = ['creator_notes', 'personality', 'scenario', 'description'];
  const lines = texts.flatMap((name) =>
    getTextField(card.data, name)
      .slice(0, MAX_LINE_CHARS)
      .split(/[\r\n]+/),
  );
  return normalizeWellFormed(lines.find(hasVisibleText) ?? '');
}

/** Which of a card's texts the traits were made of: those of which anything is within what traits may have. */
export function buildTraits(card: Card): { text: string; told: TraitField[] } {
  const told: TraitField[] = [];
  let text = '';
  for (const name of TRAIT_FIELDS) {
    const part = normalizeWellFormed(getTextField(card.data, name).replaceAll(ORIGINAL_MACRO, ''));
    if (part === '') continue;
    if (text.length + (text === '' ? 0 : SEPARATOR.length) < TEXT_LIMITS.characterTraits) told.push(name);
    text += (text === '' ? '' : SEPARATOR) + part;
  }
  return { text, told };
}

function getSuggestedReplies(card: Card, notes: CardNote[]): string[] {
  const listed = getTextList(getOwnExtension(card), 'suggested_replies');
  const replies = listed
    .map((reply) => reply.trim())
    .filter((reply) => reply.isWellFormed() && isSuggestedReply(reply))
    .slice(0, MAX_SUGGESTED_REPLIES);
  addLeftOutNote(notes, 'suggested_replies', listed.length, replies.length);
  return replies;
}

function getTags(card: Card, notes: CardNote[]): string[] {
  const listed = getTextList(card.data, 'tags');
  const tags = TAGS.filter((tag) => listed.some((one) => isSameWord(one, tag)));
  const others = listed.filter((one) => !TAGS.some((tag) => isSameWord(one, tag)));
  if (others.length > 0) addLeftOutNote(notes, 'tags', tags.length + others.length, tags.length);
  return tags;
}

function getAlternateGreetings(card: Card, notes: CardNote[]): string[] {
  const field = 'alternate_greetings';
  const listed = getTextList(card.data, field).map(normalizeWellFormed).filter(hasVisibleText);
  const greetings = listed.slice(0, MAX_ALTERNATE_GREETINGS);
  addLeftOutNote(notes, field, listed.length, greetings.length);
  const max = TEXT_LIMITS.firstMessage;
  const fitting = greetings.map((greeting) => truncateText(greeting, max));
  const shortened = greetings.flatMap((greeting, index) => {
    const { length } = fitting[index] as string;
    return length === greeting.length ? [] : { from: greeting.length, to: length };
  });
  const [first, second] = shortened;
  if (second !== undefined)
    notes.push(createCardNote('several_cut', { field, from: shortened.length, to: max }));
  else if (first !== undefined) notes.push(createCardNote('cut', { field, ...first }));
  return fitting;
}

function addLeftOutNote(notes: CardNote[], field: string, from: number, to: number): void {
  if (to < from) notes.push(createCardNote('left_out', { field, from, to }));
}

/** What is not in the form. */
function addRemainingNotes(card: Card, notes: CardNote[], cutFiles: number): void {
  const book = getCardLorebook(card);
  if (book.tooLarge) notes.push(createCardNote('lorebook_too_large', { from: book.entries }));
  else if (book.json !== null) notes.push(createCardNote('lorebook_kept', { to: book.entries }));
  const icon = findIcon(card);
  const others = listAssets(card).filter((asset) => asset.uri !== icon?.uri && asset.uri !== 'ccdefault:');
  const left = others.length + cutFiles;
  if (left > 0) notes.push(createCardNote('assets_left', { from: left }));
  const texts = listSources(card);
  if (texts.length > 0) notes.push(createCardNote('source_kept', { texts }));
}

/** Where a card of version 3 says that it comes from: the first addresses or names, each in one line. */
function listSources(card: Card): string[] {
  return getTextList(card.data, 'source')
    .map((text) => truncateText(toName(text.slice(0, MAX_LINE_CHARS)).trim(), CARD.maxSourceChars))
    .filter(hasVisibleText)
    .slice(0, CARD.maxSources);
}
