/**
 * The business's constants as they are until an operator changes them (SPEC section 9 and the contract's local
 * defaults); read them by `readRuntimeConfig`. Their units and bounds are in features/business/contract.ts.
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
  // Far above what a site of some thousand people needs, and no sum that ruins whoever was not looking for a day.
  model_budget_cents_per_day: 10_000,
  model_budget_tokens_per_day: 1_000_000_000,
  person_model_cents_per_day: null,
  // Six hundred messages with all that a model of the usual size reads: nobody reads so many replies in a day.
  person_model_tokens_per_day: 10_000_000,
  // As many as the points that somebody begins with: for whoever has no membership points are what ends first.
  replies_at_once: 50,
} as const;
