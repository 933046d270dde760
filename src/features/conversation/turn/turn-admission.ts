import { logFailure } from '../../../lib/log.ts';
import type { Admission, StartRefusal } from './turn-machine.ts';
import { isPointsRefusal, type ReserveAnswer, type TurnRefusal } from './turn-port.ts';

const FAILED: TurnRefusal = { ok: false, code: 'server_error' };

/**
 * Combines the two answers that a turn waits for. Never rejects: a failed call refuses the turn.
 * @param reserving the wallet's answer
 * @param verifying why the caller may not write now; null when they may
 */
export async function awaitAdmission(
  reserving: Promise<ReserveAnswer>,
  verifying: Promise<StartRefusal | null> | null,
): Promise<Admission> {
  const [reserved, verified] = await Promise.allSettled([reserving, verifying]);
  if (reserved.status === 'rejected') logFailure('reserve_failed', reserved.reason);
  if (verified.status === 'rejected') logFailure('turn_access_failed', verified.reason);
  // When the wallet did not answer, the points may be reserved all the same.
  const isHeld = reserved.status === 'rejected' || reserved.value.ok;
  const refuse = (refusal: StartRefusal): Admission => ({ ok: false, refusal, isHeld });
  if (verified.status === 'rejected') return refuse(FAILED);
  if (verified.value !== null) return refuse(verified.value);
  if (reserved.status === 'rejected') return refuse(FAILED);
  if (reserved.value.ok) return { ok: true };
  const { code, points } = reserved.value;
  return refuse(isPointsRefusal(code) ? { ok: false, code, points } : FAILED);
}
