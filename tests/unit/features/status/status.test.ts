import { describe, expect, test } from 'vitest';
import { CHECK_LIMITS } from '../../../../src/features/status/limits.ts';
import type { Check, CheckResult } from '../../../../src/features/status/contract.ts';
import {
  getStatusColour,
  DAY_MS,
  type DayRow,
  HOUR_MS,
  buildStatus,
  computeUptimePercent,
} from '../../../../src/features/status/status.ts';

const NOW = Date.UTC(2027, 3, 10, 12, 34, 56);
const TODAY = Math.floor(NOW / DAY_MS);
const MODELS = [
  { id: 'loreloom', label: 'Roleplay' },
  { id: 'mistral', label: 'Mistral' },
];
/** The time of the check that was the given number of checks ago. */
const getCheckTime = (steps: number): number => NOW - steps * CHECK_LIMITS.everyMs;
const site = (steps: number, is: CheckResult = 'up'): Check => ({
  at: getCheckTime(steps),
  parts: [{ part: 'site', is, ms: is === 'down' ? null : 5 }],
});
const day = (daysAgo: number, counts: Partial<DayRow> = {}): DayRow => ({
  ...{ day: TODAY - daysAgo, part: 'site', checks: 288, slow: 0, down: 0 },
  ...counts,
});
const view = (checks: Check[], days: DayRow[] = [], now = NOW) =>
  buildStatus({ checks, days, models: MODELS, checking: true, now });
const findStatusPart = (status: ReturnType<typeof view>, id = 'site') =>
  status.parts.find((part) => part.id === id);

describe('Current status', () => {
  test('the current status is that of the last check, and overall the worst of all parts', () => {
    const both: Check = {
      at: getCheckTime(1),
      parts: [
        { part: 'site', is: 'up', ms: 5 },
        { part: 'sign_in', is: 'up', ms: 5 },
        { part: 'chats', is: 'slow', ms: 9000 },
        { part: 'replies:loreloom', is: 'down', ms: null, code: 'model_timed_out' },
      ],
    };
    const status = view([site(2, 'down'), both]);
    expect(status.now).toBe('down');
    expect(status.parts.map(({ id, now }) => `${id} ${now}`)).toEqual([
      'site up',
      'sign_in up',
      'chats slow',
      'replies:loreloom down',
      'replies:mistral unknown',
    ]);
    expect(findStatusPart(status, 'replies:mistral')?.label).toBe('Mistral');
  });

  test('the current status is unknown once the last check is half an hour old', () => {
    const checks = [site(0)];
    expect(view(checks, [], NOW + CHECK_LIMITS.staleMs)).toMatchObject({ now: 'unknown', stale: false });
    const late = view(checks, [], NOW + CHECK_LIMITS.staleMs + 1);
    expect(late).toMatchObject({ now: 'unknown', stale: true, checked_at: new Date(NOW).toISOString() });
    expect(findStatusPart(late)).toMatchObject({ now: 'unknown', since: null });
  });

  test("a model's status expires after twice the interval of its checks", () => {
    const many = Array.from({ length: 4 }, (_, index) => ({ id: `m${index}`, label: 'M' }));
    const one: Check = { at: NOW, parts: [{ part: 'replies:m0', is: 'up', ms: 5 }] };
    const at = (minutes: number) =>
      buildStatus({
        checks: [one],
        days: [],
        models: many,
        checking: true,
        now: NOW + minutes * 60_000,
      }).parts.find(({ id }) => id === 'replies:m0')?.now;
    expect([at(39), at(41)]).toEqual(['up', 'unknown']);
  });

  test('the status is unknown when nothing was measured', () => {
    const status = view([]);
    expect(status).toMatchObject({ now: 'unknown', checked_at: null, stale: true });
    expect(new Set(status.parts.map(({ now }) => now))).toEqual(new Set(['unknown']));
    expect(status.parts[0]?.days.every(({ checks }) => checks === 0)).toBe(true);
  });
});

describe('Start of the current status', () => {
  test.each([
    ['a trouble before it', [site(3), site(2, 'down'), site(1), site(0)], 1],
    ['a time in which nothing was measured', [site(20), site(19), site(1), site(0)], 1],
    ['nothing but the first check', [site(0)], 0],
    ['the first of several that found it down', [site(3), site(2, 'down'), site(1, 'down')], 2],
  ])('the current status goes back to %s', (_, checks, steps) => {
    expect(findStatusPart(view(checks))?.since).toBe(new Date(getCheckTime(steps)).toISOString());
  });

  test('the current status goes back over whole good days until a bad or unmeasured one', () => {
    const since = (days: DayRow[]) => findStatusPart(view([site(1), site(0)], days))?.since?.slice(0, 10);
    const today = new Date(NOW).toISOString().slice(0, 10);
    expect(since([])).toBe(today);
    expect(since([day(0), day(1), day(2), day(4)])).toBe('2027-04-08');
    expect(since([day(0), day(1), day(2, { slow: 1 }), day(3)])).toBe('2027-04-09');
    expect(since([day(0), day(1, { down: 1 })])).toBe(today);
  });

  test('an outage does not go back over whole days', () => {
    expect(findStatusPart(view([site(1, 'down'), site(0, 'down')], [day(1, { down: 288 })]))?.since).toBe(
      new Date(getCheckTime(1)).toISOString(),
    );
  });
});

describe('Status bars', () => {
  test('the bars are the last 24 hours and 90 days, the newest last, each with its checks', () => {
    const status = findStatusPart(
      view([site(10, 'slow'), site(0, 'down')], [day(0, { down: 1 }), day(89), day(90)]),
    );
    expect(status?.hours).toHaveLength(24);
    expect(status?.hours.at(-1)).toEqual({ from: '2027-04-10T12:00:00.000Z', checks: 1, slow: 0, down: 1 });
    expect(status?.hours.at(-2)).toMatchObject({
      from: new Date(NOW - (NOW % HOUR_MS) - HOUR_MS).toISOString(),
      slow: 1,
    });
    expect(status?.days).toHaveLength(90);
    expect(status?.days.at(-1)).toEqual({ day: '2027-04-10', checks: 288, slow: 0, down: 1 });
    expect(status?.days[0]).toMatchObject({ day: '2027-01-11', checks: 288 });
  });

  test('a bar has the colour of its worst check, or none without checks', () => {
    expect(getStatusColour({ checks: 0, slow: 0, down: 0 })).toBe('none');
    expect(getStatusColour({ checks: 9, slow: 0, down: 0 })).toBe('up');
    expect(getStatusColour({ checks: 9, slow: 1, down: 0 })).toBe('slow');
    expect(getStatusColour({ checks: 9, slow: 8, down: 1 })).toBe('down');
  });

  test('the uptime is never 100 % when a check failed', () => {
    expect(computeUptimePercent([{ checks: 25_920, slow: 0, down: 1 }])).toBe(99.9);
    expect(computeUptimePercent([{ checks: 10, slow: 5, down: 0 }])).toBe(100);
    expect(computeUptimePercent([{ checks: 0, slow: 0, down: 0 }])).toBeNull();
  });
});
