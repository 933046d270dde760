import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test } from 'vitest';
import { api } from '../../../../src/api/app.ts';
import type { Plan } from '../../../../src/features/billing/contract.ts';
import {
  RUNTIME_CONFIG_KV_KEY,
  clearRuntimeConfigCache,
} from '../../../../src/features/runtime-config/runtime-config-gateway.ts';
import { ORIGIN, Visitor } from '../../../support/factories.ts';
import { PAYPAL } from '../../../support/test-environment.ts';

const plans = async () => (await new Visitor().ask<{ items: Plan[] }>('/api/plans')).items;

afterEach(async () => {
  await env.KV.delete(RUNTIME_CONFIG_KV_KEY);
  clearRuntimeConfigCache(env);
});

describe('Plans', () => {
  test('the plans are public, with their price per month and their features', async () => {
    expect(
      (await plans()).map(({ id, name, price_cents, currency, period, available }) => [
        id,
        name,
        price_cents,
        currency,
        period,
        available,
      ]),
    ).toEqual([
      ['free', 'Free', 0, 'USD', 'month', true],
      ['storyteller', 'Storyteller', 699, 'USD', 'month', true],
      ['adventurer', 'Adventurer', 1499, 'USD', 'month', false],
      ['legend', 'Legend', 2499, 'USD', 'month', false],
    ]);
    const [free, storyteller] = await plans();
    expect(free).toMatchObject({
      features: ['all_characters', 'points_refill', 'daily_messages', 'personas'],
      limits: { daily_messages: 100, personas: 5, refill_points: 50, refill_hours: 8 },
    });
    expect(storyteller).toMatchObject({
      features: ['all_characters', 'unlimited_messages', 'faster_responses', 'priority_support', 'personas'],
      limits: { daily_messages: null, personas: 500 },
      paypal_plan_id: PAYPAL.planStoryteller,
    });
  });

  test('plans that are not available yet list no features', async () => {
    const toCome = (await plans()).filter(({ available }) => !available);
    expect(toCome).toMatchObject([
      { id: 'adventurer', features: [], limits: null },
      { id: 'legend', features: [], limits: null },
    ]);
  });

  test('the plans do not mention spicy mode or adult content', async () => {
    expect(JSON.stringify(await plans())).not.toMatch(/spicy|nsfw|adult|18/i);
  });

  test('a plan’s price and limits follow the operator’s settings without a deployment', async () => {
    await env.KV.put(
      RUNTIME_CONFIG_KV_KEY,
      JSON.stringify({
        storyteller_price_cents: 799,
        personas_free: 7,
        daily_message_limit: null,
        storyteller_paypal_plan: 'P-ANOTHERPLAN1',
      }),
    );
    clearRuntimeConfigCache(env);
    const [free, storyteller] = await plans();
    expect(free?.limits).toMatchObject({ personas: 7, daily_messages: null });
    expect(storyteller).toMatchObject({ price_cents: 799, paypal_plan_id: 'P-ANOTHERPLAN1' });
  });

  test('the plans name no PayPal plan where PayPal is not configured', async () => {
    const answer = await api.fetch(
      new Request(`${ORIGIN}/api/plans`),
      { ...env, PAYPAL_CLIENT_ID: '', PAYPAL_CLIENT_SECRET: '' },
      { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} } as never,
    );
    expect((await answer.json<{ items: Plan[] }>()).items[1]).not.toHaveProperty('paypal_plan_id');
  });
});
