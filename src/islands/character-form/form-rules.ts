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
  ExtrasOnWire,
  OwnCharacter,
} from '../../features/character/contract.ts';
import { type Book, bookChars, bookTroubles } from '../../features/character/lorebook/lorebook-rules.ts';
import type { UploadedPicture } from '../../features/picture/contract.ts';
import { hasVisibleText } from '../../lib/visible-text.ts';
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
  lorebook: Book | null;
}
export type FieldName = keyof CharacterFields;

/** What a new character begins with. */
export const EMPTY: CharacterFields = {
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

export const FIELD_NAMES = Object.keys(EMPTY) as FieldName[];

/** How many of a list's items there may be. */
export const MOST = {
  alternate_greetings: MAX_ALTERNATE_GREETINGS,
  suggested_replies: MAX_SUGGESTED_REPLIES,
} as const;
export type ListField = keyof typeof MOST;

const isTag = (tag: string): tag is Tag => (TAGS as readonly string[]).includes(tag);

/** What most characters have only out of a card, as it stands in the form. */
export type ExtraFields = Pick<CharacterFields, 'nickname' | 'creator_notes' | 'lorebook'>;
export const EXTRA_NAMES = ['nickname', 'creator_notes', 'lorebook'] as const;

/** @param extras as the server or a card has them; undefined: there are none */
export const extraFields = (extras: ExtrasOnWire | null | undefined): ExtraFields => ({
  nickname: extras?.nickname ?? '',
  creator_notes: extras?.creator_notes ?? {},
  lorebook: extras?.lorebook ?? null,
});

/** Whether there is any of it. */
export const isExtra = ({ nickname, creator_notes, lorebook }: ExtraFields): boolean =>
  nickname !== '' || lorebook !== null || Object.values(creator_notes).some((note) => note !== '');

/** The form's fields as the server has them. */
export function fieldsOf(character: OwnCharacter): CharacterFields {
  const { avatar_id, avatar_url, tags, extras } = character;
  const fields = Object.fromEntries(FIELD_NAMES.map((name) => [name, character[name as keyof OwnCharacter]]));
  return {
    ...(fields as unknown as CharacterFields),
    avatar: { avatar_id, url: avatar_url },
    tags: tags.filter(isTag),
    ...extraFields(extras),
  };
}

/** The form with a card in it; the picture stays where the card has none. */
export function withCard(
  fields: CharacterFields,
  { draft: card, extras }: { draft: CardDraft; extras: ExtrasOnWire },
): CharacterFields {
  const { avatar_id, avatar_url, tags, ...draft } = card;
  const avatar = avatar_id === null || avatar_url === null ? fields.avatar : { avatar_id, url: avatar_url };
  return { ...draft, ...extraFields(extras), avatar, tags: tags.filter(isTag) };
}

export type WrittenBody = Required<Omit<CreateCharacterBody, 'import_id'>>;

/** The fields as they are sent: without what is empty in lists. Texts go as they are, so that a card's stay its own. */
export function bodyOf(fields: CharacterFields): WrittenBody {
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
export type NewBody = Omit<WrittenBody, keyof ExtraFields> & Partial<WrittenBody>;

/**
 * The fields as they are sent for a new character. What nobody wrote in comes from its card, and a lorebook that no device
 * keeps is sent after it: so that every attempt is kept, and can be repeated.
 * @param card what the card has that it is made of
 */
export function newBodyOf(fields: CharacterFields, card: ExtrasOnWire | null): NewBody {
  const body = bodyOf(fields);
  const before = bodyOf({ ...fields, ...extraFields(card) });
  const left: ReadonlySet<string> = new Set(
    EXTRA_NAMES.filter(
      (name) => dequal(body[name], before[name]) || (name === 'lorebook' && !fitsDevice(fields.lorebook)),
    ),
  );
  return Object.fromEntries(Object.entries(body).filter(([name]) => !left.has(name))) as NewBody;
}

/** A lorebook of so many characters of JSON is kept on the device: it lies there twice while it is published. */
const DEVICE_BOOK_CHARS = 256_000;

/** Whether a draft with this lorebook is kept whole on a device. */
export const fitsDevice = (book: Book | null): boolean =>
  book === null || bookChars(book) <= DEVICE_BOOK_CHARS;

/** What is different in a body; null when nothing is. */
export function changeBetween(before: WrittenBody, now: WrittenBody): CharacterChange | null {
  const changed = Object.entries(now).filter(
    ([name, value]) => !dequal(value, before[name as keyof WrittenBody]),
  );
  return changed.length === 0 ? null : (Object.fromEntries(changed) as CharacterChange);
}

/** Whether something would be lost if the form were left as it is. */
export function isChanged(fields: CharacterFields, from: CharacterFields): boolean {
  return changeBetween(bodyOf(from), bodyOf(fields)) !== null;
}

/**
 * What was written over an older state of a character, over the newest one: fields that nobody wrote in are as they are
 * now.
 */
export function rebased(
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
export function lengthOf(field: CharacterText, text: string): { used: number; limit: number } {
  return { used: (field === 'name' ? text.trim() : text).length, limit: CHARACTER_TEXTS[field].max };
}

/** What is wrong with a field, or with one item of a list, counted from 0. */
export interface Trouble {
  field: FieldName;
  index?: number;
  code: 'required' | 'too_long' | 'words' | `book_${ReturnType<typeof bookTroubles>[number]['code']}`;
}

function textTrouble(field: CharacterText, text: string): Trouble['code'] | null {
  const { used, limit } = lengthOf(field, text);
  if (used > limit) return 'too_long';
  return CHARACTER_TEXTS[field].required && !hasVisibleText(text) ? 'required' : null;
}

function listTroubles(
  field: ListField,
  items: readonly string[],
  troubleOf: (item: string) => Trouble['code'] | null,
): Trouble[] {
  return items.flatMap((item, index) => {
    const code = hasVisibleText(item) ? troubleOf(item) : null;
    return code === null ? [] : [{ field, index, code }];
  });
}

const troublesOfBooks = new WeakMap<Book, { stood: Book | null; troubles: Trouble[] }>();

/** What is too much in a lorebook. Asked for often, found once for each state of it. */
function loreTroubles(book: Book | null, stood: Book | null): Trouble[] {
  if (book === null || book === stood) return [];
  const known = troublesOfBooks.get(book);
  if (known !== undefined && known.stood === stood) return known.troubles;
  const troubles = bookTroubles(book, stood).map(({ entry, code }): Trouble => ({
    field: 'lorebook',
    ...(entry === null ? {} : { index: entry }),
    code: `book_${code}`,
  }));
  troublesOfBooks.set(book, { stood, troubles });
  return troubles;
}

/**
 * Everything that is wrong, in the order of the form. What is empty in a list is not sent and so not wrong.
 * @param stood the lorebook that was there before: what was too long in it may stay
 */
export function troublesOf(fields: CharacterFields, stood: Book | null = null): Trouble[] {
  const texts = (['name', 'oneliner', 'character_traits', 'first_message'] as const).flatMap(
    (field): Trouble[] => {
      const code = textTrouble(field, fields[field]);
      return code === null ? [] : [{ field, code }];
    },
  );
  return [
    ...(fields.avatar === null ? [{ field: 'avatar', code: 'required' } as const] : []),
    ...texts,
    ...listTroubles('alternate_greetings', fields.alternate_greetings, (text) =>
      text.length > CHARACTER_TEXTS.first_message.max ? 'too_long' : null,
    ),
    ...listTroubles('suggested_replies', fields.suggested_replies, (text) =>
      isSuggestedReply(text.trim()) ? null : 'words',
    ),
    ...(fields.nickname.trim().length > CARD.maxNicknameChars
      ? [{ field: 'nickname', code: 'too_long' } as const]
      : []),
    ...(Object.values(fields.creator_notes).some((note) => note.length > CARD.maxNoteChars)
      ? [{ field: 'creator_notes', code: 'too_long' } as const]
      : []),
    ...loreTroubles(fields.lorebook, stood),
  ];
}

/** The form's fields among those that the server named in a refusal. */
export function refusedFields(named: Record<string, unknown> = {}): FieldName[] {
  return FIELD_NAMES.filter((field) => (field === 'avatar' ? 'avatar_id' : field) in named);
}
