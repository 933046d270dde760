import { gte, sql } from 'drizzle-orm';
import { openDatabase, type Database } from '../../db/open.ts';
import { hourlyModelUsage } from '../../db/schema/stats.ts';
import { readEnvironment } from '../../env/read-environment.ts';
import { log } from '../../lib/log.ts';
import { describeError } from '../../lib/redact.ts';
import { withTimeout } from '../../lib/with-timeout.ts';
import { listOfferedModels } from './choose-model.ts';
import { addSpends, calculateSpend, type ModelTokens, NO_SPEND, type Spend, toPrices } from './spend.ts';

// The spend of all models: the table of it, today's sum as this isolate knows it, running calls, and log events.

/** Maximum age of the cached daily spend. */
const SPEND_CACHE_MS = 5000;
/** How much earlier the spend is read again for a call that follows within this time. */
const SPEND_READ_AHEAD_MS = 1000;
/** A user's reply does not wait longer than this for the spend query. */
const SPEND_READ_TIMEOUT_MS = 1000;
/** Moderation's model name in the spend table. */
export const MODERATION_MODEL = 'moderation';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let cachedSpend: { day: number; at: number; recorded: DailySpend } | null = null;
/** When the last read of the spend table started. */
let lastReadAt = Number.NEGATIVE_INFINITY;
const loggedDays = new Map<string, number>();

/** Resets the state of this isolate. */
export function resetDailySpend(): void {
  loggedDays.clear();
  cachedSpend = null;
  lastReadAt = Number.NEGATIVE_INFINITY;
}

/** Logs an event once per day and isolate, because many users are refused for the same reason. */
export function logOncePerDay(
  event: 'model_budget_reached' | 'model_budget_near' | 'model_calls_stopped' | 'moderation_budget_reached',
  now: number,
  fields = {},
) {
  const day = Math.floor(now / DAY_MS);
  if (loggedDays.get(event) === day) return;
  loggedDays.set(event, day);
  log(event, fields);
}

/** The day's spend of text models, and that of moderation, whose prices are unknown. */
interface DailySpend {
  writing: Spend;
  moderation: Spend;
}

const EMPTY_DAILY_SPEND: DailySpend = { writing: NO_SPEND, moderation: NO_SPEND };

/** The day's spend of all models, at current prices. */
function sumDailySpend(rows: readonly ModelTokens[], env: Env): DailySpend {
  const prices = new Map(
    listOfferedModels(readEnvironment(env).models).map(({ id, settings }) => [
      id as string,
      toPrices(settings),
    ]),
  );
  const sumRows = (some: readonly ModelTokens[]) =>
    some
      .map(({ model, promptTokens, replyTokens }) =>
        calculateSpend(prices.get(model), promptTokens, replyTokens),
      )
      .reduce(addSpends, NO_SPEND);
  return {
    writing: sumRows(rows.filter(({ model }) => model !== MODERATION_MODEL)),
    moderation: sumRows(rows.filter(({ model }) => model === MODERATION_MODEL)),
  };
}

/**
 * Today's spend, at most some seconds old; the last known value when the database fails. While one request reads, others
 * use the previous value. Requests never wait for each other's reads: a read is cancelled with the request that started
 * it, and the others would wait forever.
 * @param isAhead whether the call that needs it only follows
 */
export async function getDailySpend(env: Env, now: number, isAhead = false): Promise<DailySpend> {
  const day = Math.floor(now / DAY_MS);
  const known = cachedSpend?.day === day ? cachedSpend : null;
  const isBeingRead = now - lastReadAt < SPEND_READ_TIMEOUT_MS;
  const kept =
    SPEND_CACHE_MS + (isBeingRead ? SPEND_READ_TIMEOUT_MS : 0) - (isAhead ? SPEND_READ_AHEAD_MS : 0);
  if (known !== null && now - known.at < kept) return known.recorded;
  lastReadAt = now;
  try {
    const spend = sumDailySpend(
      await withTimeout(SPEND_READ_TIMEOUT_MS, listDailyTokens(openDatabase(env.DB), now)),
      env,
    );
    cachedSpend = { day, at: now, recorded: spend };
    return spend;
  } catch (error) {
    log('model_budget_read_failed', { message: describeError(error) });
    // Do not retry at once. A concurrent read may have stored a newer value.
    const newer = cachedSpend?.day === day ? cachedSpend : null;
    if (newer === null || newer.at < now)
      cachedSpend = { day, at: now, recorded: newer?.recorded ?? EMPTY_DAILY_SPEND };
    return cachedSpend?.recorded ?? EMPTY_DAILY_SPEND;
  }
}

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

/** A call that just ended may not be in the spend table yet, so it counts here for this long (ms), possibly twice. */
const SETTLE_MS = 10_000;

/**
 * The spend of running and just finished model calls. A running call counts with its maximum, so that concurrent calls
 * cannot pass the limit together.
 */
export class RunningSpend {
  readonly #maxCallMs: number;
  readonly #running = new Map<Spend, number>();
  #ended: { at: number; spend: Spend }[] = [];

  /** @param maxCallMs a call running longer counts as lost, for example because its client disconnected */
  constructor(maxCallMs: number) {
    this.#maxCallMs = maxCallMs;
  }

  /** Starts a call. @returns a function to call once at its end with the actual spend */
  start(most: Spend, now: number): (spent: Spend, now: number) => void {
    // A copy serves as the key, because two calls may have equal values.
    const held = { ...most };
    this.#running.set(held, now);
    return (spent, endedAt) => {
      if (this.#running.delete(held)) this.#ended.push({ at: endedAt, spend: spent });
    };
  }

  sum(now: number): Spend {
    this.#ended = this.#ended.filter(({ at }) => now - at < SETTLE_MS);
    for (const [held, at] of this.#running) if (now - at >= this.#maxCallMs) this.#running.delete(held);
    return [...this.#running.keys(), ...this.#ended.map(({ spend }) => spend)].reduce(addSpends, NO_SPEND);
  }

  reset(): void {
    this.#running.clear();
    this.#ended = [];
  }
}
