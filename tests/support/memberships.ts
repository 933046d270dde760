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

/** A paying member's actions through the API. */

export const DAY_MS = 86_400_000;

export const getSubscription = (me: Visitor): Promise<SubscriptionView> =>
  me.ask<SubscriptionView>('/api/subscription');

export const activateSubscription = (me: Visitor, id: string): Promise<Response> =>
  me.call('/api/subscription/activate', { json: { subscription_id: id } });

/** The user's effective plan. */
export const getPlan = async (me: Visitor): Promise<string> =>
  (await me.ask<{ user: { plan: string } }>('/api/auth/status')).user.plan;

/** Creates a subscription at PayPal with a first payment that we do not know of yet. */
export async function createAgreement(
  me: Pick<Visitor, 'id'>,
  atPayPal: Partial<PayPalSubscription> = {},
  paid = {},
) {
  const id = await createPayPalSubscription(me, atPayPal);
  return { id, ...(await pay(id, paid)) };
}

/** Creates a user with a new membership. */
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

/** Posts an event as PayPal does, without a session. */
export const postWebhook = (event: Pick<SignedEvent, 'headers' | 'body'>): Promise<Response> =>
  new Visitor().call('/api/paypal/webhook', {
    method: 'POST',
    body: event.body,
    headers: { ...event.headers, 'user-agent': 'PayPal/AUHD-214.0-58853150' },
  });

/** Posts events that must be accepted, and waits until all are handled. */
export async function deliverEvents(
  ...events: Pick<SignedEvent, 'headers' | 'body' | 'id'>[]
): Promise<void> {
  for (const event of events) {
    const answer = await postWebhook(event);
    expect([answer.status, await answer.json()]).toEqual([200, { received: true }]);
  }
  await waitForEvents();
}

/** Waits for all background work. */
export async function waitForEvents(): Promise<void> {
  const behind = () => (globalThis as { behindAnswers?: number }).behindAnswers ?? 0;
  await expect.poll(behind, { timeout: 20_000 }).toBe(0);
}

/** Reconciles a subscription on a site with an address, so that mails are queued. */
export async function reconcileAt(site: string, id: string) {
  const settings = { ...readEnvironment(env), siteUrl: site };
  const cashier = await createBillingContext(env, openDatabase(env.DB), settings);
  if (cashier === null) throw new Error('PayPal is not set up');
  return reconcileSubscription(cashier, id);
}

/** Moves all times of one user into the past. */
export async function shiftUserTime(me: Visitor, ms: number): Promise<void> {
  await env.DB.batch([
    env.DB.prepare(
      'update subscriptions set period_end = period_end - ?1, reconciled_at = max(1, reconciled_at - ?1), created_at = created_at - ?1, updated_at = updated_at - ?1, starts_at = starts_at - ?1, next_billing_at = next_billing_at - ?1 where user_id = ?2',
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
/** The recorded payments of a user, oldest first. */
export const listPayments = async (me: Visitor): Promise<RecordedPayment[]> =>
  (
    await env.DB.prepare(
      'select id, amount_cents, refunded_cents, status from payments where user_id = ? order by paid_at, id',
    )
      .bind(me.id)
      .all<RecordedPayment>()
  ).results;
