import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/open.ts';
import { saveClaim } from '../../src/features/billing/payment-event-store.ts';
import { endPlans } from '../../src/features/billing/plan-store.ts';
import { PLAN_NAMES } from '../../src/features/billing/plans.ts';
import {
  RUNTIME_CONFIG_KV_KEY,
  clearRuntimeConfigCache,
} from '../../src/features/runtime-config/runtime-config-gateway.ts';
import { deliverQueuedMail } from '../../src/services/deliver-mail.ts';
import { createAgreement, DAY_MS, shiftUserTime, reconcileAt } from '../support/memberships.ts';
import { ORIGIN, createAccount, type Visitor } from '../support/factories.ts';
import {
  createPayPalSubscription,
  updatePayPalSubscription,
  failPayment,
  performPayPalAction,
  pay,
  refund,
} from '../support/paypal.ts';
import { mailsTo, recordingMail } from './mailbox.ts';

const SITE = ORIGIN;
const iso = (at: number) => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');

/** What waits to be told to somebody. */
const waiting = async (me: Visitor) =>
  (
    await env.DB.prepare('select kind, details from mails where user_id = ? order by created_at, id')
      .bind(me.id)
      .all<{ kind: string; details: string }>()
  ).results.map(({ kind, details }) => ({ kind, ...(JSON.parse(details) as Record<string, unknown>) }));
const sent = (me: Visitor) => env.DB.prepare('delete from mails where user_id = ?').bind(me.id).run();
const end = (now = Date.now()) => endPlans(openDatabase(env.DB), { site: SITE, names: PLAN_NAMES, now });

/** A member who was told so. */
async function member() {
  const me = await createAccount();
  const { id } = await createAgreement(me);
  await reconcileAt(SITE, id);
  return { me, id };
}

