import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { api } from '../../src/api/app.ts';
import { handleDueEvents, reconcile } from '../../src/api/payment-events.ts';
import { openDatabase } from '../../src/db/open.ts';
import { keepEvent, removeOldEvents } from '../../src/features/billing/payment-event-store.ts';
import {
  activate,
  agreed,
  allHandled,
  DAY_MS,
  later,
  member,
  mySubscription,
  paymentsOf,
  planOf,
  post,
  told,
} from '../support/members.ts';
import { ORIGIN, signedIn, type Visitor } from '../support/makers.ts';
import {
  asTheyArrive,
  begunAtPayPal,
  changeAtPayPal,
  failToPay,
  happensAtPayPal,
  pay,
  refund,
  reverse,
  seen,
  signedEvent,
  signedEvents,
  troubleVerifying,
} from '../support/paypal.ts';
import type { EventWanted, SignedEvent } from '../support/paypal-events.ts';

const answered = async (response: Response) => [response.status, await response.json()];
const refused = (status: number, code: string) => [status, expect.objectContaining({ code })];
const eventOf = (id: string) =>
  env.DB.prepare('select * from payment_events where id = ?')
    .bind(id)
    .first<{ handled_at: number | null; tries: number; try_at: number; payment: string | null }>();

const callWith = (variables: Partial<Record<string, string>>, { headers, body }: SignedEvent) =>
  api.fetch(
    new Request(`${ORIGIN}/api/paypal/webhook`, { method: 'POST', headers, body }),
    { ...env, ...variables },
    { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} } as never,
  );

describe('An event that PayPal posts', () => {
  test('is taken from a server of its own, without a session and whatever it says of its origin', async () => {
    const { me, id } = await member();
    const { event } = await happensAtPayPal(id, 'suspend');
    const foreign = { ...event.headers, origin: 'https://www.paypal.com', 'sec-fetch-site': 'cross-site' };
    expect(await answered(await post({ ...event, headers: foreign }))).toEqual([200, { received: true }]);
    await allHandled();
    expect(await mySubscription(me)).toMatchObject({
      status: 'suspended',
      auto_renew: false,
      plan: 'storyteller',
    });
  });

  test.each(['key', 'body', 'webhook', 'cert'] as const)(
    'and is not PayPal’s is refused, and nothing of it is kept: another %s',
    async (forge) => {
      const { me, id, payment } = await member();
      await refund(id);
      const before = await mySubscription(me);
      const event = await signedEvent({ kind: 'PAYMENT.SALE.REFUNDED', subscription: id, payment, forge });
      expect(await answered(await post(event))).toEqual(refused(400, 'webhook_not_genuine'));
      expect(await eventOf(event.id)).toBeNull();
      expect(await mySubscription(me)).toEqual(before);
    },
  );

  test('without a signature, or that is nothing at all, is refused', async () => {
    const { id } = await member();
    const { body, headers } = await signedEvent({ kind: 'BILLING.SUBSCRIPTION.UPDATED', subscription: id });
    for (const bad of [
      { body, headers: { 'content-type': 'application/json' } },
      { body: '', headers },
      { body: '[]', headers },
      { body: '{"id":', headers },
      { body: body.slice(1), headers },
    ])
      expect(await answered(await post(bad))).toEqual(refused(400, 'webhook_not_genuine'));
    expect(await answered(await post({ body: `${body}${' '.repeat(300_000)}`, headers }))).toEqual(
      refused(413, 'too_large'),
    );
  });

  test('is to be posted again when PayPal cannot say whether it is its own', async () => {
    const { id } = await member();
    const event = await signedEvent({ kind: 'BILLING.SUBSCRIPTION.UPDATED', subscription: id });
    await troubleVerifying(event.id, { at: 'verify', status: 500, times: 1 });
    expect(await answered(await post(event))).toEqual(refused(502, 'paypal_unavailable'));
    expect(await eventOf(event.id)).toBeNull();
    await told(event);
    expect(await eventOf(event.id)).not.toBeNull();
  });

  test('is not taken where the operator has not said what is told to whom', async () => {
    const { id } = await member();
    const event = await signedEvent({ kind: 'BILLING.SUBSCRIPTION.UPDATED', subscription: id });
    for (const none of [{ PAYPAL_WEBHOOK_ID: '' }, { PAYPAL_CLIENT_ID: '', PAYPAL_CLIENT_SECRET: '' }])
      expect(await answered(await callWith(none, event))).toEqual(refused(503, 'payments_unavailable'));
  });

  test('of a kind that says nothing to us is taken, and forgotten after a while', async () => {
    const event = await signedEvent({ kind: 'CUSTOMER.DISPUTE.CREATED', resource: { dispute_id: 'PP-1' } });
    await told(event);
    expect(await eventOf(event.id)).toMatchObject({ handled_at: expect.any(Number), payment: null });
    await removeOldEvents(openDatabase(env.DB), Date.now() + 89 * DAY_MS);
    expect(await eventOf(event.id)).not.toBeNull();
    await removeOldEvents(openDatabase(env.DB), Date.now() + 91 * DAY_MS);
    expect(await eventOf(event.id)).toBeNull();
  });
});

