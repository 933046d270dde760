import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { api } from '../../../../src/api/app.ts';
import { handleDuePaymentEvents } from '../../../../src/services/process-payment-events.ts';
import {
  activateSubscription,
  createAgreement,
  createMember,
  getPlan,
  deliverEvents,
} from '../../../support/memberships.ts';
import { ORIGIN, createAccount, type Visitor } from '../../../support/factories.ts';
import { performPayPalAction } from '../../../support/paypal.ts';

const readAnswer = async (response: Response) => [response.status, await response.json()];
const refusal = (status: number, code: string) => [status, expect.objectContaining({ code })];

/** Activates a subscription at a site whose operator has set these variables. */
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

describe('Late activations', () => {
  test.each(['cancel', 'suspend'] as const)(
    'activating a subscription that is already over is refused, even if PayPal reported it before: %s',
    async (act) => {
      const me = await createAccount();
      const { id, event } = await createAgreement(me);
      await deliverEvents(event);
      expect(await getPlan(me)).toBe('storyteller');
      await deliverEvents((await performPayPalAction(id, act)).event);
      for (const _ of [1, 2])
        expect(await readAnswer(await activateSubscription(me, id))).toEqual(
          refusal(409, 'subscription_not_active'),
        );
    },
  );

  test('activating an own cancelled subscription again returns it with its pending downgrade', async () => {
    const { me, id } = await createMember();
    await deliverEvents((await performPayPalAction(id, 'cancel')).event);
    expect(await readAnswer(await activateSubscription(me, id))).toEqual([
      200,
      expect.objectContaining({ plan: 'storyteller', status: 'cancelled', pending_downgrade: true }),
    ]);
  });

  test('a subscription claimed while nothing is for sale becomes active when it is sold again', async () => {
    const me = await createAccount();
    const { id } = await createAgreement(me);
    const unsold = { PAYPAL_PLAN_STORYTELLER: '' };
    const answer = await activateWith(unsold, me, id);
    expect(await readAnswer(answer)).toEqual(refusal(503, 'payments_unavailable'));
    const due = () =>
      env.DB.prepare('update payment_events set retry_at = 1 where subscription_id = ?').bind(id).run();
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
