import { describe, expect, test } from 'vitest';
import {
  createRowHeights,
  buildListEntries,
  getListPosition,
  expandRange,
  MAX_UNWINDOWED_ROWS,
  type ListEntry,
} from '../../../../../src/islands/chat/scroll/virtual-window.ts';

const listKeys = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `m${from + index}`);
const summarize = (entries: ListEntry[]) =>
  entries.map((entry) => (entry.kind === 'row' ? entry.index : `${entry.from}…${entry.to}`));

describe('Long conversation', () => {
  test('only messages near the viewport are rendered, and the others keep their space', () => {
    expect(summarize(buildListEntries({ from: 2500, to: 2502 }, [4999], 5000))).toEqual([
      '0…2499',
      2500,
      2501,
      2502,
      '2503…4998',
      4999,
    ]);
  });

  test('the edited message stays rendered, and no message is rendered twice', () => {
    const entries = buildListEntries({ from: 4990, to: 4999 }, [7, 4999, 7, -1, 5000], 5000);
    expect(summarize(entries).slice(0, 4)).toEqual(['0…6', 7, '8…4989', 4990]);
    expect(entries).toHaveLength(3 + 10);
  });

  test('the range grows by as many messages as fit into the margin', () => {
    const height = (index: number) => (index < 100 ? 50 : 200);
    expect(expandRange({ from: 100, to: 102 }, 5000, 400, height)).toEqual({ from: 92, to: 104 });
    expect(expandRange({ from: 1, to: 4998 }, 5000, 400, height)).toEqual({ from: 0, to: 4999 });
  });
});

test('a short conversation is rendered whole', () => {
  expect(summarize(buildListEntries({ from: 20, to: 29 }, [], MAX_UNWINDOWED_ROWS))).toEqual(
    Array.from({ length: MAX_UNWINDOWED_ROWS }, (_, index) => index),
  );
  expect(buildListEntries({ from: 0, to: -1 }, [], 0)).toEqual([]);
});

describe('Row heights', () => {
  test('offsets add up the heights, and a growing message moves only those after it', () => {
    const heights = createRowHeights();
    heights.setRows(listKeys(4));
    for (const [index, height] of [100, 50, 25.5, 10].entries()) heights.recordHeight(index, height);
    expect([0, 1, 2, 3, 4].map(heights.getOffset)).toEqual([0, 100, 150, 175.5, 185.5]);
    heights.recordHeight(2, 125.5);
    expect([2, 3, 4].map(heights.getOffset)).toEqual([150, 275.5, 285.5]);
  });

  test('known heights are kept when earlier messages are added', () => {
    const heights = createRowHeights();
    heights.setRows(listKeys(2, 3));
    heights.recordHeight(0, 300);
    heights.recordHeight(1, 100);
    heights.setRows(listKeys(5));
    expect(heights.getOffset(5) - heights.getOffset(3)).toBe(400);
    // A message that was not measured counts with the mean height.
    expect(heights.getOffset(3)).toBe(600);
  });

  test('unknown heights use the mean of measured ones, and a reset forgets them', () => {
    const heights = createRowHeights();
    heights.setRows(listKeys(1000));
    const first = heights.height(999);
    for (let index = 0; index < 20; index += 1) heights.recordHeight(index, 40);
    expect(heights.height(999)).toBe(40);
    heights.reset();
    heights.recordHeight(0, 80);
    expect(heights.height(0)).toBe(80);
    expect(first).toBeGreaterThan(0);
  });

  test('the row at an offset is found, and the first or last one beyond the ends', () => {
    const heights = createRowHeights();
    heights.setRows(listKeys(3));
    for (const [index, height] of [100, 50, 25].entries()) heights.recordHeight(index, height);
    expect([-10, 0, 99, 100, 149, 150, 9999].map(heights.findRowAt)).toEqual([0, 0, 0, 1, 1, 2, 2]);
  });
});

describe('List position', () => {
  test('the position counts from the end while earlier messages are not loaded', () => {
    expect(getListPosition(50, 5000, { earlier: true, later: false })).toEqual({ size: 5000, first: 4951 });
  });

  test('the position counts from the beginning when that is loaded', () => {
    expect(getListPosition(52, 50, { earlier: false, later: false })).toEqual({ size: 52, first: 1 });
    expect(getListPosition(50, 600, { earlier: false, later: true })).toEqual({ size: 600, first: 1 });
  });

  test('the size is unknown when messages are missing at both ends', () => {
    expect(getListPosition(50, 600, { earlier: true, later: true })).toEqual({ size: -1, first: 1 });
  });
});
