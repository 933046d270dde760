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
} from '../../src/features/conversation/memory/memory.ts';
import { MAX_MEMORY_SHARE } from '../../src/features/conversation/prompt/build-prompt.ts';
import { estimateTokens } from '../../src/features/model/estimate-tokens.ts';

const line = (
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

describe('What is summarised next', () => {
  test('is never the same twice, never leaves its bounds, and in the end leaves nothing over but a few lines', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ words: fc.integer({ min: 1, max: 500 }), covered: fc.boolean() }), {
          maxLength: 80,
        }),
        fc.integer({ min: 1024, max: 20_000 }),
        (rough, contextTokens) => {
          const outside = rough.map(({ words, covered }, index) =>
            line(index, 'so it went '.repeat(words), covered),
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

  test('waits until there are a few lines, but closes a gap between what is remembered', () => {
    expect(findNextRun([line(1), line(2), line(3)], 16_000)).toBeNull();
    expect(findNextRun([line(1), line(2), line(3), line(4)], 16_000)).toHaveLength(4);
    const gap = [line(1, 'a', true), line(2), line(3, 'b', true), line(4)];
    expect(findNextRun(gap, 16_000)?.map(({ id }) => id)).toEqual(['m2']);
  });

  test('is told to the model with names, and with what it has noted already', () => {
    const [system, user] = buildNotesPrompt(
      [line(1, '{{user}} gives {{char}} the key.'), line(2, 'Thank you.')],
      ['Mira lost a key.'],
      { user: 'Anouk', char: 'Mira' },
    );
    expect(user?.content).toContain('Anouk: Anouk gives Mira the key.\n\nMira: Thank you.');
    expect(system?.content).toContain('- Mira lost a key.');
  });
});

describe('Memory that has outgrown its share', () => {
  const entry = (index: number, author: MemoryEntry['author'], words = 60): MemoryEntry => ({
    id: `e${index}`,
    text: 'she kept the promise '.repeat(words),
    author,
    stale: false,
    position: index,
    createdAt: 0,
    updatedAt: 0,
  });

  test('gives the oldest of the model’s entries to be merged, and none of mine', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ own: fc.boolean(), words: fc.integer({ min: 1, max: 100 }) }), {
          maxLength: 60,
        }),
        fc.integer({ min: 1024, max: 30_000 }),
        (rough, contextTokens) => {
          const live = rough.map(({ own, words }, index) => entry(index, own ? 'person' : 'model', words));
          const parts = findNextMerge(live, contextTokens);
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

  test('is replaced only by something shorter', () => {
    const parts = [entry(1, 'model'), entry(2, 'model')];
    expect(isShorter('She kept it.', parts)).toBe(true);
    expect(isShorter(parts.map(({ text }) => text).join(' '), parts)).toBe(false);
    expect(isShorter('', parts)).toBe(false);
  });
});

describe('A model’s notes', () => {
  test.each([
    ['Anouk found the key. Mira saw it.', 'Anouk found the key. Mira saw it.'],
    ['- Anouk found the key.\n- Mira saw it.', 'Anouk found the key. Mira saw it.'],
    ['**Notes:**\n1. Anouk found the key.\n2. Mira saw it.', 'Anouk found the key. Mira saw it.'],
    ['<think>what matters?</think>Summary: Anouk found the key.', 'Anouk found the key.'],
    ['-', ''],
    ['—', ''],
    ['', null],
    ['<think>endless', null],
  ])('are kept without what nobody asked for: %j', (answer, kept) => {
    expect(parseNotes(answer, false)).toBe(kept);
  });

  test('end with a whole sentence when they were cut, in every script', () => {
    expect(parseNotes('Anouk found the key. Mira saw', true)).toBe('Anouk found the key.');
    expect(parseNotes('鍵は見つかった。ミラは', true)).toBe('鍵は見つかった。');
    expect(parseNotes('A long night. '.repeat(500), false)?.length).toBeLessThanOrEqual(1200);
  });
});

describe('My change of memory', () => {
  const was = 'Anouk is a smuggler.\nMira lost a key.';
  const entries = [
    { id: 'a', text: 'Anouk is a smuggler.' },
    { id: 'b', text: 'Mira lost a key.' },
  ];

  test('counts where I made it: in the text or in the list', () => {
    expect(parseMemoryChange({ summary: 'Other.' }, was)).toEqual({ kind: 'summary', text: 'Other.' });
    expect(parseMemoryChange({ summary: was }, was)).toEqual({ kind: 'nothing' });
    expect(parseMemoryChange({ summary: ' ' }, was)).toMatchObject({ kind: 'entries', entries: [] });
    expect(parseMemoryChange({ summary: 'Other.', entries }, was)).toEqual({
      kind: 'summary',
      text: 'Other.',
    });
    const changed = [{ id: 'a', text: 'Anouk is a sailor.' }];
    expect(parseMemoryChange({ summary: was, entries: changed }, was)).toMatchObject({
      kind: 'entries',
      entries: changed,
    });
    expect(parseMemoryChange({ summary: 'Anouk is a sailor.', entries: changed }, was)).toMatchObject({
      kind: 'entries',
    });
  });
});
