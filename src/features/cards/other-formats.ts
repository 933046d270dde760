import { readLorebookFile } from '../character/lorebook/lorebook-file.ts';
import {
  convertToVersion,
  getObjectField,
  getTextField,
  getTextList,
  isAgnaiCharacter,
  isUnknownFields,
  omitFields,
  type UnknownFields,
} from './card-fields.ts';

/** Depth of a prompt for which agnai names none: SillyTavern's own. */
const DEFAULT_DEPTH = 4;

/**
 * Converts a character in the format of another program to a card, as it is then stored and exported: agnai's own
 * format, and that of Pygmalion and text-generation-webui. Fields without a place go into the extensions.
 * @param value parsed JSON or YAML
 * @returns null when it is no such character
 */
export function convertOtherFormat(value: unknown): UnknownFields | null {
  if (!isUnknownFields(value)) return null;
  if (isAgnaiCharacter(value)) return convertAgnai(value);
  return convertTextGen(value);
}

/** Builds a card of version 3 with its required fields. */
export const buildCard = (data: UnknownFields): UnknownFields =>
  convertToVersion({ version: 1, root: data, data }, 3);

/** The text fields of a card by those of agnai. */
const AGNAI_TEXTS = {
  name: 'name',
  scenario: 'scenario',
  first_mes: 'greeting',
  mes_example: 'sampleChat',
  creator_notes: 'description',
  system_prompt: 'systemPrompt',
  post_history_instructions: 'postHistoryInstructions',
  creator: 'creator',
  character_version: 'characterVersion',
} as const;
const AGNAI_LISTS = ['alternateGreetings', 'tags', 'extensions', 'insert'];

function convertAgnai(character: UnknownFields): UnknownFields {
  const { avatar } = character;
  const hasPicture = typeof avatar === 'string' && avatar.startsWith('data:');
  const book = readLorebookFile(character['characterBook'], '');
  const insert = getObjectField(character, 'insert');
  const { depth = DEFAULT_DEPTH } = insert;
  const prompt = getTextField(insert, 'prompt');
  const used = [
    ...Object.values(AGNAI_TEXTS),
    ...AGNAI_LISTS,
    ...(hasPicture ? ['avatar'] : []),
    ...(book === null ? [] : ['characterBook']),
  ];
  return buildCard({
    ...renameTexts(character, AGNAI_TEXTS),
    description: formatPersona(getObjectField(character, 'persona')),
    alternate_greetings: getTextList(character, 'alternateGreetings'),
    tags: getTextList(character, 'tags'),
    ...(book === null ? {} : { character_book: book }),
    ...(hasPicture ? { assets: [{ type: 'icon', uri: avatar, name: 'main', ext: 'png' }] } : {}),
    extensions: {
      ...getObjectField(character, 'extensions'),
      ...(prompt === '' ? {} : { depth_prompt: { prompt, depth, role: 'system' } }),
      agnai: omitFields(character, used),
    },
  });
}

const renameTexts = (fields: UnknownFields, names: Readonly<Record<string, string>>): UnknownFields =>
  Object.fromEntries(Object.entries(names).map(([to, from]) => [to, getTextField(fields, from)]));

/** Writes out an agnai persona: free text, or a list of values by attribute. */
function formatPersona(persona: UnknownFields): string {
  const attributes = getObjectField(persona, 'attributes');
  if (persona['kind'] === 'text') return getTextList(attributes, 'text').join('\n');
  return Object.keys(attributes)
    .map((name) => `${name}: ${getTextList(attributes, name).join(', ')}`)
    .join('\n');
}

/** The fields of a card by those of Pygmalion, and those of text-generation-webui. */
const TEXTGEN_FIELDS = {
  name: ['char_name', 'name'],
  description: ['char_persona', 'context'],
  scenario: ['world_scenario'],
  first_mes: ['char_greeting', 'greeting'],
  mes_example: ['example_dialogue'],
} as const;

function convertTextGen(character: UnknownFields): UnknownFields | null {
  const names = Object.entries(TEXTGEN_FIELDS).flatMap(([to, from]) => {
    const found = from.find((name) => getTextField(character, name) !== '');
    return found === undefined ? [] : [[to, found] as const];
  });
  const fields = renameTexts(character, Object.fromEntries(names));
  // A name alone is no character.
  if (fields['name'] === undefined || names.length === 1) return null;
  const rest = omitFields(
    character,
    names.map(([, from]) => from),
  );
  return buildCard({ ...fields, extensions: Object.keys(rest).length === 0 ? {} : { textgen: rest } });
}
