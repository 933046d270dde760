/** A list of so many rows stands in the page whole: a window over it would save nothing. */
export const MAX_UNWINDOWED_ROWS = 30;
/** In pixels; what a row is taken for before any was measured. */
const ESTIMATED_ROW_PX = 160;
/** After so many measured rows their mean is a good guess for the others, until more rows come in. */
const MIN_MEASURED_ROWS = 20;

/** Rows by their places in the list, both ends with them. */
export interface RowRange {
  from: number;
  to: number;
}

/** What stands in the page, in order: a row, or the room of rows that do not. */
export type ListEntry = { kind: 'row'; index: number } | ({ kind: 'gap' } & RowRange);

/** How high rows are: as measured, or as a good guess. All in pixels. */
export interface RowHeights {
  /** Says what the list is made of now; what is known of a row stays known. */
  setRows(keys: readonly string[]): void;
  recordHeight(index: number, height: number): void;
  /** Forgets all heights: the column is wider or narrower now. */
  reset(): void;
  height(index: number): number;
  /** The height of all rows before this one; with the number of rows, of all. */
  getOffset(index: number): number;
  /** The row at a height, the first or the last beyond the ends. */
  findRowAt(y: number): number;
}

/** Keeps the heights of a list whose rows come and go at both ends. */
export function createRowHeights(): RowHeights {
  const known = new Map<string, number>();
  let rows: readonly string[] = [];
  let estimate = ESTIMATED_ROW_PX;
  let estimateSamples = 0;
  let sum = 0;
  // `sums[i]` is the height of the rows before `i`, as far as `summed`.
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
 * The rows that belong into the page round those that are seen.
 * @param reach in pixels, how far beyond the edges of what is seen
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
 * What stands in the page: the rows of a window, those that must not leave it, and the room of all others.
 * @param kept places of rows that stay, in any order
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
 * Where each loaded row stands in the whole list, for those who cannot see how long it is.
 * @param count rows that are loaded; `total` of the whole list, as far as known
 * @returns the whole list's size, -1 when it cannot be told, and the place of the first loaded row, from 1
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
