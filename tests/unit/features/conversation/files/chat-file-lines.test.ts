import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CHAT_FILE } from '../../../../../src/features/conversation/limits.ts';
import { LINE_PROBLEMS } from '../../../../../src/features/conversation/files/chat-file.ts';
import {
  type ChatFilePart,
  readChatFile,
} from '../../../../../src/features/conversation/files/chat-file-read.ts';
import { encodeUtf8, readFixture, NOW, parseChatFile } from '../../../../support/chat-files.ts';

describe('Unreadable lines', () => {
  const HEADER = '{"user_name":"Tam","character_name":"Orla","chat_metadata":{}}';
  const GOOD = '{"name":"Tam","is_user":true,"send_date":1690000000000,"mes":"Hello.","extra":{}}';
  const long = (count: number): string => 'x'.repeat(count);
  const deep = `${'['.repeat(40)}${']'.repeat(40)}`;

  test.each([
    ['broken JSON', 'not_json', '{"name":'],
    ['two JSON values', 'not_json', `${GOOD}${GOOD}`],
    ['a number', 'not_object', '7'],
    ['null', 'not_object', 'null'],
    ['a list', 'not_object', '[1]'],
    ['a second header', 'no_text', HEADER],
    ['no text', 'no_text', '{"name":"A","is_user":true}'],
    ['a number as text', 'no_text', '{"name":"A","is_user":true,"mes":5}'],
    ['no side', 'no_side', '{"name":"A","mes":"x"}'],
    ['is_user as text', 'no_side', '{"name":"A","is_user":"true","mes":"x"}'],
    ['a name that is no text', 'bad_name', '{"name":{},"is_user":true,"mes":"x"}'],
    ['a name above the limit', 'bad_name', `{"name":"${long(201)}","is_user":true,"mes":"x"}`],
    ['an invalid time', 'bad_time', '{"is_user":true,"mes":"x","send_date":{}}'],
    [
      'an invalid time of a version',
      'bad_time',
      '{"is_user":true,"mes":"x","swipes":["x"],"swipe_info":[{"send_date":true}]}',
    ],
    ['versions that are no list', 'bad_versions', '{"is_user":true,"mes":"x","swipes":"x"}'],
    ['a version that is no text', 'bad_versions', '{"is_user":true,"mes":"x","swipes":["x",5]}'],
    [
      'too many versions',
      'too_many_versions',
      `{"is_user":true,"mes":"x","swipes":${JSON.stringify(Array.from({ length: CHAT_FILE.maxVersions + 1 }, () => 'x'))}}`,
    ],
    [
      'a text above the limit',
      'text_too_long',
      `{"is_user":true,"mes":"${long(CHAT_FILE.maxContentChars + 1)}"}`,
    ],
    [
      'too many other fields',
      'too_much_carried',
      `{"is_user":true,"mes":"x","blob":"${long(CHAT_FILE.maxCarriedChars)}"}`,
    ],
    ['fields nested too deeply', 'too_much_carried', `{"is_user":true,"mes":"x","deep":${deep}}`],
    ['a line above the limit', 'line_too_long', `{"is_user":true,"mes":"${long(CHAT_FILE.maxLineBytes)}"}`],
  ])('reading stops at a line with %s', async (_, reason, line) => {
    expect(LINE_PROBLEMS).toHaveProperty(reason);
    const text = [HEADER, GOOD, '', GOOD, line, GOOD, '{"also":"bad"}'].join('\n');
    const chat = await parseChatFile(text);
    expect(chat.bad).toEqual({ line: 5, reason });
    expect(chat.messages).toHaveLength(2);
  });

  test('bytes that are not UTF-8 are reported with their line', async () => {
    const bytes = new Uint8Array([
      ...encodeUtf8(`${HEADER}\n{"is_user":true,"mes":"`),
      0xc3,
      0x28,
      ...encodeUtf8('"}'),
    ]);
    expect((await parseChatFile(bytes)).bad).toEqual({ line: 2, reason: 'not_utf8' });
  });

  test('a first line that is neither a header nor a message is reported', async () => {
    expect((await parseChatFile(`{"format":"other"}\n${GOOD}`)).bad).toEqual({
      line: 1,
      reason: 'not_a_chat',
    });
    expect((await parseChatFile('{')).bad).toEqual({ line: 1, reason: 'not_json' });
    expect((await parseChatFile('PK\u0003\u0004')).bad).toEqual({ line: 1, reason: 'not_json' });
    expect((await parseChatFile('{"user_name":5}')).bad).toEqual({ line: 1, reason: 'bad_name' });
  });

  test('an empty file is reported as containing no chat', async () => {
    for (const text of ['', '\n\n', '\uFEFF \r\n'])
      expect((await parseChatFile(text)).bad).toEqual({ line: 1, reason: 'empty_file' });
  });

  test('the first message above the limit is reported', async () => {
    const text = [HEADER, ...Array.from({ length: CHAT_FILE.maxMessages + 1 }, () => GOOD)].join('\n');
    const chat = await parseChatFile(text);
    expect(chat.bad).toEqual({ line: CHAT_FILE.maxMessages + 2, reason: 'too_many_messages' });
    expect(chat.messages).toHaveLength(CHAT_FILE.maxMessages);
  });

  test('the first message above the limit of versions for a whole chat is reported', async () => {
    const many = JSON.stringify({ is_user: true, mes: 'x', swipes: Array.from({ length: 500 }, () => 'x') });
    const chat = await parseChatFile([HEADER, ...Array.from({ length: 125 }, () => many)].join('\n'));
    expect(chat.bad).toEqual({ line: 122, reason: 'too_many_versions' });
  });

  test('the first line above the limit is reported, even among blank lines', async () => {
    const chat = await parseChatFile(`${HEADER}\n${'\n'.repeat(CHAT_FILE.maxLines)}`);
    expect(chat.bad).toEqual({ line: CHAT_FILE.maxLines + 1, reason: 'too_many_lines' });
  });

  test('arbitrary bytes end in a chat or in one reported line', async () => {
    const piece = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.constantFrom(HEADER, GOOD, '\n', '\r\n', '\uFEFF').map(encodeUtf8),
      fc.json().map(encodeUtf8),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        const chat = await parseChatFile(new Uint8Array(pieces.flatMap((one) => [...one])), 5);
        expect(chat.bad === null || chat.bad.line >= 1).toBe(true);
        expect(chat.header !== null || chat.bad !== null).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

test('empty pieces of a file change nothing', async () => {
  const parts: ChatFilePart[] = [];
  const pieces = [new Uint8Array(), encodeUtf8(readFixture('chub')), new Uint8Array()];
  for await (const one of readChatFile(pieces, { now: NOW, newId: () => 'id' })) parts.push(one);
  expect(parts.map(({ kind }) => kind)).toEqual(['header', 'message']);
});
