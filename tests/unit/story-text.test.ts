import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  toSafeUrl,
  parseSpans,
  parseStyledText,
  getSpanText,
} from '../../src/features/markup/markup-spans.ts';
import { toPlainText, parseMarkup, type MessageDocument } from '../../src/features/markup/parse-markup.ts';

/** A message as a line of its structure: blocks in [], spans by their first letters. */
const shape = (text: string, growing = false) =>
  JSON.parse(
    JSON.stringify(parseMarkup(text, growing).blocks, (key, value) => (key === 'at' ? undefined : value)),
  );
const paragraph = (...spans: object[]) => ({ kind: 'paragraph', spans });
const plain = (text: string) => ({ kind: 'text', text });

describe('roleplay text', () => {
  test('shows actions apart, and everything else as it was written', () => {
    expect(parseStyledText('*She nods.* Yes, **now**.\n2 * 3 * 4 and 5*4*3')).toEqual([
      { kind: 'action', text: 'She nods.' },
      { kind: 'text', text: ' Yes, ' },
      { kind: 'stress', text: 'now' },
      { kind: 'text', text: '.\n2 * 3 * 4 and 5*4*3' },
    ]);
    expect(toPlainText('*She nods.* Yes')).toBe('She nods. Yes');
    expect(parseStyledText('snake_case_name, _softly_, ¯\\_(ツ)_/¯')).toEqual([
      { kind: 'text', text: 'snake_case_name, ' },
      { kind: 'action', text: 'softly' },
      { kind: 'text', text: ', ¯\\_(ツ)_/¯' },
    ]);
  });

  test('actions are found in scripts that set no spaces', () => {
    expect(parseStyledText('彼女は*笑った*。그는 *웃음*을')).toMatchObject([
      { text: '彼女は' },
      { kind: 'action', text: '笑った' },
      { text: '。그는 ' },
      { kind: 'action', text: '웃음' },
      { text: '을' },
    ]);
    expect(parseStyledText('слово*слово*слово')).toHaveLength(1);
  });

  test('stress within an action, and both at once, are what they are', () => {
    expect(shape('*She said **no** and left.*')).toEqual([
      paragraph({
        kind: 'action',
        spans: [plain('She said '), { kind: 'stress', spans: [plain('no')] }, plain(' and left.')],
      }),
    ]);
    expect(shape('***Now***')).toEqual([
      paragraph({ kind: 'stress', spans: [{ kind: 'action', spans: [plain('Now')] }] }),
    ]);
  });

  test.each([
    ['"Hello," he says.', '"Hello,"'],
    ['“Hello,” he says.', '“Hello,”'],
    ['„Hallo“, sagt er.', '„Hallo“'],
    ['»Hallo«, sagt er.', '»Hallo«'],
    ['« Bonjour », dit-il.', '« Bonjour »'],
    ['「こんにちは」と言う。', '「こんにちは」'],
    ['『夜』と言う。', '『夜』'],
  ])('what is said in %s is set off with its quotation marks', (text, said) => {
    const [first, ...rest] = parseSpans(text);
    expect(first).toMatchObject({ kind: 'speech', spans: [{ text: said }] });
    expect(rest.every(({ kind }) => kind === 'text')).toBe(true);
  });

  test('inches, apostrophes and a quotation that never ends are no speech', () => {
    expect(parseSpans('6\'2" tall, it\'s 5" wide, and "then')).toMatchObject([{ kind: 'text' }]);
  });

  test('quotes, lists, headings, rules and code are blocks; line breaks stay as typed', () => {
    expect(
      shape('# Night\n> one\n> two\n\n- a\n- b\n  1) c\n\n***\n```js\n*x*\n\n  y\n```\none\n  two'),
    ).toEqual([
      { kind: 'heading', spans: [plain('Night')] },
      { kind: 'quote', blocks: [paragraph(plain('one\ntwo'))] },
      {
        kind: 'list',
        ordered: false,
        items: [
          { number: null, dash: true, blocks: [paragraph(plain('a'))] },
          {
            number: null,
            dash: true,
            blocks: [
              paragraph(plain('b')),
              {
                kind: 'list',
                ordered: true,
                items: [{ number: 1, dash: false, blocks: [paragraph(plain('c'))] }],
              },
            ],
          },
        ],
      },
      { kind: 'rule' },
      { kind: 'code', text: '*x*\n\n  y' },
      paragraph(plain('one\n  two')),
    ]);
  });

  test('numbers of a list are the ones that were written, also across empty lines', () => {
    const [list, ...others] = parseMarkup('3. three\n\n5. five\n   and more\n\n\n9. nine').blocks;
    expect(others).toEqual([]);
    expect(list).toMatchObject({ ordered: true, items: [{ number: 3 }, { number: 5 }, { number: 9 }] });
    expect(toPlainText('3. three\n5. five')).toBe('3. three\n5. five');
  });

  test('an action with spaces inside its asterisks is no list, and a hashtag no heading', () => {
    expect(shape('* waves *\n#night')).toEqual([paragraph(plain('* waves *\n#night'))]);
  });

  test('marks within code, and marks behind a backslash, are text', () => {
    expect(shape('`*a*` \\*b\\* ``c`d``')).toEqual([
      paragraph({ kind: 'code', text: '*a*' }, plain(' *b* '), { kind: 'code', text: 'c`d' }),
    ]);
  });
});

