import { BRAND } from '../../config/brand.ts';
import { normalizeFreeTag } from '../character/free-tags.ts';
import { TAGS } from '../character/limits.ts';
import {
  type CardSource,
  toCardV2,
  toCardV3,
  buildOwnExtension,
  toCardDepthPrompt,
} from '../character/card.ts';
import {
  DEFINITION_PARTS,
  type DefinitionPart,
  MAX_PART_CHARS,
  toDefinition,
} from '../character/definition-parts.ts';
import type { ReplyStyle } from '../reply-style/contract.ts';
import { dequal } from 'dequal';
import { truncateText } from '../../lib/truncate-text.ts';
import { type DraftFields, normalizeFormText } from './card-draft.ts';
import {
  type Card,
  CARD_TEXTS,
  convertToVersion,
  getCardDefinition,
  getCardExtras,
  getCardPart,
  getCardStyle,
  getCardTags,
  getDepthPrompt,
  getOwnExtension,
  hasOnelinerAsNotes,
  hasTraitsAsDescription,
  PART_FIELDS,
  type UnknownFields,
  getObjectField,
  findIcon,
  isUnknownFields,
  getCardLorebook,
  readCard,
  getTextField,
  getTextOrList,
} from './card-fields.ts';
import { hasVisibleText } from '../../lib/sanitize-text.ts';

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
  /** Complete PNG chunks that other programs wrote into its picture. */
  metadata?: Uint8Array;
  card: Card;
  draft: DraftFields;
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
  const card = touched.size === 0 ? source.card : applyEdits(source, character, touched);
  const asCame: ExportedCard =
    touched.size === 0
      ? { value: card.root, json: source.json, isUnchanged: true }
      : toExportedCard(card.root);
  const v2 = card.version === 2 ? asCame : toExportedCard(convertToVersion(card, 2));
  const v3 = card.version === 3 ? asCame : toExportedCard(convertToVersion(card, 3));
  return { v2, v3, own: asCame };
}

/** A field of the form, or a part of the definition. */
type EditedField =
  | 'name'
  | 'oneliner'
  | 'character_traits'
  | 'first_message'
  | 'alternate_greetings'
  | 'tags'
  | 'nickname'
  | 'lorebook'
  | 'recommended_style'
  | 'own'
  | DefinitionPart;

/**
 * Returns the parts of a character that differ from its imported card, regardless of the order of object keys.
 * Visibility and picture are not part of the card's text.
 */
function findEditedFields(character: CardSource, { card, draft }: SourceCard): Set<EditedField> {
  const touched = new Set<EditedField>();
  const compare = (field: EditedField, now: unknown, then: unknown) => {
    if (!dequal(now, then)) touched.add(field);
  };
  const texts = (list: readonly string[]) => list.map(normalizeFormText);
  const compareText = (field: EditedField, now: string, then: string) =>
    compare(field, normalizeFormText(now), normalizeFormText(then));
  compareText('name', character.name, draft.name);
  compareText('oneliner', character.oneliner, draft.oneliner);
  compareText('character_traits', character.characterTraits, draft.character_traits);
  compareText('first_message', character.firstMessage, draft.first_message);
  compare('alternate_greetings', texts(character.alternateGreetings ?? []), texts(draft.alternate_greetings));
  compare(
    'tags',
    [...character.tags, ...(character.freeTags ?? [])].toSorted(),
    [...draft.tags, ...draft.free_tags].toSorted(),
  );
  compare(
    'own',
    [character.modelType, character.pointOfView, character.nsfwAllowed, texts(character.suggestedReplies)],
    [draft.model_type, draft.point_of_view, draft.nsfw_allowed, texts(draft.suggested_replies)],
  );
  compare('nickname', character.nickname ?? null, getCardExtras(card).nickname);
  compare('lorebook', parseLorebookJson(character.lorebook), parseLorebookJson(getCardLorebook(card).json));
  compare(
    'recommended_style',
    normalizeStyle(character.recommendedStyle ?? null),
    normalizeStyle(getCardStyle(card)),
  );
  const parts = toDefinition(getCardDefinition(card));
  for (const part of DEFINITION_PARTS)
    compareText(part, character.definition?.[part]?.text ?? '', parts[part].text);
  return touched;
}

const normalizeStyle = (style: ReplyStyle | null) =>
  style && { ...style, author_note: normalizeFormText(style.author_note) };

const parseLorebookJson = (json: string | null | undefined): unknown =>
  typeof json === 'string' ? (JSON.parse(json) as unknown) : null;

/** Fields of version 1, which has no place for any other. */
const V1_FIELDS: ReadonlySet<EditedField> = new Set([
  'name',
  'first_message',
  'description',
  'personality',
  'scenario',
  'example_dialogue',
]);

/** Fields that only our own extension holds. */
const OWN_FIELDS = ['own', 'oneliner', 'character_traits'] as const;

/** Returns our own extension after the edits; null when they leave it as it is. */
function editOwnExtension(
  card: Card,
  character: CardSource,
  touched: ReadonlySet<EditedField>,
): UnknownFields | null {
  const before = getOwnExtension(card);
  const ours: UnknownFields = { ...before };
  // From now on only `data.nickname` holds the nickname, if there is one.
  if (touched.has('nickname')) delete ours['nickname'];
  if (touched.has('recommended_style')) {
    if (character.recommendedStyle) ours['recommended_style'] = character.recommendedStyle;
    else delete ours['recommended_style'];
  }
  const asDescription = hasTraitsAsDescription(card);
  const movesTraits = asDescription && touched.has('description');
  if (!movesTraits && !OWN_FIELDS.some((field) => touched.has(field)))
    return dequal(ours, before) ? null : ours;
  const traits = asDescription && !movesTraits ? {} : { character_traits: character.characterTraits };
  return { ...ours, ...buildOwnExtension(character), ...traits };
}

