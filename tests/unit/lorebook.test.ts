import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  findActiveEntries,
  trimLoreToBudget,
  indexLore,
} from '../../src/features/character/lorebook/lore-activation.ts';
import {
  MAX_LORE_ENTRIES,
  MAX_LORE_KEYS,
  readLorebook,
} from '../../src/features/character/lorebook/lorebook.ts';
import { estimateTokens } from '../../src/features/model/estimate-tokens.ts';

interface Given {
  content?: string;
  keys?: unknown;
  [field: string]: unknown;
}

const entry = (fields: Given): Given => ({ enabled: true, extensions: {}, insertion_order: 0, ...fields });
const book = (entries: Given[], fields: object = {}) => ({
  extensions: {},
  entries: entries.map(entry),
  ...fields,
});

/** What a book tells where its story says this; newest first. */
function told(given: unknown, story: string[], budget = 10_000): string[] {
  const index = indexLore(readLorebook(given), (text) => text.replaceAll('{{char}}', 'Mira'));
  const { before, after } = trimLoreToBudget(findActiveEntries(index, story), budget, estimateTokens);
  return [...before, ...after].map(({ text }) => text);
}

const HARBOUR = { keys: ['harbour', 'old quay'], content: 'The harbour froze in the year of the owl.' };

describe('What a lorebook knows', () => {
  test('is told when the story comes to it, and not before', () => {
    const world = book([HARBOUR]);
    expect(told(world, ['We sail at dawn.'])).toEqual([]);
    expect(told(world, ['Meet me at the Harbour!'])).toEqual([HARBOUR.content]);
    expect(told(world, ['Down by the old\n  quay, then.'])).toEqual([HARBOUR.content]);
    expect(told(world, ['The old house by the quay.'])).toEqual([]);
  });

  test.each([
    ['a word within another is not found', 'cat', 'The category is closed.', false],
    ['accents and width make no difference', 'Café Zoë', 'At the ＣＡＦＥ zoe.', true],
    ['Japanese is found within a sentence', '灯台', 'あの灯台へ行こう。', true],
    ['one Chinese character too', '龙', '那条巨龙醒了。', true],
    ['but not another', '龙', '那条巨蛇醒了。', false],
    ['Korean with its endings', '등대', '등대에서 기다릴게.', true],
    ['Thai', 'ประภาคาร', 'เจอกันที่ประภาคารเก่า', true],
    ['Russian', 'маяк', 'Старый Маяк погас.', true],
    ['a picture', '🐉', 'Look 🐉!', true],
    ['nothing but signs is never found', '!!!', 'What!!!', false],
    ['the name that stands for the character', "{{char}}'s lamp", 'I took Mira’s lamp.', true],
  ])('%s', (_, key, said, found) => {
    expect(told(book([{ keys: [key], content: 'Lore.' }]), [said])).toEqual(found ? ['Lore.'] : []);
  });

  test('is told by its exact letters, where the book wants that', () => {
    const world = book([{ keys: ['Rose of the North'], content: 'A ship.', case_sensitive: true }]);
    expect(told(world, ['A rose of the north, he said.'])).toEqual([]);
    expect(told(world, ['a rose of the north, the Rose of\nthe North'])).toEqual(['A ship.']);
  });

  test('is looked for in the newest messages alone, as many as book or entry say', () => {
    const story = ['One.', 'Two.', 'The harbour.', 'Four.'];
    expect(told(book([HARBOUR], { scan_depth: 2 }), story)).toEqual([]);
    expect(told(book([HARBOUR], { scan_depth: 3 }), story)).toEqual([HARBOUR.content]);
    expect(told(book([{ ...HARBOUR, content: '@@scan_depth 3\nFar.' }], { scan_depth: 1 }), story)).toEqual([
      'Far.',
    ]);
    expect(told(book([HARBOUR], { scan_depth: 0 }), story)).toEqual([]);
  });

  test('can need a second word, and can be kept back by one', () => {
    const both = { ...HARBOUR, selective: true, secondary_keys: ['ice', 'frost'] };
    expect(told(book([both]), ['The harbour.'])).toEqual([]);
    expect(told(book([both]), ['The harbour.', 'What frost!'])).toEqual([HARBOUR.content]);
    expect(told(book([{ ...both, selective: false }]), ['The harbour.'])).toEqual([HARBOUR.content]);
    const decorated = (line: string) => book([{ keys: ['harbour'], content: `${line}\nIt froze.` }]);
    expect(told(decorated('@@additional_keys ice,frost'), ['The harbour.'])).toEqual([]);
    expect(told(decorated('@@additional_keys ice,frost'), ['The harbour. Ice.'])).toEqual(['It froze.']);
    expect(told(decorated('@@exclude_keys summer'), ['The harbour in summer.'])).toEqual([]);
    expect(told(decorated('@@exclude_keys summer'), ['The harbour.'])).toEqual(['It froze.']);
  });

  test('is always told where it says so, and never where it is switched off', () => {
    expect(told(book([{ keys: [], content: 'Always.', constant: true }]), [])).toEqual(['Always.']);
    expect(told(book([{ keys: [], content: '@@activate\nAlways.' }]), [])).toEqual(['Always.']);
    expect(told(book([{ ...HARBOUR, enabled: false }]), ['harbour'])).toEqual([]);
    expect(told(book([{ ...HARBOUR, content: '@@dont_activate\nA note.' }]), ['harbour'])).toEqual([]);
  });

  test('leads on to more where the book allows that, and only a few times', () => {
    const chain = Array.from({ length: 10 }, (_, index) => ({
      keys: [`step${index}`],
      content: `Then step${index + 1}.`,
      insertion_order: index,
    }));
    expect(told(book(chain), ['step0'])).toEqual(['Then step1.']);
    expect(told(book(chain, { recursive_scanning: true }), ['step0'])).toEqual([
      'Then step1.',
      'Then step2.',
      'Then step3.',
      'Then step4.',
      'Then step5.',
    ]);
  });

  test('comes before the character or after, in its order, and decorators of others are kept out of it', () => {
    const index = indexLore(
      readLorebook(
        book([
          { keys: ['x'], content: '@@depth 4\n@@role assistant\nSecond.', insertion_order: 20, name: 'B' },
          { keys: ['x'], content: 'First.', insertion_order: 10, comment: 'A' },
          { keys: ['x'], content: 'Above.', insertion_order: 99, position: 'before_char' },
          { keys: ['x'], content: '@@unknown 3\n@@@position before_desc\nHigher.', insertion_order: 1 },
          {
            keys: ['x'],
            content: '@@position personality\n@@@position before_desc\nThird.',
            insertion_order: 30,
          },
        ]),
      ),
      (text) => text,
    );
    const { before, after } = trimLoreToBudget(findActiveEntries(index, ['x']), 1000, estimateTokens);
    expect(before).toEqual([
      { name: 'x', text: 'Higher.' },
      { name: 'x', text: 'Above.' },
    ]);
    expect(after).toEqual([
      { name: 'A', text: 'First.' },
      { name: 'B', text: 'Second.' },
      { name: 'x', text: 'Third.' },
    ]);
  });

  test('gives way by its priority where there is no room for all', () => {
    const long = (name: string) => `${name} ${'word '.repeat(40)}`.trim();
    const world = book([
      { keys: ['x'], content: long('last'), priority: 1, insertion_order: 1 },
      { keys: ['x'], content: long('kept'), priority: 5, insertion_order: 3 },
      { keys: [], constant: true, content: long('also'), priority: 1, insertion_order: 2 },
      {
        keys: ['x'],
        content: `@@ignore_on_max_context\n${long('first out')}`,
        priority: 9,
        insertion_order: 4,
      },
    ]);
    const names = (budget: number) => told(world, ['x'], budget).map((text) => text.split(' word')[0]);
    const one = estimateTokens(long('kept'));
    expect(names(10 * one)).toEqual(['last', 'also', 'kept', 'first out']);
    expect(names(3 * one + 2)).toEqual(['last', 'also', 'kept']);
    expect(names(2 * one + 2)).toEqual(['also', 'kept']);
    expect(names(one)).toEqual(['kept']);
    expect(names(0)).toEqual([]);
  });
});

