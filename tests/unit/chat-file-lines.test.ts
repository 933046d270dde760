import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CHAT_FILE } from '../../src/features/conversation/limits.ts';
import { LINE_PROBLEMS } from '../../src/features/conversation/files/chat-file.ts';
import { type ChatFilePart, readChatFile } from '../../src/features/conversation/files/chat-file-read.ts';
import { encodeUtf8, readFixture, NOW, parseChatFile } from '../support/chat-files.ts';

describe('A line that cannot be read is named, and nothing after it is read', () => {
  const HEADER = '{"user_name":"Tam","character_name":"Orla","chat_metadata":{}}';
  const GOOD = '{"name":"Tam","is_user":true,"send_date":1690000000000,"mes":"Hello.","extra":{}}';
  const long = (count: number): string => 'x'.repeat(count);
  const deep = `${'['.repeat(40)}${']'.repeat(40)}`;

  test.each([
    ['not JSON', 'not_json', '{"name":'],
    ['more than one value', 'not_json', `${GOOD}${GOOD}`],
    ['a number', 'not_object', '7'],
    ['null', 'not_object', 'null'],
    ['a list', 'not_object', '[1]'],
    ['a second header', 'no_text', HEADER],
    ['no text', 'no_text', '{"name":"A","is_user":true}'],
    ['a number as text', 'no_text', '{"name":"A","is_user":true,"mes":5}'],
    ['nobody’s', 'no_side', '{"name":"A","mes":"x"}'],
    ['is_user as text', 'no_side', '{"name":"A","is_user":"true","mes":"x"}'],
    ['a name that is none', 'bad_name', '{"name":{},"is_user":true,"mes":"x"}'],
    ['a name without end', 'bad_name', `{"name":"${long(201)}","is_user":true,"mes":"x"}`],
    ['a time that is none', 'bad_time', '{"is_user":true,"mes":"x","send_date":{}}'],
    [
      'a version’s time that is none',
      'bad_time',
      '{"is_user":true,"mes":"x","swipes":["x"],"swipe_info":[{"send_date":true}]}',
    ],
    ['versions that are none', 'bad_versions', '{"is_user":true,"mes":"x","swipes":"x"}'],
    ['a version that is no text', 'bad_versions', '{"is_user":true,"mes":"x","swipes":["x",5]}'],
    [
      'too many versions',
      'too_many_versions',
      `{"is_user":true,"mes":"x","swipes":${JSON.stringify(Array.from({ length: CHAT_FILE.maxVersions + 1 }, () => 'x'))}}`,
    ],
    [
      'a text without end',
      'text_too_long',
      `{"is_user":true,"mes":"${long(CHAT_FILE.maxContentChars + 1)}"}`,
    ],
    [
      'too much beside the text',
      'too_much_carried',
      `{"is_user":true,"mes":"x","blob":"${long(CHAT_FILE.maxCarriedChars)}"}`,
    ],
    ['too much inside itself', 'too_much_carried', `{"is_user":true,"mes":"x","deep":${deep}}`],
    ['a line without end', 'line_too_long', `{"is_user":true,"mes":"${long(CHAT_FILE.maxLineBytes)}"}`],
  ])('%s', async (_, reason, line) => {
    expect(LINE_PROBLEMS).toHaveProperty(reason);
    const text = [HEADER, GOOD, '', GOOD, line, GOOD, '{"also":"bad"}'].join('\n');
    const chat = await parseChatFile(text);
    expect(chat.bad).toEqual({ line: 5, reason });
    expect(chat.messages).toHaveLength(2);
  });

  test('bytes that are no text', async () => {
    const bytes = new Uint8Array([
      ...encodeUtf8(`${HEADER}\n{"is_user":true,"mes":"`),
      0xc3,
      0x28,
      ...encodeUtf8('"}'),
    ]);
    expect((await parseChatFile(bytes)).bad).toEqual({ line: 2, reason: 'not_utf8' });
  });

  test('the first one, when it is no header and no message', async () => {
    expect((await parseChatFile(`{"format":"other"}\n${GOOD}`)).bad).toEqual({
      line: 1,
      reason: 'not_a_chat',
    });
    expect((await parseChatFile('{')).bad).toEqual({ line: 1, reason: 'not_json' });
    expect((await parseChatFile('PK\u0003\u0004')).bad).toEqual({ line: 1, reason: 'not_json' });
    expect((await parseChatFile('{"user_name":5}')).bad).toEqual({ line: 1, reason: 'bad_name' });
  });

  test('an empty file has no chat', async () => {
    for (const text of ['', '\n\n', '\uFEFF \r\n'])
      expect((await parseChatFile(text)).bad).toEqual({ line: 1, reason: 'empty_file' });
  });

  test('the first message over the limit', async () => {
    const text = [HEADER, ...Array.from({ length: CHAT_FILE.maxMessages + 1 }, () => GOOD)].join('\n');
    const chat = await parseChatFile(text);
    expect(chat.bad).toEqual({ line: CHAT_FILE.maxMessages + 2, reason: 'too_many_messages' });
    expect(chat.messages).toHaveLength(CHAT_FILE.maxMessages);
  });

  test('the first one with more versions than a whole chat may have', async () => {
    const many = JSON.stringify({ is_user: true, mes: 'x', swipes: Array.from({ length: 500 }, () => 'x') });
    const chat = await parseChatFile([HEADER, ...Array.from({ length: 125 }, () => many)].join('\n'));
    expect(chat.bad).toEqual({ line: 122, reason: 'too_many_versions' });
  });

  test('the first line over the limit, also when they are all blank', async () => {
    const chat = await parseChatFile(`${HEADER}\n${'\n'.repeat(CHAT_FILE.maxLines)}`);
    expect(chat.bad).toEqual({ line: CHAT_FILE.maxLines + 1, reason: 'too_many_lines' });
  });

  test('whatever bytes come, the reader ends with a chat or with one bad line', async () => {
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

test('An empty piece of a file changes nothing', async () => {
  const said: ChatFilePart[] = [];
  const pieces = [new Uint8Array(), encodeUtf8(readFixture('chub')), new Uint8Array()];
  for await (const one of readChatFile(pieces, { now: NOW, newId: () => 'id' })) said.push(one);
  expect(said.map(({ kind }) => kind)).toEqual(['header', 'message']);
});
