import { describe, expect, test } from 'vitest';
import { truncateTitle } from '../../../../../src/features/conversation/title/truncate-title.ts';

const countGraphemes = (text: string) => [...new Intl.Segmenter('und').segment(text)].length;

describe('A title that is cut from a message', () => {
  test.each([
    ['a short message', 'Good evening, Lumi.', 'Good evening, Lumi.'],
    ['a message of exactly 40 characters', 'a'.repeat(40), 'a'.repeat(40)],
    ['several lines', '  Hello\n\n  there\t friend ', 'Hello there friend'],
    ['emphasis, a quote and a heading', '# Night\n> *waves* **Hello** `there`', 'Night waves Hello there'],
    ['an emphasis that does not end', '*He looks up and **waits', 'He looks up and waits'],
    ['direction marks and controls', 'Hello\u202E \u0007you\u2066', 'Hello you'],
  ])('%s has one plain line', (_, message, expected) => expect(truncateTitle(message)).toBe(expected));

  test.each([
    [
      'between words, without the comma',
      'I walked along the river last night, and nobody was there at all',
      'I walked along the river last night…',
    ],
    ['within a word that is longer', 'x'.repeat(90), `${'x'.repeat(39)}…`],
    ['between family emoji', '👨‍👩‍👧‍👦'.repeat(60), `${'👨‍👩‍👧‍👦'.repeat(39)}…`],
  ])('a long message is cut %s', (_, message, expected) => {
    const title = truncateTitle(message) ?? '';
    expect(title).toBe(expected);
    expect(countGraphemes(title)).toBeLessThanOrEqual(40);
  });

  test.each([
    '昨日の夜は川のそばを長い間歩いていましたけれど、誰にも会わなかったので少し寂しかったです。今日はどうしますか。',
    'नमस्ते, कल रात मैं नदी के किनारे बहुत देर तक चलता रहा और कोई नहीं मिला',
    'เมื่อคืนฉันเดินเล่นริมแม่น้ำนานมากแต่ไม่พบใครเลยสักคนเดียวนะ',
  ])('a message in a script with combined letters is cut at a word: %s', (message) => {
    const title = truncateTitle(message) ?? '';
    expect(title.endsWith('…')).toBe(true);
    const cut = title.slice(0, -1);
    const ends = [...new Intl.Segmenter('und', { granularity: 'word' }).segment(message)].map(
      ({ index, segment }) => index + segment.length,
    );
    expect(message.startsWith(cut)).toBe(true);
    expect(ends).toContain(cut.length);
    expect(countGraphemes(title)).toBeLessThanOrEqual(40);
  });

  test.each(['', ' \n\t ', '\u200B\u2060', '***', '\u2800'])(
    'a message that shows nothing has none: %j',
    (message) => expect(truncateTitle(message)).toBeNull(),
  );

  test('a hostile message takes no longer than its beginning', () => {
    const began = performance.now();
    for (const part of ['*', '**a', '> ', '!', '\u0301', '`', '👨‍👩‍👧‍👦', ' .'])
      truncateTitle(part.repeat(Math.ceil(1_000_000 / part.length)));
    expect(performance.now() - began).toBeLessThan(2000);
  });
});
