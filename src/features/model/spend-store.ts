import { gte, sql } from 'drizzle-orm';
import type { Database } from '../../db/open.ts';
import { hourlyModelUsage } from '../../db/schema/stats.ts';
import type { ModelTokens } from './spend.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Model name prefix of usage outside turns. */
const ASIDE_PREFIX = 'aside:';

/** Usage of all models on the UTC day of `now`. Reads at most 24 rows per model and kind. */
export async function listDailyTokens(db: Database, now: number): Promise<ModelTokens[]> {
  const rows = await db
    .select({
      model: hourlyModelUsage.model,
      promptTokens: sql<number>`sum(${hourlyModelUsage.promptTokens})`,
      replyTokens: sql<number>`sum(${hourlyModelUsage.replyTokens})`,
    })
    .from(hourlyModelUsage)
    .where(gte(hourlyModelUsage.hour, Math.floor(now / DAY_MS) * 24))
    .groupBy(hourlyModelUsage.model);
  return rows.map((row) => ({ ...row, model: row.model.replace(ASIDE_PREFIX, '') }));
}

/** Records usage outside turns: suggestions, drafts, notes, summaries, test chats. */
export async function addAsideTokens(db: Database, tokens: ModelTokens, now: number): Promise<void> {
  const { promptTokens, replyTokens } = tokens;
  await db
    .insert(hourlyModelUsage)
    .values({
      hour: Math.floor(now / HOUR_MS),
      model: ASIDE_PREFIX + tokens.model,
      promptTokens,
      replyTokens,
      turns: 0,
      failed: 0,
      stopped: 0,
      refused: 0,
      points: 0,
      first250: 0,
      first500: 0,
      first1000: 0,
      first2000: 0,
      first5000: 0,
      firstLater: 0,
    })
    .onConflictDoUpdate({
      target: [hourlyModelUsage.hour, hourlyModelUsage.model],
      set: {
        promptTokens: sql`${hourlyModelUsage.promptTokens} + ${promptTokens}`,
        replyTokens: sql`${hourlyModelUsage.replyTokens} + ${replyTokens}`,
      },
    });
}
