import { describe, expect, test } from 'vitest';
import {
  createRowHeights,
  buildListEntries,
  getListPosition,
  expandRange,
  MAX_UNWINDOWED_ROWS,
  type ListEntry,
} from '../../src/islands/chat/scroll/virtual-window.ts';

const keys = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `m${from + index}`);
const shape = (entries: ListEntry[]) =>
  entries.map((entry) => (entry.kind === 'row' ? entry.index : `${entry.from}…${entry.to}`));

describe('Of a conversation of 5,000 messages', () => {
  test('only those near what I read stand in the page, and the room of the others is kept', () => {
    expect(shape(buildListEntries({ from: 2500, to: 2502 }, [4999], 5000))).toEqual([
      '0…2499',
      2500,
      2501,
      2502,
      '2503…4998',
      4999,
    ]);
  });

  test('the one that I am writing in stays, wherever I read, and nothing stands twice', () => {
    const entries = buildListEntries({ from: 4990, to: 4999 }, [7, 4999, 7, -1, 5000], 5000);
    expect(shape(entries).slice(0, 4)).toEqual(['0…6', 7, '8…4989', 4990]);
    expect(entries).toHaveLength(3 + 10);
  });

  test('as many stand before and after what I see as their heights ask for', () => {
    const height = (index: number) => (index < 100 ? 50 : 200);
    expect(expandRange({ from: 100, to: 102 }, 5000, 400, height)).toEqual({ from: 92, to: 104 });
    expect(expandRange({ from: 1, to: 4998 }, 5000, 400, height)).toEqual({ from: 0, to: 4999 });
  });
});

test('A short conversation stands in the page whole', () => {
  expect(shape(buildListEntries({ from: 20, to: 29 }, [], MAX_UNWINDOWED_ROWS))).toEqual(
    Array.from({ length: MAX_UNWINDOWED_ROWS }, (_, index) => index),
  );
  expect(buildListEntries({ from: 0, to: -1 }, [], 0)).toEqual([]);
});

describe('How high messages are', () => {
  test('adds up, and a message that grows moves only those after it', () => {
    const heights = createRowHeights();
    heights.setRows(keys(4));
    for (const [index, height] of [100, 50, 25.5, 10].entries()) heights.recordHeight(index, height);
    expect([0, 1, 2, 3, 4].map(heights.getOffset)).toEqual([0, 100, 150, 175.5, 185.5]);
    heights.recordHeight(2, 125.5);
    expect([2, 3, 4].map(heights.getOffset)).toEqual([150, 275.5, 285.5]);
  });

  test('is known again when earlier messages come in above', () => {
    const heights = createRowHeights();
    heights.setRows(keys(2, 3));
    heights.recordHeight(0, 300);
    heights.recordHeight(1, 100);
    heights.setRows(keys(5));
    expect(heights.getOffset(5) - heights.getOffset(3)).toBe(400);
    // What was never measured is taken for the mean of what was.
    expect(heights.getOffset(3)).toBe(600);
  });

  test('is guessed better and better, and anew in another width', () => {
    const heights = createRowHeights();
    heights.setRows(keys(1000));
    const first = heights.height(999);
    for (let index = 0; index < 20; index += 1) heights.recordHeight(index, 40);
    expect(heights.height(999)).toBe(40);
    heights.reset();
    heights.recordHeight(0, 80);
    expect(heights.height(0)).toBe(80);
    expect(first).toBeGreaterThan(0);
  });

  test('tells which message stands at a height, the first and the last one beyond the ends', () => {
    const heights = createRowHeights();
    heights.setRows(keys(3));
    for (const [index, height] of [100, 50, 25].entries()) heights.recordHeight(index, height);
    expect([-10, 0, 99, 100, 149, 150, 9999].map(heights.findRowAt)).toEqual([0, 0, 0, 1, 1, 2, 2]);
  });
});

describe('Who listens to a long list hears where in it a message stands', () => {
  test('counted from the end while earlier ones are not loaded', () => {
    expect(getListPosition(50, 5000, { earlier: true, later: false })).toEqual({ size: 5000, first: 4951 });
  });

  test('counted from the beginning once that is reached', () => {
    expect(getListPosition(52, 50, { earlier: false, later: false })).toEqual({ size: 52, first: 1 });
    expect(getListPosition(50, 600, { earlier: false, later: true })).toEqual({ size: 600, first: 1 });
  });

  test('without a number for the whole where nobody can know it', () => {
    expect(getListPosition(50, 600, { earlier: true, later: true })).toEqual({ size: -1, first: 1 });
  });
});
