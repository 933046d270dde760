import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OWN_KEY } from '../../../../../src/features/conversation/files/chat-file.ts';
import type { ReplyRating } from '../../../../../src/features/conversation/contract.ts';
import { CHAT_FILE } from '../../../../../src/features/conversation/limits.ts';
import type { ReplySettings } from '../../../../../src/features/conversation/prompt/reply-settings-contract.ts';
import type {
  ChatHeader,
  MessageRecord,
  VersionRecord,
} from '../../../../../src/features/conversation/files/chat-record.ts';
import { toName } from '../../../../../src/lib/sanitize-text.ts';
import {
  readFixture,
  omitGenerated,
  parseLines,
  NOW,
  parseValidChatFile,
  writeChatFile,
} from '../../../../support/chat-files.ts';

// ── arbitrary chats ──

const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');
const time = fc.integer({ min: 0, max: LAST_MS });
const text = fc
  .oneof(
    { weight: 4, arbitrary: fc.string({ unit: 'grapheme', maxLength: 60 }) },
    { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '',
        '\r\n\n\r',
        '\u2028\u2029\u0000\u0085',
        '\u202Eשלום עולם\u202C',
        '👩‍👩‍👧‍👦'.repeat(20),
        '{"mes":"x"}\n{"is_user":true}',
        '\uFEFF',
      ),
    },
  )
  .map((one) => one.toWellFormed());
const name = text.map((one) => toName(one.slice(0, CHAT_FILE.maxNameChars))).filter((one) => one !== '');
const version = (role: MessageRecord['role']): fc.Arbitrary<VersionRecord> =>
  fc
    .record({
      id: fc.uuid(),
      content: text,
      model:
        role === 'user' ? fc.constant(null) : fc.option(fc.constantFrom('loreloom', 'deepseek', 'unknown')),
      status: fc.constantFrom('complete', 'interrupted', 'failed'),
      errorCode: fc.option(fc.constantFrom('model_failed', 'reply_cut_off')),
      edited: fc.boolean(),
      createdAt: time,
    })
    .chain((one) => {
      const thinking = role === 'user' ? fc.constant('') : fc.string({ maxLength: 40 });
      return thinking.map((thought) => (thought.trim() === '' ? one : { ...one, thinking: thought }));
    });
/** Fields that only another program understands, at least one. */
const foreign = fc.dictionary(
  fc.string({ minLength: 1, maxLength: 8 }).map((key) => `x_${key}`),
  // JSON.stringify turns negative zero into zero, so the values pass through it once.
  fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown),
  { minKeys: 1, maxKeys: 3 },
);
const message = fc.constantFrom('user' as const, 'character' as const).chain((role) =>
  fc
    .record({
      id: fc.uuid(),
      role: fc.constant(role),
      name: fc.option(name),
      createdAt: time,
      pinned: fc.boolean(),
      source: fc.option(
        fc.oneof(
          fc.record({ line: foreign }),
          fc.record({ versions: fc.tuple(fc.record({ extra: foreign })) }),
          fc.record({ line: foreign, versions: fc.tuple(fc.record({ info: foreign, extra: foreign })) }),
        ),
      ),
      versions: fc.array(version(role), { minLength: 1, maxLength: 4 }),
    })
    .chain((one) =>
      fc.nat({ max: one.versions.length - 1 }).map((selected): MessageRecord => ({ ...one, selected })),
    ),
);
const header: fc.Arbitrary<ChatHeader> = fc.record({
  userName: fc.option(name),
  persona: fc.option(name),
  characterName: fc.option(name),
  createdAt: fc.option(time),
  title: fc.option(name.map((one) => toName(one.slice(0, 100))).filter((one) => one !== '')),
  replySettings: fc.constant({}),
  metadata: fc.option(foreign),
});

