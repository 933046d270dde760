import type { ProviderSettings } from '../../env/read-environment.ts';
import { formatRatingMetric, RATING_COUNTS } from '../conversation/messages/rating-changes.ts';
import type { ModelStats, StatDay, Stats } from './contract.ts';

/** The operator's metrics by name, and the view built from them. Pure. */

export const DAY_MS = 86_400_000;
export const toDayNumber = (now: number): number => Math.floor(now / DAY_MS);

/** Metrics that add up over a day. Recent days are recounted; a day without a row counts as 0. */
export const FLOWS = [
  'accounts_new',
  'guests_new',
  'conversations',
  'messages',
  'revenue_cents',
  'points_spent',
  'suicide',
  'self_harm',
  'harm_to_others',
] as const;
export type Flow = (typeof FLOWS)[number];

/** Metrics with a current value; each day keeps the last value found. */
export const GAUGES = [
  'active',
  'active_week',
  'members_paid',
  'members_given',
  'accounts',
  'guests',
  'commissions_due_cents',
  'commissions_paid_cents',
  'open_reports',
  'pictures_bytes',
  'cards_bytes',
  'points_held',
  'made_at',
] as const;
export type Gauge = (typeof GAUGES)[number];

/** Counts per model, named like the columns of `hourly_model_usage`. */
export const MODEL_COUNTS = [
  'turns',
  'failed',
  'stopped',
  'refused',
  'prompt_tokens',
  'reply_tokens',
  'cached_tokens',
  'first_250',
  'first_500',
  'first_1000',
  'first_2000',
  'first_5000',
  'first_later',
] as const;
export type ModelCount = (typeof MODEL_COUNTS)[number];

/** The name of a model's count in `stat_days`. */
export const formatModelMetric = (id: string, count: ModelCount): string => `model:${id}:${count}`;

/** The names of all that is stored of a model. Ratings are stored by the conversations, under the reply's day. */
export const listModelMetrics = (id: string): string[] => [
  ...MODEL_COUNTS.map((count) => formatModelMetric(id, count)),
  ...RATING_COUNTS.map((count) => formatRatingMetric(id, count)),
];

/** One metric of one day. */
export interface Metric {
  day: number;
  name: string;
  value: number;
}

/** Upper edges in ms of the histogram of times to first text; the last bucket is open. */
const FIRST_TEXT_BUCKETS = [
  ['first_250', 250],
  ['first_500', 500],
  ['first_1000', 1000],
  ['first_2000', 2000],
  ['first_5000', 5000],
] as const;

/**
 * Estimates a percentile of the time to first text, assuming an even spread within each bucket.
 * @param share from 0 to 1
 * @returns ms; the last edge for the open bucket, null when nothing was counted
 */
export function estimateFirstTextMs(
  counts: Readonly<Record<ModelCount, number>>,
  share: number,
): number | null {
  const all = FIRST_TEXT_BUCKETS.reduce((sum, [name]) => sum + counts[name], counts.first_later);
  if (all === 0) return null;
  const wanted = all * share;
  let [below, from] = [0, 0];
  for (const [name, edge] of FIRST_TEXT_BUCKETS) {
    const here = counts[name];
    if (here > 0 && below + here >= wanted)
      return Math.round(from + ((wanted - below) / here) * (edge - from));
    below += here;
    from = edge;
  }
  return from;
}

/** Cost of the tokens in US dollars, to four decimals; null unless both prices are set. */
export function computeModelCost(
  counts: Readonly<Record<ModelCount, number>>,
  { inputPrice, outputPrice }: Pick<ProviderSettings, 'inputPrice' | 'outputPrice'>,
): number | null {
  if (inputPrice === undefined || outputPrice === undefined) return null;
  const millionths = counts.prompt_tokens * inputPrice + counts.reply_tokens * outputPrice;
  return Math.round(millionths / 100) / 10_000;
}

/** The fields of a model that the stats need. */
export interface MeasuredModel {
  id: string;
  label: string;
  /** Whether the model is configured; if so it is listed even without turns. */
  available: boolean;
  settings: Pick<ProviderSettings, 'inputPrice' | 'outputPrice'>;
}

