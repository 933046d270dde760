import { CARD } from '../limits.ts';
import { isLoreFields, type LoreFields, toNumber, toText, toTexts } from './lorebook.ts';
import { parseSlashedPattern } from './lorebook-keys.ts';
import type { EditableLorebook } from './lorebook-rules.ts';

/**
 * Lorebooks as files of their own: SillyTavern's worlds, Chub's books, agnai's memory books, NovelAI's and RisuAI's
 * lorebooks, and `lorebook_v3` of Character Card V3. Each becomes a book as cards contain one; fields that the format
 * has no place for go into the extensions of their entry.
 */

export type LorebookFormat = 'lorebook_v3' | 'book' | 'sillytavern' | 'agnai' | 'novelai' | 'risu';

/** Fields that a character has and a lorebook does not. */
const CHARACTER_FIELDS = [
  'first_mes',
  'personality',
  'mes_example',
  'scenario',
  'char_name',
  'greeting',
  'persona',
];

/** Recognizes a lorebook by its form; null for anything else, such as a character. */
export function detectLorebook(value: unknown): LorebookFormat | null {
  if (!isLoreFields(value) || toText(value['spec']).startsWith('chara_card_')) return null;
  if (toText(value['spec']).startsWith('lorebook_v'))
    return isLoreFields(value['data']) ? 'lorebook_v3' : null;
  const { entries } = value;
  if (value['type'] === 'risu') return Array.isArray(value['data']) ? 'risu' : null;
  if (CHARACTER_FIELDS.some((field) => Object.hasOwn(value, field))) return null;
  if (isLoreFields(entries)) return 'sillytavern';
  if (!Array.isArray(entries)) return null;
  if (value['kind'] === 'memory') return 'agnai';
  if (value['lorebookVersion'] !== undefined) return 'novelai';
  const first = entries.find(isLoreFields);
  if (first !== undefined && Array.isArray(first['keywords'])) return 'agnai';
  return first !== undefined && Array.isArray(first['key']) ? 'sillytavern' : 'book';
}

/** Fields of the card format by the fields of another program. */
type FieldNames = Readonly<Record<string, string>>;

const AGNAI_FIELDS: FieldNames = {
  keywords: 'keys',
  entry: 'content',
  name: 'name',
  priority: 'priority',
  weight: 'insertion_order',
  enabled: 'enabled',
};

const SILLYTAVERN_FIELDS: FieldNames = {
  uid: 'id',
  key: 'keys',
  keysecondary: 'secondary_keys',
  comment: 'comment',
  content: 'content',
  constant: 'constant',
  selective: 'selective',
  order: 'insertion_order',
};

/** SillyTavern's own names in the extensions of a card, where they differ from those in a world. */
const SILLYTAVERN_EXTENSIONS: FieldNames = {
  excludeRecursion: 'exclude_recursion',
  preventRecursion: 'prevent_recursion',
  delayUntilRecursion: 'delay_until_recursion',
  displayIndex: 'display_index',
  outletName: 'outlet_name',
  groupOverride: 'group_override',
  groupWeight: 'group_weight',
  useGroupScoring: 'use_group_scoring',
  scanDepth: 'scan_depth',
  matchWholeWords: 'match_whole_words',
  caseSensitive: 'case_sensitive',
  automationId: 'automation_id',
  matchPersonaDescription: 'match_persona_description',
  matchCharacterDescription: 'match_character_description',
  matchCharacterPersonality: 'match_character_personality',
  matchCharacterDepthPrompt: 'match_character_depth_prompt',
  matchScenario: 'match_scenario',
  matchCreatorNotes: 'match_creator_notes',
  ignoreBudget: 'ignore_budget',
};

/** Renames fields, and puts those without a place into the extensions. */
function renameFields(entry: LoreFields, names: FieldNames, extensionNames: FieldNames = {}): LoreFields {
  const fields: LoreFields = {};
  const extensions: LoreFields = {};
  for (const [name, value] of Object.entries(entry)) {
    const renamed = Object.hasOwn(names, name) ? names[name] : undefined;
    if (renamed !== undefined) fields[renamed] = value;
    else extensions[(Object.hasOwn(extensionNames, name) ? extensionNames[name] : undefined) ?? name] = value;
  }
  return { ...fields, extensions };
}