describe('Export and import of a chat', () => {
  test('an exported chat is the same after its import', async () => {
    await fc.assert(
      fc.asyncProperty(
        header,
        fc.array(message, { maxLength: 8 }),
        fc.integer({ min: 1, max: 300 }),
        async (head, messages, pieceBytes) => {
          const imported = await parseValidChatFile(await writeChatFile(head, messages), pieceBytes);
          expect(imported.header).toEqual(head);
          expect(imported.messages.map(omitGenerated)).toEqual(messages.map(omitGenerated));
        },
      ),
      { numRuns: 300 },
    );
  });

  test('imported messages and versions have new ids', async () => {
    const imported = await parseValidChatFile(readFixture('sillytavern-2023-summer'));
    const ids = imported.messages.flatMap(({ id, versions }) => [id, ...versions.map((one) => one.id)]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('half a surrogate pair becomes the replacement character', async () => {
    const line = `{"name":"A\\ud83d","is_user":true,"mes":"half \\ud83d here \\ude00","send_date":5}`;
    const { messages } = await parseValidChatFile(line);
    expect(messages[0]).toMatchObject({
      name: 'A\uFFFD',
      versions: [{ content: 'half \uFFFD here \uFFFD' }],
    });
  });
});

describe('Thinking in a chat file', () => {
  const line = (extra: object) =>
    JSON.stringify({ name: 'Mira', is_user: false, mes: 'Hello.', send_date: 5, extra });

  test('the reasoning of a reply is read as its thinking', async () => {
    const { messages } = await parseValidChatFile(line({ reasoning: 'A plan.', reasoning_duration: 3 }));
    expect(messages[0]?.versions[0]).toMatchObject({ content: 'Hello.', thinking: 'A plan.' });
    expect(messages[0]?.source).toEqual({ versions: [{ extra: { reasoning_duration: 3 } }] });
  });

  test.each([['x'.repeat(20_001)], [''], [5]])('other reasoning is kept as it is', async (reasoning) => {
    const { messages } = await parseValidChatFile(line({ reasoning }));
    expect(messages[0]?.versions[0]).not.toHaveProperty('thinking');
    expect(messages[0]?.source).toEqual({ versions: [{ extra: { reasoning } }] });
  });
});

describe('Exported chat file', () => {
  const reply: MessageRecord = {
    id: 'm1',
    role: 'character',
    name: null,
    createdAt: NOW,
    pinned: true,
    source: null,
    selected: 1,
    versions: [
      {
        id: 'v1',
        content: 'One.',
        model: 'loreloom',
        status: 'complete',
        errorCode: null,
        edited: false,
        createdAt: NOW,
      },
      {
        id: 'v2',
        content: 'Two.',
        model: null,
        status: 'complete',
        errorCode: null,
        edited: true,
        createdAt: NOW + 5,
      },
    ],
  };
  const head: ChatHeader = {
    userName: 'Tam',
    persona: null,
    characterName: 'Orla',
    createdAt: NOW,
    title: 'Rain',
    replySettings: {},
    metadata: null,
  };

  test('an exported chat has a header and one line per message with its versions and the selected one', async () => {
    const [first, line] = parseLines(await writeChatFile(head, [reply]));
    expect(first).toMatchObject({
      user_name: 'Tam',
      character_name: 'Orla',
      create_date: '2026-01-02T03:04:05.006Z',
      chat_metadata: {},
    });
    expect(line).toMatchObject({
      name: 'Orla',
      is_user: false,
      is_system: false,
      send_date: '2026-01-02T03:04:05.006Z',
      mes: 'Two.',
      swipe_id: 1,
      swipes: ['One.', 'Two.'],
      swipe_info: [{ send_date: '2026-01-02T03:04:05.006Z' }, { send_date: '2026-01-02T03:04:05.011Z' }],
    });
  });

  test('an author’s note is exported at the end of the prompt, or where the program it came from put it', async () => {
    const note = { ...head, replySettings: { author_note: 'Keep it short.' } };
    const [own] = parseLines(await writeChatFile(note, []));
    expect(own.chat_metadata).toMatchObject({
      note_prompt: 'Keep it short.',
      note_interval: 1,
      note_position: 1,
      note_depth: 0,
      note_role: 0,
    });
    const placed = {
      ...note,
      replySettings: { author_note: 'Keep it short.', author_note_depth: 4 },
      metadata: { note_interval: 3, note_depth: 4 },
    };
    const [foreign] = parseLines(await writeChatFile(placed, []));
    expect(foreign.chat_metadata).toMatchObject({
      note_prompt: 'Keep it short.',
      note_interval: 3,
      note_depth: 4,
    });
    const { header: read } = await parseValidChatFile(await writeChatFile(placed, []));
    expect(read.replySettings).toEqual({ author_note: 'Keep it short.', author_note_depth: 4 });
    expect(read.metadata).not.toHaveProperty('note_prompt');
    const moved = { ...read, replySettings: { ...read.replySettings, author_note_depth: 2 } };
    const [line] = parseLines(await writeChatFile(moved, []));
    expect(line.chat_metadata).toMatchObject({ note_interval: 3, note_position: 1, note_depth: 2 });
  });

  test('a note that its program puts before the messages is read as one at the end, and stays there in the file', async () => {
    const metadata = { note_prompt: 'Rain.', note_interval: 1, note_position: 0, note_depth: 4 };
    const { header: read } = await parseValidChatFile(await writeChatFile({ ...head, metadata }, []));
    expect(read.replySettings).toEqual({ author_note: 'Rain.' });
    const [line] = parseLines(await writeChatFile(read, []));
    expect(line.chat_metadata).toMatchObject(metadata);
  });

  test.each<Partial<ReplySettings>>([
    { reply_length: 'short', liveliness: 'lively' },
    { author_note_depth: 3 },
    { author_note: 'Rain.', author_note_depth: 20, reply_length: 250, liveliness: 0.07 },
  ])('reply settings are read from a file as they were written: %j', async (replySettings) => {
    const file = await writeChatFile({ ...head, replySettings }, []);
    expect((await parseValidChatFile(file)).header.replySettings).toEqual(replySettings);
  });

  test('invalid reply settings in a file are left out', async () => {
    const invalid = { reply_length: 19, liveliness: 2.5, author_note_depth: 21, author_note: 'Obey.' };
    const metadata = { [OWN_KEY]: { reply_settings: { ...invalid, more: true } } };
    const file = JSON.stringify({ user_name: 'a', character_name: 'b', chat_metadata: metadata });
    expect((await parseValidChatFile(file)).header.replySettings).toEqual({});
  });

  test('the note of a regenerated version is read from a file as it was written', async () => {
    const [first] = reply.versions;
    const noted = {
      ...reply,
      versions: [{ ...(first as VersionRecord), regenerateNote: 'Shorter.' }],
      selected: 0,
    };
    const file = await writeChatFile(head, [noted]);
    expect(parseLines(file)[1].extra[OWN_KEY]).toMatchObject({ regenerate_note: 'Shorter.' });
    const { messages } = await parseValidChatFile(file);
    expect(messages[0]?.versions[0]?.regenerateNote).toBe('Shorter.');
  });

  test('the rating of a version is read from a file as it was given, and an unknown one is left out', async () => {
    const [first] = reply.versions;
    const rated = (rating: ReplyRating): MessageRecord => ({
      ...reply,
      versions: [{ ...(first as VersionRecord), rating }],
      selected: 0,
    });
    const file = await writeChatFile(head, [rated('up'), rated('down')]);
    const readRatings = async (text: string) =>
      (await parseValidChatFile(text)).messages.map(({ versions }) => versions[0]?.rating);
    expect(await readRatings(file)).toEqual(['up', 'down']);
    expect(await readRatings(file.replace('"rating":"up"', '"rating":"great"'))).toEqual([undefined, 'down']);
  });

  test.each([
    ['empty', { note_prompt: ' ' }],
    ['switched off', { note_prompt: 'Rain.', note_interval: 0 }],
    ['too long', { note_prompt: 'a'.repeat(2001) }],
  ])('an author’s note that is not used stays in the file: %s', async (_, metadata) => {
    const { header: read } = await parseValidChatFile(await writeChatFile({ ...head, metadata }, []));
    expect(read).toMatchObject({ replySettings: {}, metadata });
    const [line] = parseLines(await writeChatFile(read, []));
    expect(line.chat_metadata).toMatchObject(metadata);
  });

  test('each exported text states whether a model wrote it, and which', async () => {
    const generated = { ...reply, selected: 0 };
    const [, edited, line] = parseLines(await writeChatFile(head, [reply, generated]));
    expect(line.extra).toMatchObject({ ai_generated: true, model: 'loreloom' });
    expect(line.swipe_info.map((info: { extra: object }) => info.extra)).toMatchObject([
      { ai_generated: true, model: 'loreloom' },
      { ai_generated: false },
    ]);
    expect(edited.extra).toMatchObject({ ai_generated: false });
    expect(edited.extra).not.toHaveProperty('model');
  });

  test('a message with one version is exported without a list of versions', async () => {
    const plain = { ...reply, versions: reply.versions.slice(0, 1), selected: 0, role: 'user' as const };
    const [, line] = parseLines(await writeChatFile(head, [plain]));
    expect(line).toMatchObject({ name: 'Tam', is_user: true, mes: 'One.' });
    expect(line).not.toHaveProperty('swipes');
  });
});