test('What went back is kept with its payment, and forgotten after a while where nobody here paid it', async () => {
  const { id, payment } = await member();
  const mine = await refund(id, { value: '1.00' });
  const resource = { id: `R${id}`, sale_id: `S${id}`, amount: { total: '1.00', currency: 'USD' } };
  await told(mine.event, await signedEvent({ kind: 'PAYMENT.SALE.REFUNDED', resource }));
  const kept = async () =>
    (
      await env.DB.prepare('select payment_id from refunds where payment_id in (?, ?)')
        .bind(payment, `S${id}`)
        .all()
    ).results.length;
  expect(await kept()).toBe(2);
  await removeOldEvents(openDatabase(env.DB), Date.now() + 91 * DAY_MS);
  expect(await kept()).toBe(1);
});

describe('What PayPal tells', () => {
  test('renews my membership', async () => {
    const { me, id } = await member();
    await later(me, 30 * DAY_MS);
    const { event } = await pay(id);
    await told(event);
    expect(await mySubscription(me)).toMatchObject({
      plan: 'storyteller',
      status: 'active',
      auto_renew: true,
    });
    expect(await paymentsOf(me)).toHaveLength(2);
  });

  test('of a payment that failed ends nothing that is paid, and at its end everything', async () => {
    const { me, id } = await member();
    const before = await mySubscription(me);
    const { event } = await failToPay(id);
    await told(event);
    expect(await mySubscription(me)).toMatchObject({
      plan: 'storyteller',
      is_failing: true,
      current_period_end: before.current_period_end,
    });
    await later(me, 31.5 * DAY_MS);
    expect(await planOf(me)).toBe('free');
    await told((await pay(id)).event);
    expect(await mySubscription(me)).toMatchObject({ plan: 'storyteller', is_failing: false });
  });

  test.each([
    ['cancel', 'cancelled'],
    ['suspend', 'suspended'],
    ['expire', 'expired'],
  ] as const)('that it came to «%s» leaves me what I paid for', async (act, status) => {
    const { me, id } = await member();
    const before = await mySubscription(me);
    await told((await happensAtPayPal(id, act)).event);
    expect(await mySubscription(me)).toMatchObject({
      plan: 'storyteller',
      status,
      auto_renew: false,
      pending_downgrade: act !== 'suspend',
      current_period_end: before.current_period_end,
    });
    await later(me, 32 * DAY_MS);
    expect(await planOf(me)).toBe('free');
  });

  test('of money that went back in full ends at once what it paid for; in part, nothing', async () => {
    const { me, id, payment } = await member();
    await told((await refund(id, { value: '2.00' })).event);
    expect(await planOf(me)).toBe('storyteller');
    expect(await paymentsOf(me)).toMatchObject([{ id: payment, refunded_cents: 200, status: 'completed' }]);
    await told((await refund(id, { value: '4.99' })).event);
    expect(await planOf(me)).toBe('free');
    expect(await paymentsOf(me)).toMatchObject([{ id: payment, refunded_cents: 699, status: 'refunded' }]);
  });

  test('of money that a bank took back ends at once what it paid for', async () => {
    const { me, id, payment } = await member();
    await told((await reverse(id)).event);
    expect(await planOf(me)).toBe('free');
    expect(await paymentsOf(me)).toMatchObject([{ id: payment, status: 'reversed' }]);
  });

  test('begins my membership where my browser was closed, and saying so afterwards changes nothing', async () => {
    const me = await signedIn();
    const { id, event } = await agreed(me);
    await told(event);
    const view = await mySubscription(me);
    expect(view).toMatchObject({ plan: 'storyteller', status: 'active' });
    expect(await (await activate(me, id)).json()).toEqual(view);
    expect(await paymentsOf(me)).toHaveLength(1);
  });

  test('in any order makes the same of it: what went back may be told of before it was paid', async () => {
    const me = await signedIn();
    const { id, payment, event } = await agreed(me);
    await changeAtPayPal(id, { troubles: [{ at: 'transactions', status: 404 }] });
    const back = await refund(id);
    const unnamed = await signedEvent({
      kind: 'PAYMENT.SALE.REFUNDED',
      resource: {
        id: back.refund,
        sale_id: payment,
        state: 'completed',
        amount: { total: '6.99', currency: 'USD' },
      },
    });
    await told(unnamed, event);
    expect(await paymentsOf(me)).toMatchObject([{ id: payment, refunded_cents: 699, status: 'refunded' }]);
    expect(await planOf(me)).toBe('free');
  });

  test('of somebody else’s plan, price or nobody at all makes nobody a member', async () => {
    const me = await signedIn();
    const odd = [
      await agreed(me, { plan_id: 'P-CHEAPER0000000' }),
      await agreed(me, { price: { currency_code: 'USD', value: '0.01' } }),
      await agreed({ id: 'nobody' }),
      await agreed({ id: '' }),
    ];
    await told(...odd.map(({ event }) => event));
    await told(await signedEvent({ kind: 'BILLING.SUBSCRIPTION.ACTIVATED', subscription: 'I-NOSUCHTHING1' }));
    expect(await mySubscription(me)).toMatchObject({ plan: 'free', status: 'none' });
    for (const { id } of odd)
      expect(await env.DB.prepare('select id from subscriptions where id = ?').bind(id).first()).toBeNull();
  });

  test('of a payment before the subscription has begun waits until it has', async () => {
    const me = await signedIn();
    const { id, event } = await agreed(me, { status: 'APPROVED' });
    await told(event);
    expect(await eventOf(event.id)).toMatchObject({ handled_at: null, tries: 1 });
    await changeAtPayPal(id, { status: 'ACTIVE' });
    await handleDueEvents(env, Date.now());
    expect(await planOf(me)).toBe('free');
    await env.DB.prepare('update payment_events set try_at = 0 where id = ?').bind(event.id).run();
    await handleDueEvents(env, Date.now());
    expect(await planOf(me)).toBe('storyteller');
    expect(await eventOf(event.id)).toMatchObject({ handled_at: expect.any(Number) });
  });

  test('waits longer each time when PayPal does not answer, and is given up in the end', async () => {
    const { id } = await member();
    await changeAtPayPal(id, { troubles: [{ at: 'show', status: 500 }] });
    const { event } = await happensAtPayPal(id, 'suspend');
    const log = vi.spyOn(console, 'error').mockReturnValue();
    await told(event);
    const pauses: number[] = [];
    for (let tries = 1; tries < 20; tries += 1) {
      const row = await eventOf(event.id);
      if (row === null || row.handled_at !== null) break;
      expect(row.tries).toBe(tries);
      pauses.push(Math.round((row.try_at - Date.now()) / 60_000));
      await env.DB.prepare('update payment_events set try_at = 0 where id = ?').bind(event.id).run();
      await handleDueEvents(env, Date.now());
    }
    log.mockRestore();
    expect(pauses).toEqual([1, 5, 30, 120, 360, 1440]);
    expect(await eventOf(event.id)).toMatchObject({ handled_at: expect.any(Number), tries: 7 });
  });

  test('and never told is found out by asking', async () => {
    const { me, id } = await member();
    await later(me, 30 * DAY_MS);
    await pay(id);
    await reconcile(env, Date.now());
    expect(await paymentsOf(me)).toHaveLength(2);
    expect(await mySubscription(me)).toMatchObject({ plan: 'storyteller' });
    await refund(id);
    await later(me, DAY_MS);
    await reconcile(env, Date.now());
    expect(await planOf(me)).toBe('free');
    expect((await paymentsOf(me)).map(({ status }) => status)).toEqual(['completed', 'refunded']);
  });
});

