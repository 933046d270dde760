import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseQuery } from '../../../../src/features/search/search-words.ts';
import { MAX_SNIPPET_CHARS, buildSnippet } from '../../../../src/features/search/snippet.ts';

const cut = (text: string, typed: string) => buildSnippet(text, parseQuery(typed));
/** Renders a snippet with its marks as brackets. */
function renderMarks(text: string, typed: string): string | null {
  const result = cut(text, typed);
  if (result === null) return null;
  const { snippet, marks } = result;
  let line = '';
  let done = 0;
  for (const [from, to] of marks) {
    line += `${snippet.slice(done, from)}[${snippet.slice(from, to)}]`;
    done = to;
  }
  return line + snippet.slice(done);
}
const graphemes = (text: string) =>
  Array.from(new Intl.Segmenter('und', { granularity: 'grapheme' }).segment(text), ({ segment }) => segment);

describe('Search snippets', () => {
  it('a snippet shows a short message in full with every match marked', () => {
    expect(renderMarks('The lamp turns. The lamp is old.', 'lamp')).toBe(
      'The [lamp] turns. The [lamp] is old.',
    );
    expect(renderMarks('Der Weg über die Straße', 'strasse uber')).toBe('Der Weg [über] die [Straße]');
    expect(renderMarks('lamplight', 'lamp')).toBe('[lamplight]');
  });

  it('a snippet marks exactly the match in scripts without spaces', () => {
    expect(renderMarks('彼女は東京都の灯台で待った', '東京都')).toBe('彼女は[東京都]の灯台で待った');
    expect(renderMarks('她把灯笼放低', '灯')).toBe('她把[灯]笼放低');
    expect(renderMarks('ガｶﾞガ', 'ガ')).toBe('[ガｶﾞガ]');
  });

  it('a snippet of a long message is a piece around the first match', () => {
    const text = `${'Before it there was a long road. '.repeat(20)}Then the lantern fell. ${'And after it the sea. '.repeat(30)}`;
    const line = renderMarks(text, 'lantern') as string;
    expect(line).toMatch(/^…\S/u);
    expect(line).toMatch(/Then the \[lantern\] fell\. And after/u);
    expect(line).toMatch(/\S…$/u);
    expect(line.length).toBeLessThanOrEqual(MAX_SNIPPET_CHARS + 4);
  });

  it('a snippet prefers the place where all the words are close together', () => {
    const text = `A lamp. ${'Nothing here. '.repeat(40)}The lamp over the storm. ${'Nothing. '.repeat(20)}`;
    expect(renderMarks(text, 'lamp storm')).toContain('[lamp] over the [storm]');
  });

  it('a snippet is one line without roleplay markup', () => {
    expect(renderMarks('*She **lowers**\n\n the lamp.* 2 * 3 f**k', 'lowers lamp')).toBe(
      'She [lowers] the [lamp]. 2 * 3 f**k',
    );
    expect(renderMarks('\u202eevil lamp\u202c', 'lamp')).toBe('evil [lamp]');
  });

  it("a snippet omits the markup of the message's text", () => {
    expect(renderMarks('```\nlet lamp = `on`;\n```\n> - **The** lamp\n\n# A _lamp_', 'lamp')).toBe(
      'let [lamp] = `on`; The [lamp] A [lamp]',
    );
    expect(renderMarks('See [a lamp](https://lamp.example/a).', 'lamp')).toBe('See a [lamp].');
  });

  it("a snippet shows a link's markup when the match is in its address", () => {
    expect(renderMarks('See [the light](https://lamp.example/a).', 'lamp')).toBe(
      'See [the light](https://[lamp].example/a).',
    );
  });

  it('a snippet limits combining marks and removes direction marks', () => {
    const { snippet } = cut(`\u202EZ${'\u0301'.repeat(200)} lamp`, 'lamp') as { snippet: string };
    expect(snippet).toBe(`Z${'\u0301'.repeat(5)} lamp`);
  });

  it('a text that lacks one of the words has no snippet', () => {
    expect(cut('The lamp turns', 'lamp storm')).toBeNull();
    expect(cut('The lamp turns', '…')).toBeNull();
  });

  it('a snippet never splits a character', () => {
    const family = '👩‍👩‍👧‍👦';
    const text = `${family.repeat(30)} lamp ${'क्षि'.repeat(80)}`;
    const { snippet } = cut(text, 'lamp') as { snippet: string };
    const whole = new Set(graphemes(text));
    expect(graphemes(snippet.replaceAll('…', '')).filter((one) => !whole.has(one))).toEqual([]);
  });

  it('a snippet stays short and valid whatever the message contains', () => {
    const pieces = fc.constantFrom(
      ...[
        'lamp',
        ' ',
        '\n',
        '*',
        '灯台',
        '👩‍👩‍👧‍👦',
        'e\u0301\u0323',
        '\u200b',
        '\u202e',
        'क्षि',
        'ｶﾞ',
        '"',
        '\u0301'.repeat(300),
      ],
    );
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 200 }),
        fc.constantFrom('lamp', '灯', '灯台', 'e'),
        (made, typed) => {
          const text = made.join('');
          const result = cut(text, typed);
          if (result === null) return;
          const { snippet, marks } = result;
          expect(snippet.length).toBeLessThanOrEqual(MAX_SNIPPET_CHARS + 66);
          expect(snippet.isWellFormed()).toBe(true);
          expect(marks.length).toBeGreaterThan(0);
          let done = 0;
          for (const [from, to] of marks) {
            expect(from).toBeGreaterThanOrEqual(done);
            expect(to).toBeGreaterThan(from);
            done = to;
          }
          expect(done).toBeLessThanOrEqual(snippet.length);
        },
      ),
    );
  });

  it('building a snippet of a 20,000-character flood takes less than half a second', () => {
    for (const flood of [
      'a'.repeat(20_000),
      '灯'.repeat(20_000),
      '\u0301'.repeat(20_000),
      'a '.repeat(10_000),
      '🌙'.repeat(10_000),
    ]) {
      const started = performance.now();
      cut(`${flood} lamp`, 'lamp');
      cut(flood, '"a a a" 灯灯灯');
      expect(performance.now() - started).toBeLessThan(500);
    }
  });
});
