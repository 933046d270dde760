/** Lists of at most this length are rendered completely: a window would save nothing. */
export const MAX_UNWINDOWED_ROWS = 30;
/** Pixels. The height of a row before any was measured. */
const ESTIMATED_ROW_PX = 160;
/** After this many measured rows their mean becomes the estimate, until more rows are added. */
const MIN_MEASURED_ROWS = 20;

/** A range of row indexes, both ends included. */
export interface RowRange {
  from: number;
  to: number;
}

/** An entry of the rendered list: a row, or a gap in place of rows. */
export type ListEntry = { kind: 'row'; index: number } | ({ kind: 'gap' } & RowRange);

/** Row heights in pixels, measured or estimated. */
export interface RowHeights {
  /** Sets the current rows. Known heights are kept. */
  setRows(keys: readonly string[]): void;
  recordHeight(index: number, height: number): void;
  /** Forgets all heights, after a change of width. */
  reset(): void;
  height(index: number): number;
  /** The height of all rows before this one; for the number of rows, of all rows. */
  getOffset(index: number): number;
  /** The row at a vertical offset; the first or last row for offsets outside the list. */
  findRowAt(y: number): number;
}

/** Creates the heights of a list to which rows are added and removed at both ends. */
export function createRowHeights(): RowHeights {
  const known = new Map<string, number>();
  let rows: readonly string[] = [];
  let estimate = ESTIMATED_ROW_PX;
  let estimateSamples = 0;
  let sum = 0;
  // `sums[i]` is the height of the rows before `i`; valid up to `summedRows`.
  let sums = new Float64Array(1);
  let summedRows = 0;

  const updateEstimate = () => {
    if (known.size === 0) return;
    estimate = sum / known.size;
    estimateSamples = known.size;
    summedRows = 0;
  };
  const getOffset = (index: number) => {
    for (; summedRows < index; summedRows += 1)
      sums[summedRows + 1] = (sums[summedRows] ?? 0) + height(summedRows);
    return sums[index] ?? 0;
  };
  const height = (index: number) => known.get(rows[index] ?? '') ?? estimate;

  return {
    height,
    getOffset,
    setRows(keys) {
      if (keys === rows) return;
      rows = keys;
      sums = new Float64Array(keys.length + 1);
      summedRows = 0;
      updateEstimate();
    },
    recordHeight(index, now) {
      const key = rows[index];
      const was = key === undefined ? undefined : known.get(key);
      if (key === undefined || was === now) return;
      known.set(key, now);
      sum += now - (was ?? 0);
      summedRows = Math.min(summedRows, index);
      if (estimateSamples < MIN_MEASURED_ROWS && known.size >= MIN_MEASURED_ROWS) updateEstimate();
    },
    reset() {
      known.clear();
      sum = 0;
      estimateSamples = 0;
      summedRows = 0;
    },
    findRowAt(y) {
      let low = 0;
      let high = Math.max(rows.length - 1, 0);
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if (getOffset(middle) <= y) low = middle;
        else high = middle - 1;
      }
      return low;
    },
  };
}

/**
 * Extends a range of visible rows to the rows to render.
 * @param reach pixels beyond both edges of the visible rows
 */
export function expandRange(
  seen: RowRange,
  count: number,
  reach: number,
  height: (index: number) => number,
): RowRange {
  let { from, to } = seen;
  for (let room = reach; from > 0 && room > 0; from -= 1) room -= height(from - 1);
  for (let room = reach; to < count - 1 && room > 0; to += 1) room -= height(to + 1);
  return { from, to };
}

export function containsRange(outer: RowRange, inner: RowRange): boolean {
  return outer.from <= inner.from && outer.to >= inner.to;
}

/**
 * Builds the rendered list: the rows of the window, the kept rows, and gaps for all others.
 * @param kept indexes of rows that are always rendered, in any order
 */
export function buildListEntries(window: RowRange, kept: Iterable<number>, count: number): ListEntry[] {
  const { from, to } = count <= MAX_UNWINDOWED_ROWS ? { from: 0, to: count - 1 } : window;
  const shown = new Set(kept);
  for (let index = from; index <= to; index += 1) shown.add(index);
  const entries: ListEntry[] = [];
  let next = 0;
  for (const index of [...shown].filter((one) => one >= 0 && one < count).toSorted((a, b) => a - b)) {
    if (index > next) entries.push({ kind: 'gap', from: next, to: index - 1 });
    entries.push({ kind: 'row', index });
    next = index + 1;
  }
  if (next < count) entries.push({ kind: 'gap', from: next, to: count - 1 });
  return entries;
}

/**
 * Computes the ARIA position of the loaded rows in the whole list.
 * @param count number of loaded rows
 * @param total number of rows in the whole list, as last loaded
 * @returns the length of the whole list, -1 when unknown, and the position of the first loaded row, starting at 1
 */
export function getListPosition(
  count: number,
  total: number,
  { earlier, later }: { earlier: boolean; later: boolean },
): { size: number; first: number } {
  if (!earlier) return { size: later ? Math.max(total, count + 1) : count, first: 1 };
  if (later) return { size: -1, first: 1 };
  const size = Math.max(total, count + 1);
  return { size, first: size - count + 1 };
}
