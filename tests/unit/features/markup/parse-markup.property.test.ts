import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseSpans, getSpanText } from '../../../../src/features/markup/markup-spans.ts';
import { toPlainText, parseMarkup, type Block } from '../../../../src/features/markup/parse-markup.ts';

describe('Random texts', () => {
  const marks = fc.constantFrom(
    ...[
      '*',
      '**',
      '_',
      '~~',
      '|',
      '|-|-|\n',
      '\n|:-:|\n',
      '`',
      '```',
      '[',
      ']',
      '](',
      ')',
      '![',
      '>',
      '#',
      '-',
      '1.',
      '"',
      '„',
      '“',
      '«',
      '»',
      '\\',
      '\n',
      '\n\n',
      ' ',
      'a',
      'ß',
      '夜',
      '😀',
      '<',
      'http://a.b',
      '\u202E',
      '\u200B',
    ],
  );
  const anything = fc.array(marks, { maxLength: 60 }).map((pieces) => pieces.join(''));

  test('any text can be parsed and links only to web and mail addresses', () => {
    fc.assert(
      fc.property(
        fc.oneof(anything, fc.string({ unit: 'binary', maxLength: 200 })),
        fc.boolean(),
        (text, growing) => {
          const { blocks } = parseMarkup(text, growing);
          expect(JSON.stringify(blocks)).not.toMatch(/"href":"(?!https?:|mailto:)/);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('sibling spans have different positions, so that a growing text keeps its elements', () => {
    const check = (spans: ReturnType<typeof parseSpans>) => {
      expect(new Set(spans.map(({ at }) => at)).size).toBe(spans.length);
      for (const span of spans) if ('spans' in span) check(span.spans);
    };
    const checkBlock = (block: Block): void => {
      if ('spans' in block) check(block.spans);
      else if (block.kind === 'quote') block.blocks.forEach(checkBlock);
      else if (block.kind === 'list') block.items.flatMap(({ blocks }) => blocks).forEach(checkBlock);
      else if (block.kind === 'table') [block.head, ...block.rows].flat().forEach(check);
    };
    fc.assert(
      fc.property(anything, fc.boolean(), (text, growing) => {
        check(parseSpans(text, growing));
        parseMarkup(text, growing).blocks.forEach(checkBlock);
      }),
      { numRuns: 500 },
    );
  });

  test('a table loses nothing but bars, dashes and colons', () => {
    const rows = fc
      .array(fc.constantFrom('|', '\\|', '-', ':', 'a', ' ', 'ß', '\n', '|-|-|\n', '|\n|', '\n\n|\n|\n'), {
        maxLength: 60,
      })
      .map((pieces) => `| a | b |\n|---|---|\n${pieces.join('')}`);
    const stripMarks = (text: string) => text.replaceAll(/[^aß]/g, '');
    fc.assert(
      fc.property(rows, fc.boolean(), (text, growing) => {
        expect(stripMarks(toPlainText(text, growing))).toBe(stripMarks(text));
      }),
      { numRuns: 500 },
    );
  });

  test('a paragraph loses nothing but marks', () => {
    const written = fc.string({
      unit: fc.constantFrom('*', '_', '~~', '"', '`', ' ', 'a', 'ß', '\n', '\n\n', '<', '['),
      maxLength: 40,
    });
    const stripMarks = (text: string) => text.replaceAll(/[*_~`\s]/g, '');
    fc.assert(
      fc.property(written, fc.boolean(), (text, growing) => {
        expect(stripMarks(getSpanText(parseSpans(text, growing)))).toBe(stripMarks(text));
      }),
      { numRuns: 500 },
    );
  });

  test('a text without marks is shown character by character', () => {
    const letters = fc.string({
      unit: fc.constantFrom('a', 'é', 'ß', '夜', 'न', '😀', ',', ' b', '.', '!', '\nc', '\n\nd'),
      maxLength: 60,
    });
    fc.assert(
      fc.property(letters, (written) => {
        const text = written.trim();
        expect(toPlainText(text)).toBe(text);
      }),
    );
  });
});
