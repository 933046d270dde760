import { BILLING } from './limits.ts';
import type { RuntimeConfig } from '../runtime-config/contract.ts';
import type { Plan } from './contract.ts';

/** Proper names, the same in every language. */
export const PLAN_NAMES: Record<Plan['id'], string> = {
  free: 'Free',
  storyteller: 'Storyteller',
  adventurer: 'Adventurer',
  legend: 'Legend',
};

/**
 * Returns the plans in display order.
 * @param paypalPlanId null where memberships cannot be bought
 */
export function buildPlans(config: RuntimeConfig, paypalPlanId: string | null): Plan[] {
  const common = { currency: BILLING.currency, period: 'month' } as const;
  const member = (id: Exclude<Plan['id'], 'free'>, price_cents: number): Plan => ({
    id,
    name: PLAN_NAMES[id],
    price_cents,
    ...common,
    features: ['all_characters', 'unlimited_messages', 'faster_responses', 'priority_support', 'personas'],
    limits: {
      daily_messages: null,
      personas: config.personas_storyteller,
      refill_points: null,
      refill_hours: null,
    },
    available: true,
  });
  // Their benefits are not announced: promise nothing, and show no other plan's benefits instead.
  const toCome = (id: 'adventurer' | 'legend', price_cents: number): Plan => ({
    ...member(id, price_cents),
    features: [],
    limits: null,
    available: false,
  });
  return [
    {
      id: 'free',
      name: PLAN_NAMES.free,
      price_cents: 0,
      ...common,
      features: ['all_characters', 'points_refill', 'daily_messages', 'personas'],
      limits: {
        daily_messages: config.daily_message_limit,
        personas: config.personas_free,
        refill_points: config.refill_to_points,
        refill_hours: config.refill_hours,
      },
      available: true,
    },
    {
      ...member('storyteller', config.storyteller_price_cents),
      ...(paypalPlanId === null ? {} : { paypal_plan_id: paypalPlanId }),
    },
    toCome('adventurer', config.adventurer_price_cents),
    toCome('legend', config.legend_price_cents),
  ];
}
