import { sql, type SQL } from 'drizzle-orm';
import { BILLING } from '../billing/limits.ts';
import type { Database } from '../../db/open.ts';
import { statDays, hourlyModelUsage } from '../../db/schema/stats.ts';
import { SYNTHETIC_USER_ID } from '../account/synthetic-user.ts';
import { type TableSums, type TableCount, addTableSums, parseTableCounts } from './table-counts.ts';
import {
  DAY_MS,
  toDayNumber,
  type Metric,
  type Flow,
  FLOWS,
  type Gauge,
  GAUGES,
  type StoredMetrics,
  MODEL_COUNTS,
  formatModelMetric,
  listModelMetrics,
} from './metrics.ts';

// SQL of the operator's metrics: counts only, no user data and no texts.

/** Days that each run recounts, including today, because earlier runs may have failed. */
const RECOUNT_DAYS = 7;
/** Days whose revenue each run recounts. An older day is recounted when one of its payments changed recently. */
const REVENUE_RECOUNT_DAYS = 30;
/** Rows per table and run, for counts that need a full scan. */
export const MAX_ROWS_PER_RUN = 20_000;
/** How long hourly counts are kept; daily sums stay. */
const RETENTION_HOURS = 90 * 24;
/** KV key of the progress of the table scans. */
const COUNTING_KEY = 'figures-counting';

/** Tables scanned in key order, and the sums computed over their rows. */
const COUNTED_TABLES = {
  users: {
    key: 'id',
    sums: {
      accounts: 'is_anonymous = 0 and is_system = 0',
      guests: `is_anonymous = 1 and id <> '${SYNTHETIC_USER_ID}'`,
      members_given: "plan <> 'free' and plan_until is null and is_anonymous = 0 and is_system = 0",
    },
  },
  pictures: { key: 'key', sums: { pictures_bytes: 'bytes' } },
  cards: { key: 'id', sums: { cards_bytes: 'bytes' } },
  commissions: {
    key: 'id',
    sums: {
      commissions_due_cents: `case when status = 'due' then amount_cents
        when status = 'reversed' and payout_id is not null and clawback_payout_id is null then -amount_cents else 0 end`,
      commissions_paid_cents: "iif(status = 'paid', amount_cents, 0)",
    },
  },
} as const satisfies Record<string, { key: string; sums: Partial<Record<Gauge, string>> }>;
type CountedTable = keyof typeof COUNTED_TABLES;
const TABLES = Object.keys(COUNTED_TABLES) as CountedTable[];

/** Sums the next batch of rows of a table. */
export function buildTableSumQuery(table: CountedTable, after: string): SQL {
  const { key, sums } = COUNTED_TABLES[table];
  const sumColumns = Object.entries(sums).map(([name, value]) => `total(${value}) as ${name}`);
  return sql`select max(${sql.raw(key)}) as last, count(*) as rows, ${sql.raw(sumColumns.join(', '))}
    from (select * from ${sql.raw(table)} where ${sql.raw(key)} > ${after} order by ${sql.raw(key)} limit ${MAX_ROWS_PER_RUN})`;
}

/** The unary plus keeps SQLite from using the id index: the condition matches every row except one. */
const IS_NOT_SYNTHETIC_USER = sql.raw(`+id <> '${SYNTHETIC_USER_ID}'`);

/** Inlined because D1 binds numbers as floats, and the division must be an integer division. */
const DIVISOR = sql.raw(String(DAY_MS));

type FlowRow = { day: number } & Partial<Record<Flow, number>>;

/** The first day whose revenue is always recounted. @param from the first day of the other metrics */
const getFirstRevenueDay = (from: number): number => from + RECOUNT_DAYS - REVENUE_RECOUNT_DAYS;

/** Days before `day` with a payment that changed on or after day `since`. */
const buildChangedDaysQuery = (day: number, since: number): SQL => sql`
  select distinct day from (
    select paid_at / ${DIVISOR} as day from payments where updated_at >= ${since * DAY_MS} and +paid_at < ${day * DAY_MS}
    union all select day from anonymized_payments where updated_at >= ${since * DAY_MS} and +day < ${day})`;

