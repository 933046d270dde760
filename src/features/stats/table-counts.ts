import { z } from 'zod';

/**
 * What only a look at every row of a table tells: it is counted some rows at a time, over as many runs as it takes, and
 * told as it was found when the last row had been seen. Pure.
 */

const sums = z.record(z.string(), z.number());

const tableCount = z.object({
  /** The last row that was counted; empty before the first. */
  after: z.string(),
  /** Of the rows up to it. */
  sums,
  /** What the last full count found; null before the first. */
  known: sums.nullable(),
});
export type TableCount = z.infer<typeof tableCount>;

const EMPTY_COUNT: TableCount = { after: '', sums: {}, known: null };

/** As it was kept; what is not understood counts as nothing. */
export function parseTableCounts(kept: unknown, tables: readonly string[]): Record<string, TableCount> {
  const known = z.record(z.string(), z.unknown()).safeParse(kept);
  return Object.fromEntries(
    tables.map((table) => {
      const found = tableCount.safeParse(known.success ? known.data[table] : null);
      return [table, found.success ? found.data : EMPTY_COUNT];
    }),
  );
}

/** Some rows of a table, summed up. */
export interface TableSums {
  last: string | null;
  rows: number;
  sums: Record<string, number>;
}

/** Goes on by the rows that came; with fewer than were asked for, the table is through, and the next run begins anew. */
export function addTableSums(before: TableCount, { last, rows, sums }: TableSums, asked: number): TableCount {
  const added = Object.fromEntries(
    Object.entries(sums).map(([name, value]) => [name, (before.sums[name] ?? 0) + value]),
  );
  if (rows < asked || last === null) return { after: '', sums: {}, known: added };
  return { after: last, sums: added, known: before.known };
}
