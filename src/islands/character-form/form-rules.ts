import type { Language } from '../../config/languages.ts';
import {
  type Definition,
  DEFINITION_PARTS,
  type DefinitionChange,
  type DefinitionPart,
  MAX_PART_CHARS,
  toDefinition,
} from '../../features/character/definition-parts.ts';
import { parseLanguage } from '../../locales/detect.ts';
import { CARD, TAGS, type Tag } from '../../features/character/limits.ts';
import type { CardDraft } from '../../features/cards/contract.ts';
import {
  CHARACTER_TEXTS,
  type CharacterText,
  isSuggestedReply,
  MAX_ALTERNATE_GREETINGS,
  MAX_SUGGESTED_REPLIES,
} from '../../features/character/character-rules.ts';
import type {
  CharacterChange,
  CreateCharacterBody,
  ExtrasView,
  OwnCharacter,
} from '../../features/character/contract.ts';
import {
  type EditableLorebook,
  countBookChars,
  findLorebookProblems,
} from '../../features/character/lorebook/lorebook-rules.ts';
import type { ReplyStyle } from '../../features/reply-style/contract.ts';
import type { UploadedPicture } from '../../features/picture/contract.ts';
import { hasVisibleText } from '../../lib/sanitize-text.ts';
import { dequal } from 'dequal';

/** A character as edited in the form. */
export interface CharacterFields {
  avatar: UploadedPicture | null;
  name: string;
  oneliner: string;
  character_traits: string;
  first_message: string;
  /** Shown on the character's page. */
  about: string;
  /** Includes empty items, which are not sent. */
  alternate_greetings: readonly string[];
  suggested_replies: readonly string[];
  model_type: OwnCharacter['model_type'];
  point_of_view: OwnCharacter['point_of_view'];
  tags: readonly Tag[];
  /** Normalised. */
  free_tags: readonly string[];
  visibility: OwnCharacter['visibility'];
  nsfw_allowed: boolean;
  /** Empty for no nickname. */
  nickname: string;
  /** All parts, also empty ones. */
  definition: Definition;
  /** Null to recommend none. */
  recommended_style: ReplyStyle | null;
  /** Null until it is chosen or detected. */
  language: Language | null;
  /** Immutable: every change makes a new object, and parts shared with an older one are unchanged. */
  lorebook: EditableLorebook | null;
}
export type FieldName = keyof CharacterFields;

/** Fields of a new character. */
export const EMPTY_FIELDS: CharacterFields = {
  avatar: null,
  name: '',
  oneliner: '',
  character_traits: '',
  first_message: '',
  about: '',
  alternate_greetings: [],
  suggested_replies: [],
  model_type: 'roleplay',
  point_of_view: 'normal',
  tags: [],
  free_tags: [],
  visibility: 'public',
  nsfw_allowed: false,
  nickname: '',
  definition: toDefinition(null),
  recommended_style: null,
  language: null,
  lorebook: null,
};

export const FIELD_NAMES = Object.keys(EMPTY_FIELDS) as FieldName[];

/** Most items per list. */
export const MAX_ITEMS = {
  alternate_greetings: MAX_ALTERNATE_GREETINGS,
  suggested_replies: MAX_SUGGESTED_REPLIES,
} as const;
export type ListField = keyof typeof MAX_ITEMS;

const isTag = (tag: string): tag is Tag => (TAGS as readonly string[]).includes(tag);

/** Form fields that most characters only have after a card import. */
export const EXTRA_FIELD_NAMES = ['nickname', 'definition', 'recommended_style', 'lorebook'] as const;
export type ExtraFields = Pick<CharacterFields, (typeof EXTRA_FIELD_NAMES)[number]>;

/** Data of a card besides the form's main fields. */
export type CardFields = ExtrasView & { definition: Definition };

/** @param extras from the server or a card; undefined for none */
export const toExtraFields = (extras: Partial<CardFields> | null | undefined): ExtraFields => ({
  nickname: extras?.nickname ?? '',
  definition: extras?.definition ?? toDefinition(null),
  recommended_style: extras?.recommended_style ?? null,
  lorebook: extras?.lorebook ?? null,
});

/** Whether any of the extra fields is filled. */
export const hasExtras = ({ nickname, definition, recommended_style, lorebook }: ExtraFields): boolean =>
  nickname !== '' ||
  lorebook !== null ||
  recommended_style !== null ||
  Object.values(definition).some(({ text }) => text !== '');

