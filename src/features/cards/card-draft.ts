import { isFreeTag, listDistinctFreeTags, normalizeFreeTag } from '../character/free-tags.ts';
import { CARD, FREE_TAGS, TAGS } from '../character/limits.ts';
import { TEXT_LIMITS } from '../../config/text-limits.ts';
import {
  isSuggestedReply,
  MAX_ALTERNATE_GREETINGS,
  MAX_SUGGESTED_REPLIES,
} from '../character/character-rules.ts';
import { DEFINITION_PARTS, MAX_PART_CHARS } from '../character/definition-parts.ts';
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
  getCardPart,
  getCardTags,
  getOwnTraits,
  getOwnExtension,
  getTextField,
  getTextList,
  getTextOrList,
} from './card-fields.ts';
import { truncateText } from '../../lib/truncate-text.ts';
import type { CardDraft, CardNote } from './contract.ts';

/** The form's fields that a card fills in, as they are stored. The definition is read from the card itself. */
export type DraftFields = Omit<CardDraft, 'definition'>;
/** The same without the picture. */
export type DraftTexts = Omit<DraftFields, 'avatar_id' | 'avatar_url'>;

/** A line is searched for in this much of a text. */
const MAX_LINE_CHARS = 2000;

/** Returns a text as forms send it back: with LF line ends and no surrounding white space. */
export function normalizeFormText(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').trim();
}

/** Replaces unpaired surrogates, which cannot be stored as written. */
const normalizeWellFormed = (text: string): string => normalizeFormText(text.toWellFormed());

const isSameWord = (first: string, second: string): boolean =>
  first.trim().toLowerCase() === second.toLowerCase();

/**
 * Converts a card to the form's fields, with notes on everything that could not be taken unchanged.
 * @param info information about the file that contained the card
 */
export function buildCardDraft(
  card: Card,
  info: Partial<CardFileInfo> = {},
): { draft: DraftTexts; notes: CardNote[] } {
  const notes: CardNote[] = [];
  const own = getOwnExtension(card);
  const fitted = (field: string, text: string, max: number, shorten = truncateText): string => {
    const fitting = shorten(text, max).trimEnd();
    if (fitting !== text) notes.push(createCardNote('cut', { field, from: text.length, to: fitting.length }));
    return fitting;
  };
  const name = fitted('name', getCardName(card), TEXT_LIMITS.characterName);
  const oneliner = fitted('oneliner', getOneliner(card, name), TEXT_LIMITS.oneliner);
  const ownTraits = normalizeWellFormed(getOwnTraits(card));
  const traits = fitted('character_traits', ownTraits, TEXT_LIMITS.characterTraits);
  const greeting = normalizeWellFormed(getTextField(card.data, 'first_mes'));
  const draft: DraftTexts = {
    name,
    oneliner,
    character_traits: traits,
    first_message: fitted('first_message', greeting, TEXT_LIMITS.firstMessage, shortenGreeting),
    model_type: modelType.safeParse(own['model_type']).data ?? 'roleplay',
    visibility: visibility.safeParse(own['visibility']).data ?? 'private',
    point_of_view: pointOfView.safeParse(own['point_of_view']).data ?? 'normal',
    nsfw_allowed: isNsfwCard(card),
    suggested_replies: getSuggestedReplies(card, notes),
    ...getTags(card, notes),
    alternate_greetings: getAlternateGreetings(card, notes),
  };
  for (const field of ['name', 'oneliner'] as const) {
    if (!hasVisibleText(draft[field])) {
      draft[field] = '';
      notes.push(createCardNote('missing', { field }));
    }
  }
  for (const part of DEFINITION_PARTS) {
    const text = getCardPart(card, part);
    const { length: to } = truncateText(text, MAX_PART_CHARS);
    if (to < text.length)
      notes.push(createCardNote('cut', { field: `definition.${part}`, from: text.length, to }));
  }
  addRemainingNotes(card, notes, info.extractedFiles ?? 0);
  if ((info.chats ?? 0) > 0) notes.push(createCardNote('chats_left', { from: info.chats }));
  if ((info.metadataLeft ?? 0) > 0) notes.push(createCardNote('metadata_left', { from: info.metadataLeft }));
  if (info.isOlder === true) notes.push(createCardNote('older_taken'));
  return { draft, notes };
}

const SENTENCE_END = /[.!?…]["'”’»*)]*(?=\s)|[。！？।][”’」』）*]*|\n/gu;

/** Cuts a greeting after its last sentence that fits; one that is longer than half of the limit is cut within. */
function shortenGreeting(greeting: string, max: number): string {
  const start = truncateText(greeting, max);
  if (start.length === greeting.length) return start;
  const end = [...start.matchAll(SENTENCE_END)].at(-1);
  const length = end === undefined ? 0 : end.index + end[0].length;
  return length < max / 2 ? start : start.slice(0, length);
}

/** Longer than any name, so that no pattern runs over a whole book. */
const getCardName = (card: Card): string =>
  toName(getTextField(card.data, 'name').slice(0, MAX_LINE_CHARS)).trim();

/** The tag that sites use for adult cards. */
const ADULT_TAG = 'nsfw';

/** Cards that we exported say so themselves; for others the tag decides. */
function isNsfwCard(card: Card): boolean {
  const written = getOwnExtension(card)['nsfw_allowed'];
  if (typeof written === 'boolean') return written;
  return getCardTags(card.data).some((tag) => isSameWord(tag, ADULT_TAG));
}

/**
 * Cards that we exported have a tagline. Others get their name: everyone reads the tagline, and the creator has not opened
 * any part of the card to others.
 */
function getOneliner(card: Card, name: string): string {
  const written = getTextField(getOwnExtension(card), 'oneliner').slice(0, MAX_LINE_CHARS);
  return hasVisibleText(written) ? normalizeWellFormed(written) : name;
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

/** Tags that are not among our own become free tags, as many as a character may have. The one for adults is a field. */
function getTags(card: Card, notes: CardNote[]): Pick<DraftTexts, 'tags' | 'free_tags'> {
  const listed = getCardTags(card.data);
  const tags = TAGS.filter((tag) => listed.some((one) => isSameWord(one, tag)));
  const others = listDistinctFreeTags(
    listed.map(normalizeFreeTag).filter((tag) => tag !== '' && tag !== ADULT_TAG),
  );
  const freeTags = others.filter(isFreeTag).slice(0, FREE_TAGS.maxPerCharacter);
  addLeftOutNote(notes, 'tags', tags.length + others.length, tags.length + freeTags.length);
  return { tags, free_tags: freeTags };
}

function getAlternateGreetings(card: Card, notes: CardNote[]): string[] {
  const field = 'alternate_greetings';
  const listed = getTextOrList(card.data, field).map(normalizeWellFormed).filter(hasVisibleText);
  const greetings = listed.slice(0, MAX_ALTERNATE_GREETINGS);
  addLeftOutNote(notes, field, listed.length, greetings.length);
  const max = TEXT_LIMITS.firstMessage;
  const fitting = greetings.map((greeting) => shortenGreeting(greeting, max).trimEnd());
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

/** Adds notes about parts of the card that are not in the form. */
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

/** Returns the first sources that a card of version 3 names, each on one line. */
function listSources(card: Card): string[] {
  return getTextList(card.data, 'source')
    .map((text) => truncateText(toName(text.slice(0, MAX_LINE_CHARS)).trim(), CARD.maxSourceChars).trimEnd())
    .filter(hasVisibleText)
    .slice(0, CARD.maxSources);
}
