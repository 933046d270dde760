import { z } from 'zod';

/** Days in one response at most, including today. */
export const MAX_STATS_DAYS = 365;

export const statsQuery = z.object({ days: z.coerce.number().int().min(1).max(MAX_STATS_DAYS).default(30) });

const count = z.number().int();

const statDay = z.object({
  day: z.iso.date().describe('a day in UTC; the last one goes on'),
  accounts_new: count,
  guests_new: count,
  active: count.nullable().describe('people who were here that day; null where nobody counted'),
  active_week: count.nullable().describe('people who were here that day or in the six before'),
  conversations: count.describe('begun by their people'),
  messages: count.describe('turns: replies that were begun'),
  members: count.nullable().describe('with a membership, paid for or given, at the day’s end'),
  revenue_cents: count.describe('paid that day, less what has gone back of it'),
  points_spent: count.describe('for replies'),
  referrals: count.describe('people shown where help is'),
});
export type StatDay = z.infer<typeof statDay>;

const milliseconds = z
  .number()
  .nullable()
  .describe('estimated from how many began within which time; 5000 stands for later, null for none');

const modelStats = z.object({
  id: z.string(),
  label: z.string(),
  turns: count,
  failed: count,
  stopped: count,
  refused: count.describe('cut off by a rule of safety'),
  prompt_tokens: count.describe('estimated'),
  reply_tokens: count.describe('estimated'),
  cost_usd: z.number().nullable().describe('at the prices that are set now; null where none is'),
  error_rate: z.number().describe('failed of all, from 0 to 1'),
  first_token_ms: z.object({ p50: milliseconds, p95: milliseconds }),
});
export type ModelStats = z.infer<typeof modelStats>;

const totals = z.object({
  accounts: count,
  guests: count,
  members: count,
  revenue_cents: count.describe('of the days that are told'),
  commissions_due_cents: count.describe('less what went back after it was paid out'),
  commissions_paid_cents: count,
  open_reports: count,
  referrals: z
    .object({ suicide: count, self_harm: count, harm_to_others: count })
    .describe('of the days that are told'),
  storage_bytes: count.describe('pictures and cards'),
  points_held: count
    .nullable()
    .describe('in all wallets, by the night’s look at them; null before the first'),
});

export const stats = z.object({
  generated_at: z.iso.datetime().nullable().describe('when it was counted last; null before the first time'),
  days: z.array(statDay),
  models: z.array(modelStats),
  totals,
});
export type Stats = z.infer<typeof stats>;
