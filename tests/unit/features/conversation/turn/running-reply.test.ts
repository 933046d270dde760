import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  getCheckpointDelay,
  getJoiner,
  RunningReply,
} from '../../../../../src/features/conversation/turn/running-reply.ts';

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
  const reply = new RunningReply('turn', 'version', '', () => {});
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
  const reply = new RunningReply('turn', 'version', '', (text) => saved.push(text));
  const end = reply.write(parts());
  await vi.advanceTimersByTimeAsync(6000);
  expect(await end).toEqual({ kind: 'finished' });
  expect(saved).toHaveLength(2);
});

describe('Continued replies', () => {
  test.each([
    ['The door opened.', 'Nobody stood there.', ' '],
    ['The door', 'opened.', ' '],
    ['The door opened', ', slowly.', ''],
    ['The door opened. ', 'Nobody.', ''],
    ['The door opened.', '\n\nNobody.', ''],
    ['*She turns.*', '"Who is there?"', ' '],
    ['"Who is there', '"', ''],
    ['"', 'Who is there?"', ''],
    ['*She turns', '* "Who?"', ''],
    ['«', 'Qui est là ?»', ''],
    ['扉が開いた。', '誰もいない。', ''],
    ['扉が', '開いた。', ''],
    ['', 'Hello.', ''],
    ['Hello.', '', ''],
  ])('a continuation is joined with a space where one is needed: %j and %j', (base, addition, joint) => {
    expect(getJoiner(base, addition)).toBe(joint);
  });
});
