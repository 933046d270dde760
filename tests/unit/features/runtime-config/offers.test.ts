import { describe, expect, test, vi } from 'vitest';
import { RUNTIME_CONFIG_DEFAULTS } from '../../../../src/features/runtime-config/defaults.ts';
import { matchOffer } from '../../../../src/features/billing/activation.ts';
import type { ProviderSubscription } from '../../../../src/features/billing/payment-provider.ts';
import {
  updateRuntimeConfig,
  OFFERS_KV_KEY,
  readRuntimeConfig,
  readRecentOffers,
} from '../../../../src/features/runtime-config/runtime-config-gateway.ts';
import type { RuntimeConfig } from '../../../../src/features/runtime-config/contract.ts';
import {
  OFFER_GRACE_MS,
  updateRecentOffers,
  parseRecentOffers,
} from '../../../../src/features/runtime-config/offers.ts';

const NOW = 1_800_000_000_000;
const at = (price: number, plan: string | null = null): RuntimeConfig => ({
  ...RUNTIME_CONFIG_DEFAULTS,
  storyteller_price_cents: price,
  storyteller_paypal_plan: plan,
});

describe('Recent offers', () => {
  const whole = { paypal_plan: null, price_cents: 699, until: NOW + 1 };

  test.each<[string, string | null]>([
    ['nothing', null],
    ['an empty text', ''],
    ['broken JSON', '[{"paypal_plan":null'],
    ['brackets without an end', '['.repeat(200_000)],
    ['one that is in no list', JSON.stringify(whole)],
    ['null', 'null'],
    ['a number', '7'],
    ['lists in a list', '[[[]]]'],
    ['what every object has', '{"length":1,"0":{}}'],
    [
      'values of another kind',
      JSON.stringify([
        null,
        'P-1',
        { ...whole, price_cents: '699' },
        { ...whole, price_cents: 0 },
        { ...whole, price_cents: 6.99 },
        { ...whole, paypal_plan: ['P-1'] },
        { ...whole, until: 'for ever' },
        { paypal_plan: null, price_cents: 699 },
      ]),
    ],
    ['an end that no number is', '[{"paypal_plan":null,"price_cents":699,"until":1e999}]'],
  ])('a stored value that is %s holds no recent offers', (_, text) => {
    expect(parseRecentOffers(text, NOW)).toEqual([]);
  });

  test('valid recent offers are read from a mixed list until they expire', () => {
    const text = JSON.stringify([
      7,
      { ...whole, note: 'by hand' },
      { ...whole, price_cents: 799, until: NOW },
    ]);
    expect(parseRecentOffers(text, NOW)).toEqual([whole]);
    expect(parseRecentOffers(text, NOW + 1)).toEqual([]);
  });

  test('the list of recent offers holds the newest ten, each once', () => {
    let recent = updateRecentOffers([], { before: at(1), after: at(2), now: NOW }) ?? [];
    for (let price = 2; price < 30; price += 1)
      recent = updateRecentOffers(recent, { before: at(price), after: at(price + 1), now: NOW }) ?? [];
    expect(recent.map(({ price_cents }) => price_cents)).toEqual([30, 29, 28, 27, 26, 25, 24, 23, 22, 21]);
    const repeated = updateRecentOffers(recent, { before: at(30), after: at(25), now: NOW + 5 });
    expect(repeated?.slice(0, 4).map(({ price_cents, until }) => [price_cents, until - NOW])).toEqual([
      [25, OFFER_GRACE_MS + 5],
      [30, OFFER_GRACE_MS + 5],
      [29, OFFER_GRACE_MS],
      [28, OFFER_GRACE_MS],
    ]);
    expect(parseRecentOffers(JSON.stringify(repeated), NOW)).toEqual(repeated);
  });

  test('the recent offers change with the price or the plan and with nothing else', () => {
    expect(updateRecentOffers([], { before: at(1), after: at(1, 'P-1'), now: NOW })).toHaveLength(2);
    const after = { ...at(1), refill_hours: 1, adventurer_price_cents: 1 };
    expect(updateRecentOffers([], { before: at(1), after, now: NOW })).toBeNull();
  });
});

