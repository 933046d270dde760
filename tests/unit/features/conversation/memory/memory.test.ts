import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  parseNotes,
  isShorter,
  type MemoryEntry,
  findNextMerge,
  findNextRun,
  buildNotesPrompt,
  parseMemoryChange,
  type RunMessage,
} from '../../../../../src/features/conversation/memory/memory.ts';
import { MAX_MEMORY_SHARE } from '../../../../../src/features/conversation/prompt/fit-history.ts';
import { estimateTokens } from '../../../../../src/features/model/estimate-tokens.ts';

const createMessage = (
  index: number,
  content = `#${index} said something about the rain`,
  covered = false,
): RunMessage => ({
  id: `m${index}`,
  versionId: `v${index}`,
  role: index % 2 ? 'user' : 'character',
  name: null,
  content,
  position: index,
  covered,
});

describe('Message runs to summarize', () => {
  test('summarizing never repeats a message, keeps its limits and leaves fewer than four messages over', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ words: fc.integer({ min: 1, max: 500 }), covered: fc.boolean() }), {
          maxLength: 80,
        }),
        fc.integer({ min: 1024, max: 20_000 }),
        (rough, contextTokens) => {
          const outside = rough.map(({ words, covered }, index) =>
            createMessage(index, 'so it went '.repeat(words), covered),
          );
          const seen = new Set(outside.filter(({ covered }) => covered).map(({ id }) => id));
          for (;;) {
            const run = findNextRun(outside, contextTokens);
            if (run === null) break;
            expect(run.length).toBeGreaterThan(0);
            const tokens = run.reduce((sum, { content }) => sum + estimateTokens(content), 0);
            expect(tokens).toBeLessThanOrEqual(Math.min(3000, contextTokens * 0.4) + 20);
            const positions = run.map(({ position }) => position);
            expect(positions).toEqual(positions.map((_, index) => (positions[0] ?? 0) + index));
            for (const message of run) {
              expect(seen.has(message.id)).toBe(false);
              seen.add(message.id);
              const original = outside.find(({ id }) => id === message.id);
              if (original !== undefined) original.covered = true;
            }
          }
          expect(outside.filter(({ covered }) => !covered).length).toBeLessThan(4);
        },
      ),
    );
  });

  test('summarizing waits for four messages, but fills a gap between summarized ones', () => {
    expect(findNextRun([createMessage(1), createMessage(2), createMessage(3)], 16_000)).toBeNull();
    expect(
      findNextRun([createMessage(1), createMessage(2), createMessage(3), createMessage(4)], 16_000),
    ).toHaveLength(4);
    const gap = [
      createMessage(1, 'a', true),
      createMessage(2),
      createMessage(3, 'b', true),
      createMessage(4),
    ];
    expect(findNextRun(gap, 16_000)?.map(({ id }) => id)).toEqual(['m2']);
  });

  test('the prompt for notes has the names filled in and lists the earlier notes', () => {
    const [system, user] = buildNotesPrompt(
      [createMessage(1, '{{user}} gives {{char}} the key.'), createMessage(2, 'Thank you.')],
      ['Mira lost a key.'],
      { user: 'Anouk', char: 'Mira' },
    );
    expect(user?.content).toContain('Anouk: Anouk gives Mira the key.\n\nMira: Thank you.');
    expect(system?.content).toContain('- Mira lost a key.');
  });
});

describe('Memory merging', () => {
  const entry = (index: number, author: MemoryEntry['author'], words = 60): MemoryEntry => ({
    id: `e${index}`,
    text: 'she kept the promise '.repeat(words),
    author,
    stale: false,
    position: index,
    createdAt: 0,
    updatedAt: 0,
  });

  test("only the model's oldest notes are merged, never the user's", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ own: fc.boolean(), words: fc.integer({ min: 1, max: 100 }) }), {
          maxLength: 60,
        }),
        fc.integer({ min: 1024, max: 30_000 }),
        (rough, contextTokens) => {
          const live = rough.map(({ own, words }, index) => entry(index, own ? 'person' : 'model', words));
          const parts = findNextMerge(live, contextTokens, MAX_MEMORY_SHARE);
          const cost = live.reduce((sum, { text }) => sum + estimateTokens(text), 0);
          if (cost <= contextTokens * MAX_MEMORY_SHARE) expect(parts).toBeNull();
          const models = live.filter(({ author }) => author === 'model');
          if (parts === null) return;
          expect(parts.length).toBeGreaterThanOrEqual(2);
          expect(parts).toEqual(models.slice(0, parts.length));
        },
      ),
    );
  });

  test('a merged note replaces its parts only if it is shorter', () => {
    const parts = [entry(1, 'model'), entry(2, 'model')];
    expect(isShorter('She kept it.', parts)).toBe(true);
    expect(isShorter(parts.map(({ text }) => text).join(' '), parts)).toBe(false);
    expect(isShorter('', parts)).toBe(false);
  });
});

describe('Model notes', () => {
  test.each([
    ['Anouk found the key. Mira saw it.', 'Anouk found the key. Mira saw it.'],
    ['- Anouk found the key.\n- Mira saw it.', 'Anouk found the key. Mira saw it.'],
    ['**Notes:**\n1. Anouk found the key.\n2. Mira saw it.', 'Anouk found the key. Mira saw it.'],
    ['-', ''],
    ['—', ''],
    ['', null],
  ])("parsing a model's notes removes everything but the notes: %j", (answer, expected) => {
    expect(parseNotes(answer, false)).toBe(expected);
  });

  test('truncated notes end with a whole sentence in every script', () => {
    expect(parseNotes('Anouk found the key. Mira saw', true)).toBe('Anouk found the key.');
    expect(parseNotes('鍵は見つかった。ミラは', true)).toBe('鍵は見つかった。');
    expect(parseNotes('A long night. '.repeat(500), false)?.length).toBeLessThanOrEqual(1200);
  });
});

describe('Memory changes', () => {
  const before = 'Anouk is a smuggler.\nMira lost a key.';
  const entries = [
    { id: 'a', text: 'Anouk is a smuggler.' },
    { id: 'b', text: 'Mira lost a key.' },
  ];

  test('a memory change counts as a change of the summary or of the list, whichever differs', () => {
    expect(parseMemoryChange({ summary: 'Other.' }, before)).toEqual({ kind: 'summary', text: 'Other.' });
    expect(parseMemoryChange({ summary: before }, before)).toEqual({ kind: 'nothing' });
    expect(parseMemoryChange({ summary: ' ' }, before)).toMatchObject({ kind: 'entries', entries: [] });
    expect(parseMemoryChange({ summary: 'Other.', entries }, before)).toEqual({
      kind: 'summary',
      text: 'Other.',
    });
    const changed = [{ id: 'a', text: 'Anouk is a sailor.' }];
    expect(parseMemoryChange({ summary: before, entries: changed }, before)).toMatchObject({
      kind: 'entries',
      entries: changed,
    });
    expect(parseMemoryChange({ summary: 'Anouk is a sailor.', entries: changed }, before)).toMatchObject({
      kind: 'entries',
    });
  });
});
