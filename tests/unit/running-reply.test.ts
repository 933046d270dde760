import { afterEach, expect, test, vi } from 'vitest';
import { RunningReply } from '../../src/features/conversation/turn/running-reply.ts';

afterEach(() => void vi.useRealTimers());

test('A reply goes on being told while it is written, though the clock of the machine is set back', async () => {
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
  const say = async (text: string) => {
    await vi.advanceTimersByTimeAsync(0);
    next(text);
    await vi.advanceTimersByTimeAsync(0);
  };
  await say('One');
  expect(reply.toldText).toBe('One');
  vi.setSystemTime(Date.now() - 10 * 60_000);
  await say(' two');
  await vi.advanceTimersByTimeAsync(20);
  expect(reply.toldText).toBe('One two');
});