describe('Many who ask after one membership at once', () => {
  test('write one truth, whoever is first: nothing of what went back is lost between them', async () => {
    const { me, id, payment } = await member();
    const backs = [];
    for (let part = 0; part < 6; part += 1) backs.push(await refund(id, { value: '0.50' }));
    await Promise.all([
      ...backs.map(({ event }) => post(event)),
      ...Array.from({ length: 4 }, () => reconcile(env, Date.now() + DAY_MS)),
    ]);
    await allHandled();
    // Whoever was overtaken too often left it for later.
    await env.DB.prepare('update payment_events set try_at = 0 where handled_at is null').run();
    await handleDueEvents(env, Date.now());
    expect(await paymentsOf(me)).toEqual([
      { id: payment, amount_cents: 699, refunded_cents: 300, status: 'completed' },
    ]);
    expect(await mySubscription(me)).toMatchObject({ plan: 'storyteller', status: 'active' });
  });
});

describe('A crash between any two steps', () => {
  test.each(['payments', 'payment_events', 'users'])(
    'leaves the books as they were, and the next try makes them whole: at %s',
    async (table) => {
      const { me, id } = await member();
      await later(me, 30 * DAY_MS);
      const before = [await mySubscription(me), await paymentsOf(me)];
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
        await told(event);
        expect([await mySubscription(me), await paymentsOf(me)]).toEqual(before);
        expect(await eventOf(event.id)).toMatchObject({ handled_at: null });
      } finally {
        log.mockRestore();
        await env.DB.prepare(`drop trigger ${trigger}`).run();
      }
      await env.DB.prepare('update payment_events set try_at = 0 where id = ?').bind(event.id).run();
      await handleDueEvents(env, Date.now());
      expect(await paymentsOf(me)).toHaveLength(2);
      expect(await planOf(me)).toBe('storyteller');
      expect(await eventOf(event.id)).toMatchObject({ handled_at: expect.any(Number) });
    },
  );

  test('of whoever had taken an event leaves it to the next, later', async () => {
    const { me, id } = await member();
    const { event } = await happensAtPayPal(id, 'suspend');
    await keepEvent(
      openDatabase(env.DB),
      { id: event.id, kind: 'BILLING.SUBSCRIPTION.SUSPENDED', subscriptionId: id, payment: null },
      Date.now(),
    );
    await env.DB.prepare('update payment_events set tries = 1, try_at = ? where id = ?')
      .bind(Date.now() + 60_000, event.id)
      .run();
    await handleDueEvents(env, Date.now());
    expect(await mySubscription(me)).toMatchObject({ status: 'active' });
    await env.DB.prepare('update payment_events set try_at = ? where id = ?')
      .bind(Date.now(), event.id)
      .run();
    await handleDueEvents(env, Date.now());
    expect(await mySubscription(me)).toMatchObject({ status: 'suspended' });
  });
});

