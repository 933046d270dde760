import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { openDatabase } from '../../src/db/open.ts';
import { readEnvironment } from '../../src/env/read-environment.ts';
import type { SubscriptionView } from '../../src/features/billing/contract.ts';
import { createBillingContext, reconcileSubscription } from '../../src/services/reconcile-subscription.ts';
import { createAccount, Visitor } from './factories.ts';
import { createPayPalSubscription, pay } from './paypal.ts';
import type { PayPalSubscription } from './paypal-subscriptions.ts';
import type { SignedEvent } from './paypal-events.ts';

/** Somebody who pays for a membership, as they go about it themselves. */

export const DAY_MS = 86_400_000;

export const getSubscription = (me: Visitor): Promise<SubscriptionView> =>
  me.ask<SubscriptionView>('/api/subscription');

export const activateSubscription = (me: Visitor, id: string): Promise<Response> =>
  me.call('/api/subscription/activate', { json: { subscription_id: id } });

/** The plan in force, as everything here goes by it. */
export const getPlan = async (me: Visitor): Promise<string> =>
  (await me.ask<{ user: { plan: string } }>('/api/auth/status')).user.plan;

/** Has somebody agree at PayPal and pay the first month, of which nothing is known here yet. */
export async function createAgreement(
  me: Pick<Visitor, 'id'>,
  atPayPal: Partial<PayPalSubscription> = {},
  paid = {},
) {
  const id = await createPayPalSubscription(me, atPayPal);
  return { id, ...(await pay(id, paid)) };
}

/** Somebody with a membership that began just now. */
export async function createMember(me?: Visitor) {
  const visitor = me ?? (await createAccount());
  const { id, payment, event } = await createAgreement(visitor);
  const answer = await activateSubscription(visitor, id);
  expect([answer.status, await answer.json()]).toEqual([
    200,
    expect.objectContaining({ plan: 'storyteller', status: 'active' }),
  ]);
  return { me: visitor, id, payment, event };
}

/** What PayPal does with an event: it posts it, from a server of its own. */
export const postWebhook = (event: Pick<SignedEvent, 'headers' | 'body'>): Promise<Response> =>
  new Visitor().call('/api/paypal/webhook', {
    method: 'POST',
    body: event.body,
    headers: { ...event.headers, 'user-agent': 'PayPal/AUHD-214.0-58853150' },
  });

/** Posts events that are taken, and waits until all of them are handled. */
export async function deliverEvents(
  ...events: Pick<SignedEvent, 'headers' | 'body' | 'id'>[]
): Promise<void> {
  for (const event of events) {
    const answer = await postWebhook(event);
    expect([answer.status, await answer.json()]).toEqual([200, { received: true }]);
  }
  await waitForEvents();
}

/** Waits until everything is done that goes on behind answers. */
export async function waitForEvents(): Promise<void> {
  const behind = () => (globalThis as { behindAnswers?: number }).behindAnswers ?? 0;
  await expect.poll(behind, { timeout: 20_000 }).toBe(0);
}

/** Settles the books of a subscription on a site that says where it is, so that mails go out. */
export async function reconcileAt(site: string, id: string) {
  const settings = { ...readEnvironment(env), siteUrl: site };
  const cashier = await createBillingContext(env, openDatabase(env.DB), settings);
  if (cashier === null) throw new Error('PayPal is not set up');
  return reconcileSubscription(cashier, id);
}

/** Lets time go by for one person: all that is written down of them is so much older. */
export async function shiftUserTime(me: Visitor, ms: number): Promise<void> {
  await env.DB.batch([
    env.DB.prepare(
      'update subscriptions set period_end = period_end - ?1, checked_at = max(1, checked_at - ?1), created_at = created_at - ?1, updated_at = updated_at - ?1, begins_at = begins_at - ?1, next_billing_at = next_billing_at - ?1 where user_id = ?2',
    ).bind(ms, me.id),
    env.DB.prepare(
      'update payments set paid_at = paid_at - ?1, created_at = created_at - ?1 where user_id = ?2',
    ).bind(ms, me.id),
    env.DB.prepare('update users set plan_until = plan_until - ?1 where id = ?2').bind(ms, me.id),
  ]);
}

export interface RecordedPayment {
  id: string;
  amount_cents: number;
  refunded_cents: number;
  status: string;
}
/** What our books have of somebody's payments, the oldest first. */
export const listPayments = async (me: Visitor): Promise<RecordedPayment[]> =>
  (
    await env.DB.prepare(
      'select id, amount_cents, refunded_cents, status from payments where user_id = ? order by paid_at, id',
    )
      .bind(me.id)
      .all<RecordedPayment>()
  ).results;
