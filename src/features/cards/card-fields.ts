import { BRAND } from '../../config/brand.ts';
import { TEXT_LIMITS } from '../../config/text-limits.ts';
import { CARD } from '../character/limits.ts';
import type { CardExtras } from '../character/definition.ts';
import {
  type DefinitionPart,
  mapParts,
  MAX_PART_CHARS,
  mergeDefinition,
  type StoredDefinition,
} from '../character/definition-parts.ts';
import { detectLorebook, readLorebookFile } from '../character/lorebook/lorebook-file.ts';
import { type ReplyStyle, replyStyle } from '../reply-style/contract.ts';
import { DEFAULT_REPLY_STYLE, isSameStyle } from '../reply-style/reply-style.ts';
import { toName } from '../../lib/sanitize-text.ts';
import { truncateText } from '../../lib/truncate-text.ts';

/** An object of untrusted JSON. */
export type UnknownFields = Record<string, unknown>;

/** A character card as it was written. */
export interface Card {
  /** Later versions are read as version 3. */
  version: 1 | 2 | 3;
  root: UnknownFields;
  /** The object with the character's own fields: the root itself in version 1. */
  data: UnknownFields;
}

export function isUnknownFields(value: unknown): value is UnknownFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a text field of an object; empty when there is none. */
export function getTextField(fields: UnknownFields, name: string): string {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return typeof value === 'string' ? value : '';
}

/** Returns the texts among the first entries of a list field; empty when there is none. */
export function getTextList(fields: UnknownFields, name: string): string[] {
  return getListField(fields, name).filter((one): one is string => typeof one === 'string');
}

/** Returns the texts of a list field, or the one text that some programs write in its place. */
export function getTextOrList(fields: UnknownFields, name: string): string[] {
  const text = getTextField(fields, name);
  return text === '' ? getTextList(fields, name) : [text];
}

/** Returns the first entries of a list field; empty when there is none. */
export function getListField(fields: UnknownFields, name: string): unknown[] {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return Array.isArray(value) ? value.slice(0, CARD.maxListed) : [];
}

/** Returns an object field of an object; empty when there is none. */
export function getObjectField(fields: UnknownFields, name: string): UnknownFields {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return isUnknownFields(value) ? value : {};
}

/** Returns the fields of an object without some of them. */
export const omitFields = (fields: UnknownFields, names: readonly string[]): UnknownFields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

/** Text fields of every version; a card has a name and at least one of them. */
export const CARD_TEXTS = ['description', 'personality', 'scenario', 'first_mes', 'mes_example'] as const;

/**
 * Whether JSON is a character in agnai's own format. Its persona is no text, and its description is the creator's note.
 */
export const isAgnaiCharacter = (value: UnknownFields): boolean =>
  typeof value['name'] === 'string' &&
  !Object.hasOwn(value, 'first_mes') &&
  isUnknownFields(getObjectField(value, 'persona')['attributes']);

/** Lists of which at least one is in every chat that other programs export as JSON. */
const CHAT_LISTS = ['messages', 'internal', 'actions', 'histories'];

/** Whether JSON is a chat: of agnai, text-generation-webui, KoboldAI Lite, CAI Tools, RisuAI, SillyTavern or TavernAI. */
export function isChat(value: unknown): boolean {
  if (Array.isArray(value)) return value.slice(0, 2).some(isChat);
  if (!isUnknownFields(value) || Object.hasOwn(value, 'first_mes')) return false;
  if (value['type'] === 'risuChat' || value['type'] === 'risuAllChats') return true;
  if (typeof value['mes'] === 'string' || isUnknownFields(value['chat_metadata'])) return true;
  // The first line of older chats of SillyTavern has nothing else.
  if (typeof value['user_name'] === 'string' && typeof value['character_name'] === 'string') return true;
  return CHAT_LISTS.some((name) => Array.isArray(value[name]));
}

/**
 * Reads JSON as a card of version 1, 2, 3 or later; null when it is not a card. Lorebooks, chats and agnai's characters
 * have a name and texts of a card too.
 */
