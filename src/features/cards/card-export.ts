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

/** A card in one of its versions. */
export interface ExportedCard {
  value: UnknownFields;
  json: Uint8Array;
  /** Whether these are the bytes that it came in. */
  isUnchanged: boolean;
}

/** A character as a card, in both versions. */
export interface ExportedCards {
  v2: ExportedCard;
  v3: ExportedCard;
  /** In the version that it came in; that of ours is the third. */
  own: ExportedCard;
}

/** A card as it came: its bytes, what they say, and what became of it in the form. */
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
 * A character as a card. One that was made of a card goes out as that card: to the byte as long as nobody touched what came
 * of it, and else with what was touched in its place, and everything else as it was.
 * @param source the card that it was made of; null when it was made here, and for everybody but its maker
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

/** What of a character is not as its card made it, whatever the order of an object's fields. How it is shown here, and its picture, are no part of the card's text. */
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

/** A card with what was touched in its place. */
function applyEdits(card: Card, character: CardSource, touched: EditedFields): Card {
  const base: Card = card.version === 1 ? parseCard(convertToVersion(card, 3)) : card;
  const data: UnknownFields = { ...base.data };
  if (touched.has('name')) data['name'] = character.name;
  if (touched.has('oneliner') && getTextField(data, 'creator_notes').trim() === '') {
    data['creator_notes'] = character.oneliner;
  }
  if (touched.has('character_traits')) {
    // What they were made of would be told twice. What was beyond their end was never in them, and stays.
    for (const name of buildTraits(card).told) data[name] = '';
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
  // Version 2 has what version 3 has fields for under our name: told there alone from now on, or told nowhere.
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
    // One that was too large to be used here was not taken away by anybody.
    else if (!getCardLorebook(card).tooLarge) delete data['character_book'];
  }
  data['extensions'] = { ...extensions, [BRAND.modelValue]: { ...ours, ...buildOwnExtension(character) } };
  if (base.version === 3) data['modification_date'] = Math.floor(character.updatedAt / 1000);
  const root: UnknownFields = { ...base.root, data };
  // Some programs repeat the texts of version 1 beside those of the later one, and others read them there.
  for (const name of ['name', ...CARD_TEXTS]) {
    if (typeof root[name] === 'string') root[name] = data[name];
  }
  return { version: base.version, root, data };
}

const NOTES_FIELD = 'creator_notes_multilingual';

/**
 * Puts notes that were changed into a card: where the card had them in that language, and else among those by language. What
 * nobody changed, or could not be understood, stays.
 * @param ours what stands under our own name
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
    // What the format has in one language stands for English, and is often there a second time.
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

/** What each version must have. */
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

/** A card as another version has it. What that one does not know is kept: the format asks for it. */
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
 * A card that tells where its picture is. One that tells it already, in the same kind of file, stays as it came.
 * @param where the address of the picture within the file, and how its name ends
 * @param replaced whether the picture is another one than the card came with
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
