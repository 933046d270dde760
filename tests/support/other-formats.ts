import { buildZip, type ZipEntry } from './card-files.ts';
import { PICTURES } from './pictures.ts';

/** Characters in the formats of other programs, as those programs write them. */

export const AGNAI = {
  kind: 'character',
  _id: 'c0ffee',
  name: 'Mara',
  description: 'A note of the creator.',
  scenario: 'A storm.',
  greeting: 'Hello, {{user}}.',
  sampleChat: '{{user}}: hi\n{{char}}: Mind the step.',
  persona: { kind: 'wpp', attributes: { species: ['human'], mind: ['calm', 'dry'] } },
  systemPrompt: 'Stay by the sea.',
  postHistoryInstructions: 'Keep it short.',
  alternateGreetings: ['Who is there?'],
  tags: ['Fantasy'],
  creator: 'Elsewhere',
  characterVersion: '2',
  insert: { depth: 3, prompt: 'The sea is near.' },
  extensions: { odd: true },
  appearance: 'grey coat',
  characterBook: {
    kind: 'memory',
    name: 'The coast',
    description: '',
    entries: [
      { name: 'Lamp', entry: 'It burns.', keywords: ['lamp'], priority: 1, weight: 2, enabled: true },
    ],
  },
};

export const PYGMALION = {
  char_name: 'Mara',
  char_persona: 'Keeps a lighthouse.',
  char_greeting: 'Hello.',
  world_scenario: 'A storm.',
  example_dialogue: '{{user}}: hi',
};

const MANIFEST = {
  schemaVersion: 1,
  createdAt: '2025-01-01T00:00:00Z',
  characters: ['characters/mara/character.json'],
  scenarios: ['scenarios/one.json', 'scenarios/two.json'],
  author: { name: 'Elsewhere', backyardURL: 'https://example.test/elsewhere' },
};
export const BACKYARD = {
  schemaVersion: 1,
  id: 'mara',
  name: 'Mara',
  displayName: 'Mara of the Coast',
  isNSFW: true,
  persona: '{character} keeps a lighthouse. {{user}} knows.',
  createdAt: '2025-01-01T00:00:00Z',
  updatedAt: '2025-01-01T00:00:00Z',
  loreItems: [{ key: 'lamp, light', value: '{Character} lit it.' }],
  images: [
    { path: 'images/main.png', label: 'Portrait' },
    { path: 'images/rain.png', label: 'Rain' },
  ],
};
const buildScenario = (title: string, more: object = {}) => ({
  schemaVersion: 1,
  title,
  narrative: `{user} comes in the ${title}.`,
  formattingInstructions: 'Write as {character}.',
  temperature: 1.2,
  firstMessages: [{ characterID: 'mara', text: `Hello from the ${title}.` }],
  exampleMessages: [{ characterID: 'mara', text: '#{user}: hi\n#{character}: Mind the step.' }],
  messages: [],
  ...more,
});
export const buildByaf = (more: { manifest?: object; character?: object; entries?: ZipEntry[] } = {}) =>
  buildZip([
    { name: 'manifest.json', body: JSON.stringify({ ...MANIFEST, ...more.manifest }) },
    { name: 'characters/mara/character.json', body: JSON.stringify({ ...BACKYARD, ...more.character }) },
    { name: 'characters/mara/images/main.png', body: PICTURES.png, packed: false },
    { name: 'scenarios/one.json', body: JSON.stringify(buildScenario('storm')) },
    {
      name: 'scenarios/two.json',
      body: JSON.stringify(
        buildScenario('night', {
          backgroundImage: 'backgrounds/sea.png',
          messages: [{ type: 'human', text: 'Where?' }],
        }),
      ),
    },
    ...(more.entries ?? []),
  ]);

/** A character of text-generation-webui. */
export const TEXTGEN = `name: Mara
greeting: |-
  Hello.

  Come in.
context: "Mara's Persona: calm\\n"
your_name: Wren
`;

/** A character of Pygmalion as YAML. */
export const PYGMALION_YAML = Object.entries(PYGMALION)
  .map(([key, value]) => `${key}: "${value}"\n`)
  .join('');
