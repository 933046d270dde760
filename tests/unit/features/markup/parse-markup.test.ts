// Over 400 lines: every form of the markup, each with the text that it must not change.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toSafeUrl, parseSpans, parseStyledText } from '../../../../src/features/markup/markup-spans.ts';
import {
  toPlainText,
  parseMarkup,
  type MessageDocument,
} from '../../../../src/features/markup/parse-markup.ts';
import { measureGrowth } from '../../../support/measure-growth.ts';

/** The blocks of a message without their positions. */
const parseShape = (text: string, growing = false) =>
  JSON.parse(
    JSON.stringify(parseMarkup(text, growing).blocks, (key, value) => (key === 'at' ? undefined : value)),
  );
const paragraph = (...spans: object[]) => ({ kind: 'paragraph', spans });
const plain = (text: string) => ({ kind: 'text', text });

describe('Roleplay markup', () => {
  test('actions and stress are marked, and everything else stays as it was written', () => {
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

  test('actions are found in scripts without spaces', () => {
    expect(parseStyledText('彼女は*笑った*。그는 *웃음*을')).toMatchObject([
      { text: '彼女は' },
      { kind: 'action', text: '笑った' },
      { text: '。그는 ' },
      { kind: 'action', text: '웃음' },
      { text: '을' },
    ]);
    expect(parseStyledText('слово*слово*слово')).toHaveLength(1);
  });

  test('stress within an action, and both at once, are recognized', () => {
    expect(parseShape('*She said **no** and left.*')).toEqual([
      paragraph({
        kind: 'action',
        spans: [plain('She said '), { kind: 'stress', spans: [plain('no')] }, plain(' and left.')],
      }),
    ]);
    expect(parseShape('***Now***')).toEqual([
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
  ])('speech is recognized with its quotation marks in %s', (text, speech) => {
    const [first, ...rest] = parseSpans(text);
    expect(first).toMatchObject({ kind: 'speech', spans: [{ text: speech }] });
    expect(rest.every(({ kind }) => kind === 'text')).toBe(true);
  });

  test('inches, apostrophes and an unclosed quotation mark are not speech', () => {
    expect(parseSpans('6\'2" tall, it\'s 5" wide, and "then')).toMatchObject([{ kind: 'text' }]);
  });

  test('quotes, lists, headings, rules and code become blocks, and line breaks stay as typed', () => {
    expect(
      parseShape('# Night\n> one\n> two\n\n- a\n- b\n  1) c\n\n***\n```js\n*x*\n\n  y\n```\none\n  two'),
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

  test('list items keep their written numbers, even across empty lines', () => {
    const [list, ...others] = parseMarkup('3. three\n\n5. five\n   and more\n\n\n9. nine').blocks;
    expect(others).toEqual([]);
    expect(list).toMatchObject({ ordered: true, items: [{ number: 3 }, { number: 5 }, { number: 9 }] });
    expect(toPlainText('3. three\n5. five')).toBe('3. three\n5. five');
  });

  test('an action with spaces inside its asterisks is not a list, and a hashtag is not a heading', () => {
    expect(parseShape('* waves *\n#night')).toEqual([paragraph(plain('* waves *\n#night'))]);
  });

  test('marks within code and marks after a backslash are text', () => {
    expect(parseShape('`*a*` \\*b\\* ``c`d``')).toEqual([
      paragraph({ kind: 'code', text: '*a*' }, plain(' *b* '), { kind: 'code', text: 'c`d' }),
    ]);
  });
});

const action = (...spans: object[]) => ({ kind: 'action', spans });
const stress = (...spans: object[]) => ({ kind: 'stress', spans });
const strike = (...spans: object[]) => ({ kind: 'strike', spans });

describe('Emphasis over paragraphs', () => {
  test('each paragraph gets its part of an action, of stress and of struck text', () => {
    expect(parseShape('*a.\n\nb.*')).toEqual([
      paragraph(action(plain('a.'))),
      paragraph(action(plain('b.'))),
    ]);
    expect(parseShape('One **two\n\n\nthree\n\nfour** five ~~six\n\nseven~~')).toEqual([
      paragraph(plain('One '), stress(plain('two'))),
      paragraph(stress(plain('three'))),
      paragraph(stress(plain('four')), plain(' five '), strike(plain('six'))),
      paragraph(strike(plain('seven'))),
    ]);
    expect(parseShape('*She said **no.\n\nNever** and left.* _Then\n\nrain._')).toEqual([
      paragraph(action(plain('She said '), stress(plain('no.')))),
      paragraph(action(stress(plain('Never')), plain(' and left.')), plain(' '), action(plain('Then'))),
      paragraph(action(plain('rain.'))),
    ]);
    expect(parseShape('> *a\n>\n> b*')).toEqual([
      { kind: 'quote', blocks: [paragraph(action(plain('a'))), paragraph(action(plain('b')))] },
    ]);
  });

  test('a mark that opens again ends the reach of a forgotten one', () => {
    expect(parseShape('*She nods.\n\n*He smiles.* *They leave.*\n\nThe end.*')).toEqual([
      paragraph(plain('*She nods.')),
      paragraph(action(plain('He smiles.')), plain(' '), action(plain('They leave.'))),
      paragraph(plain('The end.*')),
    ]);
  });

  test('speech, links and code end with their paragraph, and so does emphasis before another block', () => {
    for (const text of ['"a\n\nb"', '[a\n\nb](c)', '`a\n\nb`', '„a\n\nb“'])
      expect(parseShape(text), text).toEqual(text.split('\n\n').map((part) => paragraph(plain(part))));
    expect(parseShape('*a\n\n---\n\nb*')).toEqual([
      paragraph(plain('*a')),
      { kind: 'rule' },
      paragraph(plain('b*')),
    ]);
  });

  test('an open action stays an action while the next paragraph arrives', () => {
    const text = '*She turns.\n\nNobody is there.*\n\nShe waits.';
    for (let end = 2; end <= text.length; end += 1) {
      const [first, second] = parseShape(text.slice(0, end), true);
      expect(first.spans, text.slice(0, end)).toMatchObject([{ kind: 'action' }]);
      if (second !== undefined) expect(second.spans).toMatchObject([{ kind: 'action' }]);
    }
  });
});

describe('Struck text', () => {
  test('two tildes strike text, and other tildes stay', () => {
    expect(parseShape('~~old~~ *~~a~~ b*')).toEqual([
      paragraph(strike(plain('old')), plain(' '), action(strike(plain('a')), plain(' b'))),
    ]);
    for (const text of ['Hi~', 'Nya~~ how are you~~', '~5 km or ~6', 'b ~~~a~~~', 'a~~b~~c', '~a~'])
      expect(parseShape(text), text).toEqual([paragraph(plain(text))]);
    expect(parseShape('\\~~a~~')).toEqual([paragraph(plain('~~a~~'))]);
    expect(toPlainText('~~old~~ new')).toBe('old new');
  });

  test('no tilde shows before its meaning is known', () => {
    const text = 'A ~~wolf~~ dog.';
    for (let end = 1; end <= text.length; end += 1)
      expect(toPlainText(text.slice(0, end), true)).not.toContain('~');
  });
});

describe('Tables', () => {
  const cells = (...texts: string[]) => texts.map((text) => (text === '' ? [] : [plain(text)]));

  test('a header, a delimiter row and rows become a table with aligned columns', () => {
    expect(
      parseShape('Guests:\n| a | b | c | d |\n|:--|:-:|--:|---|\n| *x* | 1 \\| 2 |\n|p|q|r|s|t|\nNext.'),
    ).toEqual([
      paragraph(plain('Guests:')),
      {
        kind: 'table',
        columns: ['start', 'center', 'end', null],
        head: cells('a', 'b', 'c', 'd'),
        rows: [[[action(plain('x'))], ...cells('1 | 2', '', '')], cells('p', 'q', 'r', 's | t')],
      },
      paragraph(plain('Next.')),
    ]);
  });

  test('the bars at the edges are optional', () => {
    expect(parseShape('a | b\n-|-\n1 | 2\n3\n\n4 | 5')).toEqual([
      {
        kind: 'table',
        columns: [null, null],
        head: cells('a', 'b'),
        rows: [cells('1', '2'), cells('3', '')],
      },
      paragraph(plain('4 | 5')),
    ]);
    expect(parseShape('|a|\n|-|')).toEqual([{ kind: 'table', columns: [null], head: cells('a'), rows: [] }]);
  });

  test.each(['| a | b |', '| a | b |\n|---|', 'a\n-:', 'a | b\n-:', '| a | b |\n| x | - |', 'a || b\nc'])(
    '%j is not a table',
    (text) => expect(parseShape(text)).toEqual([paragraph(plain(text))]),
  );

  test('a table in a quote and in a list item is drawn', () => {
    expect(parseShape('> a|b\n> -|-\n\n- x\n  a|b\n  -|-')).toMatchObject([
      { kind: 'quote', blocks: [{ kind: 'table' }] },
      { kind: 'list', items: [{ blocks: [{ kind: 'paragraph' }, { kind: 'table' }] }] },
    ]);
  });

  test('a growing table is text until its delimiter row has arrived, and then only gains rows', () => {
    const text = 'See:\n| a | b |\n| --- | :-: |\n| c | d |\n| e | f |\n\nDone.';
    const settled = text.indexOf('| c');
    for (let end = 1; end <= text.length; end += 1) {
      const blocks = parseShape(text.slice(0, end), true);
      expect(JSON.stringify(blocks), text.slice(0, end)).not.toMatch(/--|:-/);
      if (end < settled) expect(blocks[1]?.kind).not.toBe('table');
      else expect(blocks[1]).toMatchObject({ kind: 'table', head: cells('a', 'b') });
    }
  });

  test('the marks of a table are not read aloud', () => {
    expect(toPlainText('| *a* | b |\n|---|---|\n| c | |\n| d | e |')).toBe('a, b\nc\nd, e');
  });

  test('a table has at most 20 columns and 100 rows; what is beyond stays text', () => {
    const build = (columns: number, rows: number) =>
      ['x|', '-|', ...Array<string>(rows).fill('y|')].map((cell) => `|${cell.repeat(columns)}`).join('\n');
    expect(parseMarkup(build(20, 2)).blocks).toMatchObject([{ kind: 'table' }]);
    expect(parseMarkup(build(21, 2)).blocks).toMatchObject([{ kind: 'paragraph' }]);
    const [table, rest] = parseMarkup(build(3, 102)).blocks;
    expect(table).toMatchObject({ rows: { length: 100 } });
    expect(rest).toMatchObject({ kind: 'paragraph', spans: [plain('|y|y|y|\n|y|y|y|')] });
  });
});

describe('Markup of a growing text', () => {
  test('an unfinished action counts as an action while the text grows, but not at the end of a message', () => {
    expect(parseStyledText('Well. *She turns', true).at(-1)).toEqual({ kind: 'action', text: 'She turns' });
    expect(parseStyledText('Well. *She turns')).toEqual([{ kind: 'text', text: 'Well. *She turns' }]);
  });

  test('a growing text shows no mark before its meaning is known', () => {
    const text =
      'Well. *She **never** turns.* **Now!** `code`\n\n- one\n- two\n\n1. three\n\n> four\n\n---\n\n# five';
    for (let end = 1; end <= text.length; end += 1)
      expect(toPlainText(text.slice(0, end), true), text.slice(0, end)).not.toMatch(/[*`>#]|^[-\d]+$/m);
  });

  test('actions, speech and code keep their kind while more text comes', () => {
    const kinds = (text: string) => JSON.stringify(parseMarkup(text, true).blocks).match(/"kind":"(\w+)"/g);
    expect(kinds('*She turns')).toEqual(kinds('*She turns*'));
    expect(kinds('"I am')).toEqual(kinds('"I am here"'));
    expect(kinds('```\nlet a')).toEqual(kinds('```\nlet a = 1;\n``'));
    expect(kinds('```\nlet a = 1;\n``')).toEqual(kinds('```\nlet a = 1;\n```\n'));
  });

  test('parsing only the new text gives the same blocks as parsing everything', () => {
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
        '~~',
        '|',
        '\n|-|-|',
        '\n|',
        '\n\n*c',
        'd*',
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
      { numRuns: 1000 },
    );
  });

  test('finished blocks are reused while the text grows', () => {
    const first = parseMarkup('One.\n\nTwo', true);
    const second = parseMarkup('One.\n\nTwo and three', true, first);
    expect(second.blocks[0]).toBe(first.blocks[0]);
    expect(parseMarkup('Another text', true, second).blocks).toEqual(
      parseMarkup('Another text', true).blocks,
    );
  });
});

describe('Links and pictures', () => {
  test('links lead only to web and mail addresses', () => {
    expect(parseShape('[a *b*](https://example.com/x_(y) "title") [m](mailto:a@example.com)')).toEqual([
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
      expect(parseShape(text)).toEqual([paragraph(plain(text))]);
    }
    expect(
      JSON.stringify(parseShape('[x](java\u0000script:alert(1)) [x](java\tscript:alert(1))')),
    ).not.toContain('href');
  });

  test('a bare address becomes a link without the punctuation of its sentence', () => {
    expect(parseShape('See https://example.com/a?b=c, or (http://example.org/).')).toEqual([
      paragraph(
        plain('See '),
        { kind: 'link', href: 'https://example.com/a?b=c', spans: [plain('https://example.com/a?b=c')] },
        plain(', or ('),
        { kind: 'link', href: 'http://example.org/', spans: [plain('http://example.org/')] },
        plain(').'),
      ),
    ]);
  });

  test('a lookalike domain is shown in its encoded form', () => {
    expect(toSafeUrl('https://еxample.com/')).toBe('https://xn--xample-2of.com/');
  });

  test('a picture becomes its description, whatever its address', () => {
    expect(parseShape('![the *old* harbour](https://example.com/a.png)![](javascript:x)')).toEqual([
      paragraph({ kind: 'picture', text: 'the old harbour' }, { kind: 'picture', text: '' }),
    ]);
  });

  test('a link contains no second link', () => {
    expect(parseShape('[https://a.example](https://b.example/)')).toEqual([
      paragraph({
        kind: 'link',
        href: 'https://b.example/',
        host: 'b.example',
        spans: [plain('https://a.example')],
      }),
    ]);
  });
});

describe('Hostile text', () => {
  test('HTML is shown as text', () => {
    const text = '<img src=x onerror=alert(1)><script>alert(1)</script> &lt;b&gt; <!-- a -->';
    expect(parseShape(text)).toEqual([paragraph(plain(text))]);
  });

  test('no direction control character reaches the page', () => {
    const text = 'a\u202Eb\u202C\n\n> \u2067c\n\n```\n\u202Dd\n```\n[\u2066e](https://example.com/\u202E)';
    expect(JSON.stringify(parseMarkup(text).blocks)).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/);
  });

  test('floods of invisible characters are cut, and those that scripts and emoji need are kept', () => {
    expect(toPlainText(`a${'\u200B'.repeat(9000)}b`)).toBe('a\u200Bb');
    expect(toPlainText(`a${'\u200B\u0301'.repeat(9000)}b`).length).toBeLessThan(10);
    expect(toPlainText(`a${'\u0301'.repeat(9000)}`).length).toBeLessThan(10);
    expect(toPlainText(`hidden${'\u{E0041}\u{E0042}'.repeat(100)}`)).toBe('hidden');
    expect(toPlainText('a\u0000b\u0007c\u009Bd')).toBe('abcd');
    for (const stripMarks of ['👩‍👩‍👧‍👦', '👋🏽', '🏴‍☠️', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', 'می‌خواهم', 'क्‍ष', 'ශ්‍රී', 'Tiếng Việt', 'é'])
      expect(toPlainText(stripMarks)).toBe(stripMarks);
  });

  test('quotes and lists are nested to a limited depth, and deeper marks become text', () => {
    const measureDepth = (text: string) =>
      JSON.stringify(parseMarkup(text).blocks).split('"blocks":').length - 1;
    expect(measureDepth('>'.repeat(10_000))).toBeLessThan(6);
    expect(toPlainText(`${'>'.repeat(100)} deep`)).toContain('deep');
    expect(
      measureDepth(Array.from({ length: 400 }, (_, level) => `${'  '.repeat(level)}- a`).join('\n')),
    ).toBeLessThan(2000);
    const nested = `${'*a **b '.repeat(2000)}${'c** d* '.repeat(2000)}`;
    expect(() => JSON.stringify(parseMarkup(nested))).not.toThrow();
  });

  test.each([
    ['very long', 'word '.repeat(10_000)],
    ['very intricate', '*a* '.repeat(3000)],
    ['all items', '- a\n'.repeat(5000)],
  ])('a text that is %s is shown unparsed in one piece', (_, text) => {
    expect(parseMarkup(text).blocks).toEqual([{ kind: 'plain', text }]);
  });

  test('a flood of empty lines leaves two', () => {
    expect(parseMarkup(`a${'\n'.repeat(40_000)}b`).blocks).toEqual([{ kind: 'plain', text: 'a\n\n\nb' }]);
  });

  test.each([
    '*a\n\n', 'a*\n\n', '**a *b _c ~~d\n\n', '"a\n\n', '`a\n\n', '[a\n\n', '~~a ', '~', '|', '| a | b |\n|-|-|\n',
    'a|b\n', '|-|-|\n', '\\|', '\n|', '*a "b [c *d ',
  ])('the time for a text that repeats %j is linear in its length', (piece) => {
    const measure = (length: number) => {
      const text = piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
      return Math.min(
        ...Array.from({ length: 5 }, () => {
          const before = process.cpuUsage();
          parseMarkup(text, true);
          const { user, system } = process.cpuUsage(before);
          return user + system;
        }),
      );
    };
    // Eight times the text may take at most 16 times the processor time.
    const bounds = { short: 4000, long: 32_000, limit: 16 };
    expect(measureGrowth(measure, bounds)).toBeLessThan(bounds.limit);
  }); // prettier-ignore

  test('a text of 4,000 emoji stays one span', () => {
    expect(parseShape('😀'.repeat(4000))).toEqual([paragraph(plain('😀'.repeat(4000)))]);
  });
});
