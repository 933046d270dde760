// Characters in the formats of other programs, as those programs write them.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildCardDraft } from '../../../../src/features/cards/card-draft.ts';
import { readCardFile } from '../../../../src/features/cards/card-file.ts';
import { getCardExtras, readCard } from '../../../../src/features/cards/card-fields.ts';
import { ChunkedBytes, WorkCounter } from '../../../../src/features/cards/chunked-bytes.ts';
import { buildPng, buildTextChunk, buildZip, encodeCard, encodeText } from '../../../support/card-files.ts';
import {
  AGNAI,
  BACKYARD,
  buildByaf,
  PYGMALION,
  PYGMALION_YAML,
  TEXTGEN,
} from '../../../support/other-formats.ts';
import { PICTURES } from '../../../support/pictures.ts';

const json = (value: unknown): Uint8Array => encodeText(JSON.stringify(value));
const read = (bytes: Uint8Array, work?: WorkCounter) => readCardFile(new ChunkedBytes([bytes], work));
function readOrFail(bytes: Uint8Array) {
  const file = read(bytes);
  if (!file.ok) throw new Error(file.code);
  return file;
}
const readErrorCode = (bytes: Uint8Array): string | null => {
  const file = read(bytes);
  return file.ok ? null : file.code;
};

describe('Characters of other programs', () => {
  test('a character of agnai becomes a card with each of its texts', () => {
    const { card } = readOrFail(json(AGNAI));
    expect(card.data).toMatchObject({
      name: 'Mara',
      description: 'species: human\nmind: calm, dry',
      scenario: 'A storm.',
      first_mes: 'Hello, {{user}}.',
      mes_example: '{{user}}: hi\n{{char}}: Mind the step.',
      creator_notes: 'A note of the creator.',
      system_prompt: 'Stay by the sea.',
      post_history_instructions: 'Keep it short.',
      alternate_greetings: ['Who is there?'],
      tags: ['Fantasy'],
      creator: 'Elsewhere',
      character_version: '2',
      character_book: { name: 'The coast', entries: [{ keys: ['lamp'], content: 'It burns.' }] },
      extensions: {
        odd: true,
        depth_prompt: { prompt: 'The sea is near.', depth: 3, role: 'system' },
        agnai: { _id: 'c0ffee', appearance: 'grey coat', persona: AGNAI.persona },
      },
    });
    expect(getCardExtras(card).lorebook).toContain('It burns.');
  });

  test('the persona of agnai is read as text, and its picture as the portrait', () => {
    const avatar = `data:image/png;base64,${Buffer.from(PICTURES.png).toString('base64')}`;
    const persona = { kind: 'text', attributes: { text: ['Keeps a lighthouse.'] } };
    const file = readOrFail(json({ ...AGNAI, persona, avatar }));
    expect(file.card.data['description']).toBe('Keeps a lighthouse.');
    expect(file.picture).toEqual({ kind: 'bytes', bytes: PICTURES.png });
    const linked = readOrFail(json({ ...AGNAI, avatar: 'https://example.test/mara.png' }));
    expect(linked.picture).toEqual({ kind: 'none' });
    expect(linked.card.data['extensions']).toMatchObject({
      agnai: { avatar: 'https://example.test/mara.png' },
    });
  });

  test.each([
    ['as JSON', json(PYGMALION)],
    ['in a picture', buildPng(buildTextChunk('chara', encodeCard(PYGMALION)))],
    ['as YAML', encodeText(PYGMALION_YAML)],
  ])('a character of Pygmalion is read %s', (_, bytes) => {
    expect(readOrFail(bytes).card.data).toMatchObject({
      name: 'Mara',
      description: 'Keeps a lighthouse.',
      scenario: 'A storm.',
      first_mes: 'Hello.',
      mes_example: '{{user}}: hi',
    });
  });

  test('a character of text-generation-webui is read from YAML and keeps its other fields', () => {
    const { card } = readOrFail(encodeText(TEXTGEN));
    expect(card.data).toMatchObject({
      name: 'Mara',
      description: "Mara's Persona: calm\n",
      first_mes: 'Hello.\n\nCome in.',
      extensions: { textgen: { your_name: 'Wren' } },
    });
  });

  test('a character of Backyard AI becomes a card with each of its texts', () => {
    const file = readOrFail(buildByaf());
    expect(file.card.data).toMatchObject({
      name: 'Mara',
      description: '{{char}} keeps a lighthouse. {{user}} knows.',
      scenario: '{{user}} comes in the storm.',
      first_mes: 'Hello from the storm.',
      mes_example: '<START>\n{{user}}: hi\n{{char}}: Mind the step.',
      system_prompt: 'Write as {{char}}.',
      alternate_greetings: ['Hello from the night.'],
      tags: ['nsfw'],
      creator: 'Elsewhere',
      source: ['https://example.test/elsewhere'],
      character_book: { entries: [{ keys: ['lamp', 'light'], content: '{{char}} lit it.', enabled: true }] },
      extensions: {
        backyard: { displayName: 'Mara of the Coast', scenarios: [{ temperature: 1.2 }, { title: 'night' }] },
      },
    });
    expect(file.picture).toEqual({ kind: 'bytes', bytes: PICTURES.png });
    const { notes } = buildCardDraft(file.card, file.info);
    expect(notes.map(({ code, from }) => [code, from])).toEqual(
      expect.arrayContaining([
        // The second picture and the background.
        ['assets_left', 2],
        ['chats_left', 1],
      ]),
    );
    expect(new TextDecoder().decode(file.json)).not.toContain('Where?');
  });

  test.each([
    ['without its character', 'card_damaged', buildByaf({ manifest: { characters: ['characters/x.json'] } })],
    ['without a scenario that it lists', 'card_damaged', buildByaf({ manifest: { scenarios: ['a.json'] } })],
    ['with two characters', 'card_not_understood', buildByaf({ manifest: { characters: ['a', 'b'] } })],
    ['without characters', 'card_not_understood', buildByaf({ manifest: { characters: 'x' } })],
    [
      'without a name',
      'card_not_understood',
      buildZip([
        { name: 'manifest.json', body: '{"characters":["c"]}' },
        { name: 'c', body: '"text"' },
      ]),
    ],
    [
      'with too much text in all',
      'card_too_large',
      buildByaf({
        manifest: { scenarios: ['a.json', 'a.json'] },
        entries: [{ name: 'a.json', body: json({ narrative: 'x'.repeat(3_000_000) }), packed: false }],
      }),
    ],
    ['that leads out of it', 'card_archive_unsafe', buildByaf({ entries: [{ name: '../x', body: '' }] })],
  ])('an archive of Backyard AI %s is refused', (_, code, bytes) => {
    expect(readErrorCode(bytes)).toBe(code);
  });

  test.each([
    ['an archive of several cards', 'card_archive_unknown', buildZip([{ name: 'a.json', body: '{}' }])],
    [
      'an agnai chat',
      'card_is_chat',
      json({ name: 'Chat', greeting: 'Hi', scenario: '', messages: [{ msg: 'Hi' }] }),
    ],
    ['a text-generation-webui chat', 'card_is_chat', json({ internal: [['', 'Hi']], visible: [['', 'Hi']] })],
    ['a KoboldAI Lite chat', 'card_is_chat', json({ gamestarted: true, prompt: 'Hi', actions: ['Hi'] })],
    ['a RisuAI chat', 'card_is_chat', json({ type: 'risuChat', ver: 1, data: { message: [] } })],
    ['a TavernAI chat', 'card_is_chat', json([{ user_name: 'You' }, { name: 'Mara', mes: 'Hi' }])],
    [
      'a SillyTavern chat',
      'card_is_chat',
      encodeText('{"user_name":"You","chat_metadata":{}}\n{"name":"Mara","mes":"Hi"}\n'),
    ],
    [
      'an instruction template',
      'card_not_understood',
      encodeText('user: "USER:"\nbot: "BOT:"\ncontext: ""\n'),
    ],
    ['a name alone', 'card_not_understood', json({ char_name: 'Mara' })],
    ['a name that is no text', 'card_not_understood', json({ ...AGNAI, name: 1 })],
    ['prose', 'card_not_json', encodeText('Mara keeps a lighthouse.\nShe is calm.')],
  ])('%s is refused with the error %s', (_, code, bytes) => {
    expect(readErrorCode(bytes)).toBe(code);
  });

  test('a converted character is a card that can be read again', () => {
    const value = fc.jsonValue({ maxDepth: 3 });
    const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 50 }), value);
    const odd = (fields: object) =>
      fc.record(Object.fromEntries(Object.keys(fields).map((name) => [name, text])));
    const character = fc.oneof(
      odd(PYGMALION).map((fields) => ({ ...fields, char_name: 'Mara', char_persona: 'x' })),
      fc.tuple(odd(AGNAI), fc.dictionary(fc.string(), value)).map(([fields, attributes]) => ({
        ...fields,
        kind: 'character',
        name: 'Mara',
        persona: { kind: 'wpp', attributes },
      })),
    );
    const archive = odd(BACKYARD).map((fields) => buildByaf({ character: { ...fields, name: 'Mara' } }));
    fc.assert(
      fc.property(fc.oneof(character.map(json), archive), (bytes) => {
        const work = new WorkCounter();
        const file = read(bytes, work);
        if (!file.ok) return expect(file.code).toMatch(/^card_(is_lorebook|is_chat|not_understood)$/);
        expect(file.card.data['name']).toBe('Mara');
        expect(readCard(JSON.parse(new TextDecoder().decode(file.json)))).toEqual(file.card);
        expect(work.bytes).toBeLessThan(20 * bytes.length + 64 * 1024);
      }),
      { numRuns: 300 },
    );
  });
});
