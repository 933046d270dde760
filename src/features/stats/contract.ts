import { z } from 'zod';

/** Days in one response at most, including today. */
export const MAX_STATS_DAYS = 365;

export const statsQuery = z.object({ days: z.coerce.number().int().min(1).max(MAX_STATS_DAYS).default(30) });

const count = z.number().int();

const statDay = z.object({
  day: z.iso.date().describe('UTC day; the last one is still running'),
  accounts_new: count,
  guests_new: count,
  active: count.nullable().describe('Users active that day; null if they were not counted'),
  active_week: count
    .nullable()
    .describe('Users active that day or in the six days before; null if they were not counted'),
  conversations: count.describe('Started by users'),
  messages: count.describe('Turns: replies that were started'),
  members: count
    .nullable()
    .describe('Users with a paid or granted membership at the end of the day; null if they were not counted'),
  revenue_cents: count.describe('In cents (USD): payments of that day, minus their refunds'),
  points_spent: count.describe('Spent on replies'),
  referrals: count.describe('Number of times crisis helplines were shown'),
});
export type StatDay = z.infer<typeof statDay>;

const milliseconds = z
  .number()
  .nullable()
  .describe(
    'Estimate in ms from a histogram; 5000 also stands for longer times; null if nothing was measured',
  );

const modelStats = z.object({
  id: z.string(),
  label: z.string(),
  turns: count,
  failed: count,
  stopped: count,
  refused: count.describe('Ended by a safety rule'),
  prompt_tokens: count.describe('Estimated number of tokens'),
  reply_tokens: count.describe('Estimated number of tokens'),
  cached_tokens: count.describe('Of the prompts’ tokens, those that the provider reports as cached'),
  cost_usd: z.number().nullable().describe('At the current prices; null unless both prices are set'),
  error_rate: z.number().describe('Share of failed turns, from 0 to 1'),
  first_token_ms: z.object({ p50: milliseconds, p95: milliseconds }),
  liked: count.describe('Of the replies written on these days, those that a user rated as good'),
  disliked: count.describe('The same, as bad'),
});
export type ModelStats = z.infer<typeof modelStats>;

const totals = z.object({
  accounts: count,
  guests: count,
  members: count,
  revenue_cents: count.describe('Sum over the requested days'),
  commissions_due_cents: count.describe('Minus commissions that were reversed after their payout'),
  commissions_paid_cents: count,
  open_reports: count,
  referrals: z
    .object({ suicide: count, self_harm: count, harm_to_others: count })
    .describe('Sum over the requested days'),
  storage_bytes: count.describe('Size of pictures and cards'),
  points_held: count
    .nullable()
    .describe('Points in all wallets as of the nightly scan; null before the first one'),
});

export const stats = z.object({
  generated_at: z.iso.datetime().nullable().describe('Time of the last count; null before the first one'),
  days: z.array(statDay),
  models: z.array(modelStats),
  totals,
});
export type Stats = z.infer<typeof stats>;
