import { describe, expect, test } from 'vitest';
import type { AnnouncedReply } from '../../../../../src/islands/chat/messages/reply-announcer.ts';
import { createReplyReader } from '../../../../../src/islands/chat/read-aloud/reply-reader.ts';
import type { ChatState } from '../../../../../src/islands/chat/chat.ts';

const REPLY: AnnouncedReply = {
  turnId: 't1',
  messageId: 'm1',
  versionId: 'v1',
  text: '',
  createdAt: 0,
  base: '',
  ended: false,
  status: 'streaming',
  errorCode: undefined,
  isCut: false,
};

function createListener(ended: AnnouncedReply | null = null) {
  const log: string[] = [];
  const queue = {
    add: (sentences: readonly { text: string }[]) => void log.push(...sentences.map(({ text }) => text)),
    stop: () => void log.push('(stop)'),
  };
  const reader = createReplyReader(queue, 'en', ended, (text, { messageId }) => ({
    text,
    lang: 'en',
    messageId,
  }));
  return {
    log,
    reader,
    write: (text: string, part: Partial<AnnouncedReply> = {}) =>
      reader.handleReply({ ...REPLY, text, ...part }),
    enter: (activity: ChatState['activity'], id = 'c1') =>
      reader.handleState({ activity, conversation: { id } as ChatState['conversation'] }),
  };
}

describe('Reply reader', () => {
  test('a growing reply is read by whole sentences, each once, without signs of markup', () => {
    const { log, write } = createListener();
    write('*She looks* up. **Who** is');
    write('*She looks* up. **Who** is there? * * *\n\nNobody answers');
    write('*She looks* up. **Who** is there? * * *\n\nNobody answers_', { ended: true, status: 'complete' });
    expect(log).toEqual(['She looks up.', 'Who is there?', 'Nobody answers']);
  });

  test('a new message stops the voice, and the reply to it is read', () => {
    const { log, write, enter } = createListener();
    enter('replying');
    write('First. Second');
    enter('sending');
    write('First. Second. Third. Fourth');
    enter('replying');
    write('Fifth. Sixth', { turnId: 't2', messageId: 'm2' });
    expect(log).toEqual(['First.', '(stop)', 'Fifth.']);
  });

  test('of a reply that was stopped nothing more is read', () => {
    const { log, write, enter } = createListener();
    enter('replying');
    write('First. Second');
    enter('stopping');
    write('First. Second. Third', { ended: true, status: 'interrupted' });
    expect(log).toEqual(['First.', '(stop)']);
  });

  test('a reply that was stopped before it began is not read', () => {
    const { log, write, enter } = createListener();
    enter('sending');
    enter('stopping');
    write('First. Second', { ended: true, status: 'interrupted' });
    expect(log).toEqual(['(stop)', '(stop)']);
  });

  test('silence lasts until the next reply', () => {
    const { log, write, reader } = createListener();
    write('First. Second');
    reader.silence();
    write('First. Second. Third. Fourth', { ended: true });
    write('Fifth. Sixth', { turnId: 't2', ended: true });
    expect(log).toEqual(['First.', '(stop)', 'Fifth.', 'Sixth']);
  });

  test('another conversation stops the voice', () => {
    const { log, write, enter } = createListener();
    enter('replying');
    write('First. Second');
    enter('replying', 'c2');
    expect(log).toEqual(['First.', '(stop)']);
  });

  test('a reply that had ended before reading was switched on is not read, the next one is', () => {
    const ended = { ...REPLY, text: 'First. Second.', ended: true };
    const { log, write } = createListener(ended);
    write('First. Second.', { ended: true });
    write('Third. Fourth', { turnId: 't2' });
    expect(log).toEqual(['Third.']);
  });
});
