import { afterEach, expect, test, vi } from 'vitest';
import type { ModelPart } from '../../../../../src/vendors/model.ts';
import type { NumberedEvent } from '../../../../../src/features/conversation/turn/reply-log.ts';
import {
  getCheckpointDelay,
  RunningReply,
} from '../../../../../src/features/conversation/turn/running-reply.ts';

const ACCEPTED = { number: 0, event: { event: 'accepted' } } as NumberedEvent;
const createReply = (save: (text: string, thinking: string) => void = () => {}) =>
  new RunningReply('turn', 'version', {
    save,
    getAccepted: () => ACCEPTED,
    findActive: async (sessions) => new Set(sessions),
  });

afterEach(() => void vi.useRealTimers());

test('a reply is still sent while it is written when the system clock is set back', async () => {
  vi.useFakeTimers({ now: 1_790_000_000_000 });
  let next = (_text: string) => {};
  async function* parts() {
    for (;;) {
      const text = await new Promise<string>((resolve) => (next = resolve));
      yield { kind: 'text' as const, text };
    }
  }
  const reply = createReply();
  void reply.write(parts());
  const sendText = async (text: string) => {
    await vi.advanceTimersByTimeAsync(0);
    next(text);
    await vi.advanceTimersByTimeAsync(0);
  };
  await sendText('One');
  expect(reply.sentText).toBe('One');
  vi.setSystemTime(Date.now() - 10 * 60_000);
  await sendText(' two');
  await vi.advanceTimersByTimeAsync(20);
  expect(reply.sentText).toBe('One two');
});

test('a crash loses at most two seconds of a reply, or a tenth of one that is longer than 20 seconds', () => {
  for (const random of [0, 0.5, 1])
    for (let elapsed = 0; elapsed <= 300_000; elapsed += 250) {
      const delay = getCheckpointDelay(elapsed, random);
      expect(delay).toBeLessThanOrEqual(Math.max(2000, (elapsed + delay) / 10));
      expect(delay).toBeGreaterThanOrEqual(1800);
    }
});

test('a reply of five seconds is saved twice before its end', async () => {
  vi.useFakeTimers({ now: 1_790_000_000_000 });
  const saved: string[] = [];
  async function* parts() {
    for (let index = 0; index < 250; index += 1) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      yield { kind: 'text' as const, text: `${index} ` };
    }
    yield { kind: 'finish' as const, reason: 'stop' as const };
  }
  const reply = createReply((text) => saved.push(text));
  const end = reply.write(parts());
  await vi.advanceTimersByTimeAsync(6000);
  expect(await end).toEqual({ kind: 'finished' });
  expect(saved).toHaveLength(2);
});

/** The events that a reader of the whole reply receives, and how it ended. */
async function follow(parts: readonly ModelPart[]) {
  async function* stream() {
    for (const part of parts) {
      yield part;
      // Longer than a burst, so that each part has events of its own.
      await vi.advanceTimersByTimeAsync(20);
    }
  }
  vi.useFakeTimers({ now: 1_790_000_000_000 });
  const reply = createReply();
  const events: NumberedEvent[] = [];
  vi.spyOn(reply.followers, 'publish').mockImplementation((some) => void events.push(...some));
  const cause = await reply.write(stream());
  return { reply, cause, events: events.map(({ number, event }) => ({ number, ...event })) };
}
const FINISH = { kind: 'finish', reason: 'stop' } as const;

test('thinking is sent apart from the text, with the number of the event before it', async () => {
  const { reply, events } = await follow([
    { kind: 'thinking', text: '\nThey say ' },
    { kind: 'thinking', text: 'hello.\n' },
    { kind: 'text', text: 'Welcome' },
    { kind: 'thinking', text: 'More.' },
    { kind: 'text', text: ' ashore.' },
    FINISH,
  ]);
  expect(events).toEqual([
    { number: 0, event: 'thinking', text: 'They say ' },
    { number: 0, event: 'thinking', text: 'hello.\n' },
    { number: 7, event: 'delta', text: 'Welcome' },
    { number: 7, event: 'thinking', text: 'More.' },
    { number: 15, event: 'delta', text: ' ashore.' },
  ]);
  expect(reply).toMatchObject({ text: 'Welcome ashore.', thinking: 'They say hello.\nMore.', head: 0 });
});

test('a reply whose text was thinking begins again', async () => {
  const { reply, events } = await follow([
    { kind: 'text', text: 'The plan' },
    { kind: 'retracted' },
    { kind: 'thinking', text: 'The plan.' },
    { kind: 'text', text: 'Hello.' },
    FINISH,
  ]);
  expect(events).toEqual([
    { number: 8, event: 'delta', text: 'The plan' },
    { number: 10, event: 'accepted' },
    { number: 10, event: 'thinking', text: 'The plan.' },
    { number: 16, event: 'delta', text: 'Hello.' },
  ]);
  expect(reply).toMatchObject({ text: 'Hello.', thinking: 'The plan.', head: 10 });
});

test('a reply that reaches the limit of the model ends as cut', async () => {
  const { cause } = await follow([
    { kind: 'text', text: 'Welcome' },
    { kind: 'finish', reason: 'length' },
  ]);
  expect(cause).toEqual({ kind: 'finished', isCut: true });
});
