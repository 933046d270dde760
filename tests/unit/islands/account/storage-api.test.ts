import { describe, expect, test, vi } from 'vitest';
import type { EmptiedTrash } from '../../../../src/features/storage/contract.ts';
import { eraseTrash } from '../../../../src/islands/account/storage-api.ts';
import { NETWORK_FAILURE, type Result } from '../../../../src/islands/shared/api.ts';

/** Answers one call after the other. */
function answerWith(...answers: Result<EmptiedTrash>[]) {
  const queue = [...answers];
  return vi.fn(() => Promise.resolve(queue.shift() ?? NETWORK_FAILURE));
}
const emptied = (erased: number, has_more: boolean): Result<EmptiedTrash> => ({
  ok: true,
  data: { erased, has_more },
});

describe('Emptying the trash', () => {
  test('the call is repeated until nothing is left', async () => {
    const call = answerWith(emptied(50, true), emptied(50, true), emptied(3, false));
    expect(await eraseTrash(call)).toBe(true);
    expect(call).toHaveBeenCalledTimes(3);
  });

  test('emptying ends when a call fails', async () => {
    const call = answerWith(emptied(50, true), NETWORK_FAILURE, emptied(3, false));
    expect(await eraseTrash(call)).toBe(false);
    expect(call).toHaveBeenCalledTimes(2);
  });

  test('emptying ends when a call erases nothing although there is more', async () => {
    const call = answerWith(emptied(0, true), emptied(3, false));
    expect(await eraseTrash(call)).toBe(false);
    expect(call).toHaveBeenCalledTimes(1);
  });
});
