import { env } from 'cloudflare:workers';
import { eq, gte, sql } from 'drizzle-orm';
import { afterAll, describe, expect, test } from 'vitest';
import { BILLING } from '../../src/features/billing/limits.ts';
import { gonePayments, payments, refunds, subscriptions } from '../../src/db/schema/billing.ts';
import { mergeAnonymizedPaymentsStatements } from '../../src/features/billing/anonymized-payment-statements.ts';
import { openDatabase } from '../../src/db/open.ts';
import { deletionRequests, erasures, users } from '../../src/db/schema/core.ts';
import { statDays } from '../../src/db/schema/stats.ts';
import { createGuest, signInByEmail, signInByGoogle } from '../../src/features/account/account-store.ts';
import { startErasure } from '../../src/features/account/deletion/erasure-store.ts';
import {
  loadSubscriptionState,
  saveSubscriptionState,
} from '../../src/features/billing/subscription-state-store.ts';
import { savePaymentEvent } from '../../src/features/billing/payment-event-store.ts';
import type { PaymentNotice } from '../../src/features/billing/payment-provider.ts';
import { METRIC_QUERIES, updateMetrics } from '../../src/features/stats/metrics-store.ts';
import { createId } from '../../src/lib/ids.ts';
import { createGoogleUser, signInWithToken } from '../support/google.ts';
import { createEmail, signInGuest, createAccount } from '../support/factories.ts';
import { createStaffUser } from '../support/staff.ts';

const DAY_MS = 86_400_000;
const db = openDatabase(env.DB);
/** A day that nobody else has anything on. */
const LATE = Date.UTC(2059, 5, 20, 23, 55);
const DAY = Math.floor(LATE / DAY_MS);
const on = (daysAgo: number): number => (DAY - daysAgo) * DAY_MS + DAY_MS / 2;

const made: string[] = [];
const KV = { get: async () => null, put: async () => {} } as unknown as KVNamespace;
const count = (now = LATE) => updateMetrics({ KV }, db, now);

/** What is kept of a day. */
async function of(daysAgo: number, name: string): Promise<number | undefined> {
  const [row] = await db
    .select()
    .from(statDays)
    .where(sql`${statDays.name} = ${name} and ${statDays.day} = ${DAY - daysAgo}`);
  return row?.value;
}

afterAll(async () => {
  for (const id of made) await db.delete(users).where(eq(users.id, id));
  await db.delete(statDays).where(sql`${statDays.day} between ${DAY - 400} and ${DAY + 1}`);
  await db.delete(gonePayments).where(sql`${gonePayments.day} between ${DAY - 400} and ${DAY + 1}`);
  await db.delete(refunds).where(gte(refunds.createdAt, on(400)));
  // Other files wait until nobody's account is left to be erased, and would wait for decades.
  await db.delete(erasures).where(gte(erasures.begunAt, on(400)));
});

describe('A new account', () => {
  test('is one of the day on which it became one, whoever came as a guest before, and no new guest of any', async () => {
    const byCode = await createGuest(db, on(6));
    const byGoogle = await createGuest(db, on(6));
    const stays = await createGuest(db, on(6));
    const at = { fingerprints: [], now: on(0) };
    await signInByEmail(db, { ...at, email: createEmail(), guestId: byCode });
    await signInByGoogle(db, { ...at, email: createEmail(), subject: createId(LATE), guestId: byGoogle });
    const email = createEmail();
    const fresh = await signInByEmail(db, { ...at, email, guestId: null, now: on(1) });
    const google = { email: createEmail(), subject: createId(LATE), guestId: null };
    const freshByGoogle = await signInByGoogle(db, { ...at, ...google, now: on(1) });
    // Coming in again makes no account new, and neither does the guest who joins one.
    await signInByEmail(db, { ...at, email, guestId: await createGuest(db, on(5)) });
    made.push(byCode, byGoogle, stays, fresh.userId, freshByGoogle.userId);
    await count();
    const days = async (name: string) => Promise.all([6, 5, 1, 0].map((ago) => of(ago, name)));
    expect(await days('accounts_new')).toEqual([0, 0, 2, 2]);
    expect(await days('guests_new')).toEqual([1, 0, 0, 0]);
  });

  test('has begun when I logged in, by a code or with Google, and a guest has not begun', async () => {
    const before = Date.now();
    const me = await signInGuest();
    const since = async (id: string) =>
      (await db.select({ at: users.accountSince }).from(users).where(eq(users.id, id)))[0]?.at;
    expect(await since(me.id)).toBeNull();
    await db.update(users).set({ createdAt: 5 }).where(eq(users.id, me.id));
    await createAccount(createEmail(), me);
    const withGoogle = await signInWithToken(await createGoogleUser());
    for (const { id } of [me, await createAccount(), withGoogle])
      expect(await since(id)).toBeGreaterThanOrEqual(before);
  });
});

