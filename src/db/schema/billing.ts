import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { users } from './core.ts';

/** What is paid, and what is owed of it. Times are milliseconds since the epoch. */

/** Memberships that are paid for, as the payment company knows them. */
export const subscriptions = sqliteTable(
  'subscriptions',
  {
    /** The payment company's own id. */
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    plan: text('plan', { enum: ['storyteller', 'adventurer', 'legend'] }).notNull(),
    status: text('status', { enum: ['active', 'suspended', 'cancelled', 'expired'] }).notNull(),
    /** Until when it is paid for; benefits last so long. */
    periodEnd: integer('period_end').notNull(),
    /** What was agreed to be paid a month, in cents; null of one that was begun before this was kept. */
    agreedCents: integer('agreed_cents'),
    /** By which whoever pays is known again: a hash of the company's id for them, and nothing else of them. */
    payerHash: text('payer_hash'),
    /** Whether the last payment that was due did not come. */
    isFailing: integer('is_failing', { mode: 'boolean' }).notNull().default(false),
    /** Whether the last payment that came went back. */
    wentBack: integer('went_back', { mode: 'boolean' }).notNull().default(false),
    /** From when on it is paid; null where the company does not say so. */
    beginsAt: integer('begins_at'),
    /** When money is to be taken next; null once none is. */
    nextBillingAt: integer('next_billing_at'),
    /** When the company was asked last. */
    checkedAt: integer('checked_at').notNull(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [
    index('subscriptions_user').on(table.userId, table.createdAt),
    index('subscriptions_checked').on(table.status, table.checkedAt),
    index('subscriptions_payer').on(table.payerHash),
    check('subscriptions_plan', sql`${table.plan} in ('storyteller', 'adventurer', 'legend')`),
    check('subscriptions_status', sql`${table.status} in ('active', 'suspended', 'cancelled', 'expired')`),
  ],
);

/** What was paid for memberships, as the payment company says. */
export const payments = sqliteTable(
  'payments',
  {
    /** The payment company's own id. */
    id: text('id').primaryKey(),
    subscriptionId: text('subscription_id')
      .notNull()
      .references(() => subscriptions.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    amountCents: integer('amount_cents').notNull(),
    currency: text('currency').notNull(),
    /** `refunded` and `reversed`: all of it went back; what went back in part is in `refundedCents` alone. */
    status: text('status', { enum: ['completed', 'refunded', 'reversed'] }).notNull(),
    refundedCents: integer('refunded_cents').notNull().default(0),
    paidAt: integer('paid_at').notNull(),
    createdAt: integer('created_at').notNull(),
    /** When something of it was written last; null of one that was not written since this is kept. */
    updatedAt: integer('updated_at'),
  },
  (table) => [
    index('payments_paid').on(table.paidAt),
    index('payments_updated')
      .on(table.updatedAt)
      .where(sql`${table.updatedAt} is not null`),
    index('payments_subscription').on(table.subscriptionId, table.paidAt),
    index('payments_user').on(table.userId, table.paidAt),
    check('payments_status', sql`${table.status} in ('completed', 'refunded', 'reversed')`),
    check('payments_amount', sql`${table.amountCents} >= 0 and ${table.refundedCents} >= 0`),
  ],
);

/**
 * What was paid by accounts that are gone, so that the days on which it was paid keep their revenue: sums of days (UTC, days
 * since the epoch), of nobody.
 */
export const gonePayments = sqliteTable(
  'gone_payments',
  {
    /**
     * Of one payment: a hash of the company's id for it, by which it is found if something goes back of it. Once nothing can
     * any more: `day:` and the day, for all of that day.
     */
    id: text('id').primaryKey(),
    day: integer('day').notNull(),
    amountCents: integer('amount_cents').notNull(),
    refundedCents: integer('refunded_cents').notNull(),
    /** Until when it is one of its own; null for all of a day. */
    keptUntil: integer('kept_until'),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [
    index('gone_payments_day').on(table.day),
    index('gone_payments_updated').on(table.updatedAt),
    index('gone_payments_until')
      .on(table.keptUntil)
      .where(sql`${table.keptUntil} is not null`),
    check('gone_payments_amount', sql`${table.amountCents} >= 0 and ${table.refundedCents} >= 0`),
  ],
);

/** What went back of a payment. It may be told of before the payment itself is. */
export const refunds = sqliteTable(
  'refunds',
  {
    /** The payment company's own id. */
    id: text('id').primaryKey(),
    paymentId: text('payment_id').notNull(),
    /** Null where all of it went back. */
    amountCents: integer('amount_cents'),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    index('refunds_payment').on(table.paymentId),
    check('refunds_amount', sql`${table.amountCents} >= 0`),
  ],
);

/** What the payment company told of, found to be its own: each is told once, whatever order they come in. */
export const paymentEvents = sqliteTable(
  'payment_events',
  {
    /** The payment company's own id. */
    id: text('id').primaryKey(),
    kind: text('kind').notNull(),
    /** The subscription that it is about, where it says so. */
    subscriptionId: text('subscription_id'),
    /** What it tells of a payment, as JSON; null where it is about none. Holds nothing of who pays. */
    payment: text('payment'),
    receivedAt: integer('received_at').notNull(),
    handledAt: integer('handled_at'),
    /** How often it was tried; below zero while somebody is at it. */
    tries: integer('tries').notNull().default(0),
    tryAt: integer('try_at').notNull(),
  },
  (table) => [
    index('payment_events_waiting')
      .on(table.tryAt)
      .where(sql`${table.handledAt} is null`),
    index('payment_events_received').on(table.receivedAt),
    index('payment_events_subscription').on(table.subscriptionId),
  ],
);

/** What the operator paid out to inviters. */
export const payouts = sqliteTable(
  'payouts',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    amountCents: integer('amount_cents').notNull(),
    currency: text('currency').notNull(),
    /** For the operator's own books, such as the number of a transfer. */
    note: text('note').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    index('payouts_user').on(table.userId, table.createdAt),
    check('payouts_amount', sql`${table.amountCents} > 0`),
  ],
);

/** What inviters are owed of their invitees' payments. */
export const commissions = sqliteTable(
  'commissions',
  {
    id: text('id').primaryKey(),
    inviterId: text('inviter_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    inviteeId: text('invitee_id').references(() => users.id, { onDelete: 'set null' }),
    /** The payment that it is a part of; each pays once. */
    paymentId: text('payment_id').notNull(),
    /** Of what stands of the payment, as it was when the payment came; null of one from before this was kept. */
    percent: integer('percent'),
    amountCents: integer('amount_cents').notNull(),
    currency: text('currency').notNull(),
    status: text('status', { enum: ['due', 'paid', 'reversed'] }).notNull(),
    /** With which payout it was paid. One that was reversed afterwards is taken off the next. */
    payoutId: text('payout_id'),
    /** With which payout one that was reversed after it was paid was taken off. */
    recoveredBy: text('recovered_by'),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    index('commissions_inviter').on(table.inviterId, table.createdAt),
    index('commissions_invitee').on(table.inviteeId),
    uniqueIndex('commissions_payment').on(table.paymentId),
    check('commissions_status', sql`${table.status} in ('due', 'paid', 'reversed')`),
    check('commissions_amount', sql`${table.amountCents} >= 0`),
  ],
);
