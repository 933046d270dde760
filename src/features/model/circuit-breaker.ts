/**
 * The rules of when a model is left alone that does not answer. Pure: time and what was heard come in, the next state comes
 * out. A provider that is down would have everybody wait for its time limit, one after the other, and be asked the harder
 * the worse it does; so after some failures in a row nobody is sent there for a while, then one call looks again.
 */

export const CIRCUIT_LIMITS = {
  /** Failures in a row, without a sign of life between them: fewer may be bad luck, or one conversation's. */
  failures: 8,
  /** So close to each other: longer ago says nothing of now. */
  failureWindowMs: 60_000,
  /** How long nobody is sent there; twice as long each time that the call which looks again fails too. */
  minPauseMs: 15_000,
  maxPauseMs: 5 * 60_000,
  /** A call that looks again and is never heard of has been lost: as long as the first text may take, and some more. */
  maxProbeMs: 150_000,
} as const;

export type Circuit =
  /** Everybody is sent there. `failures`: when the last ones were, oldest first. */
  | { kind: 'closed'; failures: readonly number[] }
  /** Nobody is until then. */
  | { kind: 'open'; until: number; pauseMs: number }
  /** One call looks whether it answers again; the others wait for what comes of it. */
  | { kind: 'probing'; since: number; pauseMs: number };

export const CLOSED: Circuit = { kind: 'closed', failures: [] };

/** How a call is let go: as any other, as the one that looks again, or not at all. */
export type CallPermit = 'go' | 'probe' | 'stay';

/** Somebody wants to ask the model now. */
export function acquirePermit(circuit: Circuit, now: number): { permit: CallPermit; circuit: Circuit } {
  if (circuit.kind === 'closed') return { permit: 'go', circuit };
  const isDue =
    circuit.kind === 'open' ? now >= circuit.until : now >= circuit.since + CIRCUIT_LIMITS.maxProbeMs;
  if (!isDue) return { permit: 'stay', circuit };
  return { permit: 'probe', circuit: { kind: 'probing', since: now, pauseMs: circuit.pauseMs } };
}

/** Whether nobody is sent there just now; asking changes nothing. */
export const isPaused = (circuit: Circuit, now: number): boolean =>
  acquirePermit(circuit, now).permit === 'stay';

/**
 * What a call told of its provider. `alive`: it answered, if only with a refusal of this text; `down`: it did not, or said
 * that it cannot; `nothing`: the call ended before either was known, as when its reader stops it.
 */
export type CallResult = 'alive' | 'down' | 'nothing';

/** What is known of a model once one of its calls has told something. @param isProbe whether that call looked again */
export function recordCallResult(
  circuit: Circuit,
  result: CallResult,
  { now, isProbe }: { now: number; isProbe: boolean },
): Circuit {
  // Whoever answers is there, whichever call it was.
  if (result === 'alive')
    return circuit.kind === 'closed' && circuit.failures.length === 0 ? circuit : CLOSED;
  if (circuit.kind === 'closed') {
    if (result === 'nothing') return circuit;
    const failures = [...circuit.failures.filter((at) => now - at < CIRCUIT_LIMITS.failureWindowMs), now];
    if (failures.length < CIRCUIT_LIMITS.failures) return { kind: 'closed', failures };
    const pauseMs = CIRCUIT_LIMITS.minPauseMs;
    return { kind: 'open', until: now + pauseMs, pauseMs };
  }
  // Calls from before end as they may: the one that looks again is the one to believe.
  if (circuit.kind === 'open' || !isProbe) return circuit;
  if (result === 'nothing') return { kind: 'open', until: now, pauseMs: circuit.pauseMs };
  const pauseMs = Math.min(circuit.pauseMs * 2, CIRCUIT_LIMITS.maxPauseMs);
  return { kind: 'open', until: now + pauseMs, pauseMs };
}