describe('I am told by mail', () => {
  test('that my membership has begun, once, with what it costs and until when it is paid', async () => {
    const { me, id } = await member();
    await reconcileAt(SITE, id);
    expect(await waiting(me)).toEqual([
      {
        kind: 'membership_started',
        site: SITE,
        plan: 'Storyteller',
        price_cents: 699,
        until: expect.any(Number),
      },
    ]);
    await deliverQueuedMail({ ...env, EMAIL: recordingMail(env.EMAIL) }, openDatabase(env.DB), {
      now: Date.now(),
      userId: me.id,
    });
    const mail = mailsTo(me.email).at(-1);
    expect(mail?.text).toContain('$6.99');
    expect(mail?.text).toContain(`${SITE}/membership`);
    expect(mail?.text).not.toMatch(/spicy|nsfw|adult/i);
  });

  test('of each month that is paid after the first', async () => {
    const { me, id } = await member();
    await sent(me);
    await reconcileAt(SITE, id);
    expect(await waiting(me)).toEqual([]);
    await shiftUserTime(me, 30 * DAY_MS);
    await pay(id);
    await reconcileAt(SITE, id);
    await reconcileAt(SITE, id);
    expect(await waiting(me)).toMatchObject([{ kind: 'membership_renewed', price_cents: 699 }]);
  });

  test('of a payment that did not come, once for each', async () => {
    const { me, id } = await member();
    await sent(me);
    await failPayment(id);
    await reconcileAt(SITE, id);
    await failPayment(id);
    await reconcileAt(SITE, id);
    expect(await waiting(me)).toMatchObject([{ kind: 'membership_failed', plan: 'Storyteller' }]);
  });

  test('of a payment that did not come when nothing is paid for any more, as it is', async () => {
    const { me, id } = await member();
    await sent(me);
    await shiftUserTime(me, 33 * DAY_MS);
    await updatePayPalSubscription(id, {
      last_payment: { amount: { currency_code: 'USD', value: '6.99' }, time: iso(Date.now() - 33 * DAY_MS) },
      troubles: [{ at: 'transactions', status: 404 }],
    });
    await failPayment(id);
    await reconcileAt(SITE, id);
    expect(await waiting(me)).toMatchObject([{ kind: 'membership_unpaid', price_cents: 699 }]);
  });

  test('when a membership begins to which I have agreed for later', async () => {
    const me = await createAccount();
    const begins = Date.now() + 9 * DAY_MS;
    const id = await createPayPalSubscription(me, {
      start_time: iso(begins),
      next_billing_time: iso(begins),
    });
    await saveClaim(openDatabase(env.DB), { userId: me.id, subscriptionId: id }, Date.now());
    await reconcileAt(SITE, id);
    expect(await waiting(me)).toEqual([
      {
        kind: 'membership_agreed',
        site: SITE,
        plan: 'Storyteller',
        price_cents: 699,
        until: Math.floor(begins / 1000) * 1000,
      },
    ]);
  });

  test('when it renews itself, also before PayPal has told of the first payment', async () => {
    const me = await createAccount();
    const next = Date.now() + 30 * DAY_MS;
    const id = await createPayPalSubscription(me, { next_billing_time: iso(next) });
    await reconcileAt(SITE, id);
    expect(await waiting(me)).toMatchObject([
      { kind: 'membership_started', until: Math.floor(next / 1000) * 1000 },
    ]);
  });

  test('nothing of what a stranger agrees to in my name for later, until I say that it is mine', async () => {
    const { me } = await member();
    await sent(me);
    const begins = iso(Date.now() + 40 * DAY_MS);
    const theirs = { payer_id: 'STRANGER12345', start_time: begins, next_billing_time: begins };
    await reconcileAt(SITE, await createPayPalSubscription(me, theirs));
    expect(await waiting(me)).toEqual([]);
    const mine = await createPayPalSubscription(me, theirs);
    await saveClaim(openDatabase(env.DB), { userId: me.id, subscriptionId: mine }, Date.now());
    await reconcileAt(SITE, mine);
    expect(await waiting(me)).toMatchObject([{ kind: 'membership_agreed' }]);
  });

  test('of one that brings nothing before it is paid for, that it has begun once it is', async () => {
    const me = await createAccount();
    const next_billing_time = iso(Date.now() + 30 * DAY_MS);
    const first = await createPayPalSubscription(me, { next_billing_time });
    await reconcileAt(SITE, first);
    await shiftUserTime(me, 2 * DAY_MS);
    await updatePayPalSubscription(first, { start_time: iso(Date.now() - 2 * DAY_MS) });
    await sent(me);
    const id = await createPayPalSubscription(me, { next_billing_time });
    await reconcileAt(SITE, id);
    expect(await waiting(me)).toEqual([]);
    await pay(id);
    await reconcileAt(SITE, id);
    expect(await waiting(me)).toMatchObject([{ kind: 'membership_started', price_cents: 699 }]);
    await sent(me);
    await reconcileAt(SITE, id);
    expect(await waiting(me)).toEqual([]);
  });

  test('that it has begun once, when its first payment comes within the day in which it is awaited', async () => {
    const me = await createAccount();
    const id = await createPayPalSubscription(me, { next_billing_time: iso(Date.now() + 30 * DAY_MS) });
    await reconcileAt(SITE, id);
    expect(await waiting(me)).toMatchObject([{ kind: 'membership_started' }]);
    await sent(me);
    await pay(id);
    await reconcileAt(SITE, id);
    expect(await waiting(me)).toEqual([]);
  });

  test('at the price that I agreed to, whatever it costs by now', async () => {
    const { me, id } = await member();
    await sent(me);
    await env.KV.put(RUNTIME_CONFIG_KV_KEY, JSON.stringify({ storyteller_price_cents: 999 }));
    clearRuntimeConfigCache(env);
    await failPayment(id);
    await reconcileAt(SITE, id);
    await env.KV.delete(RUNTIME_CONFIG_KV_KEY);
    clearRuntimeConfigCache(env);
    expect(await waiting(me)).toMatchObject([{ kind: 'membership_failed', price_cents: 699 }]);
  });

  test('that it is over when it is, once, and not a moment before', async () => {
    const { me, id } = await member();
    await sent(me);
    await performPayPalAction(id, 'cancel');
    await reconcileAt(SITE, id);
    await end();
    expect(await waiting(me)).toEqual([]);
    await shiftUserTime(me, 33 * DAY_MS);
    await Promise.all([end(), end()]);
    await end();
    expect(await waiting(me)).toEqual([{ kind: 'membership_ended', site: SITE, plan: 'Storyteller' }]);
  });

  test('that it is over when all of my money came back', async () => {
    const { me, id } = await member();
    await sent(me);
    await refund(id);
    await reconcileAt(SITE, id);
    await end();
    expect(await waiting(me)).toMatchObject([{ kind: 'membership_ended' }]);
  });

  test('of my first commission, and of no other', async () => {
    const inviter = await createAccount();
    const { code } = await inviter.ask<{ code: string }>('/api/invites', { method: 'POST' });
    const me = await createAccount();
    await me.ask('/api/onboarding', { json: { invite_code: code } });
    const id = await createPayPalSubscription(me);
    await pay(id);
    await reconcileAt(SITE, id);
    expect(await waiting(inviter)).toEqual([{ kind: 'first_commission', site: SITE, amount_cents: 105 }]);
    await sent(inviter);
    await shiftUserTime(me, 30 * DAY_MS);
    await pay(id);
    await reconcileAt(SITE, id);
    expect(await waiting(inviter)).toEqual([]);
  });
});

test('Without an address of the site nobody is written to, and plans end all the same', async () => {
  const me = await createAccount();
  await env.DB.prepare("update users set plan = 'storyteller', plan_until = 1 where id = ?")
    .bind(me.id)
    .run();
  await endPlans(openDatabase(env.DB), { site: null, names: PLAN_NAMES, now: Date.now() });
  expect(await waiting(me)).toEqual([]);
  expect(await env.DB.prepare('select plan, plan_until from users where id = ?').bind(me.id).first()).toEqual(
    { plan: 'free', plan_until: null },
  );
});
