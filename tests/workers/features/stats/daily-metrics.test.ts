import { env } from 'cloudflare:workers';
import { eq, gte, sql } from 'drizzle-orm';
import { afterAll, describe, expect, test } from 'vitest';
import { BILLING } from '../../../../src/features/billing/limits.ts';
import { anonymizedPayments, payments, refunds, subscriptions } from '../../../../src/db/schema/billing.ts';
import { mergeAnonymizedPaymentsStatements } from '../../../../src/features/billing/anonymized-payment-statements.ts';
import { openDatabase } from '../../../../src/db/open.ts';
import { deletionRequests, erasures, users } from '../../../../src/db/schema/core.ts';
import { statDays } from '../../../../src/db/schema/stats.ts';
import {
  createGuest,
  signInByEmail,
  signInByGoogle,
} from '../../../../src/features/account/account-store.ts';
import { startErasure } from '../../../../src/features/account/deletion/erasure-store.ts';
import {
  loadSubscriptionState,
  saveSubscriptionState,
} from '../../../../src/features/billing/subscription-state-store.ts';
import { savePaymentEvent } from '../../../../src/features/billing/payment-event-store.ts';
import type { PaymentNotice } from '../../../../src/features/billing/payment-provider.ts';
import { METRIC_QUERIES, updateMetrics } from '../../../../src/features/stats/metrics-store.ts';
import { createId } from '../../../../src/lib/ids.ts';
import { createGoogleUser, signInWithToken } from '../../../support/google.ts';
import { createEmail, signInGuest, createAccount } from '../../../support/factories.ts';
import { createStaffUser } from '../../../support/staff.ts';

const DAY_MS = 86_400_000;
const db = openDatabase(env.DB);
/** A day on which no other test writes. */
const LATE = Date.UTC(2059, 5, 20, 23, 55);
const DAY = Math.floor(LATE / DAY_MS);
const on = (daysAgo: number): number => (DAY - daysAgo) * DAY_MS + DAY_MS / 2;

const createdUserIds: string[] = [];
const KV = { get: async () => null, put: async () => {} } as unknown as KVNamespace;
const runMetrics = (now = LATE) => updateMetrics({ KV }, db, now);

/** Reads a metric of a day. */
async function readMetric(daysAgo: number, name: string): Promise<number | undefined> {
  const [row] = await db
    .select()
    .from(statDays)
    .where(sql`${statDays.name} = ${name} and ${statDays.day} = ${DAY - daysAgo}`);
  return row?.value;
}

afterAll(async () => {
  for (const id of createdUserIds) await db.delete(users).where(eq(users.id, id));
  await db.delete(statDays).where(sql`${statDays.day} between ${DAY - 400} and ${DAY + 1}`);
  await db
    .delete(anonymizedPayments)
    .where(sql`${anonymizedPayments.day} between ${DAY - 400} and ${DAY + 1}`);
  await db.delete(refunds).where(gte(refunds.createdAt, on(400)));
  // Other test files wait until no erasure is left; these would keep them waiting for decades.
  await db.delete(erasures).where(gte(erasures.startedAt, on(400)));
});

describe('New accounts in the metrics', () => {
  test('an account counts on the day of its creation, and a former guest no longer counts as a guest', async () => {
    const byCode = await createGuest(db, on(6));
    const byGoogle = await createGuest(db, on(6));
    const remainingGuest = await createGuest(db, on(6));
    const at = { fingerprints: [], now: on(0) };
    await signInByEmail(db, { ...at, email: createEmail(), guestId: byCode });
    await signInByGoogle(db, { ...at, email: createEmail(), subject: createId(LATE), guestId: byGoogle });
    const email = createEmail();
    const fresh = await signInByEmail(db, { ...at, email, guestId: null, now: on(1) });
    const google = { email: createEmail(), subject: createId(LATE), guestId: null };
    const freshByGoogle = await signInByGoogle(db, { ...at, ...google, now: on(1) });
    // Logging in again, or a guest joining an account, creates no new account.
    await signInByEmail(db, { ...at, email, guestId: await createGuest(db, on(5)) });
    createdUserIds.push(byCode, byGoogle, remainingGuest, fresh.userId, freshByGoogle.userId);
    await runMetrics();
    const days = async (name: string) => Promise.all([6, 5, 1, 0].map((ago) => readMetric(ago, name)));
    expect(await days('accounts_new')).toEqual([0, 0, 2, 2]);
    expect(await days('guests_new')).toEqual([1, 0, 0, 0]);
  });

  test('an account starts at its first login by code or Google, and a guest has no account start', async () => {
    const before = Date.now();
    const me = await signInGuest();
    const readAccountSince = async (id: string) =>
      (await db.select({ at: users.registeredAt }).from(users).where(eq(users.id, id)))[0]?.at;
    expect(await readAccountSince(me.id)).toBeNull();
    await db.update(users).set({ createdAt: 5 }).where(eq(users.id, me.id));
    await createAccount(createEmail(), me);
    const withGoogle = await signInWithToken(await createGoogleUser());
    for (const { id } of [me, await createAccount(), withGoogle])
      expect(await readAccountSince(id)).toBeGreaterThanOrEqual(before);
  });
});