/** Queries of one run, for the days since `from`. */
export const METRIC_QUERIES = {
  people: (from: number): SQL => sql`
    select day, sum(account) as accounts_new, sum(1 - account) as guests_new from (
      select registered_at / ${DIVISOR} as day, 1 as account
      from users where registered_at >= ${from * DAY_MS} and is_system = 0
      union all select created_at / ${DIVISOR}, 0
      from users where created_at >= ${from * DAY_MS} and is_anonymous = 1 and ${IS_NOT_SYNTHETIC_USER})
    group by day`,
  conversations: (from: number): SQL => sql`
    select day, sum(chats) as conversations from character_days where day >= ${from} group by day`,
  turns: (from: number): SQL => sql`
    select hour / 24 as day, sum(turns) as messages, sum(points) as points_spent
    from hourly_model_usage where hour >= ${from * 24} group by day`,
  // Model calls outside turns (`aside:`) count only for the daily budget (features/model/daily-spend-gateway.ts).
  models: (from: number): SQL => sql`
    select hour / 24 as day, model, ${sql.raw(MODEL_COUNTS.map((name) => `sum(${name}) as ${name}`).join(', '))}
    from hourly_model_usage where hour >= ${from * 24} and substr(model, 1, 6) <> 'aside:' group by day, model`,
  // Includes payments of deleted accounts, and older days with a recent change.
  revenue: (from: number): SQL => {
    const first = getFirstRevenueDay(from);
    // The plus keeps SQLite from building an automatic index for each run.
    const usd = sql`+p.currency = ${BILLING.currency}`;
    return sql`
      select day, sum(cents) as revenue_cents from (
        select p.paid_at / ${DIVISOR} as day, p.amount_cents - p.refunded_cents as cents
        from payments p where p.paid_at >= ${first * DAY_MS} and ${usd}
        union all select day, amount_cents - refunded_cents from anonymized_payments where day >= ${first}
        union all select changed.day, p.amount_cents - p.refunded_cents
        from (${buildChangedDaysQuery(first, from)}) as changed cross join payments p
        where p.paid_at >= changed.day * ${DIVISOR} and p.paid_at < (changed.day + 1) * ${DIVISOR} and ${usd}
        union all select changed.day, gone.amount_cents - gone.refunded_cents
        from (${buildChangedDaysQuery(first, from)}) as changed cross join anonymized_payments gone
        where gone.day = changed.day)
      group by day`;
  },
  referrals: (from: number): SQL => sql`
    select day, sum(iif(kind = 'suicide', referrals, 0)) as suicide,
      sum(iif(kind = 'self_harm', referrals, 0)) as self_harm,
      sum(iif(kind = 'harm_to_others', referrals, 0)) as harm_to_others
    from crisis_days where day >= ${from} group by day`,
  now: (now: number): SQL => sql`
    select (select count(*) from users where last_seen_at >= ${toDayNumber(now) * DAY_MS} and ${IS_NOT_SYNTHETIC_USER}) as active,
      (select count(*) from users where last_seen_at >= ${(toDayNumber(now) - 6) * DAY_MS} and ${IS_NOT_SYNTHETIC_USER}) as active_week,
      (select count(*) from users where plan_until > ${now} and plan <> 'free') as members_paid,
      (select count(*) from reports where status = 'open') as open_reports`,
};

/** Upserts metrics by day and name. */
async function writeMetrics(db: Database, figures: readonly Metric[]): Promise<void> {
  const rows = JSON.stringify(figures.map(({ day, name, value }) => [day, name, value]));
  await db.run(sql`insert into ${statDays} (day, name, value)
    select value ->> 0, value ->> 1, value ->> 2 from json_each(${rows}) where true
    on conflict (name, day) do update set value = excluded.value where value <> excluded.value`);
}

/** Continues the table scans by one batch each. @returns the sums of the last complete scan of each table */
async function countTables(db: Database, kv: KVNamespace): Promise<Partial<Record<string, number>>> {
  const kept = parseTableCounts(await kv.get(COUNTING_KEY, 'json').catch(() => null), TABLES);
  const on: Record<string, TableCount> = {};
  for (const table of TABLES) {
    const before = kept[table] as TableCount;
    const row = await db.get<{ last: string | null; rows: number } & Record<string, number>>(
      buildTableSumQuery(table, before.after),
    );
    const { last, rows, ...sums } = row;
    on[table] = addTableSums(before, { last, rows, sums } as TableSums, MAX_ROWS_PER_RUN);
  }
  await kv.put(COUNTING_KEY, JSON.stringify(on));
  return Object.assign({}, ...Object.values(on).map(({ known }) => known ?? {}));
}

/**
 * Updates the metrics of the last days and the current gauges, and deletes hourly counts whose daily sums are stored.
 * Safe to repeat and to run concurrently.
 */