/** Converts a character from the API to form fields. */
export function toFields(character: OwnCharacter): CharacterFields {
  const { avatar_id, avatar_url, tags, extras, definition, language } = character;
  const fields = Object.fromEntries(FIELD_NAMES.map((name) => [name, character[name as keyof OwnCharacter]]));
  return {
    ...(fields as unknown as CharacterFields),
    avatar: { avatar_id, url: avatar_url },
    tags: tags.filter(isTag),
    language: parseLanguage(language),
    ...toExtraFields({ ...extras, ...(definition === undefined ? {} : { definition }) }),
  };
}

/** The fields after importing a card; keeps the current picture if the card has none. */
export function applyCard(
  fields: CharacterFields,
  { draft: card, extras }: { draft: CardDraft; extras: ExtrasView },
): CharacterFields {
  const { avatar_id, avatar_url, tags, ...draft } = card;
  const avatar = avatar_id === null || avatar_url === null ? fields.avatar : { avatar_id, url: avatar_url };
  const { definition } = draft;
  return {
    ...draft,
    ...toExtraFields({ ...extras, definition }),
    // Cards have no such text: the creator's notes stay what they are.
    about: fields.about,
    avatar,
    language: null,
    tags: tags.filter(isTag),
  };
}

export type CharacterBody = Required<
  Omit<CreateCharacterBody, 'import_id' | 'import_key' | 'language' | 'definition'>
> & {
  language?: Language;
  definition: DefinitionChange;
};

/**
 * Converts the fields to a request body, without empty list items. Texts are not trimmed, so that a card's text
 * stays exact.
 */
export function toCharacterBody(fields: CharacterFields): CharacterBody {
  const { avatar, name, alternate_greetings, suggested_replies, tags, free_tags, ...others } = fields;
  const { nickname, language, lorebook, ...rest } = others;
  return {
    ...rest,
    ...(language === null ? {} : { language }),
    nickname: hasVisibleText(nickname) ? nickname.trim() : null,
    lorebook: lorebook === null || lorebook.entries.length === 0 ? null : lorebook,
    avatar_id: avatar?.avatar_id ?? '',
    name: name.trim(),
    tags: TAGS.filter((tag) => tags.includes(tag)),
    free_tags: [...free_tags],
    alternate_greetings: alternate_greetings.filter(hasVisibleText),
    suggested_replies: suggested_replies.map((reply) => reply.trim()).filter(hasVisibleText),
  };
}

/** Request body that creates a character. */
export type NewCharacterBody = Omit<CharacterBody, keyof ExtraFields> & Partial<CharacterBody>;

/**
 * The request body for a new character. Omits extra fields that are unchanged from the card, and a lorebook too large
 * for device storage: a second request sends it, so that the first attempt can be stored and repeated.
 * @param card the data of the imported card
 */
export function toNewCharacterBody(fields: CharacterFields, card: CardFields | null): NewCharacterBody {
  const body = toCharacterBody(fields);
  const before = toCharacterBody({ ...fields, ...toExtraFields(card) });
  const left: ReadonlySet<string> = new Set(
    EXTRA_FIELD_NAMES.filter(
      (name) =>
        dequal(body[name], before[name]) || (name === 'lorebook' && !fitsDeviceStorage(fields.lorebook)),
    ),
  );
  return Object.fromEntries(Object.entries(body).filter(([name]) => !left.has(name))) as NewCharacterBody;
}

/**
 * Largest lorebook kept on the device, in characters of JSON. It is stored twice while the draft is being published.
 */
const MAX_STORED_LOREBOOK_CHARS = 256_000;

/** Whether a draft with this lorebook can be stored on the device. */
export const fitsDeviceStorage = (book: EditableLorebook | null): boolean =>
  book === null || countBookChars(book) <= MAX_STORED_LOREBOOK_CHARS;

/** The changed fields of a body; null if nothing changed. */
export function diffBodies(before: CharacterBody, now: CharacterBody): CharacterChange | null {
  const changed = Object.entries(now)
    .filter(([name, value]) => !dequal(value, before[name as keyof CharacterBody]))
    .map(([name, value]) => [
      name,
      name === 'definition' ? pickChangedParts(before.definition, now.definition) : value,
    ]);
  return changed.length === 0 ? null : (Object.fromEntries(changed) as CharacterChange);
}

const pickChangedParts = (before: DefinitionChange, now: DefinitionChange): DefinitionChange =>
  Object.fromEntries(
    Object.entries(now).filter(([part, written]) => !dequal(written, before[part as DefinitionPart])),
  );

/** Whether the form has unsaved changes. */
export function hasFormChanges(fields: CharacterFields, from: CharacterFields): boolean {
  return diffBodies(toCharacterBody(from), toCharacterBody(fields)) !== null;
}

