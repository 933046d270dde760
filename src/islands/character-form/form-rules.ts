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
  /** Includes empty items, which are not sent. */
  alternate_greetings: readonly string[];
  suggested_replies: readonly string[];
  model_type: OwnCharacter['model_type'];
  point_of_view: OwnCharacter['point_of_view'];
  tags: readonly Tag[];
  visibility: OwnCharacter['visibility'];
  nsfw_allowed: boolean;
  /** Empty for no nickname. */
  nickname: string;
  /** Notes by language. Includes empty ones, which are not sent. */
  creator_notes: Readonly<Record<string, string>>;
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
  alternate_greetings: [],
  suggested_replies: [],
  model_type: 'roleplay',
  point_of_view: 'normal',
  tags: [],
  visibility: 'public',
  nsfw_allowed: false,
  nickname: '',
  creator_notes: {},
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
export type ExtraFields = Pick<CharacterFields, 'nickname' | 'creator_notes' | 'lorebook'>;
export const EXTRA_FIELD_NAMES = ['nickname', 'creator_notes', 'lorebook'] as const;

/** @param extras from the server or a card; undefined for none */
export const toExtraFields = (extras: ExtrasView | null | undefined): ExtraFields => ({
  nickname: extras?.nickname ?? '',
  creator_notes: extras?.creator_notes ?? {},
  lorebook: extras?.lorebook ?? null,
});

/** Whether any of the extra fields is filled. */
export const hasExtras = ({ nickname, creator_notes, lorebook }: ExtraFields): boolean =>
  nickname !== '' || lorebook !== null || Object.values(creator_notes).some((note) => note !== '');

/** Converts a character from the API to form fields. */
export function toFields(character: OwnCharacter): CharacterFields {
  const { avatar_id, avatar_url, tags, extras } = character;
  const fields = Object.fromEntries(FIELD_NAMES.map((name) => [name, character[name as keyof OwnCharacter]]));
  return {
    ...(fields as unknown as CharacterFields),
    avatar: { avatar_id, url: avatar_url },
    tags: tags.filter(isTag),
    ...toExtraFields(extras),
  };
}

/** The fields after importing a card; keeps the current picture if the card has none. */
export function applyCard(
  fields: CharacterFields,
  { draft: card, extras }: { draft: CardDraft; extras: ExtrasView },
): CharacterFields {
  const { avatar_id, avatar_url, tags, ...draft } = card;
  const avatar = avatar_id === null || avatar_url === null ? fields.avatar : { avatar_id, url: avatar_url };
  return { ...draft, ...toExtraFields(extras), avatar, tags: tags.filter(isTag) };
}

export type CharacterBody = Required<Omit<CreateCharacterBody, 'import_id'>>;

/**
 * Converts the fields to a request body, without empty list items. Texts are not trimmed, so that a card's text
 * stays exact.
 */
export function toCharacterBody(fields: CharacterFields): CharacterBody {
  const { avatar, name, alternate_greetings, suggested_replies, tags, ...others } = fields;
  const { nickname, creator_notes, lorebook, ...rest } = others;
  const notes = Object.entries(creator_notes).filter(([, note]) => hasVisibleText(note));
  return {
    ...rest,
    nickname: hasVisibleText(nickname) ? nickname.trim() : null,
    creator_notes: notes.length === 0 ? null : Object.fromEntries(notes),
    lorebook: lorebook === null || lorebook.entries.length === 0 ? null : lorebook,
    avatar_id: avatar?.avatar_id ?? '',
    name: name.trim(),
    tags: TAGS.filter((tag) => tags.includes(tag)),
    alternate_greetings: alternate_greetings.filter(hasVisibleText),
    suggested_replies: suggested_replies.map((reply) => reply.trim()).filter(hasVisibleText),
  };
}

/** Request body that creates a character. */
export type NewCharacterBody = Omit<CharacterBody, keyof ExtraFields> & Partial<CharacterBody>;

/**
 * The request body for a new character. Omits extra fields that are unchanged from the card, and a lorebook too large
 * for device storage: a second request sends it, so that the first attempt can be stored and repeated.
 * @param card the extras of the imported card
 */
export function toNewCharacterBody(fields: CharacterFields, card: ExtrasView | null): NewCharacterBody {
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
  const changed = Object.entries(now).filter(
    ([name, value]) => !dequal(value, before[name as keyof CharacterBody]),
  );
  return changed.length === 0 ? null : (Object.fromEntries(changed) as CharacterChange);
}

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
  return Object.fromEntries(
    FIELD_NAMES.map((name) => [name, same(name) ? newest[name] : written[name]]),
  ) as unknown as CharacterFields;
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

function validateText(field: CharacterText, text: string): FieldError['code'] | null {
  const { used, limit } = measureField(field, text);
  if (used > limit) return 'too_long';
  return CHARACTER_TEXTS[field].required && !hasVisibleText(text) ? 'required' : null;
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
 */
export function validateFields(
  fields: CharacterFields,
  original: EditableLorebook | null = null,
): FieldError[] {
  const texts = (['name', 'oneliner', 'character_traits', 'first_message'] as const).flatMap(
    (field): FieldError[] => {
      const code = validateText(field, fields[field]);
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
    ...(fields.nickname.trim().length > CARD.maxNicknameChars
      ? [{ field: 'nickname', code: 'too_long' } as const]
      : []),
    ...(Object.values(fields.creator_notes).some((note) => note.length > CARD.maxNoteChars)
      ? [{ field: 'creator_notes', code: 'too_long' } as const]
      : []),
    ...validateLorebook(fields.lorebook, original),
  ];
}

/** The form's fields that the server named in a refusal. */
export function listRejectedFields(named: Record<string, unknown> = {}): FieldName[] {
  return FIELD_NAMES.filter((field) => (field === 'avatar' ? 'avatar_id' : field) in named);
}