describe('a reply that is still being written', () => {
  test('an action that is still being written is one already; a lone asterisk at the end of a message is not', () => {
    expect(parseStyledText('Well. *She turns', true).at(-1)).toEqual({ kind: 'action', text: 'She turns' });
    expect(parseStyledText('Well. *She turns')).toEqual([{ kind: 'text', text: 'Well. *She turns' }]);
  });

  test('no mark shows before it is known what it marks', () => {
    const text =
      'Well. *She **never** turns.* **Now!** `code`\n\n- one\n- two\n\n1. three\n\n> four\n\n---\n\n# five';
    for (let end = 1; end <= text.length; end += 1)
      expect(toPlainText(text.slice(0, end), true), text.slice(0, end)).not.toMatch(/[*`>#]|^[-\d]+$/m);
  });

  test('what stood as an action, as speech or as code stays that while more comes', () => {
    const kinds = (text: string) => JSON.stringify(parseMarkup(text, true).blocks).match(/"kind":"(\w+)"/g);
    expect(kinds('*She turns')).toEqual(kinds('*She turns*'));
    expect(kinds('"I am')).toEqual(kinds('"I am here"'));
    expect(kinds('```\nlet a')).toEqual(kinds('```\nlet a = 1;\n``'));
    expect(kinds('```\nlet a = 1;\n``')).toEqual(kinds('```\nlet a = 1;\n```\n'));
  });

  test('reading only what is new gives the same as reading everything', () => {
    const piece = fc.constantFrom(
      ...[
        '*',
        '**',
        '"',
        '\n',
        '\n\n',
        'a',
        ' b',
        '- ',
        '1. ',
        '2',
        '. ',
        '> ',
        '```',
        '`',
        '# ',
        '---',
        '  ',
        '[',
        '](http://a.b)',
      ],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        let text = '';
        let earlier: MessageDocument | undefined;
        for (const next of pieces) {
          text += next;
          earlier = parseMarkup(text, true, earlier);
          expect(earlier.blocks).toEqual(parseMarkup(text, true).blocks);
        }
        expect(parseMarkup(text, false, earlier).blocks).toEqual(parseMarkup(text).blocks);
      }),
      { numRuns: 400 },
    );
  });

  test('what is settled is not read or made again', () => {
    const first = parseMarkup('One.\n\nTwo', true);
    const second = parseMarkup('One.\n\nTwo and three', true, first);
    expect(second.blocks[0]).toBe(first.blocks[0]);
    expect(parseMarkup('Another text', true, second).blocks).toEqual(
      parseMarkup('Another text', true).blocks,
    );
  });
});

describe('links and pictures', () => {
  test('lead to web and mail addresses only', () => {
    expect(shape('[a *b*](https://example.com/x_(y) "title") [m](mailto:a@example.com)')).toEqual([
      paragraph(
        {
          kind: 'link',
          href: 'https://example.com/x_(y)',
          spans: [plain('a '), { kind: 'action', spans: [plain('b')] }],
        },
        plain(' '),
        { kind: 'link', href: 'mailto:a@example.com', spans: [plain('m')] },
      ),
    ]);
    for (const address of [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      'file:///etc/passwd',
      'blob:https://example.com/x',
      '//example.com',
      '/account',
      'https://bank.example@elsewhere.example/',
    ]) {
      expect(toSafeUrl(address), address).toBeNull();
      const text = `[here](${address})`;
      expect(shape(text)).toEqual([paragraph(plain(text))]);
    }
    expect(JSON.stringify(shape('[x](java\u0000script:alert(1)) [x](java\tscript:alert(1))'))).not.toContain(
      'href',
    );
  });

  test('an address on its own is a link without the point of its sentence', () => {
    expect(shape('See https://example.com/a?b=c, or (http://example.org/).')).toEqual([
      paragraph(
        plain('See '),
        { kind: 'link', href: 'https://example.com/a?b=c', spans: [plain('https://example.com/a?b=c')] },
        plain(', or ('),
        { kind: 'link', href: 'http://example.org/', spans: [plain('http://example.org/')] },
        plain(').'),
      ),
    ]);
  });

  test('a name that looks like another one shows its real letters in the address', () => {
    expect(toSafeUrl('https://еxample.com/')).toBe('https://xn--xample-2of.com/');
  });

  test('a picture is its words, whatever its address', () => {
    expect(shape('![the *old* harbour](https://example.com/a.png)![](javascript:x)')).toEqual([
      paragraph({ kind: 'picture', text: 'the old harbour' }, { kind: 'picture', text: '' }),
    ]);
  });

  test('a link holds no second link', () => {
    expect(shape('[https://a.example](https://b.example/)')).toEqual([
      paragraph({
        kind: 'link',
        href: 'https://b.example/',
        host: 'b.example',
        spans: [plain('https://a.example')],
      }),
    ]);
  });
});