/**
 * Applies the edits made to an older version of a character to its newest version; unedited fields take the newest
 * value.
 */
export function rebaseFields(
  written: CharacterFields,
  older: CharacterFields,
  newest: CharacterFields,
): CharacterFields {
  const same = (name: FieldName) => dequal(written[name], older[name]);
  const fields = Object.fromEntries(
    FIELD_NAMES.map((name) => [name, same(name) ? newest[name] : written[name]]),
  ) as unknown as CharacterFields;
  const edited = pickChangedParts(older.definition, written.definition);
  return { ...fields, definition: { ...newest.definition, ...(edited as Partial<Definition>) } };
}

/** Length of a text as sent, and its limit, in UTF-16 units as the server counts. */
export function measureField(field: CharacterText, text: string): { used: number; limit: number } {
  return { used: (field === 'name' ? text.trim() : text).length, limit: CHARACTER_TEXTS[field].max };
}

/** An error of a field, or of one list item (index from 0). */
export interface FieldError {
  field: FieldName;
  index?: number;
  code: 'required' | 'too_long' | 'words' | `book_${ReturnType<typeof findLorebookProblems>[number]['code']}`;
}

function validateText(field: CharacterText, text: string, isRequired: boolean): FieldError['code'] | null {
  const { used, limit } = measureField(field, text);
  if (used > limit) return 'too_long';
  return isRequired && !hasVisibleText(text) ? 'required' : null;
}

function validateList(
  field: ListField,
  items: readonly string[],
  validateItem: (item: string) => FieldError['code'] | null,
): FieldError[] {
  return items.flatMap((item, index) => {
    const code = hasVisibleText(item) ? validateItem(item) : null;
    return code === null ? [] : [{ field, index, code }];
  });
}

const lorebookErrors = new WeakMap<
  EditableLorebook,
  { stood: EditableLorebook | null; troubles: FieldError[] }
>();

/** Finds limits that a lorebook exceeds. Cached per lorebook object, because it runs on every render. */
function validateLorebook(book: EditableLorebook | null, original: EditableLorebook | null): FieldError[] {
  if (book === null || book === original) return [];
  const known = lorebookErrors.get(book);
  if (known !== undefined && known.stood === original) return known.troubles;
  const troubles = findLorebookProblems(book, original).map(({ entry, code }): FieldError => ({
    field: 'lorebook',
    ...(entry === null ? {} : { index: entry }),
    code: `book_${code}`,
  }));
  lorebookErrors.set(book, { stood: original, troubles });
  return troubles;
}

/**
 * All errors in the order of the form. Empty list items are not sent and therefore not checked.
 * @param original the lorebook before editing; what was too long in it already may stay
 * @param mayLackTraits whether models learn about the character from other texts
 */
export function validateFields(
  fields: CharacterFields,
  original: EditableLorebook | null = null,
  mayLackTraits = false,
): FieldError[] {
  const texts = (['name', 'oneliner', 'character_traits', 'first_message'] as const).flatMap(
    (field): FieldError[] => {
      const isRequired = field === 'character_traits' ? !mayLackTraits : CHARACTER_TEXTS[field].required;
      const code = validateText(field, fields[field], isRequired);
      return code === null ? [] : [{ field, code }];
    },
  );
  return [
    ...(fields.avatar === null ? [{ field: 'avatar', code: 'required' } as const] : []),
    ...texts,
    ...validateList('alternate_greetings', fields.alternate_greetings, (text) =>
      text.length > CHARACTER_TEXTS.first_message.max ? 'too_long' : null,
    ),
    ...validateList('suggested_replies', fields.suggested_replies, (text) =>
      isSuggestedReply(text.trim()) ? null : 'words',
    ),
    ...(validateText('about', fields.about, false) === null
      ? []
      : [{ field: 'about', code: 'too_long' } as const]),
    ...(fields.nickname.trim().length > CARD.maxNicknameChars
      ? [{ field: 'nickname', code: 'too_long' } as const]
      : []),
    ...DEFINITION_PARTS.flatMap((part, index): FieldError[] =>
      fields.definition[part].text.length > MAX_PART_CHARS
        ? [{ field: 'definition', index, code: 'too_long' }]
        : [],
    ),
    ...validateLorebook(fields.lorebook, original),
  ];
}

/** The form's fields that the server named in a refusal. */
export function listRejectedFields(named: Record<string, unknown> = {}): FieldName[] {
  const names = new Set(Object.keys(named).map((name) => name.split('.')[0]));
  return FIELD_NAMES.filter((field) => names.has(field === 'avatar' ? 'avatar_id' : field));
}
