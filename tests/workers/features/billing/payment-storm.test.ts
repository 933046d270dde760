import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import {
  handleDuePaymentEvents,
  reconcileSubscriptions,
} from '../../../../src/services/process-payment-events.ts';
import { openDatabase } from '../../../../src/db/open.ts';
import { savePaymentEvent } from '../../../../src/features/billing/payment-event-store.ts';
import {
  waitForEvents,
  DAY_MS,
  shiftUserTime,
  createMember,
  getSubscription,
  listPayments,
  getPlan,
  postWebhook,
  deliverEvents,
} from '../../../support/memberships.ts';
import { createAccount, type Visitor } from '../../../support/factories.ts';
import {
  permuteDelivery,
  createPayPalSubscription,
  performPayPalAction,
  pay,
  refund,
  getPayPalState,
  createSignedEvents,
} from '../../../support/paypal.ts';
import type { EventRequest } from '../../../support/paypal-events.ts';

const readEvent = (id: string) =>
  env.DB.prepare('select * from payment_events where id = ?')
    .bind(id)
    .first<{ handled_at: number | null; tries: number; retry_at: number; payment: string | null }>();

describe('Concurrent reconciliation', () => {
  test('events and reconciliations at the same time lose none of a membership’s refunds', async () => {
    const { me, id, payment } = await createMember();
    const refunds = [];
    for (let part = 0; part < 6; part += 1) refunds.push(await refund(id, { value: '0.50' }));
    await Promise.all([
      ...refunds.map(({ event }) => postWebhook(event)),
      ...Array.from({ length: 4 }, () => reconcileSubscriptions(env, Date.now() + DAY_MS)),
    ]);
    await waitForEvents();
    // A run that was overtaken too often leaves its event for later.
    await env.DB.prepare('update payment_events set retry_at = 0 where handled_at is null').run();
    await handleDuePaymentEvents(env, Date.now());
    expect(await listPayments(me)).toEqual([
      { id: payment, amount_cents: 699, refunded_cents: 300, status: 'completed' },
    ]);
    expect(await getSubscription(me)).toMatchObject({ plan: 'storyteller', status: 'active' });
  });
});

describe('Crashes during payment events', () => {
  test.each(['payments', 'payment_events', 'users'])(
    'a crash while booking an event changes nothing, and the next try completes it: at %s',
    async (table) => {
      const { me, id } = await createMember();
      await shiftUserTime(me, 30 * DAY_MS);
      const before = [await getSubscription(me), await listPayments(me)];
      const { event } = await pay(id);
      const trigger = `crash_${id.replace(/\W/g, '')}`;
      const when =
        table === 'users'
          ? `update on users when new.id = '${me.id}'`
          : table === 'payments'
            ? `insert on payments when new.user_id = '${me.id}'`
            : `update on payment_events when new.handled_at is not null and new.id = '${event.id}'`;
      await env.DB.prepare(
        `create trigger ${trigger} before ${when} begin select raise(abort, 'crash'); end`,
      ).run();
      const log = vi.spyOn(console, 'error').mockReturnValue();
      try {
        await deliverEvents(event);
        expect([await getSubscription(me), await listPayments(me)]).toEqual(before);
        expect(await readEvent(event.id)).toMatchObject({ handled_at: null });
      } finally {
        log.mockRestore();
        await env.DB.prepare(`drop trigger ${trigger}`).run();
      }
      await env.DB.prepare('update payment_events set retry_at = 0 where id = ?').bind(event.id).run();
      await handleDuePaymentEvents(env, Date.now());
      expect(await listPayments(me)).toHaveLength(2);
      expect(await getPlan(me)).toBe('storyteller');
      expect(await readEvent(event.id)).toMatchObject({ handled_at: expect.any(Number) });
    },
  );

  test('an event whose handler crashed is handled by a later run', async () => {
    const { me, id } = await createMember();
    const { event } = await performPayPalAction(id, 'suspend');
    await savePaymentEvent(
      openDatabase(env.DB),
      { id: event.id, kind: 'BILLING.SUBSCRIPTION.SUSPENDED', subscriptionId: id, payment: null },
      Date.now(),
    );
    await env.DB.prepare('update payment_events set tries = -1, retry_at = ? where id = ?')
      .bind(Date.now() + 60_000, event.id)
      .run();
    await handleDuePaymentEvents(env, Date.now());
    expect(await getSubscription(me)).toMatchObject({ status: 'active' });
    await env.DB.prepare('update payment_events set retry_at = ? where id = ?')
      .bind(Date.now(), event.id)
      .run();
    await handleDuePaymentEvents(env, Date.now());
    expect(await getSubscription(me)).toMatchObject({ status: 'suspended' });
  });
});

