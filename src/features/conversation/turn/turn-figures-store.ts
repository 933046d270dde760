import { sql } from 'drizzle-orm';
import type { Database } from '../../../db/open.ts';
import { hourlyModelUsage } from '../../../db/schema/stats.ts';
import { FIRST_WITHIN_MS, type TurnFigures } from './turn-figures.ts';

const HOUR_MS = 3_600_000;

const BUCKETS = ['first250', 'first500', 'first1000', 'first2000', 'first5000', 'firstLater'] as const;

type Counts = Omit<typeof hourlyModelUsage.$inferInsert, 'hour' | 'model'>;

function toCounts({
  end,
  firstMs,
  promptTokens,
  cachedTokens,
  replyTokens,
  points,
}: TurnFigures): Required<Counts> {
  const within = FIRST_WITHIN_MS.findIndex((most) => firstMs !== null && firstMs <= most);
  const bucket = firstMs === null ? null : BUCKETS[within === -1 ? BUCKETS.length - 1 : within];
  return {
    turns: 1,
    failed: Number(end === 'failed'),
    stopped: Number(end === 'stopped'),
    refused: Number(end === 'refused'),
    promptTokens,
    cachedTokens,
    replyTokens,
    points,
    first250: 0,
    first500: 0,
    first1000: 0,
    first2000: 0,
    first5000: 0,
    firstLater: 0,
    ...(bucket === undefined || bucket === null ? {} : { [bucket]: 1 }),
  };
}

/** Adds turns to the metrics of their hours (UTC) and models, one row for each. */
export async function addFigures(db: Database, figures: readonly TurnFigures[]): Promise<void> {
  const groups = Map.groupBy(figures, ({ at, model }) => `${Math.floor(at / HOUR_MS)} ${model}`);
  const [first, ...others] = [...groups.values()].map((group) => {
    const { at, model } = group[0] as TurnFigures;
    const counts = group.map(toCounts);
    const names = Object.keys(counts[0] as Counts) as (keyof Counts)[];
    const sums = Object.fromEntries(
      names.map((name) => [name, counts.reduce((sum, one) => sum + one[name], 0)]),
    ) as Required<Counts>;
    return db
      .insert(hourlyModelUsage)
      .values({ hour: Math.floor(at / HOUR_MS), model, ...sums })
      .onConflictDoUpdate({
        target: [hourlyModelUsage.hour, hourlyModelUsage.model],
        set: Object.fromEntries(names.map((name) => [name, sql`${hourlyModelUsage[name]} + ${sums[name]}`])),
      });
  });
  if (first !== undefined) await db.batch([first, ...others]);
}
