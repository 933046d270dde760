import { sql } from 'drizzle-orm';
import type { Database } from '../../../db/open.ts';
import { hourlyModelUsage } from '../../../db/schema/stats.ts';
import { FIRST_WITHIN_MS, type TurnFigures } from './turn-figures.ts';

const HOUR_MS = 3_600_000;

const BUCKETS = ['first250', 'first500', 'first1000', 'first2000', 'first5000', 'firstLater'] as const;

/** Builds the statement that adds a turn to the metrics of its hour (UTC) and model. */
export function buildFiguresStatement(db: Database, figures: TurnFigures) {
  const { end, firstMs } = figures;
  const within = FIRST_WITHIN_MS.findIndex((most) => firstMs !== null && firstMs <= most);
  const bucket = firstMs === null ? null : BUCKETS[within === -1 ? BUCKETS.length - 1 : within];
  const counts = {
    turns: 1,
    failed: Number(end === 'failed'),
    stopped: Number(end === 'stopped'),
    refused: Number(end === 'refused'),
    promptTokens: figures.promptTokens,
    replyTokens: figures.replyTokens,
    points: figures.points,
    first250: 0,
    first500: 0,
    first1000: 0,
    first2000: 0,
    first5000: 0,
    firstLater: 0,
    ...(bucket === undefined || bucket === null ? {} : { [bucket]: 1 }),
  };
  const names = Object.keys(counts) as (keyof typeof counts)[];
  return db
    .insert(hourlyModelUsage)
    .values({ hour: Math.floor(figures.at / HOUR_MS), model: figures.model, ...counts })
    .onConflictDoUpdate({
      target: [hourlyModelUsage.hour, hourlyModelUsage.model],
      set: Object.fromEntries(names.map((name) => [name, sql`${hourlyModelUsage[name]} + ${counts[name]}`])),
    });
}
