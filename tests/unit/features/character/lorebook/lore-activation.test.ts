import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  findActiveEntries,
  trimLoreToBudget,
  indexLore,
} from '../../../../../src/features/character/lorebook/lore-activation.ts';
import {
  MAX_LORE_ENTRIES,
  MAX_LORE_KEYS,
  readLorebook,
} from '../../../../../src/features/character/lorebook/lorebook.ts';
import { estimateTokens } from '../../../../../src/features/model/estimate-tokens.ts';
import { LoreKeys } from '../../../../../src/features/character/lorebook/lorebook-keys.ts';
import { book, listActiveTexts } from '../../../../support/lorebooks.ts';

const HARBOUR = { keys: ['harbour', 'old quay'], content: 'The harbour froze in the year of the owl.' };

describe('Active lorebook entries', () => {
  test('an entry is active when one of its keys appears in the messages', () => {
    const lorebook = book([HARBOUR]);
    expect(listActiveTexts(lorebook, ['We sail at dawn.'])).toEqual([]);
    expect(listActiveTexts(lorebook, ['Meet me at the Harbour!'])).toEqual([HARBOUR.content]);
    expect(listActiveTexts(lorebook, ['Down by the old\n  quay, then.'])).toEqual([HARBOUR.content]);
    expect(listActiveTexts(lorebook, ['The old house by the quay.'])).toEqual([]);
  });

  test.each([
    ['a key inside another word is not found', 'cat', 'The category is closed.', false],
    ['accents and width of a key make no difference', 'Café Zoë', 'At the ＣＡＦＥ zoe.', true],
    ['a Japanese key is found within a sentence', '灯台', 'あの灯台へ行こう。', true],
    ['a Chinese key of one character is found', '龙', '那条巨龙醒了。', true],
    ['a different Chinese character is not found', '龙', '那条巨蛇醒了。', false],
    ['a Korean key is found with an ending', '등대', '등대에서 기다릴게.', true],
    ['a Thai key is found within a sentence', 'ประภาคาร', 'เจอกันที่ประภาคารเก่า', true],
    ['a Russian key is found in any case', 'маяк', 'Старый Маяк погас.', true],
    ['an emoji key is found', '🐉', 'Look 🐉!', true],
    ['a key of punctuation is never found', '!!!', 'What!!!', false],
    ['a key with the placeholder of the character is found', "{{char}}'s lamp", 'I took Mira’s lamp.', true],
  ])('a lorebook key is found as in its language: %s', (_, key, message, found) => {
    expect(listActiveTexts(book([{ keys: [key], content: 'Lore.' }]), [message])).toEqual(
      found ? ['Lore.'] : [],
    );
  });

  test('a case-sensitive key matches only its exact letters', () => {
    const lorebook = book([{ keys: ['Rose of the North'], content: 'A ship.', case_sensitive: true }]);
    expect(listActiveTexts(lorebook, ['A rose of the north, he said.'])).toEqual([]);
    expect(listActiveTexts(lorebook, ['a rose of the north, the Rose of\nthe North'])).toEqual(['A ship.']);
  });

  test('keys are searched only in as many of the newest messages as the book or the entry says', () => {
    const story = ['One.', 'Two.', 'The harbour.', 'Four.'];
    expect(listActiveTexts(book([HARBOUR], { scan_depth: 2 }), story)).toEqual([]);
    expect(listActiveTexts(book([HARBOUR], { scan_depth: 3 }), story)).toEqual([HARBOUR.content]);
    expect(
      listActiveTexts(book([{ ...HARBOUR, content: '@@scan_depth 3\nFar.' }], { scan_depth: 1 }), story),
    ).toEqual(['Far.']);
    expect(listActiveTexts(book([HARBOUR], { scan_depth: 0 }), story)).toEqual([]);
  });

  test('an entry can require a second key or be excluded by one', () => {
    const both = { ...HARBOUR, selective: true, secondary_keys: ['ice', 'frost'] };
    expect(listActiveTexts(book([both]), ['The harbour.'])).toEqual([]);
    expect(listActiveTexts(book([both]), ['The harbour.', 'What frost!'])).toEqual([HARBOUR.content]);
    expect(listActiveTexts(book([{ ...both, selective: false }]), ['The harbour.'])).toEqual([
      HARBOUR.content,
    ]);
    const decorated = (line: string) => book([{ keys: ['harbour'], content: `${line}\nIt froze.` }]);
    expect(listActiveTexts(decorated('@@additional_keys ice,frost'), ['The harbour.'])).toEqual([]);
    expect(listActiveTexts(decorated('@@additional_keys ice,frost'), ['The harbour. Ice.'])).toEqual([
      'It froze.',
    ]);
    expect(listActiveTexts(decorated('@@exclude_keys summer'), ['The harbour in summer.'])).toEqual([]);
    expect(listActiveTexts(decorated('@@exclude_keys summer'), ['The harbour.'])).toEqual(['It froze.']);
  });

  test('a constant entry is always active, and a disabled one never', () => {
    expect(listActiveTexts(book([{ keys: [], content: 'Always.', constant: true }]), [])).toEqual([
      'Always.',
    ]);
    expect(listActiveTexts(book([{ keys: [], content: '@@activate\nAlways.' }]), [])).toEqual(['Always.']);
    expect(listActiveTexts(book([{ ...HARBOUR, enabled: false }]), ['harbour'])).toEqual([]);
    expect(listActiveTexts(book([{ ...HARBOUR, content: '@@dont_activate\nA note.' }]), ['harbour'])).toEqual(
      [],
    );
  });

  test('an active entry activates others only if the book allows it and only a few times', () => {
    const chain = Array.from({ length: 10 }, (_, index) => ({
      keys: [`step${index}`],
      content: `Then step${index + 1}.`,
      insertion_order: index,
    }));
    expect(listActiveTexts(book(chain), ['step0'])).toEqual(['Then step1.']);
    expect(listActiveTexts(book(chain, { recursive_scanning: true }), ['step0'])).toEqual([
      'Then step1.',
      'Then step2.',
      'Then step3.',
      'Then step4.',
      'Then step5.',
    ]);
  });

  test('entries are placed before or after the character in their order, without foreign decorators', () => {
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
      { fill: (text) => text, fillScanned: (text) => text },
    );
    const story = [{ id: 'm1', text: 'x' }];
    const { before, after } = trimLoreToBudget(findActiveEntries(index, story), 1000, estimateTokens);
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

  test('entries are left out by priority when the budget is too small', () => {
    const long = (name: string) => `${name} ${'word '.repeat(40)}`.trim();
    const lorebook = book([
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
    const names = (budget: number) =>
      listActiveTexts(lorebook, ['x'], budget).map((text) => text.split(' word')[0]);
    const one = estimateTokens(long('kept'));
    expect(names(10 * one)).toEqual(['last', 'also', 'kept', 'first out']);
    expect(names(3 * one + 2)).toEqual(['last', 'also', 'kept']);
    expect(names(2 * one + 2)).toEqual(['also', 'kept']);
    expect(names(one)).toEqual(['kept']);
    expect(names(0)).toEqual([]);
  });
});

describe('Arbitrary lorebooks', () => {
  test('any JSON is read as a lorebook without an error', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(fc.string(), { maxLength: 6 }), (value, story) => {
        expect(Array.isArray(listActiveTexts(value, story))).toBe(true);
        expect(Array.isArray(listActiveTexts({ entries: value }, story))).toBe(true);
        expect(
          Array.isArray(listActiveTexts({ entries: [value, { keys: value, content: 'x' }] }, story)),
        ).toBe(true);
      }),
    );
  });

  test('active texts fit into the budget and come from the book', () => {
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
        (fields, story, budget, recursive) => {
          const lorebook = book(fields, { recursive_scanning: recursive });
          const texts = listActiveTexts(lorebook, story, budget);
          expect(texts.reduce((sum, text) => sum + estimateTokens(text), 0)).toBeLessThanOrEqual(budget);
          const written = fields.map(({ content }) => content.trim());
          for (const text of texts) expect(written.filter((one) => one === text).length).toBeGreaterThan(0);
          expect(texts.length).toBeLessThanOrEqual(fields.length);
        },
      ),
    );
  });

  test('keys of the same words with other signs around them share the steps of a search', () => {
    const keys = new LoreKeys();
    for (let words = 1; words <= 16; words += 1)
      for (let signs = 0; signs < 25; signs += 1)
        for (const caseSensitive of [true, false]) {
          const [lead, trail] = ['('.repeat(signs % 5), ')'.repeat(Math.floor(signs / 5))];
          keys.add(`${lead}${'a '.repeat(words).trim()}${trail}`, { caseSensitive, wholeWords: true });
        }
    expect(keys.count).toBe(800);
    const budget = { steps: 100_000 };
    let found = 0;
    keys.find('a '.repeat(2000), budget, () => (found += 1));
    expect(found).toBeGreaterThan(100);
    expect(found).toBeLessThanOrEqual(10_000);
    expect(budget.steps).toBeLessThan(0);
  });

  test('the time for matching grows no faster than the number of keys, whatever the keys', () => {
    /** Returns how long matching takes with this number of keys, in milliseconds. */
    const time = (
      createKey: (index: number) => string,
      story: string,
      count: number,
      match_whole_words?: boolean,
    ): number => {
      const entries = Array.from({ length: count / 4 }, (_, index) => ({
        keys: [0, 1, 2, 3].map((key) => createKey(index * 4 + key)),
        content: `${story.slice(0, 200)} ${index}`,
        case_sensitive: index % 2 === 0,
        extensions: { match_whole_words },
      }));
      const lorebook = book(entries, { recursive_scanning: true, scan_depth: 50 });
      const before = performance.now();
      listActiveTexts(
        lorebook,
        Array.from({ length: 50 }, () => story),
      );
      return performance.now() - before;
    };
    const kinds: [(index: number) => string, string][] = [
      // All keys share a beginning that fills the messages.
      [(index) => `${'a '.repeat(20)}b${index}`, 'a '.repeat(10_000)],
      [(index) => `${'火'.repeat(12)}${String.fromCodePoint(0x4e00 + index)}`, '火'.repeat(20_000)],
      // One word in every combination of cases.
      [
        (index) => [...'abcdefghijklmno'].map((c, at) => ((index >> at) & 1 ? c.toUpperCase() : c)).join(''),
        'abcdefghijklmno '.repeat(1000),
      ],
      [(index) => `word${index}`, Array.from({ length: 3000 }, (_, index) => `word${index}`).join(' ')],
    ];
    kinds.push([(index) => `word+${'+'.repeat(index % 10)}${'-'.repeat(index % 7)}`, 'word+-'.repeat(3000)]);
    for (const [createKey, story] of kinds) {
      for (const whole of [true, false]) {
        time(createKey, story, 400, whole);
        const few = Math.max(time(createKey, story, 1000, whole), 20);
        // Eight times as many keys must take far less than 64 times as long on any machine.
        expect(time(createKey, story, 8000, whole)).toBeLessThan(few * 30);
      }
    }
  }, 60_000);

  test('entries and keys above the limits are ignored', () => {
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
