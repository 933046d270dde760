import type { NumberedEvent } from '../../../../src/features/conversation/turn/reply-log.ts';
import { describe, expect, test } from 'vitest';
import { CHAT_FILE } from '../../../../src/features/conversation/limits.ts';
import { TEXT_LIMITS } from '../../../../src/config/text-limits.ts';
import type { MessageRecord } from '../../../../src/features/conversation/files/chat-record.ts';
import { RunningReply } from '../../../../src/features/conversation/turn/running-reply.ts';
import { canContinue, canAddVersion } from '../../../../src/features/conversation/message-limits.ts';
import { encodeUtf8, omitGenerated, parseValidChatFile, writeChatFile } from '../../../support/chat-files.ts';

/** A reply with as many versions of the given text as fit. */
function createFullMessage(text: string): MessageRecord {
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

describe('Maximum number of versions', () => {
  test.each([
    ['short', 'Yes.'],
    ['long', 'x'.repeat(TEXT_LIMITS.message)],
    ['of letters that take much room', '燈'.repeat(TEXT_LIMITS.message)],
    ['of characters that a file has to spell out', '\u0001'.repeat(TEXT_LIMITS.message)],
    ['as long as texts can get', '燈'.repeat(CHAT_FILE.maxContentChars)],
  ])(
    'a message with the maximum of versions can be exported and imported again: %s ones',
    async (_, text) => {
      const message = createFullMessage(text);
      const header = {
        userName: 'Tam',
        persona: null,
        characterName: 'Mira',
        createdAt: 1,
        title: null,
        replySettings: {},
        metadata: null,
      };
      const file = await writeChatFile(header, [message]);
      expect(Math.max(...file.split('\n').map((line) => encodeUtf8(line).length))).toBeLessThan(
        CHAT_FILE.maxLineBytes,
      );
      const back = await parseValidChatFile(file);
      expect(back.messages.map(omitGenerated)).toEqual([omitGenerated(message)]);
    },
  );

  test('a message can have as many short versions as a file allows, and no more', () => {
    expect(createFullMessage('Yes.').versions).toHaveLength(CHAT_FILE.maxVersions);
  });
});

test('a reply ends with a whole character when it reaches the length limit of a file', async () => {
  async function* parts() {
    for (let at = 0; at < 150; at += 1) yield { kind: 'text', text: `x${'🌧️'.repeat(333)}` } as const;
    throw new Error('the model is asked for more');
  }
  for (const base of ['', 'She waits.']) {
    const reply = new RunningReply('t', 'v', {
      base,
      save: () => {},
      getAccepted: () => ({}) as NumberedEvent,
      findActive: async (sessions) => new Set(sessions),
    });
    expect(await reply.write(parts())).toEqual({ kind: 'finished' });
    const text = base + reply.text;
    expect(text.isWellFormed()).toBe(true);
    expect(text.length).toBeGreaterThan(CHAT_FILE.maxContentChars - 2);
    expect(text.length).toBeLessThanOrEqual(CHAT_FILE.maxContentChars);
    expect(reply.sentText).toBe(reply.text);
  }
});

test('a reply can be continued until it reaches the length limit of a file', () => {
  expect(canContinue('x'.repeat(TEXT_LIMITS.message))).toBe(true);
  expect(canContinue('x'.repeat(CHAT_FILE.maxContentChars))).toBe(false);
});
