import { describe, expect, test } from 'vitest';
import { parseChatTime } from '../../../../../src/features/conversation/files/chat-file-times.ts';

const iso = (value: string | number): string | null => {
  const at = parseChatTime(value);
  return at === null ? null : new Date(at).toISOString();
};

describe('Times in chat files', () => {
  test.each([
    [1_687_191_605_123, '2023-06-19T16:20:05.123Z'],
    ['1687191605123', '2023-06-19T16:20:05.123Z'],
    [1_687_191_605, '2023-06-19T16:20:05.000Z'],
    ['2023-06-19T16:20:05.123Z', '2023-06-19T16:20:05.123Z'],
    ['2023-06-19T16:20:05.123456Z', '2023-06-19T16:20:05.123Z'],
    ['2023-06-19T18:20:05+02:00', '2023-06-19T16:20:05.000Z'],
    ['2023-06-19 16:20:05', '2023-06-19T16:20:05.000Z'],
    ['2023-06-19', '2023-06-19T00:00:00.000Z'],
    ['June 19, 2023 4:20pm', '2023-06-19T16:20:00.000Z'],
    ['June 19, 2023 12:20am', '2023-06-19T00:20:00.000Z'],
    ['June 9, 2023 16:20', '2023-06-09T16:20:00.000Z'],
    ['junio 19, 2023 4:20pm', '2023-06-19T16:20:00.000Z'],
    ['2023-6-19 @16h 20m 5s 123ms', '2023-06-19T16:20:05.123Z'],
    ['2023-6-19@16h20m5s', '2023-06-19T16:20:05.000Z'],
    ['2023-06-19@16h20m05s007ms', '2023-06-19T16:20:05.007Z'],
    ['Mon Jun 19 2023 18:20:05 GMT+0200 (Central European Summer Time)', '2023-06-19T16:20:05.000Z'],
  ])('the time %s is understood', (value, expected) => {
    expect(iso(value)).toBe(expected);
  });

  test('month names in every language of the product are understood', () => {
    for (const language of ['en', 'es', 'fr', 'de', 'it', 'pt', 'ru', 'ja', 'hi', 'pl', 'zh', 'id']) {
      for (let month = 0; month < 12; month += 1) {
        const name = new Date(Date.UTC(2023, month, 2)).toLocaleString(language, {
          month: 'long',
          timeZone: 'UTC',
        });
        expect(iso(`${name} 2, 2023 1:02pm`)).toBe(new Date(Date.UTC(2023, month, 2, 13, 2)).toISOString());
      }
    }
  });
});

describe('Invalid times', () => {
  test.each([
    '',
    'soon',
    'Smarch 3, 2023 4:20pm',
    'June 31, 2023 4:20pm',
    '2023-02-30',
    '2023-13-01T00:00:00Z',
    '2023-6-19 @25h 20m 5s 123ms',
    '2023-06-19T24:01:00Z',
    'March',
    0,
    -5,
    Number.NaN,
    1e300,
    `${'9'.repeat(400)}`,
    `June ${' '.repeat(50_000)}1`,
  ])('the invalid time %s gives no time', (value) => {
    expect(parseChatTime(value)).toBeNull();
  });

  test('a text of megabytes in place of a time is refused at once', () => {
    for (const piece of ['(Z', 'Z (', 'GMT(', ' ', '1']) {
      const text = `x${piece.repeat(2_000_000)}x`;
      const before = process.cpuUsage();
      expect(parseChatTime(text)).toBeNull();
      const { user } = process.cpuUsage(before);
      // Reading it to its end for each piece took hours.
      expect(user).toBeLessThan(1_000_000);
    }
  });
});
