/**
 * A circuit breaker per model. Pure: time and call results come in, the next state comes out. Without it, every user
 * would wait for the timeout of a provider that is down, and the load would delay its recovery. After several failures in
 * a row calls pause for a while; then one probe checks the provider.
 */

export const CIRCUIT_LIMITS = {
  /** Consecutive failures that open the circuit. Fewer may be chance, or specific to one conversation. */
  failures: 8,
  /** Older failures are ignored. */
  failureWindowMs: 60_000,
  /** Length of the pause; it doubles with each failed probe. */
  minPauseMs: 15_000,
  maxPauseMs: 5 * 60_000,
  /** A probe without a result for this long counts as lost: the timeout for the first text plus a margin. */
  maxProbeMs: 150_000,
} as const;

export type Circuit =
  /** Calls are allowed. `failures` holds the times of recent failures, oldest first. */
  | { kind: 'closed'; failures: readonly number[] }
  /** Calls are rejected until then. */
  | { kind: 'open'; until: number; pauseMs: number }
  /** One probe is running; all other calls are rejected. */
  | { kind: 'probing'; since: number; pauseMs: number };

export const CLOSED: Circuit = { kind: 'closed', failures: [] };

/** The decision for a call: a normal call, the probe, or rejected. */
export type CallPermit = 'go' | 'probe' | 'stay';

/** Decides about a call that wants to start now. */
export function acquirePermit(circuit: Circuit, now: number): { permit: CallPermit; circuit: Circuit } {
  if (circuit.kind === 'closed') return { permit: 'go', circuit };
  const isDue =
    circuit.kind === 'open' ? now >= circuit.until : now >= circuit.since + CIRCUIT_LIMITS.maxProbeMs;
  if (!isDue) return { permit: 'stay', circuit };
  return { permit: 'probe', circuit: { kind: 'probing', since: now, pauseMs: circuit.pauseMs } };
}

/** Whether calls are rejected now; does not change the state. */
export const isPaused = (circuit: Circuit, now: number): boolean =>
  acquirePermit(circuit, now).permit === 'stay';

/**
 * What a call showed about the provider. `alive`: it responded, possibly by refusing this text. `down`: it failed to
 * respond or reported an error. `nothing`: the call ended before either was known, for example when the user stopped it.
 */
export type CallResult = 'alive' | 'down' | 'nothing';

/** The state after a call result. @param isProbe whether that call was the probe */
export function recordCallResult(
  circuit: Circuit,
  result: CallResult,
  { now, isProbe }: { now: number; isProbe: boolean },
): Circuit {
  // Any response proves that the provider is up, whichever call got it.
  if (result === 'alive')
    return circuit.kind === 'closed' && circuit.failures.length === 0 ? circuit : CLOSED;
  if (circuit.kind === 'closed') {
    if (result === 'nothing') return circuit;
    const failures = [...circuit.failures.filter((at) => now - at < CIRCUIT_LIMITS.failureWindowMs), now];
    if (failures.length < CIRCUIT_LIMITS.failures) return { kind: 'closed', failures };
    const pauseMs = CIRCUIT_LIMITS.minPauseMs;
    return { kind: 'open', until: now + pauseMs, pauseMs };
  }
  // Ignore late failures of older calls; only the probe counts.
  if (circuit.kind === 'open' || !isProbe) return circuit;
  if (result === 'nothing') return { kind: 'open', until: now, pauseMs: circuit.pauseMs };
  const pauseMs = Math.min(circuit.pauseMs * 2, CIRCUIT_LIMITS.maxPauseMs);
  return { kind: 'open', until: now + pauseMs, pauseMs };
}
