import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findActivationError } from '../../../../src/features/billing/activation.ts';
import { showSubscription } from '../../../../src/vendors/paypal.ts';
import { type PayPalServer, startPayPalServer } from '../../../support/paypal-server.ts';

const CREDENTIALS = { clientId: 'ours', clientSecret: 'our-secret' };
let server: PayPalServer;

beforeAll(async () => {
  server = await startPayPalServer(CREDENTIALS);
});
afterAll(() => server.close());

/** Shows a subscription for which PayPal returns these fields. */
async function showWith(fields: Record<string, unknown>) {
  const body = { status: 'ACTIVE', ...fields };
  const answer = await fetch(`${server.url}/control/subscriptions`, {
    method: 'POST',
    body: JSON.stringify({ troubles: [{ at: 'show', status: 200, body }] }),
  });
  const { id } = (await answer.json()) as { id: string };
  const settings = { ...CREDENTIALS, apiBase: server.url };
  return showSubscription(settings, id, { now: Date.now() });
}

describe('PayPal subscription price', () => {
  const offer = { planId: 'P-1', priceCents: 699 };
  const refusal = async (body: Record<string, unknown>) => {
    const answer = await showWith({ custom_id: 'u1', plan_id: 'P-1', ...body });
    if (!answer.ok) throw new Error(answer.reason);
    const { payerId: _, ...subscribed } = answer.subscription;
    return findActivationError(
      { ...subscribed, status: 'active', payerHash: null },
      { userId: 'u1', offer, isToBeActive: true },
    );
  };
  const withPayment = (amount: unknown, time?: string) => ({
    billing_info: { last_payment: { amount, time } },
  });
  const withPrice = (fixed_price: unknown) => ({
    plan: { billing_cycles: [{ tenure_type: 'REGULAR', pricing_scheme: { fixed_price } }] },
  });

  test.each<[unknown, string | null]>([
    [{ value: '6.99', currency_code: 'USD' }, null],
    [{ value: 6.99, currency_code: 'USD' }, null],
    [undefined, null],
    [null, null],
    [{ value: '0.01', currency_code: 'USD' }, 'subscription_wrong_price'],
    [{ value: 'a little', currency_code: 'USD' }, 'subscription_wrong_price'],
    [{ value: '6.99' }, 'subscription_wrong_price'],
    ['6.99', 'subscription_wrong_price'],
    [{ value: '6.99', currency_code: 'EUR' }, 'subscription_wrong_currency'],
  ])('a subscription is accepted only at its price, whenever it was paid: %j', async (amount, expected) => {
    expect(await refusal(withPayment(amount))).toBe(expected);
    expect(await refusal(withPayment(amount, '2026-12-15T10:00:00Z'))).toBe(expected);
    expect(await refusal(withPrice(amount))).toBe(expected);
  });
});
