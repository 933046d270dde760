import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { api } from '../../src/api/app.ts';
import { handleDuePaymentEvents } from '../../src/services/process-payment-events.ts';
import {
  activateSubscription,
  createAgreement,
  createMember,
  getPlan,
  deliverEvents as toldOf,
} from '../support/memberships.ts';
import { ORIGIN, createAccount, type Visitor } from '../support/factories.ts';
import { performPayPalAction } from '../support/paypal.ts';

const told = async (response: Response) => [response.status, await response.json()];
const refused = (status: number, code: string) => [status, expect.objectContaining({ code })];

/** Comes back from PayPal to a site that its operator has set up otherwise. */
const activateWith = (variables: Record<string, string>, me: Visitor, id: string) =>
  api.fetch(
    new Request(`${ORIGIN}/api/subscription/activate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: me.cookie },
      body: JSON.stringify({ subscription_id: id }),
    }),
    { ...env, ...variables },
    { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} } as never,
  );

describe('A subscription with which I come back from PayPal late', () => {
  test.each(['cancel', 'suspend'] as const)(
    'is refused when it is over by then, also where PayPal told of it before: %s',
    async (act) => {
      const me = await createAccount();
      const { id, event } = await createAgreement(me);
      await toldOf(event);
      expect(await getPlan(me)).toBe('storyteller');
      await toldOf((await performPayPalAction(id, act)).event);
      for (const _ of [1, 2])
        expect(await told(await activateSubscription(me, id))).toEqual(
          refused(409, 'subscription_not_active'),
        );
    },
  );

  test('that was mine before it was cancelled is shown as it is, when I say it again', async () => {
    const { me, id } = await createMember();
    await toldOf((await performPayPalAction(id, 'cancel')).event);
    expect(await told(await activateSubscription(me, id))).toEqual([
      200,
      expect.objectContaining({ plan: 'storyteller', status: 'cancelled', pending_downgrade: true }),
    ]);
  });

  test('while nothing is for sale any more is not lost, and mine when something is for sale again', async () => {
    const me = await createAccount();
    const { id } = await createAgreement(me);
    const unsold = { PAYPAL_PLAN_STORYTELLER: '' };
    const answer = await activateWith(unsold, me, id);
    expect(await told(answer)).toEqual(refused(503, 'payments_unavailable'));
    const due = () =>
      env.DB.prepare('update payment_events set try_at = 1 where subscription_id = ?').bind(id).run();
    await due();
    const log = vi.spyOn(console, 'error').mockReturnValue();
    await handleDuePaymentEvents({ ...env, ...unsold }, Date.now());
    const lines = log.mock.calls.map(([line]) => String(line));
    log.mockRestore();
    expect(lines.some((line) => line.includes(id) && line.includes('for sale'))).toBe(true);
    expect(await getPlan(me)).toBe('free');
    await due();
    await handleDuePaymentEvents(env, Date.now());
    expect(await getPlan(me)).toBe('storyteller');
  });
});
