import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { convertChat } from '../../../../../src/features/conversation/files/chat-file-formats.ts';
import { NOW, parseChatFile, parseValidChatFile } from '../../../../support/chat-files.ts';

const TIME = Date.parse('2025-03-04T05:06:07.000Z');

/** The sides, names and versions of a file's messages. */
async function readMessages(document: unknown, space?: number) {
  const { header, messages } = await parseValidChatFile(JSON.stringify(document, null, space));
  return {
    header,
    messages: messages.map(({ role, name, versions, selected }) => ({
      role,
      name,
      text: versions[selected]?.content,
      versions: versions.length,
    })),
    times: messages.map(({ createdAt }) => createdAt),
    models: messages.map(({ versions, selected }) => versions[selected]?.model),
  };
}

const SAID = [
  { role: 'character', text: 'Late again.' },
  { role: 'user', text: 'The tide was high.' },
  { role: 'character', text: '*She nods.*' },
] as const;

const RISU = {
  type: 'risuChat',
  ver: 2,
  data: {
    name: 'High tide',
    note: 'Keep it short.',
    message: [
      { role: 'char', data: 'Late again.', time: TIME },
      { role: 'user', data: 'The tide was high.' },
      { role: 'char', data: '*She nods.*', generationInfo: { model: 'sea-7b' } },
    ],
    localLore: [],
  },
};
const AGNAI = {
  name: 'Exported',
  greeting: 'Late again.',
  messages: [
    {
      _id: '1',
      characterId: 'imported',
      name: 'Orla',
      msg: 'Late again.',
      createdAt: new Date(TIME).toISOString(),
    },
    { _id: '2', userId: 'u', name: 'Wim', msg: 'The tide was high.' },
    { _id: '3', characterId: 'imported', name: 'Orla', msg: '*She nods.*', retries: ['Hm.'] },
  ],
};
const TEXT_GEN = {
  internal: [
    ['<|BEGIN-VISIBLE-CHAT|>', 'Late again.'],
    ['The tide was high.', '*She nods.*'],
  ],
  visible: [
    ['', 'Late again.'],
    ['The tide was high.', '<em>She nods.</em>'],
  ],
  metadata: {
    assistant_1: { versions: [{ content: 'Hm.' }, { content: '*She nods.*' }], model_name: 'sea-7b' },
  },
};
const KOBOLD = {
  gamestarted: true,
  prompt: '\nOrla: Late again.',
  authorsnote: '',
  actions: ['\nWim: The tide was high.', '\nOrla: *She nods.*'],
  savedsettings: { opmode: 3, chatname: 'Wim', chatopponent: 'Orla' },
};
const CAI = {
  info: { character: { name: 'Orla' } },
  histories: {
    histories: [
      {
        msgs: [
          { src: { is_human: false, name: 'Orla' }, text: 'Late again.' },
          { src: { is_human: true, name: 'Wim' }, text: 'The tide was high.' },
          { src: { is_human: false, name: 'Orla' }, text: '*She nods.*' },
        ],
      },
    ],
  },
};
const TAVERN = [
  { user_name: 'Wim', character_name: 'Orla', create_date: '2023-3-4 @05h 06m 07s 000ms' },
  { name: 'Orla', is_user: false, mes: 'Late again.' },
  { name: 'Wim', is_user: true, mes: 'The tide was high.' },
  { name: 'Orla', is_user: false, mes: '*She nods.*' },
];
const FORMATS: [string, unknown][] = Object.entries({ RISU, AGNAI, TEXT_GEN, KOBOLD, CAI, TAVERN });

