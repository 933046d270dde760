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

/** A character as it stands in the form. */
export interface CharacterFields {
  avatar: UploadedPicture | null;
  name: string;
  oneliner: string;
  character_traits: string;
  first_message: string;
  /** As they stand, empty ones too: those are not sent. */
  alternate_greetings: readonly string[];
  suggested_replies: readonly string[];
  model_type: OwnCharacter['model_type'];
  point_of_view: OwnCharacter['point_of_view'];
  tags: readonly Tag[];
  visibility: OwnCharacter['visibility'];
  nsfw_allowed: boolean;
  /** Empty where there is none. */
  nickname: string;
  /** By language, as they stand: empty ones are not sent. */
  creator_notes: Readonly<Record<string, string>>;
  /** Never changed in its place: what is shared with an older one is the same. */
  lorebook: EditableLorebook | null;
}
export type FieldName = keyof CharacterFields;

/** What a new character begins with. */
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

/** How many of a list's items there may be. */
export const MAX_ITEMS = {
  alternate_greetings: MAX_ALTERNATE_GREETINGS,
  suggested_replies: MAX_SUGGESTED_REPLIES,
} as const;
export type ListField = keyof typeof MAX_ITEMS;

const isTag = (tag: string): tag is Tag => (TAGS as readonly string[]).includes(tag);

/** What most characters have only out of a card, as it stands in the form. */
export type ExtraFields = Pick<CharacterFields, 'nickname' | 'creator_notes' | 'lorebook'>;
export const EXTRA_FIELD_NAMES = ['nickname', 'creator_notes', 'lorebook'] as const;

/** @param extras as the server or a card has them; undefined: there are none */
export const toExtraFields = (extras: ExtrasView | null | undefined): ExtraFields => ({
  nickname: extras?.nickname ?? '',
  creator_notes: extras?.creator_notes ?? {},
  lorebook: extras?.lorebook ?? null,
});

/** Whether there is any of it. */
export const hasExtras = ({ nickname, creator_notes, lorebook }: ExtraFields): boolean =>
  nickname !== '' || lorebook !== null || Object.values(creator_notes).some((note) => note !== '');

/** The form's fields as the server has them. */
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

/** The form with a card in it; the picture stays where the card has none. */
export function applyCard(
  fields: CharacterFields,
  { draft: card, extras }: { draft: CardDraft; extras: ExtrasView },
): CharacterFields {
  const { avatar_id, avatar_url, tags, ...draft } = card;
  const avatar = avatar_id === null || avatar_url === null ? fields.avatar : { avatar_id, url: avatar_url };
  return { ...draft, ...toExtraFields(extras), avatar, tags: tags.filter(isTag) };
}

export type CharacterBody = Required<Omit<CreateCharacterBody, 'import_id'>>;

/** The fields as they are sent: without what is empty in lists. Texts go as they are, so that a card's stay its own. */
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

/** A body that makes a character. */
export type NewCharacterBody = Omit<CharacterBody, keyof ExtraFields> & Partial<CharacterBody>;

/**
 * The fields as they are sent for a new character. What nobody wrote in comes from its card, and a lorebook that no device
 * keeps is sent after it: so that every attempt is kept, and can be repeated.
 * @param card what the card has that it is made of
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

/** A lorebook of so many characters of JSON is kept on the device: it lies there twice while it is published. */
const MAX_STORED_LOREBOOK_CHARS = 256_000;

/** Whether a draft with this lorebook is kept whole on a device. */
export const fitsDeviceStorage = (book: EditableLorebook | null): boolean =>
  book === null || countBookChars(book) <= MAX_STORED_LOREBOOK_CHARS;

/** What is different in a body; null when nothing is. */
export function diffBodies(before: CharacterBody, now: CharacterBody): CharacterChange | null {
  const changed = Object.entries(now).filter(
    ([name, value]) => !dequal(value, before[name as keyof CharacterBody]),
  );
  return changed.length === 0 ? null : (Object.fromEntries(changed) as CharacterChange);
}

/** Whether something would be lost if the form were left as it is. */
export function hasFormChanges(fields: CharacterFields, from: CharacterFields): boolean {
  return diffBodies(toCharacterBody(from), toCharacterBody(fields)) !== null;
}

/**
 * What was written over an older state of a character, over the newest one: fields that nobody wrote in are as they are
 * now.
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

/** How long a text is as it would be sent, in UTF-16 units as the server counts, and how long it may be. */
export function measureField(field: CharacterText, text: string): { used: number; limit: number } {
  return { used: (field === 'name' ? text.trim() : text).length, limit: CHARACTER_TEXTS[field].max };
}

/** What is wrong with a field, or with one item of a list, counted from 0. */
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

/** What is too much in a lorebook. Asked for often, found once for each state of it. */
function validateLorebook(book: EditableLorebook | null, stood: EditableLorebook | null): FieldError[] {
  if (book === null || book === stood) return [];
  const known = lorebookErrors.get(book);
  if (known !== undefined && known.stood === stood) return known.troubles;
  const troubles = findLorebookProblems(book, stood).map(({ entry, code }): FieldError => ({
    field: 'lorebook',
    ...(entry === null ? {} : { index: entry }),
    code: `book_${code}`,
  }));
  lorebookErrors.set(book, { stood, troubles });
  return troubles;
}

/**
 * Everything that is wrong, in the order of the form. What is empty in a list is not sent and so not wrong.
 * @param stood the lorebook that was there before: what was too long in it may stay
 */
export function validateFields(fields: CharacterFields, stood: EditableLorebook | null = null): FieldError[] {
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
    ...validateLorebook(fields.lorebook, stood),
  ];
}

/** The form's fields among those that the server named in a refusal. */
export function listRejectedFields(named: Record<string, unknown> = {}): FieldName[] {
  return FIELD_NAMES.filter((field) => (field === 'avatar' ? 'avatar_id' : field) in named);
}