describe('hostile text', () => {
  test('markup is text', () => {
    const text = '<img src=x onerror=alert(1)><script>alert(1)</script> &lt;b&gt; <!-- a -->';
    expect(shape(text)).toEqual([paragraph(plain(text))]);
  });

  test('no control of direction reaches the page', () => {
    const text = 'a\u202Eb\u202C\n\n> \u2067c\n\n```\n\u202Dd\n```\n[\u2066e](https://example.com/\u202E)';
    expect(JSON.stringify(parseMarkup(text).blocks)).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/);
  });

  test('floods of what nobody sees are cut, and what writing needs is kept', () => {
    expect(toPlainText(`a${'\u200B'.repeat(9000)}b`)).toBe('a\u200Bb');
    expect(toPlainText(`a${'\u200B\u0301'.repeat(9000)}b`).length).toBeLessThan(10);
    expect(toPlainText(`a${'\u0301'.repeat(9000)}`).length).toBeLessThan(10);
    expect(toPlainText(`hidden${'\u{E0041}\u{E0042}'.repeat(100)}`)).toBe('hidden');
    expect(toPlainText('a\u0000b\u0007c\u009Bd')).toBe('abcd');
    for (const kept of ['👩‍👩‍👧‍👦', '👋🏽', '🏴‍☠️', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', 'می‌خواهم', 'क्‍ष', 'ශ්‍රී', 'Tiếng Việt', 'é'])
      expect(toPlainText(kept)).toBe(kept);
  });

  test('quotes and lists are drawn to a depth, and the rest of their marks as text', () => {
    const depthOf = (text: string) => JSON.stringify(parseMarkup(text).blocks).split('"blocks":').length - 1;
    expect(depthOf('>'.repeat(10_000))).toBeLessThan(6);
    expect(toPlainText(`${'>'.repeat(100)} deep`)).toContain('deep');
    expect(
      depthOf(Array.from({ length: 400 }, (_, level) => `${'  '.repeat(level)}- a`).join('\n')),
    ).toBeLessThan(2000);
    const nested = `${'*a **b '.repeat(2000)}${'c** d* '.repeat(2000)}`;
    expect(() => JSON.stringify(parseMarkup(nested))).not.toThrow();
  });

  test.each([
    ['very long', 'word '.repeat(10_000)],
    ['very intricate', '*a* '.repeat(3000)],
    ['all items', '- a\n'.repeat(5000)],
  ])('a text that is %s is drawn as it is, in one piece', (_, text) => {
    expect(parseMarkup(text).blocks).toEqual([{ kind: 'plain', text }]);
  });

  test('a flood of empty lines leaves two', () => {
    expect(parseMarkup(`a${'\n'.repeat(40_000)}b`).blocks).toEqual([{ kind: 'plain', text: 'a\n\n\nb' }]);
  });

  test('4,000 emoji are one text', () => {
    expect(shape('😀'.repeat(4000))).toEqual([paragraph(plain('😀'.repeat(4000)))]);
  });
});

describe('whatever is written', () => {
  const marks = fc.constantFrom(
    ...[
      '*',
      '**',
      '_',
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

  test('it can be drawn, finished or not', () => {
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

  test('siblings begin at different places, so that a growing text keeps its parts', () => {
    fc.assert(
      fc.property(anything, fc.boolean(), (text, growing) => {
        const check = (spans: ReturnType<typeof parseSpans>) => {
          expect(new Set(spans.map(({ at }) => at)).size).toBe(spans.length);
          for (const span of spans) if ('spans' in span) check(span.spans);
        };
        check(parseSpans(text, growing));
      }),
    );
  });

  test('nothing of a paragraph is ever lost but marks', () => {
    const written = fc.string({
      unit: fc.constantFrom('*', '_', '"', '`', ' ', 'a', 'ß', '\n', '<', '['),
      maxLength: 40,
    });
    const kept = (text: string) => text.replaceAll(/[*_`\s]/g, '');
    fc.assert(
      fc.property(written, fc.boolean(), (text, growing) => {
        expect(kept(getSpanText(parseSpans(text, growing)))).toBe(kept(text));
      }),
      { numRuns: 500 },
    );
  });

  test('text without marks is shown letter by letter', () => {
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
