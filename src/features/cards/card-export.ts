import { BRAND } from '../../config/brand.ts';
import { TAGS } from '../character/limits.ts';
import { type CardSource, toCardV2, toCardV3, buildOwnExtension } from '../character/card.ts';
import { dequal } from 'dequal';
import { normalizeFormText, buildTraits } from './card-draft.ts';
import {
  type Card,
  CARD_TEXTS,
  getCardExtras,
  type UnknownFields,
  getObjectField,
  findIcon,
  isUnknownFields,
  getCardLorebook,
  readCard,
  getTextField,
} from './card-fields.ts';
import type { CardDraft } from './contract.ts';

const encoder = new TextEncoder();

/** A card in one version of the format. */
export interface ExportedCard {
  value: UnknownFields;
  json: Uint8Array;
  /** Whether these are the original bytes of the imported card. */
  isUnchanged: boolean;
}

/** A character as a card, in both versions. */
export interface ExportedCards {
  v2: ExportedCard;
  v3: ExportedCard;
  /** In the version of the imported card; version 3 for characters that were created here. */
  own: ExportedCard;
}

/** An imported card: its bytes, its parsed content, and the form's fields that it filled in. */
export interface SourceCard {
  json: Uint8Array;
  card: Card;
  draft: CardDraft;
}

const toExportedCard = (value: UnknownFields): ExportedCard => ({
  value,
  json: encoder.encode(JSON.stringify(value, null, 2)),
  isUnchanged: false,
});

/**
 * Exports a character as a card. An imported card is exported byte for byte until the user edits what it filled in;
 * after that, only the edited parts are replaced.
 * @param source the imported card; null for a character that was created here, and for everyone except its creator
 */
export function buildExportedCards(character: CardSource, source: SourceCard | null): ExportedCards {
  if (source === null) {
    const v3 = toExportedCard(toCardV3(character));
    return { v2: toExportedCard(toCardV2(character)), v3, own: v3 };
  }
  const touched = findEditedFields(character, source);
  const card = touched.size === 0 ? source.card : applyEdits(source.card, character, touched);
  const asCame: ExportedCard =
    touched.size === 0
      ? { value: card.root, json: source.json, isUnchanged: true }
      : toExportedCard(card.root);
  const v2 = card.version === 2 ? asCame : toExportedCard(convertToVersion(card, 2));
  const v3 = card.version === 3 ? asCame : toExportedCard(convertToVersion(card, 3));
  return { v2, v3, own: asCame };
}

type EditedFields = Set<
  | 'name'
  | 'oneliner'
  | 'character_traits'
  | 'first_message'
  | 'alternate_greetings'
  | 'tags'
  | 'nickname'
  | 'notes'
  | 'lorebook'
  | 'own'
>;

/**
 * Returns the parts of a character that differ from its imported card, regardless of the order of object keys.
 * Visibility and picture are not part of the card's text.
 */
function findEditedFields(character: CardSource, { card, draft }: SourceCard): EditedFields {
  const touched: EditedFields = new Set();
  const compare = (
    field: EditedFields extends Set<infer Field> ? Field : never,
    now: unknown,
    then: unknown,
  ) => {
    if (!dequal(now, then)) touched.add(field);
  };
  const texts = (list: readonly string[]) => list.map(normalizeFormText);
  compare('name', normalizeFormText(character.name), normalizeFormText(draft.name));
  compare('oneliner', normalizeFormText(character.oneliner), normalizeFormText(draft.oneliner));
  compare(
    'character_traits',
    normalizeFormText(character.characterTraits),
    normalizeFormText(draft.character_traits),
  );
  compare('first_message', normalizeFormText(character.firstMessage), normalizeFormText(draft.first_message));
  compare('alternate_greetings', texts(character.alternateGreetings ?? []), texts(draft.alternate_greetings));
  compare('tags', [...character.tags].toSorted(), [...draft.tags].toSorted());
  compare(
    'own',
    [character.modelType, character.pointOfView, character.nsfwAllowed, texts(character.suggestedReplies)],
    [draft.model_type, draft.point_of_view, draft.nsfw_allowed, texts(draft.suggested_replies)],
  );
  const extras = getCardExtras(card);
  compare('nickname', character.nickname ?? null, extras.nickname);
  compare('notes', character.creatorNotes ?? null, extras.creatorNotes);
  compare('lorebook', parseLorebookJson(character.lorebook), parseLorebookJson(extras.lorebook));
  return touched;
}

const parseLorebookJson = (json: string | null | undefined): unknown =>
  typeof json === 'string' ? (JSON.parse(json) as unknown) : null;

