import { describe, expect, test } from 'vitest';
import { createSpeechQueue, type Sentence } from '../../../../../src/islands/chat/read-aloud/speech-queue.ts';

const say = (messageId: string, ...texts: string[]): Sentence[] =>
  texts.map((text) => ({ text, lang: 'en', messageId }));

/** A queue with a voice that ends its sentences when the test says so. */
function createListener() {
  const log: string[] = [];
  const ends: (() => void)[] = [];
  const messages: (string | null)[] = [];
  const queue = createSpeechQueue(
    {
      speak: ({ text }, onEnd) => {
        log.push(text);
        ends.push(onEnd);
      },
      cancel: () => log.push('(cancelled)'),
    },
    (messageId) => messages.push(messageId),
  );
  return { queue, log, ends, messages, endLast: () => ends.at(-1)?.() };
}

describe('Speech queue', () => {
  test('sentences are spoken one after the other, also those added later', () => {
    const { queue, log, messages, endLast } = createListener();
    queue.add(say('m1', 'One.', 'Two.'));
    expect(log).toEqual(['One.']);
    queue.add(say('m1', 'Three.'));
    endLast();
    endLast();
    expect(log).toEqual(['One.', 'Two.', 'Three.']);
    expect(messages).toEqual(['m1']);
    endLast();
    expect(messages).toEqual(['m1', null]);
    queue.add(say('m1', 'Four.'));
    expect(log.at(-1)).toBe('Four.');
  });

  test('stopping drops what waits, and the end of the cancelled sentence starts nothing', () => {
    const { queue, log, ends, messages } = createListener();
    queue.add(say('m1', 'One.', 'Two.'));
    queue.stop();
    ends[0]?.();
    expect(log).toEqual(['One.', '(cancelled)']);
    expect(messages).toEqual(['m1', null]);
    queue.add(say('m2', 'Three.', 'Four.'));
    // Browsers report the cancelled sentence after the next one has begun.
    ends[0]?.();
    expect(log).toEqual(['One.', '(cancelled)', 'Three.']);
  });

  test('stopping while nothing is spoken does not reach the device', () => {
    const { queue, log, messages } = createListener();
    queue.stop();
    queue.add([]);
    expect([log, messages]).toEqual([[], []]);
  });

  test('a sentence of another message replaces what is spoken', () => {
    const { queue, log, messages } = createListener();
    queue.add(say('m1', 'One.', 'Two.'));
    queue.add(say('m2', 'Three.'));
    expect(log).toEqual(['One.', '(cancelled)', 'Three.']);
    expect(messages).toEqual(['m1', null, 'm2']);
  });
});
