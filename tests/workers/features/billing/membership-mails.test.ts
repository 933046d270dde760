import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../../../src/db/open.ts';
import { saveClaim } from '../../../../src/features/billing/payment-event-store.ts';
import { endPlans } from '../../../../src/features/billing/plan-store.ts';
import { PLAN_NAMES } from '../../../../src/features/billing/plans.ts';
import {
  RUNTIME_CONFIG_KV_KEY,
  clearRuntimeConfigCache,
} from '../../../../src/features/runtime-config/runtime-config-gateway.ts';
import { deliverQueuedMail } from '../../../../src/services/deliver-mail.ts';
import { createAgreement, DAY_MS, shiftUserTime, reconcileAt } from '../../../support/memberships.ts';
import { ORIGIN, createAccount, type Visitor } from '../../../support/factories.ts';
import {
  createPayPalSubscription,
  updatePayPalSubscription,
  failPayment,
  performPayPalAction,
  pay,
  refund,
} from '../../../support/paypal.ts';
import { mailsTo, recordingMail } from '../../mailbox.ts';

const SITE = ORIGIN;
const iso = (at: number) => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');

/** The queued mails of a user. */
const listQueuedMails = async (me: Visitor) =>
  (
    await env.DB.prepare('select kind, variables from mails where user_id = ? order by created_at, id')
      .bind(me.id)
      .all<{ kind: string; variables: string }>()
  ).results.map(({ kind, variables }) => ({ kind, ...(JSON.parse(variables) as Record<string, unknown>) }));
const clearQueuedMails = (me: Visitor) =>
  env.DB.prepare('delete from mails where user_id = ?').bind(me.id).run();
const runEndPlans = (now = Date.now()) =>
  endPlans(openDatabase(env.DB), { site: SITE, names: PLAN_NAMES, now });

/** A new member whose first mail is queued. */
async function createReportedMember() {
  const me = await createAccount();
  const { id } = await createAgreement(me);
  await reconcileAt(SITE, id);
  return { me, id };
}

