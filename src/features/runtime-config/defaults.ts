/**
 * Values of the business constants until an operator changes them (docs/product.md); read them with `readRuntimeConfig`.
 * Units and bounds are in contract.ts.
 */
export const RUNTIME_CONFIG_DEFAULTS = {
  start_points: 50,
  refill_to_points: 50,
  refill_hours: 8,
  message_cost_points: 1,
  daily_message_limit: 100,
  character_cost_points: 5,
  invite_points: 10,
  commission_percent: 15,
  storyteller_price_cents: 699,
  adventurer_price_cents: 1499,
  legend_price_cents: 2499,
  storyteller_paypal_plan: null,
  personas_free: 5,
  personas_storyteller: 500,
  competition_season: 2,
  competition_begins_on: '2025-08-25',
  competition_ends_on: '2025-11-25',
  competition_winners_on: '2025-11-30',
  model_calls: 'on',
  // Another call for each conversation of three turns, at the operator's cost.
  model_titles: 'off',
  // Far above the need of some thousand users, but affordable if abuse is noticed only after a day.
  model_budget_cents_per_day: 10_000,
  model_budget_tokens_per_day: 1_000_000_000,
  person_model_cents_per_day: null,
  // About 600 messages at a typical model's full context, more than anyone reads in a day.
  person_model_tokens_per_day: 10_000_000,
  // Equal to the initial points: without a membership, points run out first.
  replies_at_once: 50,
  // Single words that say nothing but that a sexual character is a minor; the rules of publication read sentences.
  blocked_tags: 'jailbait, loli, lolicon, shota, shotacon, underage',
  merged_tags: '',
} as const;
