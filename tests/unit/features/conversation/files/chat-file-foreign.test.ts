import { describe, expect, test } from 'vitest';
import {
  readFixture,
  omitGenerated,
  parseLines,
  parseValidChatFile,
  writeChatFile,
} from '../../../../support/chat-files.ts';

describe('Foreign chat files', () => {
  test('a chat file of spring 2023 without versions and metadata is read', async () => {
    const { header: head, messages } = await parseValidChatFile(readFixture('tavern-2023-spring'));
    expect(head).toMatchObject({
      userName: 'You',
      characterName: 'Orla',
      createdAt: Date.parse('2023-03-04T09:05:07.042Z'),
      metadata: null,
    });
    expect(messages.map(({ role, name: speaker, createdAt }) => [role, speaker, createdAt])).toEqual([
      ['character', 'Orla', Date.parse('2023-03-04T09:05:07.042Z')],
      ['user', 'You', Date.parse('2023-03-04T09:06:30.800Z')],
      ['character', 'Orla', Date.parse('2023-03-04T09:06:41.005Z')],
    ]);
    expect(messages.map(({ versions }) => versions.map(({ model }) => model))).toEqual([
      [null],
      [null],
      ['unknown'],
    ]);
    expect(messages[2]?.versions[0]?.content).toBe('A whole moon.\nShe does not smile.');
  });

  test('a chat file of summer 2023 is read with the time and model of each version', async () => {
    const { header: head, messages } = await parseValidChatFile(readFixture('sillytavern-2023-summer'));
    expect(head).toMatchObject({
      replySettings: { author_note: 'Keep it rainy.', author_note_depth: 4 },
      metadata: { note_depth: 4 },
    });
    expect(messages[2]).toMatchObject({
      selected: 1,
      createdAt: Date.parse('2023-06-19T16:22:00Z'),
      versions: [
        { content: 'Then we run.', model: 'airoboros-33b', createdAt: Date.parse('2023-06-19T16:21:00Z') },
        { content: 'Twice means somebody is home.', model: 'pygmalion-13b' },
        { content: '*She shrugs.*', model: 'unknown', createdAt: Date.parse('2023-06-19T16:23:00Z') },
      ],
    });
  });

  test('month names of several languages are read, and an unknown month repeats the time before', async () => {
    const { messages } = await parseValidChatFile(readFixture('sillytavern-2023-other-languages'));
    expect(messages.map(({ createdAt }) => new Date(createdAt).toISOString().slice(0, 16))).toEqual([
      '2023-03-03T00:05',
      '2023-08-04T12:05',
      '2023-12-05T01:00',
      '2023-11-06T23:59',
      '2023-07-07T15:04',
      '2023-07-07T15:04',
    ]);
  });

  test('a group chat is read with every speaker, hidden lines and narration', async () => {
    const { header: head, messages } = await parseValidChatFile(readFixture('sillytavern-2024-group'));
    expect(head).toMatchObject({ userName: null, characterName: null, createdAt: null });
    expect(messages.map(({ role, name: speaker }) => [role, speaker])).toEqual([
      ['character', 'Orla'],
      ['character', 'Brann'],
      ['user', 'Tam'],
      ['character', 'System'],
    ]);
    expect(messages[2]).toMatchObject({ source: { line: { is_system: true } } });
  });

  test('a chat file of 2025 is read with greetings, an invalid version index and an edited text', async () => {
    const { messages } = await parseValidChatFile(readFixture('sillytavern-2025'));
    expect(messages[0]).toMatchObject({
      selected: 0,
      versions: [{ model: null }, { content: 'You again.' }],
    });
    expect(messages[2]).toMatchObject({
      selected: 2,
      versions: [
        { content: 'Then sit.', model: 'deepseek/deepseek-chat' },
        { content: '' },
        { content: 'Then sit. (edited by hand)', model: 'deepseek/deepseek-chat' },
      ],
    });
  });

  test('a chat file without a header is read with numeric times and without times', async () => {
    const { header: head, messages } = await parseValidChatFile(readFixture('kobold-lite-no-header'));
    expect(head).toEqual({
      userName: null,
      persona: null,
      characterName: null,
      createdAt: null,
      title: null,
      replySettings: {},
      metadata: null,
    });
    expect(messages.map(({ createdAt }) => createdAt)).toEqual([
      1_690_000_000_000, 1_690_000_060_000, 1_690_000_120_000, 1_690_000_120_000,
    ]);
    expect(messages[3]?.name).toBeNull();
  });

  test('texts inside objects are read', async () => {
    const { messages } = await parseValidChatFile(readFixture('chub'));
    expect(messages[0]).toMatchObject({
      selected: 0,
      createdAt: 1_700_000_000_000,
      versions: [{ content: 'Cold night.' }, { content: 'Warm night.' }],
    });
  });

  test('a byte order mark, Windows line breaks and blank lines change nothing', async () => {
    const plain = await parseValidChatFile(readFixture('sillytavern-2025'));
    const dressed = `\uFEFF\r\n${readFixture('sillytavern-2025').replaceAll('\n', '\r\n\r\n')}  \r\n`;
    expect(await parseValidChatFile(dressed, 7)).toEqual(plain);
  });

  test.each([
    'tavern-2023-spring',
    'sillytavern-2023-summer',
    'sillytavern-2023-other-languages',
    'sillytavern-2024-group',
    'sillytavern-2025',
    'kobold-lite-no-header',
    'chub',
  ])('the foreign chat %s is the same after export and import', async (which) => {
    const chat = await parseValidChatFile(readFixture(which));
    const exported = await writeChatFile(chat.header, chat.messages);
    const imported = await parseValidChatFile(exported);
    expect(imported.header).toEqual(chat.header);
    expect(imported.messages.map(omitGenerated)).toEqual(chat.messages.map(omitGenerated));
  });

  test('fields of another program are exported in their place', async () => {
    const chat = await parseValidChatFile(readFixture('sillytavern-2025'));
    const [head, greeting, , reply] = parseLines(await writeChatFile(chat.header, chat.messages));
    expect(head.chat_metadata).toMatchObject({
      integrity: '0a6905db-bab6-4901-913b-06d18cab5a8f',
      attachments: [],
    });
    expect(greeting.swipes).toEqual(['Welcome ashore.', 'You again.']);
    expect(reply).toMatchObject({
      gen_started: '2025-09-26T07:05:31.000Z',
      variables: [{ mood: 2 }],
      extra: {
        api: 'openrouter',
        model: 'deepseek/deepseek-chat',
        reasoning: 'She is tired.',
        token_count: 9,
      },
      swipe_info: [{ gen_finished: '2025-09-26T07:05:40.881Z', extra: { api: 'openrouter' } }, {}, {}],
    });
  });

  test('fields named like parts of JavaScript are kept as plain data', async () => {
    const line =
      '{"name":"A","is_user":true,"mes":"x","__proto__":{"polluted":1},"extra":{"__proto__":{"polluted":1},"constructor":2}}';
    const { messages } = await parseValidChatFile(line);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    const [, exported] = (
      await writeChatFile({ ...(await parseValidChatFile(line)).header }, messages)
    ).split('\n');
    expect(exported).toContain('"__proto__":{"polluted":1}');
    expect(exported).toContain('"constructor":2');
  });
});
