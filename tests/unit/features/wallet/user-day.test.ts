import { describe, expect, test } from 'vitest';
import { getStartOfDay, getLocalDay, parseTimeZone } from '../../../../src/features/wallet/user-day.ts';
import { getAuditCursor } from '../../../../src/features/wallet/ledger-audit.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const day = (date: string): number => Date.parse(date) / DAY_MS;

describe('Local day', () => {
  test.each([
    ['UTC', '2026-05-04', '2026-05-04T00:00:00Z'],
    ['Asia/Tokyo', '2026-05-04', '2026-05-03T15:00:00Z'],
    ['Asia/Kathmandu', '2026-05-04', '2026-05-03T18:15:00Z'],
    ['Pacific/Kiritimati', '2026-05-04', '2026-05-03T10:00:00Z'],
    ['Etc/GMT+12', '2026-05-04', '2026-05-04T12:00:00Z'],
    // The days on which clocks go forward and back, each with the day after.
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00Z'],
    ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00Z'],
    ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00Z'],
    ['Europe/Berlin', '2026-10-26', '2026-10-25T23:00:00Z'],
    ['Australia/Lord_Howe', '2026-04-06', '2026-04-05T13:30:00Z'],
    // These clocks skip midnight, so the day begins at one o'clock.
    ['America/Havana', '2026-03-08', '2026-03-08T05:00:00Z'],
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00Z'],
    // A skipped day ends when the next one begins.
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00Z'],
  ])('a day in %s on %s begins at %s', (zone, date, moment) => {
    const begins = Date.parse(moment);
    expect(new Date(getStartOfDay(zone, day(date))).toISOString()).toBe(new Date(begins).toISOString());
    expect(getLocalDay(zone, begins)).toBeGreaterThanOrEqual(day(date));
    expect(getLocalDay(zone, begins - 1)).toBeLessThan(day(date));
  });

  test('the day is the UTC day when the time zone is unknown', () => {
    expect(getLocalDay(null, Date.parse('2026-05-04T23:59:59Z'))).toBe(day('2026-05-04'));
    expect(getStartOfDay(null, day('2026-05-04'))).toBe(Date.parse('2026-05-04'));
    expect(getLocalDay('Mars/Olympus', Date.parse('2026-05-04T23:59:59Z'))).toBe(day('2026-05-04'));
  });

  test('only the name of a time zone is accepted', () => {
    expect(parseTimeZone('europe/berlin')).toBe('Europe/Berlin');
    for (const name of [
      undefined,
      null,
      '',
      '+05:30',
      'Mars/Olympus',
      'undefined',
      'Europe/Berlin; x',
      'A'.repeat(80),
    ])
      expect(parseTimeZone(name)).toBeNull();
  });
});

describe('Nightly ledger audit', () => {
  const atNight = (date: string, hour: number): number => Date.parse(date) + hour * HOUR_MS;

  test('the audit begins once a night at its hour', () => {
    const first = getAuditCursor(null, atNight('2026-05-04', 3));
    expect(first).toMatchObject({ night: day('2026-05-04'), after: '', done: false });
    const done = { ...first, done: true };
    expect(getAuditCursor(done, atNight('2026-05-04', 23))).toBeNull();
    expect(getAuditCursor(done, atNight('2026-05-05', 3) - 1)).toBeNull();
    expect(getAuditCursor(done, atNight('2026-05-05', 3))).toMatchObject({
      night: day('2026-05-05'),
      wallets: 0,
    });
  });

  test('the audit continues where it stopped, however long it takes', () => {
    const begun = { ...getAuditCursor(null, atNight('2026-05-04', 3)), after: 'someone', wallets: 400 };
    expect(getAuditCursor(begun, atNight('2026-05-06', 12))).toEqual(begun);
  });

  test('the audit starts over when its stored state cannot be read', () => {
    for (const stored of ['', [], { night: 'yesterday' }])
      expect(getAuditCursor(stored, atNight('2026-05-04', 5))).toMatchObject({ after: '', done: false });
  });
});