describe('A storm of 1,000 events', () => {
  test(
    'a third of them repeated, a tenth forged, in no order: everybody has what they paid for, once',
    { timeout: 120_000 },
    async () => {
      const people: { me: Visitor; id: string; payments: string[] }[] = [];
      for (let index = 0; index < 20; index += 1) {
        const me = await signedIn();
        const id = await begunAtPayPal(me);
        const payments: string[] = [];
        for (let month = 0; month < 3; month += 1) payments.push((await pay(id)).payment);
        people.push({ me, id, payments });
      }
      // Of every fifth the last payment went back.
      const back = people.filter((_, index) => index % 5 === 0);
      for (const { id } of back) await refund(id);
      const wanted: EventWanted[] = [];
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
      const genuine = await signedEvents(
        wanted.slice(0, 567).map((event, index) =>
          // One that is told of may have gone back since.
          index < back.length
            ? {
                kind: 'PAYMENT.SALE.REFUNDED',
                subscription: back[index]?.id ?? '',
                payment: back[index]?.payments[2] ?? '',
              }
            : event,
        ),
      );
      const forged = await signedEvents(
        wanted
          .slice(567)
          .map((event) => ({ ...event, kind: 'PAYMENT.SALE.REVERSED', forge: 'key' as const })),
      );
      const repeated = asTheyArrive(genuine, { seed: 7 }).slice(0, 333);
      const storm = asTheyArrive([...genuine, ...repeated, ...forged], { seed: 42 });
      expect(storm).toHaveLength(1000);
      const asked = async () =>
        (await Promise.all(people.map(({ id }) => seen(id)))).flatMap(({ calls }) =>
          calls.filter((call) => call === 'show'),
        ).length;
      const before = await asked();
      const statuses: number[] = [];
      for (let start = 0; start < storm.length; start += 50) {
        const some = await Promise.all(storm.slice(start, start + 50).map(post));
        statuses.push(...some.map(({ status }) => status));
      }
      await allHandled();
      expect(statuses.filter((status) => status === 400)).toHaveLength(100);
      expect(statuses.filter((status) => status === 200)).toHaveLength(900);
      // Many events are one question.
      expect((await asked()) - before).toBeLessThan(500);
      for (const [index, { me, payments }] of people.entries()) {
        const booked = await paymentsOf(me);
        expect(booked.map(({ id }) => id).toSorted()).toEqual(payments.toSorted());
        expect(booked.filter(({ status }) => status === 'reversed')).toEqual([]);
        expect(booked.filter(({ status }) => status === 'refunded')).toHaveLength(index % 5 === 0 ? 1 : 0);
        expect(await mySubscription(me)).toMatchObject({ plan: 'storyteller', status: 'active' });
      }
      const rows = await env.DB.prepare(
        'select count(*) as count from payment_events where id in (select value from json_each(?))',
      )
        .bind(JSON.stringify(genuine.map(({ id }) => id)))
        .first<number>('count');
      expect(rows).toBe(567);
    },
  );
});