describe('Chats of other programs', () => {
  test.each(FORMATS)(
    'every message of a chat is read on its side, on one line or on many: %s',
    async (_, document) => {
      for (const space of [0, 2]) expect((await readMessages(document, space)).messages).toMatchObject(SAID);
    },
  );

  test('a chat is read with its names, versions, times, models and title', async () => {
    const risu = await readMessages(RISU);
    expect(risu.header).toMatchObject({
      title: 'High tide',
      replySettings: { author_note: 'Keep it short.' },
    });
    expect(risu.times).toEqual([TIME, TIME, TIME]);
    expect(risu.models).toEqual([null, null, 'sea-7b']);
    const agnai = await readMessages(AGNAI);
    expect(agnai.header.title).toBeNull();
    expect(agnai.messages.map(({ name, versions }) => [name, versions])).toEqual([
      ['Orla', 1],
      ['Wim', 1],
      ['Orla', 2],
    ]);
    expect((await readMessages(TEXT_GEN)).messages.map(({ versions }) => versions)).toEqual([1, 1, 2]);
    expect((await readMessages(KOBOLD)).header).toMatchObject({ userName: 'Wim', characterName: 'Orla' });
    expect((await readMessages(CAI)).header.characterName).toBe('Orla');
  });

  test('a text-generation-webui chat of the first versions is read', async () => {
    const { messages } = await readMessages({ data: TEXT_GEN.internal, data_visible: TEXT_GEN.visible });
    expect(messages).toMatchObject(SAID);
  });

  test('a KoboldAI Lite story is read in each of its modes', async () => {
    const read = async (savedsettings: object, prompt: string, ...actions: string[]) =>
      (await readMessages({ ...KOBOLD, prompt, actions, savedsettings })).messages;
    expect(
      await read({ opmode: 4 }, 'Late again.', '{{[INPUT]}}The tide was high.{{[OUTPUT]}}', '*She nods.*'),
    ).toMatchObject(SAID);
    const tags = { opmode: 4, instruct_starttag: '\n### In (1):\n', instruct_endtag: '\n### Out (1):\n' };
    expect(
      await read(tags, 'Late again.', '\n### In (1):\nThe tide was high.\n### Out (1):\n', '*She nods.*'),
    ).toMatchObject(SAID);
    expect(
      await read({ opmode: 2 }, 'Late again.', '\n\n> The tide was high.\n\n', '*She nods.*'),
    ).toMatchObject(SAID);
    expect(await read({ opmode: 1 }, 'It rained.', ' And rained.')).toMatchObject([
      { role: 'character', text: 'It rained.' },
      { role: 'character', text: 'And rained.' },
    ]);
  });

  test('a KoboldAI Lite story is split in no time, however many or long its names are', () => {
    const names = ['Orla', 'x'.repeat(200_000), ...Array.from({ length: 50_000 }, (_, index) => `n${index}`)];
    const started = performance.now();
    const lines = convertChat({
      ...KOBOLD,
      actions: ['\nWim: The tide was high.', '\nn49999: Hm.'.repeat(10_000)],
      savedsettings: { ...KOBOLD.savedsettings, chatopponent: names.join('||$||') },
    });
    expect(lines).toHaveLength(3);
    expect(performance.now() - started).toBeLessThan(1000);
  });

  test('a file with several chats is refused by name, and one with a single chat is read', async () => {
    const all = (...data: unknown[]) => JSON.stringify({ type: 'risuAllChats', ver: 2, data });
    expect((await parseChatFile(all(RISU.data, RISU.data))).bad).toEqual({
      line: 1,
      reason: 'several_chats',
    });
    expect((await parseChatFile(all(RISU.data))).messages).toHaveLength(3);
  });

  test('a document of no known format, a cut one and one that is too long are refused', async () => {
    const getReason = async (text: string) => (await parseChatFile(text)).bad?.reason;
    expect(await getReason(JSON.stringify({ name: 'Orla', description: 'A card.' }, null, 2))).toBe(
      'not_a_chat',
    );
    expect(await getReason(JSON.stringify(RISU, null, 2).slice(0, -20))).toBe('not_json');
    expect(await getReason(`[\n${`"${'x'.repeat(1_000_000)}",\n`.repeat(9)}"x"]`)).toBe('document_too_long');
    expect(await getReason('[1, 2]')).toBe('not_object');
  });

  test('any JSON value is converted or refused, and the lines of a chat are objects', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const converted = convertChat(value);
        if (Array.isArray(converted)) for (const line of converted) expect(line).toBeTypeOf('object');
      }),
    );
  });

  test('a message without a time gets that of the one before, or the present', async () => {
    expect((await readMessages(CAI)).times).toEqual([NOW, NOW, NOW]);
  });
});
