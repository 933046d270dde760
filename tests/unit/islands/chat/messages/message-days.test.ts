import { describe, expect, test } from 'vitest';
import {
  isFirstOfDay,
  formatMessageDay,
  formatMessageTime,
} from '../../../../../src/islands/chat/messages/message-days.ts';

/** A local time in July 2026, where the 14th is a Tuesday. */
const at = (day: number, hour: number, year = 2026) => new Date(year, 6, day, hour, 30).toISOString();
const now = Date.parse(at(14, 20));

describe('Message days', () => {
  test('a date line appears where a new day begins and nowhere within a day', () => {
    expect(isFirstOfDay(at(13, 0), at(12, 23), now)).toBe(true);
    expect(isFirstOfDay(at(13, 23), at(13, 0), now)).toBe(false);
  });

  test('the first message has a date line unless it was written today', () => {
    expect(isFirstOfDay(at(13, 9), null, now)).toBe(true);
    expect(isFirstOfDay(at(14, 9), null, now)).toBe(false);
  });

  test("today and yesterday have their words in the user's language, even just after midnight", () => {
    expect(formatMessageDay(at(14, 0), 'en', now)).toBe('today');
    expect(formatMessageDay(at(13, 23), 'de', Date.parse(at(14, 0)))).toBe('gestern');
    expect(formatMessageDay(at(13, 0), 'ja', now)).toBe('昨日');
  });

  test('other days show their date, and the year if it is another one', () => {
    expect(formatMessageDay(at(3, 9), 'en', now)).toBe('Friday, July 3');
    expect(formatMessageDay(at(3, 9, 2025), 'en', now)).toContain('2025');
  });

  test('days and times are those of the given time zone', () => {
    const midnight = '2026-07-14T02:00:00.000Z';
    const later = Date.parse('2026-07-14T12:00:00.000Z');
    expect(formatMessageTime(midnight, 'en', 'UTC')).toBe('2:00 AM');
    expect(formatMessageTime(midnight, 'en', 'America/New_York')).toBe('10:00 PM');
    expect(formatMessageDay(midnight, 'en', later, 'UTC')).toBe('today');
    expect(formatMessageDay(midnight, 'en', later, 'America/New_York')).toBe('yesterday');
    expect(isFirstOfDay(midnight, '2026-07-13T23:00:00.000Z', later, 'UTC')).toBe(true);
    expect(isFirstOfDay(midnight, '2026-07-13T23:00:00.000Z', later, 'America/New_York')).toBe(false);
  });

  test('an unreadable time shows nothing', () => {
    expect(isFirstOfDay('', at(13, 0), now)).toBe(false);
    expect(formatMessageTime('', 'en')).toBe('');
  });
});