/** Replaces the edited parts of a card. */
function applyEdits(card: Card, character: CardSource, touched: EditedFields): Card {
  const base: Card = card.version === 1 ? parseCard(convertToVersion(card, 3)) : card;
  const data: UnknownFields = { ...base.data };
  if (touched.has('name')) data['name'] = character.name;
  if (touched.has('oneliner') && getTextField(data, 'creator_notes').trim() === '') {
    data['creator_notes'] = character.oneliner;
  }
  if (touched.has('character_traits')) {
    // The traits replace the fields that they were joined from, which would repeat their text. Fields beyond the limit
    // were not part of the traits, so they stay.
    for (const name of buildTraits(card).usedFields) data[name] = '';
    data['description'] = character.characterTraits;
  }
  if (touched.has('first_message')) data['first_mes'] = character.firstMessage;
  if (touched.has('alternate_greetings')) {
    data['alternate_greetings'] = [...(character.alternateGreetings ?? [])];
  }
  if (touched.has('tags')) {
    const others = getArray(data, 'tags').filter((tag) => !isOurTag(tag));
    data['tags'] = [...character.tags, ...others];
  }
  if (touched.has('nickname')) {
    if (typeof character.nickname === 'string') data['nickname'] = character.nickname;
    else delete data['nickname'];
  }
  const extensions = { ...getObjectField(data, 'extensions') };
  const ours = { ...getObjectField(extensions, BRAND.modelValue) };
  // Our extension holds what version 2 has no field for. From now on only `data.nickname` holds the nickname, if there
  // is one.
  if (touched.has('nickname')) delete ours['nickname'];
  if (touched.has('notes')) {
    mergeNotes(data, ours, {
      now: character.creatorNotes ?? {},
      then: getCardExtras(card).creatorNotes ?? {},
    });
  }
  if (touched.has('lorebook')) {
    if (typeof character.lorebook === 'string')
      data['character_book'] = parseLorebookJson(character.lorebook);
    // A lorebook that is too large to be used here was not removed by the user.
    else if (!getCardLorebook(card).tooLarge) delete data['character_book'];
  }
  data['extensions'] = { ...extensions, [BRAND.modelValue]: { ...ours, ...buildOwnExtension(character) } };
  if (base.version === 3) data['modification_date'] = Math.floor(character.updatedAt / 1000);
  const root: UnknownFields = { ...base.root, data };
  // Some programs repeat the texts of version 1 next to the newer ones, and other programs read them there.
  for (const name of ['name', ...CARD_TEXTS]) {
    if (typeof root[name] === 'string') root[name] = data[name];
  }
  return { version: base.version, root, data };
}

const NOTES_FIELD = 'creator_notes_multilingual';

/**
 * Writes edited notes into a card: in the place where the card had that language, otherwise among the notes by
 * language. Notes that were not edited, or that we could not read, stay.
 * @param ours the fields of our own extension
 */
function mergeNotes(
  data: UnknownFields,
  ours: UnknownFields,
  { now, then }: Record<'now' | 'then', Readonly<Record<string, string>>>,
): void {
  const plain = getTextField(data, 'creator_notes');
  for (const language of new Set([...Object.keys(now), ...Object.keys(then)])) {
    const note = Object.hasOwn(now, language) ? now[language] : undefined;
    if (note === then[language]) continue;
    const places = [data, ours].filter((fields) =>
      Object.hasOwn(getObjectField(fields, NOTES_FIELD), language),
    );
    for (const fields of places) {
      const { [language]: _, ...others } = getObjectField(fields, NOTES_FIELD);
      fields[NOTES_FIELD] = note === undefined ? others : { ...others, [language]: note };
    }
    // The format's note without a language counts as English, and is often repeated by language.
    const isPlain = language === 'en' && (places.length === 0 || plain === then['en']);
    if (isPlain) data['creator_notes'] = note ?? '';
    else if (places.length === 0 && note !== undefined)
      data[NOTES_FIELD] = { ...getObjectField(data, NOTES_FIELD), [language]: note };
  }
}

const getArray = (fields: UnknownFields, name: string): unknown[] => {
  const value = fields[name];
  return Array.isArray(value) ? value : [];
};

const isOurTag = (tag: unknown): boolean =>
  typeof tag === 'string' && TAGS.some((one) => one === tag.trim().toLowerCase());

const parseCard = (root: UnknownFields): Card => readCard(root) as Card;

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
function convertToVersion(card: Card, version: 2 | 3): UnknownFields {
  const root = card.version === 1 ? {} : card.root;
  return {
    ...root,
    spec: `chara_card_v${version}`,
    spec_version: `${version}.0`,
    data: { ...EMPTY_CARD_DATA, ...(version === 3 ? { group_only_greetings: [] } : {}), ...card.data },
  };
}

/**
 * Makes a card refer to its picture. A card that already refers to one in this kind of file stays as it is.
 * @param where the URI of the picture within the file, and its file extension
 * @param replaced whether the picture is not the one of the imported card
 */
export function setIcon(
  out: ExportedCard,
  where: { uri: string; ext: string },
  { isHere, replaced }: { isHere: (uri: string) => boolean; replaced: boolean },
): { out: ExportedCard; uri: string } {
  const card = parseCard(out.value);
  const icon = findIcon(card);
  if (!replaced && icon !== undefined && isHere(icon.uri)) return { out, uri: icon.uri };
  const others = getArray(card.data, 'assets').filter(
    (asset) => !isUnknownFields(asset) || getTextField(asset, 'uri') !== icon?.uri,
  );
  const assets = [{ type: 'icon', uri: where.uri, name: 'main', ext: where.ext }, ...others];
  return { out: toExportedCard({ ...out.value, data: { ...card.data, assets } }), uri: where.uri };
}