const hasPattern = (keys: unknown) => toTexts(keys).some((key) => parseSlashedPattern(key) !== null);

function convertTavernEntry(entry: LoreFields): LoreFields {
  const { disable, position, extensions: own, ...rest } = entry;
  const { extensions, ...fields } = renameFields(rest, SILLYTAVERN_FIELDS, SILLYTAVERN_EXTENSIONS);
  return {
    ...fields,
    enabled: disable !== true,
    position: position === 0 ? 'before_char' : 'after_char',
    use_regex: hasPattern(fields['keys']),
    extensions: {
      ...(isLoreFields(own) ? own : {}),
      ...(extensions as LoreFields),
      ...(position === undefined ? {} : { position }),
    },
  };
}

function convertAgnaiEntry(entry: LoreFields): LoreFields {
  return {
    secondary_keys: [],
    use_regex: false,
    ...renameFields(entry, AGNAI_FIELDS),
    position: 'before_char',
  };
}

function convertNovelEntry({
  text,
  keys,
  displayName,
  enabled,
  forceActivation,
  ...rest
}: LoreFields): LoreFields {
  const context = isLoreFields(rest['contextConfig']) ? rest['contextConfig'] : {};
  return {
    name: toText(displayName),
    keys: toTexts(keys),
    content: toText(text),
    enabled: enabled !== false,
    constant: forceActivation === true,
    insertion_order: toNumber(context['budgetPriority'], 0),
    use_regex: hasPattern(keys),
    position: 'before_char',
    extensions: rest,
  };
}

const splitKeys = (keys: unknown): string[] =>
  toTexts(
    toText(keys)
      .split(',')
      .map((key) => key.trim()),
  );

function convertRisuEntry(entry: LoreFields): LoreFields {
  const { key, secondkey, insertorder, comment, content, alwaysActive, selective, useRegex, ...rest } = entry;
  const isPattern = useRegex === true && toText(key) !== '';
  const chance = toNumber(rest['activationPercent'], null);
  return {
    name: toText(comment),
    // Its patterns have no slashes around them.
    keys:
      isPattern && !hasPattern([key]) ? [`/${toText(key)}/i`] : isPattern ? [toText(key)] : splitKeys(key),
    secondary_keys: splitKeys(secondkey),
    content: toText(content),
    enabled: true,
    constant: alwaysActive === true,
    selective: selective === true,
    insertion_order: toNumber(insertorder, 0),
    use_regex: isPattern,
    position: 'before_char',
    extensions: { ...rest, ...(chance === null ? {} : { probability: chance, useProbability: true }) },
  };
}

const CONVERTERS: Record<LorebookFormat, (entry: LoreFields) => LoreFields> = {
  lorebook_v3: (entry) => entry,
  book: (entry) => entry,
  sillytavern: convertTavernEntry,
  agnai: convertAgnaiEntry,
  novelai: convertNovelEntry,
  risu: convertRisuEntry,
};

/** Fields of a book in the card format. Others are kept only of files in that format. */
const BOOK_FIELDS = new Set(['name', 'description', 'scan_depth', 'token_budget', 'recursive_scanning']);

/**
 * Reads a lorebook file. Nothing is checked against the limits of a lorebook.
 * @param value parsed JSON
 * @param name the book's name if the file has none
 * @returns null when it is not a lorebook
 */
export function readLorebookFile(value: unknown, name: string): EditableLorebook | null {
  const format = detectLorebook(value);
  if (format === null) return null;
  const file = value as LoreFields;
  const source = format === 'lorebook_v3' ? (file['data'] as LoreFields) : file;
  const listed = format === 'risu' ? source['data'] : source['entries'];
  const entries = isLoreFields(listed) ? Object.values(listed) : Array.isArray(listed) ? listed : [];
  const isCardFormat = format === 'lorebook_v3' || format === 'book';
  const kept = Object.entries(source).filter(
    ([field]) => field !== 'entries' && (isCardFormat || BOOK_FIELDS.has(field)),
  );
  const { extensions, ...fields } = Object.fromEntries(kept) as LoreFields;
  return {
    ...fields,
    name: toText(fields['name']).trim() || name.slice(0, CARD.lorebook.maxKeyChars),
    extensions: isLoreFields(extensions) ? extensions : {},
    entries: entries.map((entry) => (isLoreFields(entry) ? CONVERTERS[format](entry) : entry)),
  };
}