describe('Daily revenue', () => {
  /** Inserts a user with an expired membership and these payments, each with its age in days. */
  async function createPayer(
    paymentsByName: Record<string, Partial<typeof payments.$inferInsert> & { ago: number }>,
  ) {
    const userId = createId(LATE);
    const subscriptionId = `I-${userId}`;
    const timestamps = { createdAt: on(90), updatedAt: on(90) };
    await db.insert(users).values({
      id: userId,
      username: `p-${userId}`,
      email: `${userId}@example.test`,
      isAnonymous: false,
      ...timestamps,
    });
    await db.insert(subscriptions).values({
      id: subscriptionId,
      userId,
      plan: 'storyteller',
      status: 'expired',
      periodEnd: on(0),
      reconciledAt: on(90),
      ...timestamps,
    });
    const ids = Object.fromEntries(Object.keys(paymentsByName).map((name) => [name, `${name}-${userId}`]));
    for (const [name, { ago, ...fields }] of Object.entries(paymentsByName))
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
    createdUserIds.push(userId);
    return { userId, subscriptionId, ids: ids as Record<keyof typeof paymentsByName, string> };
  }

  /** Deletes the account as its owner would. */
  async function deleteUser(userId: string, now = LATE) {
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

  /** Saves PayPal's notice about a refund or reversal. */
  const saveRefundNotice = (payment: PaymentNotice, now = LATE) =>
    savePaymentEvent(
      db,
      { id: `WH-${createId(now)}`, kind: 'PAYMENT.SALE.REFUNDED', subscriptionId: null, payment },
      now,
    );
  const buildRefund = (
    paymentId: string,
    amountCents: number | null,
    id = createId(LATE),
  ): PaymentNotice => ({
    what: 'refund',
    id,
    paymentId,
    amountCents,
    currency: 'USD',
    at: LATE,
  });

  test('the revenue of a deleted account stays, less the refunds until then', async () => {
    const { userId, ids } = await createPayer({
      lately: { ago: 3 },
      inPart: { ago: 3, refundedCents: 300 },
      untold: { ago: 4 },
      foreign: { ago: 4, currency: 'EUR' },
    });
    // A refund that is known but not settled yet.
    await db
      .insert(refunds)
      .values({ id: createId(LATE), paymentId: ids['untold'] as string, amountCents: 100, createdAt: LATE });
    await runMetrics();
    expect([await readMetric(3, 'revenue_cents'), await readMetric(4, 'revenue_cents')]).toEqual([
      2298, 1299,
    ]);
    await deleteUser(userId);
    await runMetrics();
    expect([await readMetric(3, 'revenue_cents'), await readMetric(4, 'revenue_cents')]).toEqual([
      2298, 1199,
    ]);
    // The rows no longer identify the user.
    const stored = JSON.stringify(await db.select().from(anonymizedPayments));
    for (const word of [userId, ...Object.values(ids)]) expect(stored).not.toContain(word);
  });

  test('a refund after the deletion lowers the revenue once and never below zero', async () => {
    const { userId, ids } = await createPayer({ one: { ago: 50 }, other: { ago: 50 }, whole: { ago: 51 } });
    await runMetrics(on(50));
    await runMetrics(on(51) + DAY_MS / 4);
    await deleteUser(userId);
    const [one, other, whole] = ['one', 'other', 'whole'].map((name) => ids[name] as string) as [
      string,
      string,
      string,
    ];
    const notice = buildRefund(one, 400);
    await saveRefundNotice(notice);
    await saveRefundNotice(notice);
    await saveRefundNotice(buildRefund(other, null));
    await saveRefundNotice({ what: 'reversed', paymentId: whole, at: LATE });
    await saveRefundNotice(buildRefund(whole, 200));
    await runMetrics();
    expect([await readMetric(50, 'revenue_cents'), await readMetric(51, 'revenue_cents')]).toEqual([899, 0]);
  });

  test('a late refund updates the revenue of its day, and other days stay unchanged', async () => {
    const { userId, subscriptionId, ids } = await createPayer({ old: { ago: 60 }, beside: { ago: 60 } });
    await runMetrics(on(60));
    expect(await readMetric(60, 'revenue_cents')).toBe(2598);
    await db.run(sql`update stat_days set value = 777 where name = 'revenue_cents' and day = ${DAY - 61}`);
    const id = ids['old'] as string;
    const state = await loadSubscriptionState(db, subscriptionId, LATE);
    if (state === null) throw new Error('there are no books');
    const old = state.payments.find((payment) => payment.id === id);
    if (old === undefined) throw new Error('it was not paid');
    const { status, periodEnd, paymentFailed, isRefunded: hasRefund } = state.row;
    const saved = await saveSubscriptionState(db, state, {
      settlement: {
        books: { status, periodEnd, paymentFailed, isRefunded: hasRefund },
        terms: { priceCents: 1299, payerHash: null, startsAt: null, nextBillingAt: null },
        payments: [{ ...old, refundedCents: 500 }],
        basedOn: { paymentIds: [id], refunds: 0 },
        plan: null,
        extraStatements: [],
      },
      now: LATE,
    });
    expect(saved).toBe(true);
    await runMetrics();
    expect([await readMetric(60, 'revenue_cents'), await readMetric(61, 'revenue_cents')]).toEqual([
      2098, 777,
    ]);
    await deleteUser(userId);
    await runMetrics();
    expect(await readMetric(60, 'revenue_cents')).toBe(2098);
  });

  test('payments of deleted accounts are merged by day once they can no longer be refunded', async () => {
    const { userId, ids } = await createPayer({ one: { ago: 20 }, other: { ago: 20 } });
    await deleteUser(userId);
    await saveRefundNotice(buildRefund(ids['one'] as string, 99));
    await runMetrics();
    expect(await readMetric(20, 'revenue_cents')).toBe(2499);
    const listAnonymized = () =>
      db
        .select()
        .from(anonymizedPayments)
        .where(eq(anonymizedPayments.day, DAY - 20));
    for (const time of [
      on(20) + BILLING.anonymizedPaymentRetentionMs - 1,
      on(20) + BILLING.anonymizedPaymentRetentionMs + 1,
    ]) {
      expect(await listAnonymized()).toHaveLength(2);
      await db.batch(mergeAnonymizedPaymentsStatements(db, time));
    }
    const summed = { day: DAY - 20, amountCents: 2598, refundedCents: 99, retainedUntil: null };
    expect(await listAnonymized()).toMatchObject([{ id: `day:${DAY - 20}`, ...summed }]);
    await db.batch(mergeAnonymizedPaymentsStatements(db, on(20) + 2 * BILLING.anonymizedPaymentRetentionMs));
    expect(await listAnonymized()).toMatchObject([summed]);
    await runMetrics();
    expect(await readMetric(20, 'revenue_cents')).toBe(2499);
  });

  test('the revenue is computed through indexes alone', async () => {
    const steps = await db.all<{ detail: string }>(sql`explain query plan ${METRIC_QUERIES.revenue(DAY)}`);
    const plan = steps.map(({ detail }) => detail).join('\n');
    for (const index of [
      'payments_paid',
      'payments_updated',
      'anonymized_payments_day',
      'anonymized_payments_updated',
    ])
      expect(plan).toContain(`INDEX ${index} `);
    expect(plan).not.toMatch(/SCAN (?:payments|p|gone|anonymized_payments)\b|AUTOMATIC/);
  });

  test('the admin stats show the revenue of deleted accounts', async () => {
    const { userId } = await createPayer({ lately: { ago: 0 } });
    const now = Date.now();
    await db.update(payments).set({ paidAt: now }).where(eq(payments.userId, userId));
    await updateMetrics({ KV }, db, now);
    const operator = await createStaffUser();
    const readToday = async () =>
      (await operator.ask<{ days: { revenue_cents: number }[] }>('/api/admin/stats?days=1')).days[0];
    const before = (await readToday())?.revenue_cents ?? 0;
    expect(before).toBeGreaterThanOrEqual(1299);
    await deleteUser(userId, now);
    await updateMetrics({ KV }, db, now);
    expect((await readToday())?.revenue_cents).toBeGreaterThanOrEqual(before);
  });
});