export async function updateMetrics({ KV }: Pick<Env, 'KV'>, db: Database, now: number): Promise<void> {
  const today = toDayNumber(now);
  const from = today - RECOUNT_DAYS + 1;
  const revenueFrom = getFirstRevenueDay(from);
  const [people, conversations, turns, models, revenue, referrals, nowRows] = await Promise.all([
    db.all<FlowRow>(METRIC_QUERIES.people(from)),
    db.all<FlowRow>(METRIC_QUERIES.conversations(from)),
    db.all<FlowRow>(METRIC_QUERIES.turns(from)),
    db.all<{ day: number; model: string } & Record<(typeof MODEL_COUNTS)[number], number>>(
      METRIC_QUERIES.models(from),
    ),
    db.all<FlowRow>(METRIC_QUERIES.revenue(from)),
    db.all<FlowRow>(METRIC_QUERIES.referrals(from)),
    db.all<Partial<Record<Gauge, number>>>(METRIC_QUERIES.now(now)),
  ]);
  const found = new Map<string, number>();
  for (const { day, ...row } of [...people, ...conversations, ...turns, ...revenue, ...referrals])
    for (const [name, value] of Object.entries(row)) found.set(`${day} ${name}`, value);
  const flows = FLOWS.flatMap((name): Metric[] => {
    const first = name === 'revenue_cents' ? revenueFrom : from;
    return Array.from({ length: today - first + 1 }, (_, index) => {
      const day = first + index;
      return { day, name, value: found.get(`${day} ${name}`) ?? 0 };
    });
  });
  const older = revenue.flatMap(({ day, revenue_cents: value = 0 }): Metric[] =>
    day < revenueFrom ? [{ day, name: 'revenue_cents', value }] : [],
  );
  const modelMetrics = models.flatMap(({ day, model, ...counts }) =>
    MODEL_COUNTS.map((name): Metric => ({ day, name: formatModelMetric(model, name), value: counts[name] })),
  );
  const gauges = { ...(await countTables(db, KV)), ...nowRows[0], made_at: now };
  const currentMetrics = Object.entries(gauges).map(([name, value]): Metric => ({
    day: today,
    name,
    value: value ?? 0,
  }));
  await writeMetrics(db, [...flows, ...older, ...modelMetrics, ...currentMetrics]);
  // Delete only after the daily sums are stored.
  await db
    .delete(hourlyModelUsage)
    .where(sql`${hourlyModelUsage.hour} < ${Math.floor(now / 3_600_000) - RETENTION_HOURS}`);
}

/** Stores the sum of all point balances that the nightly scan of the wallets found. */
export async function savePointsHeld(
  db: Database,
  { points, day }: { points: number; day: number },
): Promise<void> {
  await writeMetrics(db, [{ day, name: 'points_held', value: points }]);
}

const buildNameCondition = (names: readonly string[]): SQL =>
  sql`name in (select value from json_each(${JSON.stringify(names)}))`;

/** Queries of the stats page. They read only `stat_days`, by name and day. */
export const STORED_METRIC_QUERIES = {
  figures: (from: number, to: number): SQL => sql`
    select day, name, value from stat_days where ${buildNameCondition([...FLOWS, ...GAUGES])} and day between ${from} and ${to}`,
  models: (ids: readonly string[], from: number, to: number): SQL => sql`
    select name, sum(value) as value from stat_days
    where ${buildNameCondition(ids.flatMap(listModelMetrics))}
      and day between ${from} and ${to}
    group by name`,
  latest: (to: number): SQL => sql`
    select asked.value as name,
      (select value from stat_days where name = asked.value and day <= ${to} order by day desc limit 1) as value
    from json_each(${JSON.stringify(GAUGES)}) as asked`,
};

/** Reads the stored metrics of some days. @param modelIds models to include @param today the last day */
export async function readMetrics(
  db: Database,
  { modelIds, today, days }: { modelIds: readonly string[]; today: number; days: number },
): Promise<StoredMetrics> {
  const from = today - days + 1;
  const [figures, models, latest] = await Promise.all([
    db.all<Metric>(STORED_METRIC_QUERIES.figures(from, today)),
    db.all<{ name: string; value: number }>(STORED_METRIC_QUERIES.models(modelIds, from, today)),
    db.all<{ name: string; value: number | null }>(STORED_METRIC_QUERIES.latest(today)),
  ]);
  return {
    figures,
    models: new Map(models.map(({ name, value }) => [name, value])),
    latest: new Map(latest.flatMap(({ name, value }) => (value === null ? [] : [[name, value]]))),
  };
}