function buildModelStats({ id, label, settings }: MeasuredModel, sums: StoredMetrics['models']): ModelStats {
  const counts = Object.fromEntries(
    MODEL_COUNTS.map((name) => [name, sums.get(formatModelMetric(id, name)) ?? 0]),
  ) as Record<ModelCount, number>;
  const { turns, failed, stopped, refused, prompt_tokens, reply_tokens, cached_tokens } = counts;
  return {
    id,
    label,
    turns,
    failed,
    stopped,
    refused,
    prompt_tokens,
    reply_tokens,
    cached_tokens,
    cost_usd: computeModelCost(counts, settings),
    error_rate: turns === 0 ? 0 : failed / turns,
    first_token_ms: { p50: estimateFirstTextMs(counts, 0.5), p95: estimateFirstTextMs(counts, 0.95) },
    liked: sums.get(formatRatingMetric(id, 'liked')) ?? 0,
    disliked: sums.get(formatRatingMetric(id, 'disliked')) ?? 0,
  };
}

/** Stored metrics as read from the database. */
export interface StoredMetrics {
  /** The requested days. */
  figures: readonly Metric[];
  /** Sums per model over these days, by the names of `listModelMetrics`. */
  models: ReadonlyMap<string, number>;
  /** The newest value of each gauge on any day. */
  latest: ReadonlyMap<string, number>;
}

/** Builds the stats for administrators. @param today the last day; `days` is the number of days */
export function buildStats(
  { figures, models: counted, latest }: StoredMetrics,
  models: readonly MeasuredModel[],
  { today, days }: { today: number; days: number },
): Stats {
  const kept = new Map(figures.map(({ day, name, value }) => [`${day} ${name}`, value]));
  const at = (day: number, name: Flow | Gauge): number | null => kept.get(`${day} ${name}`) ?? null;
  const flow = (day: number, name: Flow): number => at(day, name) ?? 0;
  const statDays = Array.from({ length: days }, (_, index): StatDay => {
    const day = today - days + 1 + index;
    const [paid, given] = [at(day, 'members_paid'), at(day, 'members_given')];
    return {
      day: new Date(day * DAY_MS).toISOString().slice(0, 10),
      accounts_new: flow(day, 'accounts_new'),
      guests_new: flow(day, 'guests_new'),
      active: at(day, 'active'),
      active_week: at(day, 'active_week'),
      conversations: flow(day, 'conversations'),
      messages: flow(day, 'messages'),
      members: paid === null && given === null ? null : (paid ?? 0) + (given ?? 0),
      revenue_cents: flow(day, 'revenue_cents'),
      points_spent: flow(day, 'points_spent'),
      referrals: flow(day, 'suicide') + flow(day, 'self_harm') + flow(day, 'harm_to_others'),
    };
  });
  const sumFlow = (name: Flow): number =>
    statDays.reduce((sum, _, index) => sum + flow(today - days + 1 + index, name), 0);
  const now = (name: Gauge): number => latest.get(name) ?? 0;
  const generatedAt = latest.get('made_at');
  return {
    generated_at: generatedAt === undefined ? null : new Date(generatedAt).toISOString(),
    days: statDays,
    models: models
      .map((model) => ({
        model,
        stats: buildModelStats(model, counted),
      }))
      .filter(({ model, stats }) => model.available || stats.turns > 0)
      .map(({ stats }) => stats),
    totals: {
      accounts: now('accounts'),
      guests: now('guests'),
      members: now('members_paid') + now('members_given'),
      revenue_cents: sumFlow('revenue_cents'),
      commissions_due_cents: now('commissions_due_cents'),
      commissions_paid_cents: now('commissions_paid_cents'),
      open_reports: now('open_reports'),
      referrals: {
        suicide: sumFlow('suicide'),
        self_harm: sumFlow('self_harm'),
        harm_to_others: sumFlow('harm_to_others'),
      },
      storage_bytes: now('pictures_bytes') + now('cards_bytes'),
      points_held: latest.get('points_held') ?? null,
    },
  };
}