export function readCard(value: unknown): Card | null {
  if (!isUnknownFields(value) || detectLorebook(value) !== null) return null;
  const spec = /^chara_card_v(\d{1,3})$/.exec(getTextField(value, 'spec'))?.[1];
  const data = getObjectField(value, 'data');
  if (isCardLike(data)) {
    // Some programs leave out the version.
    return { version: spec !== undefined && Number(spec) >= 3 ? 3 : 2, root: value, data };
  }
  if (isAgnaiCharacter(value) || isChat(value)) return null;
  return isCardLike(value) ? { version: 1, root: value, data: value } : null;
}

const isCardLike = (fields: UnknownFields): boolean =>
  Object.hasOwn(fields, 'name') &&
  typeof fields['name'] === 'string' &&
  CARD_TEXTS.some((name) => Object.hasOwn(fields, name) && typeof fields[name] === 'string');

/** Fields that every version requires. */
const EMPTY_CARD_DATA = {
  name: '',
  description: '',
  personality: '',
  scenario: '',
  first_mes: '',
  mes_example: '',
  creator_notes: '',
  system_prompt: '',
  post_history_instructions: '',
  alternate_greetings: [],
  tags: [],
  creator: '',
  character_version: '',
  extensions: {},
};

/** Converts a card to another version. Fields that the version does not know are kept, as the format requires. */
export function convertToVersion(card: Card, version: 2 | 3): UnknownFields {
  const root = card.version === 1 ? {} : card.root;
  return {
    ...root,
    spec: `chara_card_v${version}`,
    spec_version: `${version}.0`,
    data: { ...EMPTY_CARD_DATA, ...(version === 3 ? { group_only_greetings: [] } : {}), ...card.data },
  };
}

/** Returns the tags of a card's data; some programs write them as one text. */
export function getCardTags(data: UnknownFields): string[] {
  const text = getTextField(data, 'tags');
  if (text === '') return getTextList(data, 'tags');
  const tags = text.split(/[,;\n]/).map((tag) => tag.trim());
  return tags.filter((tag) => tag !== '').slice(0, CARD.maxListed);
}

/** Returns our own extension, with the data that no version has a field for. */
export const getOwnExtension = (card: Card): UnknownFields =>
  getObjectField(getObjectField(card.data, 'extensions'), BRAND.modelValue);

export interface Asset {
  /** Position in the card's list, from 0. */
  index: number;
  type: string;
  uri: string;
  name: string;
  ext: string;
}

/** Returns the files that a card of version 3 lists. */
export function listAssets(card: Card): Asset[] {
  return getListField(card.data, 'assets').flatMap((asset, index) =>
    isUnknownFields(asset)
      ? {
          index,
          type: getTextField(asset, 'type'),
          uri: getTextField(asset, 'uri'),
          name: getTextField(asset, 'name'),
          ext: getTextField(asset, 'ext'),
        }
      : [],
  );
}

/** Returns the character's picture. */
export function findIcon(card: Card): Asset | undefined {
  const icons = listAssets(card).filter(({ type }) => type === 'icon');
  return icons.find(({ name }) => name === 'main') ?? icons[0];
}

/** Returns the data of a card that a character keeps, but that is not in the form's main fields. */
export function getCardExtras(card: Card): CardExtras {
  const written = getTextField(card.data, 'nickname') || getTextField(getOwnExtension(card), 'nickname');
  const nickname = toName(written.slice(0, CARD.maxNicknameChars)).trim();
  const style = getCardStyle(card);
  return {
    nickname: nickname === '' ? null : nickname,
    lorebook: getCardLorebook(card).json,
    definition: toJson(getCardDefinition(card)),
    recommendedStyle: style && JSON.stringify(style),
  };
}