describe('Event storm', () => {
  test(
    '1,000 shuffled events with repeats and forgeries book every payment exactly once @all',
    { timeout: 120_000 },
    async () => {
      const people: { me: Visitor; id: string; payments: string[] }[] = [];
      for (let index = 0; index < 20; index += 1) {
        const me = await createAccount();
        const id = await createPayPalSubscription(me);
        const payments: string[] = [];
        for (let month = 0; month < 3; month += 1) payments.push((await pay(id)).payment);
        people.push({ me, id, payments });
      }
      // Every fifth user’s last payment was refunded.
      const refunded = people.filter((_, index) => index % 5 === 0);
      for (const { id } of refunded) await refund(id);
      const wanted: EventRequest[] = [];
      for (let index = 0; wanted.length < 667; index += 1) {
        const { id, payments } = people[index % people.length] as (typeof people)[number];
        const kinds = ['CREATED', 'ACTIVATED', 'UPDATED', 'PAYMENT.FAILED', 'SUSPENDED', 'CANCELLED'];
        const turn = Math.floor(index / people.length);
        wanted.push(
          turn % 2 === 0
            ? { kind: 'PAYMENT.SALE.COMPLETED', subscription: id, payment: payments[turn % 3] as string }
            : { kind: `BILLING.SUBSCRIPTION.${kinds[turn % kinds.length]}`, subscription: id },
        );
      }
      const genuine = await createSignedEvents(
        wanted.slice(0, 567).map((event, index) =>
          // Some of the events report a refund.
          index < refunded.length
            ? {
                kind: 'PAYMENT.SALE.REFUNDED',
                subscription: refunded[index]?.id ?? '',
                payment: refunded[index]?.payments[2] ?? '',
              }
            : event,
        ),
      );
      const forged = await createSignedEvents(
        wanted
          .slice(567)
          .map((event) => ({ ...event, kind: 'PAYMENT.SALE.REVERSED', forge: 'key' as const })),
      );
      const repeated = permuteDelivery(genuine, { seed: 7 }).slice(0, 333);
      const storm = permuteDelivery([...genuine, ...repeated, ...forged], { seed: 42 });
      expect(storm).toHaveLength(1000);
      const countShowCalls = async () =>
        (await Promise.all(people.map(({ id }) => getPayPalState(id)))).flatMap(({ calls }) =>
          calls.filter((call) => call === 'show'),
        ).length;
      const before = await countShowCalls();
      const statuses: number[] = [];
      for (let start = 0; start < storm.length; start += 50) {
        const some = await Promise.all(storm.slice(start, start + 50).map(postWebhook));
        statuses.push(...some.map(({ status }) => status));
      }
      await waitForEvents();
      expect(statuses.filter((status) => status === 400)).toHaveLength(100);
      expect(statuses.filter((status) => status === 200)).toHaveLength(900);
      // Many events need only one request to PayPal.
      expect((await countShowCalls()) - before).toBeLessThan(500);
      for (const [index, { me, payments }] of people.entries()) {
        const booked = await listPayments(me);
        expect(booked.map(({ id }) => id).toSorted()).toEqual(payments.toSorted());
        expect(booked.filter(({ status }) => status === 'reversed')).toEqual([]);
        expect(booked.filter(({ status }) => status === 'refunded')).toHaveLength(index % 5 === 0 ? 1 : 0);
        expect(await getSubscription(me)).toMatchObject({ plan: 'storyteller', status: 'active' });
      }
      // A run that was overtaken too often leaves its event for the next minute.
      await env.DB.prepare('update payment_events set retry_at = 0 where handled_at is null').run();
      await handleDuePaymentEvents(env, Date.now());
      const rows = await env.DB.prepare(
        'select count(*) as count, count(handled_at) as handled from payment_events where id in (select value from json_each(?))',
      )
        .bind(JSON.stringify(genuine.map(({ id }) => id)))
        .first();
      expect(rows).toEqual({ count: 567, handled: 567 });
    },
  );
});
