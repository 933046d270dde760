import { CARD } from '../character/limits.ts';
import type { ChunkedBytes } from './chunked-bytes.ts';
import { type Archive, type ArchiveError, unpackEntry } from './archive.ts';
import {
  getListField,
  getObjectField,
  getTextField,
  getTextList,
  isUnknownFields,
  omitFields,
  type UnknownFields,
} from './card-fields.ts';
import { parseUntrustedJson } from './json-text.ts';
import { buildCard } from './other-formats.ts';

/** The file that makes an archive a character of Backyard AI. */
export const BYAF_MANIFEST = 'manifest.json';
/** Scenarios that are read; each is one more greeting. */
const MAX_SCENARIOS = 100;

/** Fields of a scenario that a card has no place for, or of which it has one. The chat in it is not one of them. */
const SCENARIO_FIELDS = [
  ...[
    'title',
    'narrative',
    'formattingInstructions',
    'canDeleteExampleMessages',
    'backgroundImage',
    'grammar',
  ],
  ...[
    'model',
    'promptTemplate',
    'temperature',
    'topK',
    'topP',
    'minP',
    'minPEnabled',
    'repeatPenalty',
    'repeatLastN',
  ],
];

/** Fields of a character that are in the card's own fields. */
const USED_FIELDS = ['name', 'persona', 'isNSFW', 'loreItems', 'images'];

export type ByafResult =
  | {
      ok: true;
      card: UnknownFields;
      /** Scenarios with a chat, which is not imported. */
      chats: number;
    }
  | { ok: false; code: ArchiveError | 'card_not_json' | 'card_not_understood' };

type Files = Extract<Archive, { ok: true }>['entries'];

/**
 * Reads a character from an archive of Backyard AI (https://github.com/ahoylabs/byaf, version 1) as a card. All of its
 * JSON together may be as large as a card's.
 */
export function readByaf(file: ChunkedBytes, files: Files): ByafResult {
  let remaining = CARD.maxJsonBytes;
  const readJson = (name: string) => {
    const entry = files.get(name);
    if (entry === undefined) return { ok: false, code: 'card_damaged' } as const;
    const unpacked = unpackEntry(file, entry, remaining);
    if (!unpacked.ok) return unpacked;
    remaining -= unpacked.bytes.length;
    return parseUntrustedJson(unpacked.bytes, file.work);
  };
  const manifest = readJson(BYAF_MANIFEST);
  if (!manifest.ok) return manifest;
  const paths = isUnknownFields(manifest.value) ? getTextList(manifest.value, 'characters') : [];
  const [path] = paths;
  // The format allows one character.
  if (!isUnknownFields(manifest.value) || path === undefined || paths.length > 1)
    return { ok: false, code: 'card_not_understood' };
  const character = readJson(path);
  if (!character.ok) return character;
  if (!isUnknownFields(character.value)) return { ok: false, code: 'card_not_understood' };
  const scenarios: UnknownFields[] = [];
  let chats = 0;
  for (const name of getTextList(manifest.value, 'scenarios').slice(0, MAX_SCENARIOS)) {
    const scenario = readJson(name);
    if (!scenario.ok) return scenario;
    if (!isUnknownFields(scenario.value)) continue;
    if (getListField(scenario.value, 'messages').length > 0) chats += 1;
    scenarios.push(pickScenario(scenario.value));
  }
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  return {
    ok: true,
    card: convertByaf(character.value, { manifest: manifest.value, scenarios, folder }),
    chats,
  };
}

/** Keeps what is used, so that a long chat takes no memory. */
function pickScenario(scenario: UnknownFields): UnknownFields {
  const kept = SCENARIO_FIELDS.filter((name) => Object.hasOwn(scenario, name) && !isNested(scenario[name]));
  return {
    ...Object.fromEntries(kept.map((name) => [name, scenario[name]])),
    firstMessages: getMessageTexts(scenario, 'firstMessages'),
    exampleMessages: getMessageTexts(scenario, 'exampleMessages'),
  };
}

const isNested = (value: unknown): boolean => typeof value === 'object' && value !== null;

const listObjects = (fields: UnknownFields, name: string): UnknownFields[] =>
  getListField(fields, name).filter(isUnknownFields);

const getMessageTexts = (scenario: UnknownFields, name: string): string[] =>
  listObjects(scenario, name).map((message) => getTextField(message, 'text'));

function convertByaf(
  character: UnknownFields,
  input: { manifest: UnknownFields; scenarios: readonly UnknownFields[]; folder: string },
): UnknownFields {
  const { manifest, scenarios, folder } = input;
  const [first = {}] = scenarios;
  const author = getObjectField(manifest, 'author');
  const url = getTextField(author, 'backyardURL');
  const greetings = new Set(
    scenarios.flatMap((scenario) => getTextList(scenario, 'firstMessages').map(fillMacros)),
  );
  const [greeting = '', ...others] = greetings;
  const examples = getTextList(first, 'exampleMessages').filter((text) => text !== '');
  const items = listObjects(character, 'loreItems');
  return buildCard({
    name: getTextField(character, 'name') || getTextField(character, 'displayName'),
    description: fillMacros(getTextField(character, 'persona')),
    scenario: fillMacros(getTextField(first, 'narrative')),
    first_mes: greeting,
    mes_example: examples.map((text) => `<START>\n${fillMacros(text)}`).join('\n'),
    system_prompt: fillMacros(getTextField(first, 'formattingInstructions')),
    alternate_greetings: others.filter((text) => text !== ''),
    tags: character['isNSFW'] === true ? ['nsfw'] : [],
    creator: getTextField(author, 'name'),
    ...(url === '' ? {} : { source: [url] }),
    ...(items.length === 0 ? {} : { character_book: buildBook(items) }),
    assets: [
      ...listObjects(character, 'images').map((image, index) =>
        toAsset(
          'icon',
          index === 0 ? 'main' : getTextField(image, 'label'),
          folder + getTextField(image, 'path'),
        ),
      ),
      ...scenarios.flatMap((scenario) => {
        const path = getTextField(scenario, 'backgroundImage');
        return path === '' ? [] : toAsset('background', getTextField(scenario, 'title'), path);
      }),
    ],
    extensions: { backyard: { ...omitFields(character, USED_FIELDS), scenarios } },
  });
}

const toAsset = (type: string, name: string, path: string) => ({
  type,
  uri: `embeded://${path}`,
  name,
  ext: path.slice(path.lastIndexOf('.') + 1).toLowerCase(),
});

const buildBook = (items: readonly UnknownFields[]) => ({
  extensions: {},
  entries: items.map((item, index) => ({
    keys: fillMacros(getTextField(item, 'key'))
      .split(',')
      .map((key) => key.trim())
      .filter((key) => key !== ''),
    content: fillMacros(getTextField(item, 'value')),
    extensions: {},
    enabled: true,
    insertion_order: index,
    use_regex: false,
  })),
});

/** Replaces the names that Backyard AI fills in by those of cards. In front of speech they have a `#`. */
function fillMacros(text: string): string {
  const names: Record<string, string> = { character: '{{char}}', user: '{{user}}' };
  const fill = (_: string, name: string) => names[name.toLowerCase()] as string;
  return text
    .replaceAll(/#\{(character|user)\}(?=:)/gi, fill)
    .replaceAll(/(?<!\{)\{(character|user)\}(?!\})/gi, fill);
}