/** Returns the reply style that a card recommends; null when it has none that we can use, or the default one. */
export function getCardStyle(card: Card): ReplyStyle | null {
  const { recommended_style: written } = getOwnExtension(card);
  if (!isUnknownFields(written)) return null;
  const style = replyStyle.safeParse({ ...DEFAULT_REPLY_STYLE, ...written }).data;
  return style === undefined || isSameStyle(style, DEFAULT_REPLY_STYLE) ? null : style;
}

const toJson = (definition: StoredDefinition | null) =>
  definition === null ? null : JSON.stringify(definition);

/** The field of each part in `data`. */
export const PART_FIELDS = {
  description: 'description',
  personality: 'personality',
  scenario: 'scenario',
  example_dialogue: 'mes_example',
  instructions: 'system_prompt',
  post_history_instructions: 'post_history_instructions',
  creator_notes: 'creator_notes',
} as const satisfies Record<Exclude<DefinitionPart, 'depth_prompt'>, string>;

/** Returns the object in which programs keep a depth prompt; null when there is none. */
export function getDepthPrompt(card: Card): UnknownFields | null {
  const { depth_prompt: prompt } = getObjectField(card.data, 'extensions');
  return isUnknownFields(prompt) ? prompt : null;
}

/**
 * Whether a card is our export of a character without a description, which has the traits in its place (card.ts). Other
 * programs may have written a longer one there.
 */
export function hasTraitsAsDescription(card: Card): boolean {
  const { oneliner, character_traits: traits } = getOwnExtension(card);
  if (typeof oneliner !== 'string' || typeof traits === 'string') return false;
  return getTextField(card.data, 'description').length <= TEXT_LIMITS.characterTraits;
}

/** Whether a card is our export of a character without notes, which has the tagline in their place. */
export function hasOnelinerAsNotes(card: Card): boolean {
  const { oneliner } = getOwnExtension(card);
  return typeof oneliner === 'string' && getTextField(card.data, 'creator_notes') === oneliner;
}

/** Returns the traits of a card that we exported; empty for any other card. */
export const getOwnTraits = (card: Card): string =>
  hasTraitsAsDescription(card)
    ? getTextField(card.data, 'description')
    : getTextField(getOwnExtension(card), 'character_traits');

/** Returns the text of a part as the card has it; empty when it has none. */
export function getCardPart(card: Card, part: DefinitionPart): string {
  if (part === 'depth_prompt') return getTextField(getDepthPrompt(card) ?? {}, 'prompt');
  if (part === 'description' && hasTraitsAsDescription(card)) return '';
  if (part === 'creator_notes' && hasOnelinerAsNotes(card)) return '';
  return getTextField(card.data, PART_FIELDS[part]);
}

/** Returns the parts of a card's definition, each within the limit; null when it has none. */
export function getCardDefinition(card: Card): StoredDefinition | null {
  const texts = mapParts((part) => ({
    text: truncateText(getCardPart(card, part), MAX_PART_CHARS).toWellFormed(),
  }));
  return mergeDefinition(null, texts);
}

/**
 * Returns the lorebook of a card as JSON.
 * @returns `tooLarge`: there is a lorebook, but it exceeds our limits
 */
export function getCardLorebook(card: Card): { json: string | null; entries: number; tooLarge: boolean } {
  const book = readBook(Object.hasOwn(card.data, 'character_book') ? card.data['character_book'] : null);
  const entries = Array.isArray(book?.['entries']) ? book['entries'].length : 0;
  if (entries === 0) return { json: null, entries: 0, tooLarge: false };
  const json = JSON.stringify(book);
  const { maxEntries, maxBytes } = CARD.lorebook;
  const tooLarge = entries > maxEntries || new TextEncoder().encode(json).length > maxBytes;
  return tooLarge ? { json: null, entries, tooLarge } : { json, entries, tooLarge };
}

/** Reads the lorebook of a card. Some programs write its entries as an object, as SillyTavern's worlds have them. */
function readBook(book: unknown): UnknownFields | null {
  if (!isUnknownFields(book)) return null;
  const { entries } = book;
  return isUnknownFields(entries) ? readLorebookFile({ ...book, entries: Object.values(entries) }, '') : book;
}