describe('Membership mails', () => {
  test('the mail about a new membership is queued once, with its price and the end of the paid time', async () => {
    const { me, id } = await createReportedMember();
    await reconcileAt(SITE, id);
    expect(await listQueuedMails(me)).toEqual([
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

  test('a renewal mail is queued for each paid month after the first', async () => {
    const { me, id } = await createReportedMember();
    await clearQueuedMails(me);
    await reconcileAt(SITE, id);
    expect(await listQueuedMails(me)).toEqual([]);
    await shiftUserTime(me, 30 * DAY_MS);
    await pay(id);
    await reconcileAt(SITE, id);
    await reconcileAt(SITE, id);
    expect(await listQueuedMails(me)).toMatchObject([{ kind: 'membership_renewed', price_cents: 699 }]);
  });

  test('a failed payment queues one mail', async () => {
    const { me, id } = await createReportedMember();
    await clearQueuedMails(me);
    await failPayment(id);
    await reconcileAt(SITE, id);
    await failPayment(id);
    await reconcileAt(SITE, id);
    expect(await listQueuedMails(me)).toMatchObject([{ kind: 'membership_failed', plan: 'Storyteller' }]);
  });

  test('a failed payment queues a mail about the unpaid membership when no paid time is left', async () => {
    const { me, id } = await createReportedMember();
    await clearQueuedMails(me);
    await shiftUserTime(me, 33 * DAY_MS);
    await updatePayPalSubscription(id, {
      last_payment: { amount: { currency_code: 'USD', value: '6.99' }, time: iso(Date.now() - 33 * DAY_MS) },
      troubles: [{ at: 'transactions', status: 404 }],
    });
    await failPayment(id);
    await reconcileAt(SITE, id);
    expect(await listQueuedMails(me)).toMatchObject([{ kind: 'membership_unpaid', price_cents: 699 }]);
  });

  test('agreeing to a later membership queues a mail that says when it begins', async () => {
    const me = await createAccount();
    const start = Date.now() + 9 * DAY_MS;
    const id = await createPayPalSubscription(me, {
      start_time: iso(start),
      next_billing_time: iso(start),
    });
    await saveClaim(openDatabase(env.DB), { userId: me.id, subscriptionId: id }, Date.now());
    await reconcileAt(SITE, id);
    expect(await listQueuedMails(me)).toEqual([
      {
        kind: 'membership_agreed',
        site: SITE,
        plan: 'Storyteller',
        price_cents: 699,
        until: Math.floor(start / 1000) * 1000,
      },
    ]);
  });

  test('the mail about a new membership gives the renewal date before PayPal reports the first payment', async () => {
    const me = await createAccount();
    const next = Date.now() + 30 * DAY_MS;
    const id = await createPayPalSubscription(me, { next_billing_time: iso(next) });
    await reconcileAt(SITE, id);
    expect(await listQueuedMails(me)).toMatchObject([
      { kind: 'membership_started', until: Math.floor(next / 1000) * 1000 },
    ]);
  });

  test('an agreement that a stranger made in the user’s name queues no mail until the user claims it', async () => {
    const { me } = await createReportedMember();
    await clearQueuedMails(me);
    const start = iso(Date.now() + 40 * DAY_MS);
    const strangersAgreement = { payer_id: 'STRANGER12345', start_time: start, next_billing_time: start };
    await reconcileAt(SITE, await createPayPalSubscription(me, strangersAgreement));
    expect(await listQueuedMails(me)).toEqual([]);
    const mine = await createPayPalSubscription(me, strangersAgreement);
    await saveClaim(openDatabase(env.DB), { userId: me.id, subscriptionId: mine }, Date.now());
    await reconcileAt(SITE, mine);
    expect(await listQueuedMails(me)).toMatchObject([{ kind: 'membership_agreed' }]);
  });

  test('a membership without benefits before its payment queues its mail once it is paid', async () => {
    const me = await createAccount();
    const next_billing_time = iso(Date.now() + 30 * DAY_MS);
    const first = await createPayPalSubscription(me, { next_billing_time });
    await reconcileAt(SITE, first);
    await shiftUserTime(me, 2 * DAY_MS);
    await updatePayPalSubscription(first, { start_time: iso(Date.now() - 2 * DAY_MS) });
    await clearQueuedMails(me);
    const id = await createPayPalSubscription(me, { next_billing_time });
    await reconcileAt(SITE, id);
    expect(await listQueuedMails(me)).toEqual([]);
    await pay(id);
    await reconcileAt(SITE, id);
    expect(await listQueuedMails(me)).toMatchObject([{ kind: 'membership_started', price_cents: 699 }]);
    await clearQueuedMails(me);
    await reconcileAt(SITE, id);
    expect(await listQueuedMails(me)).toEqual([]);
  });

  test('the mail about a new membership is queued once when its payment arrives within the day of grace', async () => {
    const me = await createAccount();
    const id = await createPayPalSubscription(me, { next_billing_time: iso(Date.now() + 30 * DAY_MS) });
    await reconcileAt(SITE, id);
    expect(await listQueuedMails(me)).toMatchObject([{ kind: 'membership_started' }]);
    await clearQueuedMails(me);
    await pay(id);
    await reconcileAt(SITE, id);
    expect(await listQueuedMails(me)).toEqual([]);
  });

  test('a failed payment’s mail names the price that the user agreed to, whatever the price is now', async () => {
    const { me, id } = await createReportedMember();
    await clearQueuedMails(me);
    await env.KV.put(RUNTIME_CONFIG_KV_KEY, JSON.stringify({ storyteller_price_cents: 999 }));
    clearRuntimeConfigCache(env);
    await failPayment(id);
    await reconcileAt(SITE, id);
    await env.KV.delete(RUNTIME_CONFIG_KV_KEY);
    clearRuntimeConfigCache(env);
    expect(await listQueuedMails(me)).toMatchObject([{ kind: 'membership_failed', price_cents: 699 }]);
  });

  test('the mail about the end of a membership is queued once, when it ends and not earlier', async () => {
    const { me, id } = await createReportedMember();
    await clearQueuedMails(me);
    await performPayPalAction(id, 'cancel');
    await reconcileAt(SITE, id);
    await runEndPlans();
    expect(await listQueuedMails(me)).toEqual([]);
    await shiftUserTime(me, 33 * DAY_MS);
    await Promise.all([runEndPlans(), runEndPlans()]);
    await runEndPlans();
    expect(await listQueuedMails(me)).toEqual([
      { kind: 'membership_ended', site: SITE, plan: 'Storyteller' },
    ]);
  });

  test('a full refund queues the mail about the end of the membership', async () => {
    const { me, id } = await createReportedMember();
    await clearQueuedMails(me);
    await refund(id);
    await reconcileAt(SITE, id);
    await runEndPlans();
    expect(await listQueuedMails(me)).toMatchObject([{ kind: 'membership_ended' }]);
  });

  test('the first commission queues a mail, and later ones do not', async () => {
    const inviter = await createAccount();
    const { code } = await inviter.ask<{ code: string }>('/api/invites', { method: 'POST' });
    const me = await createAccount();
    await me.ask('/api/onboarding', { json: { invite_code: code } });
    const id = await createPayPalSubscription(me);
    await pay(id);
    await reconcileAt(SITE, id);
    expect(await listQueuedMails(inviter)).toEqual([
      { kind: 'first_commission', site: SITE, amount_cents: 105 },
    ]);
    await clearQueuedMails(inviter);
    await shiftUserTime(me, 30 * DAY_MS);
    await pay(id);
    await reconcileAt(SITE, id);
    expect(await listQueuedMails(inviter)).toEqual([]);
  });
});

test('a plan ends without a mail when the site’s address is not set', async () => {
  const me = await createAccount();
  await env.DB.prepare("update users set plan = 'storyteller', plan_until = 1 where id = ?")
    .bind(me.id)
    .run();
  await endPlans(openDatabase(env.DB), { site: null, names: PLAN_NAMES, now: Date.now() });
  expect(await listQueuedMails(me)).toEqual([]);
  expect(await env.DB.prepare('select plan, plan_until from users where id = ?').bind(me.id).first()).toEqual(
    { plan: 'free', plan_until: null },
  );
});