/** In UTF-16 units: a text that still ends like this much of another one continues like it. */
const SAME_END_CHARS = 20;

/**
 * Returns a greeting after an edit with the rest of the card's text that exceeded our limit, unless the edit changed the
 * end, from which the rest would no longer continue.
 * @param cut the beginning of `before` that the form had
 */
function restoreRest(written: string, cut: string, before: unknown): string {
  const whole = typeof before === 'string' ? normalizeFormText(before.toWellFormed()) : '';
  const isCut = whole.length > cut.length && whole.startsWith(cut);
  if (!isCut || !normalizeFormText(written).endsWith(cut.slice(-SAME_END_CHARS))) return written;
  return written.trimEnd() + whole.slice(cut.length);
}

/**
 * Returns the card's greetings after an edit: those that the form still has as it got them are whole, of an edited one
 * what was beyond its limit stays, and those beyond their number were never in the form.
 */
function mergeGreetings({ card, draft }: SourceCard, greetings: readonly string[]): string[] {
  const before = getTextOrList(card.data, 'alternate_greetings').filter(hasVisibleText);
  const whole = new Map(draft.alternate_greetings.map((text, index) => [text, before[index] ?? text]));
  return [
    ...greetings.map(
      (text, index) =>
        whole.get(normalizeFormText(text)) ??
        restoreRest(text, draft.alternate_greetings[index] ?? '', before[index]),
    ),
    ...before.slice(draft.alternate_greetings.length),
  ];
}

/** Returns the card's tags after an edit, in the card's spelling; those that were never in the form stay. */
function mergeTags({ draft }: SourceCard, character: CardSource, before: readonly unknown[]): unknown[] {
  const toForm = (tag: unknown) => (typeof tag === 'string' ? normalizeFreeTag(tag) : '');
  const spelled = new Map(before.map((tag) => [toForm(tag), tag]));
  const shown = new Set(draft.free_tags);
  return [
    ...character.tags,
    ...(character.freeTags ?? []).map((tag) => spelled.get(tag) ?? tag),
    ...before.filter((tag) => !isOurTag(tag) && !shown.has(toForm(tag))),
  ];
}

/** Replaces the edited parts of a card, and nothing else. */
function applyEdits(source: SourceCard, character: CardSource, touched: ReadonlySet<EditedField>): Card {
  const { card } = source;
  const staysV1 = card.version === 1 && [...touched].every((field) => V1_FIELDS.has(field));
  const base: Card = card.version === 1 && !staysV1 ? parseCard(convertToVersion(card, 3)) : card;
  const data: UnknownFields = { ...base.data };
  if (touched.has('name')) data['name'] = character.name;
  if (touched.has('first_message'))
    data['first_mes'] = restoreRest(
      character.firstMessage,
      source.draft.first_message,
      base.data['first_mes'],
    );
  if (touched.has('alternate_greetings')) {
    data['alternate_greetings'] = mergeGreetings(source, character.alternateGreetings ?? []);
  }
  if (touched.has('tags')) {
    const tags = Array.isArray(data['tags']) ? data['tags'] : getCardTags(data);
    data['tags'] = mergeTags(source, character, tags);
  }
  if (touched.has('nickname')) {
    if (typeof character.nickname === 'string') data['nickname'] = character.nickname;
    else delete data['nickname'];
  }
  if (touched.has('lorebook')) {
    if (typeof character.lorebook === 'string')
      data['character_book'] = parseLorebookJson(character.lorebook);
    // A lorebook that is too large to be used here was not removed by the user.
    else if (!getCardLorebook(card).tooLarge) delete data['character_book'];
  }
  const extensions = { ...getObjectField(data, 'extensions') };
  const ours = editOwnExtension(card, character, touched);
  if (ours !== null) extensions[BRAND.modelValue] = ours;
  if (hasTraitsAsDescription(card) && touched.has('character_traits'))
    data['description'] = character.characterTraits;
  if (touched.has('oneliner') && hasOnelinerAsNotes(card)) data['creator_notes'] = character.oneliner;
  for (const part of DEFINITION_PARTS) {
    if (!touched.has(part)) continue;
    const text = character.definition?.[part]?.text ?? '';
    const before = getCardPart(card, part);
    // What exceeded our limit was never in the form, so that nothing of it was edited.
    const written = text === '' ? '' : text + before.slice(truncateText(before, MAX_PART_CHARS).length);
    if (part === 'depth_prompt')
      extensions['depth_prompt'] = { ...(getDepthPrompt(base) ?? toCardDepthPrompt('')), prompt: written };
    else data[PART_FIELDS[part]] = written;
  }
  if (ours !== null || touched.has('depth_prompt')) data['extensions'] = extensions;
  const others = touched.difference(new Set<EditedField>([...DEFINITION_PARTS, 'recommended_style']));
  if (base.version === 3 && others.size > 0)
    data['modification_date'] = Math.floor(character.updatedAt / 1000);
  if (staysV1) return { version: 1, root: data, data };
  const root: UnknownFields = { ...base.root, data };
  // Some programs repeat the texts of version 1 next to the newer ones, and other programs read them there.
  for (const name of ['name', ...CARD_TEXTS]) {
    if (typeof root[name] === 'string') root[name] = data[name];
  }
  return { version: base.version, root, data };
}

const getArray = (fields: UnknownFields, name: string): unknown[] => {
  const value = fields[name];
  return Array.isArray(value) ? value : [];
};

const isOurTag = (tag: unknown): boolean =>
  typeof tag === 'string' && TAGS.some((one) => one === tag.trim().toLowerCase());

const parseCard = (root: UnknownFields): Card => readCard(root) as Card;

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