describe('A pattern of a stranger', () => {
  test.each([
    ['/harbour/i', 'The harbour.', true],
    ['\\b(cat|old dog)\\b', 'An old dog.', true],
    ['(?:cat|dog)', 'A dog.', true],
    ['(a+)+$', `${'a'.repeat(40)}!`, false],
    ['har.*', 'The harbour.', false],
    ['/[a-z]+/', 'anything', false],
    ['', 'anything', false],
  ])('is never run: %s is found only as the words that it is', (pattern, said, found) => {
    const world = book([{ keys: [pattern], content: 'Lore.', use_regex: true }]);
    expect(told(world, [said])).toEqual(found ? ['Lore.'] : []);
  });
});

describe('Whatever a lorebook holds', () => {
  test('what is no lorebook tells nothing, and nothing fails', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(fc.string(), { maxLength: 6 }), (given, story) => {
        expect(Array.isArray(told(given, story))).toBe(true);
        expect(Array.isArray(told({ entries: given }, story))).toBe(true);
        expect(Array.isArray(told({ entries: [given, { keys: given, content: 'x' }] }, story))).toBe(true);
      }),
    );
  });

  test('what is told fits, is told once and is found again in the book', () => {
    const word = fc.constantFrom('a', 'b', 'a b', 'b a', 'c', '火', '火山', '山火');
    const entries = fc.array(
      fc.record({
        keys: fc.array(word, { maxLength: 4 }),
        content: fc.string({ minLength: 1 }).filter((text) => !text.trimStart().startsWith('@@')),
        priority: fc.integer({ min: -5, max: 5 }),
        insertion_order: fc.integer({ min: -5, max: 5 }),
        constant: fc.boolean(),
        position: fc.constantFrom('before_char', 'after_char'),
        case_sensitive: fc.boolean(),
      }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(
        entries,
        fc.array(word, { maxLength: 5 }),
        fc.integer({ min: 0, max: 200 }),
        fc.boolean(),
        (given, story, budget, recursive) => {
          const world = book(given, { recursive_scanning: recursive });
          const texts = told(world, story, budget);
          expect(texts.reduce((sum, text) => sum + estimateTokens(text), 0)).toBeLessThanOrEqual(budget);
          const written = given.map(({ content }) => content.trim());
          for (const text of texts) expect(written.filter((one) => one === text).length).toBeGreaterThan(0);
          expect(texts.length).toBeLessThanOrEqual(given.length);
        },
      ),
    );
  });

  test('the time it takes grows with its size, not faster: keys made to be tried at every place cost no more', () => {
    /** How long a book of so many keys of this kind takes over the same story, in milliseconds. */
    const time = (keyOf: (index: number) => string, story: string, count: number): number => {
      const entries = Array.from({ length: count / 4 }, (_, index) => ({
        keys: [0, 1, 2, 3].map((key) => keyOf(index * 4 + key)),
        content: `${story.slice(0, 200)} ${index}`,
        case_sensitive: index % 2 === 0,
      }));
      const world = book(entries, { recursive_scanning: true, scan_depth: 50 });
      const before = performance.now();
      told(
        world,
        Array.from({ length: 50 }, () => story),
      );
      return performance.now() - before;
    };
    const kinds: [(index: number) => string, string][] = [
      // Every key begins alike, and the story is full of that beginning.
      [(index) => `${'a '.repeat(20)}b${index}`, 'a '.repeat(10_000)],
      [(index) => `${'火'.repeat(12)}${String.fromCodePoint(0x4e00 + index)}`, '火'.repeat(20_000)],
      // One key in every way to write it.
      [
        (index) => [...'abcdefghijklmno'].map((c, at) => ((index >> at) & 1 ? c.toUpperCase() : c)).join(''),
        'abcdefghijklmno '.repeat(1000),
      ],
      [(index) => `word${index}`, Array.from({ length: 3000 }, (_, index) => `word${index}`).join(' ')],
    ];
    for (const [keyOf, story] of kinds) {
      time(keyOf, story, 400);
      const few = Math.max(time(keyOf, story, 1000), 20);
      // Eight times the keys: far below sixty-four times the time, on whatever machine.
      expect(time(keyOf, story, 8000)).toBeLessThan(few * 30);
    }
  }, 60_000);

  test('it has an end: more entries and keys than anybody writes are passed over', () => {
    const many = Array.from({ length: MAX_LORE_ENTRIES + 10 }, () => ({ keys: ['x'], content: 'Lore.' }));
    expect(readLorebook(book(many)).entries).toHaveLength(MAX_LORE_ENTRIES);
    const greedy = {
      keys: Array.from({ length: MAX_LORE_KEYS + 1 }, (_, index) => `k${index}`),
      content: 'All.',
    };
    expect(readLorebook(book([greedy, HARBOUR])).entries.map(({ content }) => content)).toEqual([
      HARBOUR.content,
    ]);
  });
});
