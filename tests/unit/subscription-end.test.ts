import { describe, expect, test } from 'vitest';
import {
  CANCEL_RETRY_DELAYS_MS,
  type CancellationPorts,
  cancelSubscriptions,
} from '../../src/features/billing/cancel-subscriptions.ts';

type Answer = Awaited<ReturnType<CancellationPorts['fetchStatus']>>;
const ROW = { id: 'I-1', status: 'active' as const, periodEnd: 5, updatedAt: 1 };
const says = (status: 'active' | 'cancelled' | 'pending'): Answer => ({ ok: true, status });
const silent: Answer = { ok: false, reason: 'show: 503' };

/** A company that answers so, one after the other, and the last for ever. */
async function ended(answers: readonly Answer[], isTaken = true) {
  const pauses: number[] = [];
  const told: string[] = [];
  let asked = 0;
  const all = await cancelSubscriptions(
    [ROW],
    {
      cancel: async () => (isTaken ? { ok: true } : { ok: false, reason: 'cancel: 422' }),
      fetchStatus: async () => answers[Math.min(asked++, answers.length - 1)] as Answer,
      saveStatus: async () => undefined,
      sleep: async (ms) => void pauses.push(ms),
      log: (reason) => void told.push(reason),
    },
    9,
  );
  return { all, asked, pauses, told };
}

describe('A cancellation that the company has taken', () => {
  test('is asked for again after a little while, until the company says it too', async () => {
    expect(await ended([says('active'), says('active'), says('cancelled')])).toEqual({
      all: [{ ...ROW, status: 'cancelled', updatedAt: 9 }],
      asked: 3,
      pauses: [...CANCEL_RETRY_DELAYS_MS],
      told: [],
    });
  });

  test('and that it never says is none, and keeps the account', async () => {
    const { all, asked, told } = await ended([says('active')]);
    expect([all, asked]).toEqual([null, 3]);
    expect(told).toEqual(['cancel was taken; show says active']);
  });

  test('is not waited for where it is clear at once, was refused, or nobody answers', async () => {
    expect(await ended([says('cancelled')])).toMatchObject({ asked: 1, pauses: [] });
    expect(await ended([says('active')], false)).toMatchObject({ all: null, asked: 1, pauses: [] });
    expect(await ended([silent])).toMatchObject({ all: null, asked: 1, pauses: [] });
  });
});
