import { afterEach, expect, test, vi } from 'vitest';
import { RunningReply } from '../../../../../src/features/conversation/turn/running-reply.ts';

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
  expect(reply.toldText).toBe('One');
  vi.setSystemTime(Date.now() - 10 * 60_000);
  await sendText(' two');
  await vi.advanceTimersByTimeAsync(20);
  expect(reply.toldText).toBe('One two');
});
