import { describe, expect, test } from 'vitest';
import {
  CANCEL_RETRY_DELAYS_MS,
  type CancellationPorts,
  cancelSubscriptions,
} from '../../../../src/features/billing/cancel-subscriptions.ts';

type Answer = Awaited<ReturnType<CancellationPorts['fetchStatus']>>;
const ROW = { id: 'I-1', status: 'active' as const, periodEnd: 5, updatedAt: 1 };
const answerWith = (status: 'active' | 'cancelled' | 'pending'): Answer => ({ ok: true, status });
const silent: Answer = { ok: false, reason: 'show: 503' };

/** Cancels with a provider that gives these answers in order and repeats the last one. */
async function cancelWith(answers: readonly Answer[], isTaken = true) {
  const pauses: number[] = [];
  const logged: string[] = [];
  let requestCount = 0;
  const all = await cancelSubscriptions(
    [ROW],
    {
      cancel: async () => (isTaken ? { ok: true } : { ok: false, reason: 'cancel: 422' }),
      fetchStatus: async () => answers[Math.min(requestCount++, answers.length - 1)] as Answer,
      saveStatus: async () => undefined,
      sleep: async (ms) => void pauses.push(ms),
      log: (reason) => void logged.push(reason),
    },
    9,
  );
  return { all, requestCount, pauses, logged };
}

describe('Subscription cancellation', () => {
  test('an accepted cancellation is checked again after pauses until the provider confirms it', async () => {
    expect(await cancelWith([answerWith('active'), answerWith('active'), answerWith('cancelled')])).toEqual({
      all: [{ ...ROW, status: 'cancelled', updatedAt: 9 }],
      requestCount: 3,
      pauses: [...CANCEL_RETRY_DELAYS_MS],
      logged: [],
    });
  });

  test('a cancellation that the provider never confirms fails and is logged', async () => {
    const { all, requestCount, logged } = await cancelWith([answerWith('active')]);
    expect([all, requestCount]).toEqual([null, 3]);
    expect(logged).toEqual(['cancel was taken; show says active']);
  });

  test('a cancellation is not retried when it is confirmed at once, refused or unanswered', async () => {
    expect(await cancelWith([answerWith('cancelled')])).toMatchObject({ requestCount: 1, pauses: [] });
    expect(await cancelWith([answerWith('active')], false)).toMatchObject({
      all: null,
      requestCount: 1,
      pauses: [],
    });
    expect(await cancelWith([silent])).toMatchObject({ all: null, requestCount: 1, pauses: [] });
  });
});
