import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  recordCallResult,
  CIRCUIT_LIMITS,
  type Circuit,
  CLOSED,
  type CallResult,
  isPaused,
  type CallPermit,
  acquirePermit,
} from '../../../../src/features/model/circuit-breaker.ts';

/** A circuit breaker for one model with its own clock. */
class TestCircuit {
  circuit: Circuit = CLOSED;
  now = 1_000_000;

  acquire(): CallPermit {
    const { permit, circuit } = acquirePermit(this.circuit, this.now);
    this.circuit = circuit;
    return permit;
  }

  record(result: CallResult, isProbe = false): void {
    this.circuit = recordCallResult(this.circuit, result, { now: this.now, isProbe });
  }

  /** Makes a call that ends at once. */
  call(result: CallResult): CallPermit {
    const permit = this.acquire();
    if (permit !== 'stay') this.record(result, permit === 'probe');
    return permit;
  }

  fail(times: number): void {
    for (let time = 0; time < times; time += 1) this.call('down');
  }
}

describe('Circuit breaker', () => {
  test('the circuit opens after a number of failures in a row and not before', () => {
    const breaker = new TestCircuit();
    breaker.fail(CIRCUIT_LIMITS.failures - 1);
    expect(breaker.acquire()).toBe('go');
    breaker.record('down');
    expect(breaker.acquire()).toBe('stay');
    breaker.now += CIRCUIT_LIMITS.minPauseMs - 1;
    expect(breaker.acquire()).toBe('stay');
  });

  test('failures far apart and stopped replies do not open the circuit', () => {
    const breaker = new TestCircuit();
    for (let time = 0; time < 50; time += 1) {
      breaker.fail(CIRCUIT_LIMITS.failures - 1);
      for (let stopped = 0; stopped < 20; stopped += 1) breaker.call('nothing');
      breaker.now += CIRCUIT_LIMITS.failureWindowMs;
    }
    expect(breaker.acquire()).toBe('go');
  });

  test('an open circuit lets one probe through, and closes when it succeeds', () => {
    const breaker = new TestCircuit();
    breaker.fail(CIRCUIT_LIMITS.failures);
    breaker.now += CIRCUIT_LIMITS.minPauseMs;
    expect([breaker.acquire(), breaker.acquire(), breaker.acquire()]).toEqual(['probe', 'stay', 'stay']);
    breaker.record('alive', true);
    expect([breaker.acquire(), breaker.acquire()]).toEqual(['go', 'go']);
    breaker.fail(CIRCUIT_LIMITS.failures - 1);
    expect(breaker.acquire()).toBe('go');
  });

  test('each failed probe doubles the pause up to five minutes', () => {
    const breaker = new TestCircuit();
    breaker.fail(CIRCUIT_LIMITS.failures);
    let pause: number = CIRCUIT_LIMITS.minPauseMs;
    for (let time = 0; time < 12; time += 1) {
      breaker.now += pause - 1;
      expect(breaker.acquire()).toBe('stay');
      breaker.now += 1;
      expect(breaker.call('down')).toBe('probe');
      pause = Math.min(pause * 2, CIRCUIT_LIMITS.maxPauseMs);
    }
    expect(pause).toBe(CIRCUIT_LIMITS.maxPauseMs);
  });

  test('the next call probes when a probe was stopped or never ended', () => {
    const breaker = new TestCircuit();
    breaker.fail(CIRCUIT_LIMITS.failures);
    breaker.now += CIRCUIT_LIMITS.minPauseMs;
    expect(breaker.call('nothing')).toBe('probe');
    expect(breaker.acquire()).toBe('probe');
    breaker.now += CIRCUIT_LIMITS.maxProbeMs - 1;
    expect(breaker.acquire()).toBe('stay');
    breaker.now += 1;
    expect(breaker.acquire()).toBe('probe');
  });
});

type Step = { do: 'ask' } | { do: 'hear'; call: number; result: CallResult } | { do: 'wait'; ms: number };
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.constant({ do: 'ask' as const }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('hear' as const),
      call: fc.nat(30),
      result: fc.constantFrom<CallResult>('down', 'down', 'down', 'alive', 'nothing'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.nat(2 * CIRCUIT_LIMITS.minPauseMs) }),
  },
);

describe('Any order of results', () => {
  test('the circuit opens only after failures, allows one probe at a time, and closes on a success', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200, size: 'max' }), (steps) => {
        const breaker = new TestCircuit();
        /** The calls in progress. */
        let under: { isProbe: boolean }[] = [];
        /** The times of failures since the last success. */
        let failures: number[] = [];
        let probedAt: number | null = null;
        for (const one of steps) {
          if (one.do === 'wait') {
            breaker.now += one.ms;
            continue;
          }
          const before = breaker.circuit;
          if (one.do === 'ask') {
            const permit = breaker.acquire();
            if (permit === 'stay') {
              expect(before.kind).not.toBe('closed');
              // In any state a call may probe again within the longest pause.
              const later = breaker.now + Math.max(CIRCUIT_LIMITS.maxPauseMs, CIRCUIT_LIMITS.maxProbeMs);
              expect(isPaused(breaker.circuit, later)).toBe(false);
            } else under.push({ isProbe: permit === 'probe' });
            if (permit === 'probe') {
              if (probedAt !== null && before.kind === 'probing')
                expect(breaker.now - probedAt).toBeGreaterThanOrEqual(CIRCUIT_LIMITS.maxProbeMs);
              probedAt = breaker.now;
            }
            continue;
          }
          const call = under[one.call % Math.max(1, under.length)];
          if (call === undefined) continue;
          under = under.filter((other) => other !== call);
          breaker.record(one.result, call.isProbe);
          if (one.result === 'alive') {
            expect(breaker.circuit).toEqual(CLOSED);
            failures = [];
          }
          if (one.result === 'down' && before.kind === 'closed') failures.push(breaker.now);
          const opened = before.kind === 'closed' && breaker.circuit.kind === 'open';
          if (opened) {
            const late = failures.filter((at) => breaker.now - at < CIRCUIT_LIMITS.failureWindowMs);
            expect(late.length).toBeGreaterThanOrEqual(CIRCUIT_LIMITS.failures);
            failures = [];
          }
          if (one.result === 'nothing' && before.kind === 'closed') expect(breaker.circuit).toBe(before);
        }
      }),
    );
  });
});