describe('Reading recent offers', () => {
  const price = (cents: number) => ({ storyteller_price_cents: cents });
  const prices = (offers: { price_cents: number }[]) => offers.map(({ price_cents }) => price_cents);

  test('this instance knows each of several changes while KV still returns the old value', async () => {
    const written: string[] = [];
    const KV = {
      get: async () => null,
      put: async (key: string, text: string) => void (key === OFFERS_KV_KEY && written.push(text)),
    } as unknown as KVNamespace;
    await updateRuntimeConfig({ KV }, price(799), NOW);
    await updateRuntimeConfig({ KV }, { refill_hours: 4 }, NOW + 1);
    await updateRuntimeConfig({ KV }, price(899), NOW + 2);
    expect(prices(await readRecentOffers({ KV }, NOW + 3))).toEqual([899, 899, 799, 699]);
    expect(written.map((text) => prices(parseRecentOffers(text, NOW + 3)))).toEqual([
      [799, 699],
      [899, 799, 699],
    ]);
    // KV is expected to be up to date after half a minute.
    expect(prices(await readRecentOffers({ KV }, NOW + 60_000))).toEqual([699]);
  });

  test('a price change is dropped when its recent offers cannot be written first', async () => {
    const keys: string[] = [];
    const KV = {
      get: async () => null,
      put: async (key: string) => {
        keys.push(key);
        throw new Error('KV is away');
      },
    } as unknown as KVNamespace;
    await expect(updateRuntimeConfig({ KV }, price(799), NOW)).rejects.toThrow('KV is away');
    expect(keys).toEqual([OFFERS_KV_KEY]);
    expect(await readRuntimeConfig({ KV }, NOW)).toMatchObject(price(699));
  });

  test('reading the recent offers fails when KV fails or takes longer than a second', async () => {
    const failing = { get: () => Promise.reject(new Error('KV is away')) } as unknown as KVNamespace;
    await expect(readRecentOffers({ KV: failing }, NOW)).rejects.toThrow('KV is away');
    vi.useFakeTimers();
    try {
      const silent = { get: () => new Promise(() => {}) } as unknown as KVNamespace;
      const answer = expect(readRecentOffers({ KV: silent }, NOW)).rejects.toThrow(
        'no answer within 1000 ms',
      );
      await vi.advanceTimersByTimeAsync(1000);
      await answer;
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('Offer matching', () => {
  const offers = [
    { planId: 'P-NEW', priceCents: 999 },
    { planId: 'P-OLD', priceCents: 699 },
    { planId: 'P-OLD', priceCents: 799 },
  ];
  const match = (planId: string, cents: number, more: Partial<ProviderSubscription> = {}) =>
    matchOffer(
      {
        customId: 'u1',
        planId,
        status: 'active',
        amounts: [{ cents, currency: 'USD' }],
        ...more,
      } as ProviderSubscription,
      { userId: 'u1', offers, isToBeActive: true },
    );

  test("a subscription is matched by its plan and by that plan's price", () => {
    expect(match('P-NEW', 999).offer).toBe(offers[0]);
    expect(match('P-OLD', 699).offer).toBe(offers[1]);
    expect(match('P-OLD', 799).offer).toBe(offers[2]);
  });

  test.each<[string, number, Partial<ProviderSubscription>, string]>([
    ['P-NEW', 699, {}, 'subscription_wrong_price'],
    ['P-OLD', 999, {}, 'subscription_wrong_plan'],
    ['P-ELSE', 999, {}, 'subscription_wrong_plan'],
    ['P-OLD', 699, { amounts: [{ cents: 699, currency: 'EUR' }] }, 'subscription_wrong_currency'],
    ['P-OLD', 699, { status: 'suspended' }, 'subscription_not_active'],
    ['P-OLD', 699, { customId: 'u2' }, 'subscription_wrong_account'],
  ])('a subscription to %s at %i with %j matches no offer', (plan, cents, more, refusal) => {
    expect(match(plan, cents, more)).toEqual({ offer: null, refusal });
  });
});
