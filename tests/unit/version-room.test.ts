import { describe, expect, test } from 'vitest';
import { CHAT_FILE } from '../../src/features/conversation/limits.ts';
import { TEXT_LIMITS } from '../../src/config/text-limits.ts';
import type { MessageRecord } from '../../src/features/conversation/files/chat-record.ts';
import { RunningReply } from '../../src/features/conversation/turn/running-reply.ts';
import { canContinue, canAddVersion } from '../../src/features/conversation/message-limits.ts';
import { encodeUtf8, omitGenerated, parseValidChatFile, writeChatFile } from '../support/chat-files.ts';

/** A reply that was written anew and gone on with for as long as there was room, each time with such a text. */
function filled(text: string): MessageRecord {
  const contents = [text];
  while (canAddVersion(contents.map((content) => ({ content })))) contents.push(text);
  return {
    id: 'm1',
    role: 'character',
    name: 'Mira',
    createdAt: 1,
    pinned: true,
    source: null,
    selected: contents.length - 1,
    versions: contents.map((content, index) => ({
      id: `v${index}`,
      content,
      model: 'loreloom',
      status: 'interrupted',
      errorCode: 'reply_cut_off',
      edited: true,
      createdAt: index,
    })),
  };
}

describe('A message that holds as many versions as it can', () => {
  test.each([
    ['short', 'Yes.'],
    ['long', 'x'.repeat(TEXT_LIMITS.message)],
    ['of letters that take much room', '燈'.repeat(TEXT_LIMITS.message)],
    ['of characters that a file has to spell out', '\u0001'.repeat(TEXT_LIMITS.message)],
    ['as long as texts can get', '燈'.repeat(CHAT_FILE.maxContentChars)],
  ])('can be taken along and brought in again: %s ones', async (_, text) => {
    const message = filled(text);
    const header = {
      userName: 'Tam',
      persona: null,
      characterName: 'Mira',
      createdAt: 1,
      title: null,
      metadata: null,
    };
    const file = await writeChatFile(header, [message]);
    expect(Math.max(...file.split('\n').map((line) => encodeUtf8(line).length))).toBeLessThan(
      CHAT_FILE.maxLineBytes,
    );
    const back = await parseValidChatFile(file);
    expect(back.messages.map(omitGenerated)).toEqual([omitGenerated(message)]);
  });

  test('holds as many short ones as a file may, and no more', () => {
    expect(filled('Yes.').versions).toHaveLength(CHAT_FILE.maxVersions);
  });
});

test('A reply ends, whole, where a file would take no more of it', async () => {
  async function* parts() {
    for (let at = 0; at < 150; at += 1) yield { kind: 'text', text: `x${'🌧️'.repeat(333)}` } as const;
    throw new Error('the model is asked for more');
  }
  for (const base of ['', 'She waits.']) {
    const reply = new RunningReply('t', 'v', base, () => {});
    expect(await reply.write(parts())).toEqual({ kind: 'finished' });
    const text = base + reply.text;
    expect(text.isWellFormed()).toBe(true);
    expect(text.length).toBeGreaterThan(CHAT_FILE.maxContentChars - 2);
    expect(text.length).toBeLessThanOrEqual(CHAT_FILE.maxContentChars);
    expect(reply.toldText).toBe(reply.text);
  }
});

test('A reply can go on until it is as long as a file takes it', () => {
  expect(canContinue('x'.repeat(TEXT_LIMITS.message))).toBe(true);
  expect(canContinue('x'.repeat(CHAT_FILE.maxContentChars))).toBe(false);
});