describe('The revenue of a day', () => {
  /** Somebody with a membership that is over, and what they paid, by how many days ago. */
  async function payer(paid: Record<string, Partial<typeof payments.$inferInsert> & { ago: number }>) {
    const userId = createId(LATE);
    const subscriptionId = `I-${userId}`;
    const of = { createdAt: on(90), updatedAt: on(90) };
    await db.insert(users).values({
      id: userId,
      username: `p-${userId}`,
      email: `${userId}@example.test`,
      isAnonymous: false,
      ...of,
    });
    await db.insert(subscriptions).values({
      id: subscriptionId,
      userId,
      plan: 'storyteller',
      status: 'expired',
      periodEnd: on(0),
      checkedAt: on(90),
      ...of,
    });
    const ids = Object.fromEntries(Object.keys(paid).map((name) => [name, `${name}-${userId}`]));
    for (const [name, { ago, ...fields }] of Object.entries(paid))
      await db.insert(payments).values({
        id: ids[name] as string,
        subscriptionId,
        userId,
        amountCents: 1299,
        currency: 'USD',
        status: 'completed',
        paidAt: on(ago),
        createdAt: on(ago),
        ...fields,
      });
    made.push(userId);
    return { userId, subscriptionId, ids: ids as Record<keyof typeof paid, string> };
  }

  /** Takes the account away, as its owner would. */
  async function goes(userId: string, now = LATE) {
    await db
      .insert(deletionRequests)
      .values({ userId, tokenHash: userId, requestedAt: now, expiresAt: now + DAY_MS });
    const farewell = { site: 'https://loreloom.test', language: 'en', subscription: null } as const;
    const leaving = { why: 'confirmed', tokenHash: userId, farewell, marks: [] } as const;
    expect(await startErasure(db, { userId, leaving, now })).toContain(userId);
    expect(await db.select().from(payments).where(eq(payments.userId, userId))).toEqual([]);
    await env.DB.prepare('delete from mails where user_id = ?').bind(userId).run();
    await env.DB.prepare('delete from erasures where user_id = ?').bind(userId).run();
  }

  /** What the company tells of what goes back. */
  const wentBack = (payment: PaymentNotice, now = LATE) =>
    savePaymentEvent(
      db,
      { id: `WH-${createId(now)}`, kind: 'PAYMENT.SALE.REFUNDED', subscriptionId: null, payment },
      now,
    );
  const refund = (paymentId: string, amountCents: number | null, id = createId(LATE)): PaymentNotice => ({
    what: 'refund',
    id,
    paymentId,
    amountCents,
    currency: 'USD',
    at: LATE,
  });

  test('stays when the account goes that paid, less what had gone back of it by then', async () => {
    const { userId, ids } = await payer({
      lately: { ago: 3 },
      inPart: { ago: 3, refundedCents: 300 },
      untold: { ago: 4 },
      foreign: { ago: 4, currency: 'EUR' },
    });
    // Known, and in no books yet.
    await db
      .insert(refunds)
      .values({ id: createId(LATE), paymentId: ids['untold'] as string, amountCents: 100, createdAt: LATE });
    await count();
    expect([await of(3, 'revenue_cents'), await of(4, 'revenue_cents')]).toEqual([2298, 1299]);
    await goes(userId);
    await count();
    expect([await of(3, 'revenue_cents'), await of(4, 'revenue_cents')]).toEqual([2298, 1199]);
    // Of whom it was, nothing tells.
    const kept = JSON.stringify(await db.select().from(gonePayments));
    for (const word of [userId, ...Object.values(ids)]) expect(kept).not.toContain(word);
  });

  test('is less by what goes back when the account has gone, each once, and never below nothing', async () => {
    const { userId, ids } = await payer({ one: { ago: 50 }, other: { ago: 50 }, whole: { ago: 51 } });
    await count(on(50));
    await count(on(51) + DAY_MS / 4);
    await goes(userId);
    const [one, other, whole] = ['one', 'other', 'whole'].map((name) => ids[name] as string) as [
      string,
      string,
      string,
    ];
    const told = refund(one, 400);
    await wentBack(told);
    await wentBack(told);
    await wentBack(refund(other, null));
    await wentBack({ what: 'reversed', paymentId: whole, at: LATE });
    await wentBack(refund(whole, 200));
    await count();
    expect([await of(50, 'revenue_cents'), await of(51, 'revenue_cents')]).toEqual([899, 0]);
  });

  test('is told anew when something of it goes back long after, and other days stay as they were', async () => {
    const { userId, subscriptionId, ids } = await payer({ old: { ago: 60 }, beside: { ago: 60 } });
    await count(on(60));
    expect(await of(60, 'revenue_cents')).toBe(2598);
    await db.run(sql`update stat_days set value = 777 where name = 'revenue_cents' and day = ${DAY - 61}`);
    const id = ids['old'] as string;
    const read = await loadSubscriptionState(db, subscriptionId, LATE);
    if (read === null) throw new Error('there are no books');
    const old = read.payments.find((payment) => payment.id === id);
    if (old === undefined) throw new Error('it was not paid');
    const { status, periodEnd, isFailing, wentBack: back } = read.row;
    const written = await saveSubscriptionState(db, read, {
      settlement: {
        books: { status, periodEnd, isFailing, wentBack: back },
        terms: { agreedCents: 1299, payerHash: null, beginsAt: null, nextBillingAt: null },
        payments: [{ ...old, refundedCents: 500 }],
        basedOn: { paymentIds: [id], refunds: 0 },
        plan: null,
        extraStatements: [],
      },
      now: LATE,
    });
    expect(written).toBe(true);
    await count();
    expect([await of(60, 'revenue_cents'), await of(61, 'revenue_cents')]).toEqual([2098, 777]);
    await goes(userId);
    await count();
    expect(await of(60, 'revenue_cents')).toBe(2098);
  });

  test('stays when nothing can go back any more, and of each payment nothing but its day is left', async () => {
    const { userId, ids } = await payer({ one: { ago: 20 }, other: { ago: 20 } });
    await goes(userId);
    await wentBack(refund(ids['one'] as string, 99));
    await count();
    expect(await of(20, 'revenue_cents')).toBe(2499);
    const rows = () =>
      db
        .select()
        .from(gonePayments)
        .where(eq(gonePayments.day, DAY - 20));
    for (const over of [
      on(20) + BILLING.anonymizedPaymentRetentionMs - 1,
      on(20) + BILLING.anonymizedPaymentRetentionMs + 1,
    ]) {
      expect(await rows()).toHaveLength(2);
      await db.batch(mergeAnonymizedPaymentsStatements(db, over));
    }
    const summed = { day: DAY - 20, amountCents: 2598, refundedCents: 99, keptUntil: null };
    expect(await rows()).toMatchObject([{ id: `day:${DAY - 20}`, ...summed }]);
    await db.batch(mergeAnonymizedPaymentsStatements(db, on(20) + 2 * BILLING.anonymizedPaymentRetentionMs));
    expect(await rows()).toMatchObject([summed]);
    await count();
    expect(await of(20, 'revenue_cents')).toBe(2499);
  });

  test('is found by indexes alone', async () => {
    const steps = await db.all<{ detail: string }>(sql`explain query plan ${METRIC_QUERIES.revenue(DAY)}`);
    const plan = steps.map(({ detail }) => detail).join('\n');
    for (const index of ['payments_paid', 'payments_updated', 'gone_payments_day', 'gone_payments_updated'])
      expect(plan).toContain(`INDEX ${index} `);
    expect(plan).not.toMatch(/SCAN (?:payments|p|gone|gone_payments)\b|AUTOMATIC/);
  });

  test('is what an administrator is told', async () => {
    const { userId } = await payer({ lately: { ago: 0 } });
    const now = Date.now();
    await db.update(payments).set({ paidAt: now }).where(eq(payments.userId, userId));
    await updateMetrics({ KV }, db, now);
    const operator = await createStaffUser();
    const today = async () =>
      (await operator.ask<{ days: { revenue_cents: number }[] }>('/api/admin/stats?days=1')).days[0];
    const before = (await today())?.revenue_cents ?? 0;
    expect(before).toBeGreaterThanOrEqual(1299);
    await goes(userId, now);
    await updateMetrics({ KV }, db, now);
    expect((await today())?.revenue_cents).toBeGreaterThanOrEqual(before);
  });
});
