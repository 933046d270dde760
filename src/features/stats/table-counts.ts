import { z } from 'zod';

/** Pure helpers for counts that need a full table scan: each run scans one batch, and publishes after the last. */

const sums = z.record(z.string(), z.number());

const tableCount = z.object({
  /** Key of the last counted row; empty before the first. */
  after: z.string(),
  /** Sums of the rows up to `after`. */
  sums,
  /** Result of the last complete scan; null before the first. */
  known: sums.nullable(),
});
export type TableCount = z.infer<typeof tableCount>;

const EMPTY_COUNT: TableCount = { after: '', sums: {}, known: null };

/** Parses stored counts; an invalid entry starts from zero. */
export function parseTableCounts(kept: unknown, tables: readonly string[]): Record<string, TableCount> {
  const known = z.record(z.string(), z.unknown()).safeParse(kept);
  return Object.fromEntries(
    tables.map((table) => {
      const found = tableCount.safeParse(known.success ? known.data[table] : null);
      return [table, found.success ? found.data : EMPTY_COUNT];
    }),
  );
}

/** The sums of one batch of rows. */
export interface TableSums {
  last: string | null;
  rows: number;
  sums: Record<string, number>;
}

/** Adds a batch. Fewer rows than requested complete the scan, and the next run starts over. */
export function addTableSums(before: TableCount, { last, rows, sums }: TableSums, asked: number): TableCount {
  const added = Object.fromEntries(
    Object.entries(sums).map(([name, value]) => [name, (before.sums[name] ?? 0) + value]),
  );
  if (rows < asked || last === null) return { after: '', sums: {}, known: added };
  return { after: last, sums: added, known: before.known };
}
