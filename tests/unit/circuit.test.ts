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
} from '../../src/features/model/circuit-breaker.ts';

/** A model as everybody's calls see it, on a clock of its own. */
class Line {
  circuit: Circuit = CLOSED;
  now = 1_000_000;

  ask(): CallPermit {
    const { permit: leave, circuit } = acquirePermit(this.circuit, this.now);
    this.circuit = circuit;
    return leave;
  }

  hear(heard: CallResult, isProbe = false): void {
    this.circuit = recordCallResult(this.circuit, heard, { now: this.now, isProbe });
  }

  /** A call that ends at once. */
  call(heard: CallResult): CallPermit {
    const leave = this.ask();
    if (leave !== 'stay') this.hear(heard, leave === 'probe');
    return leave;
  }

  fails(times: number): void {
    for (let time = 0; time < times; time += 1) this.call('down');
  }
}

describe('A model that does not answer', () => {
  test('is left alone after so many failures in a row, and not before', () => {
    const line = new Line();
    line.fails(CIRCUIT_LIMITS.failures - 1);
    expect(line.ask()).toBe('go');
    line.hear('down');
    expect(line.ask()).toBe('stay');
    line.now += CIRCUIT_LIMITS.minPauseMs - 1;
    expect(line.ask()).toBe('stay');
  });

  test('is not left alone for failures that lie far apart, nor for readers who stopped their replies', () => {
    const line = new Line();
    for (let time = 0; time < 50; time += 1) {
      line.fails(CIRCUIT_LIMITS.failures - 1);
      for (let stopped = 0; stopped < 20; stopped += 1) line.call('nothing');
      line.now += CIRCUIT_LIMITS.failureWindowMs;
    }
    expect(line.ask()).toBe('go');
  });

  test('is looked at again by one call alone, and by everybody once that was answered', () => {
    const line = new Line();
    line.fails(CIRCUIT_LIMITS.failures);
    line.now += CIRCUIT_LIMITS.minPauseMs;
    expect([line.ask(), line.ask(), line.ask()]).toEqual(['probe', 'stay', 'stay']);
    line.hear('alive', true);
    expect([line.ask(), line.ask()]).toEqual(['go', 'go']);
    line.fails(CIRCUIT_LIMITS.failures - 1);
    expect(line.ask()).toBe('go');
  });

  test('is left alone for twice as long each time that looking again was in vain, and for five minutes at most', () => {
    const line = new Line();
    line.fails(CIRCUIT_LIMITS.failures);
    let pause: number = CIRCUIT_LIMITS.minPauseMs;
    for (let time = 0; time < 12; time += 1) {
      line.now += pause - 1;
      expect(line.ask()).toBe('stay');
      line.now += 1;
      expect(line.call('down')).toBe('probe');
      pause = Math.min(pause * 2, CIRCUIT_LIMITS.maxPauseMs);
    }
    expect(pause).toBe(CIRCUIT_LIMITS.maxPauseMs);
  });

  test('is looked at by the next one when whoever looked stopped their reply, or was never heard of again', () => {
    const line = new Line();
    line.fails(CIRCUIT_LIMITS.failures);
    line.now += CIRCUIT_LIMITS.minPauseMs;
    expect(line.call('nothing')).toBe('probe');
    expect(line.ask()).toBe('probe');
    line.now += CIRCUIT_LIMITS.maxProbeMs - 1;
    expect(line.ask()).toBe('stay');
    line.now += 1;
    expect(line.ask()).toBe('probe');
  });
});

type Step = { do: 'ask' } | { do: 'hear'; call: number; heard: CallResult } | { do: 'wait'; ms: number };
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.constant({ do: 'ask' as const }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('hear' as const),
      call: fc.nat(30),
      heard: fc.constantFrom<CallResult>('down', 'down', 'down', 'alive', 'nothing'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.nat(2 * CIRCUIT_LIMITS.minPauseMs) }),
  },
);

describe('Whatever calls end as they may, and in whatever order', () => {
  test('nobody is kept away without reason or for long, one call at a time looks again, and an answer lets everybody in', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200, size: 'max' }), (steps) => {
        const line = new Line();
        /** Calls under way, and when each was let go. */
        let under: { isProbe: boolean }[] = [];
        /** Failures since the last sign of life. */
        let failures: number[] = [];
        let probedAt: number | null = null;
        for (const one of steps) {
          if (one.do === 'wait') {
            line.now += one.ms;
            continue;
          }
          const before = line.circuit;
          if (one.do === 'ask') {
            const leave = line.ask();
            if (leave === 'stay') {
              expect(before.kind).not.toBe('closed');
              // However it stands, somebody may look again within the longest pause.
              const later = line.now + Math.max(CIRCUIT_LIMITS.maxPauseMs, CIRCUIT_LIMITS.maxProbeMs);
              expect(isPaused(line.circuit, later)).toBe(false);
            } else under.push({ isProbe: leave === 'probe' });
            if (leave === 'probe') {
              if (probedAt !== null && before.kind === 'probing')
                expect(line.now - probedAt).toBeGreaterThanOrEqual(CIRCUIT_LIMITS.maxProbeMs);
              probedAt = line.now;
            }
            continue;
          }
          const call = under[one.call % Math.max(1, under.length)];
          if (call === undefined) continue;
          under = under.filter((other) => other !== call);
          line.hear(one.heard, call.isProbe);
          if (one.heard === 'alive') {
            expect(line.circuit).toEqual(CLOSED);
            failures = [];
          }
          if (one.heard === 'down' && before.kind === 'closed') failures.push(line.now);
          const opened = before.kind === 'closed' && line.circuit.kind === 'open';
          if (opened) {
            const late = failures.filter((at) => line.now - at < CIRCUIT_LIMITS.failureWindowMs);
            expect(late.length).toBeGreaterThanOrEqual(CIRCUIT_LIMITS.failures);
            failures = [];
          }
          if (one.heard === 'nothing' && before.kind === 'closed') expect(line.circuit).toBe(before);
        }
      }),
    );
  });
});
