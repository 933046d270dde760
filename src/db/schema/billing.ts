import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { users } from './core.ts';

/** Payments and commissions. Times are milliseconds since the epoch. */

/** PayPal subscriptions, in the state that PayPal reported last. */
export const subscriptions = sqliteTable(
  'subscriptions',
  {
    /** PayPal's subscription id. */
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    plan: text('plan', { enum: ['storyteller', 'adventurer', 'legend'] }).notNull(),
    status: text('status', { enum: ['active', 'suspended', 'cancelled', 'expired'] }).notNull(),
    /** End of the paid period; the benefits end with it. */
    periodEnd: integer('period_end').notNull(),
    /** The agreed monthly price in cents; null for subscriptions from before this column. */
    priceCents: integer('price_cents'),
    /** Hash of PayPal's payer id; the only payer data we store. */
    payerHash: text('payer_hash'),
    /** The last payment that was due failed. */
    paymentFailed: integer('payment_failed', { mode: 'boolean' }).notNull().default(false),
    /** The last payment was refunded or reversed. */
    isRefunded: integer('is_refunded', { mode: 'boolean' }).notNull().default(false),
    /** Start of the paid time; null when PayPal does not report one. */
    startsAt: integer('starts_at'),
    /** Time of the next charge; null when none will follow. */
    nextBillingAt: integer('next_billing_at'),
    /** Time of the last query to PayPal. */
    reconciledAt: integer('reconciled_at').notNull(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [
    index('subscriptions_user').on(table.userId, table.createdAt),
    index('subscriptions_reconciled').on(table.status, table.reconciledAt),
    index('subscriptions_payer').on(table.payerHash),
    check('subscriptions_plan', sql`${table.plan} in ('storyteller', 'adventurer', 'legend')`),
    check('subscriptions_status', sql`${table.status} in ('active', 'suspended', 'cancelled', 'expired')`),
  ],
);

/** Payments for memberships, as PayPal reports them. */
export const payments = sqliteTable(
  'payments',
  {
    /** PayPal's payment id. */
    id: text('id').primaryKey(),
    subscriptionId: text('subscription_id')
      .notNull()
      .references(() => subscriptions.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    amountCents: integer('amount_cents').notNull(),
    currency: text('currency').notNull(),
    /** `refunded` and `reversed` mean the whole amount; a partial refund changes `refundedCents` only. */
    status: text('status', { enum: ['completed', 'refunded', 'reversed'] }).notNull(),
    refundedCents: integer('refunded_cents').notNull().default(0),
    paidAt: integer('paid_at').notNull(),
    createdAt: integer('created_at').notNull(),
    /** Time of the last change; null for rows from before this column. */
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
 * Payments of deleted accounts, so that past days keep their revenue. Without personal data; days are UTC, counted since
 * the epoch.
 */
export const anonymizedPayments = sqliteTable(
  'anonymized_payments',
  {
    /**
     * For one payment: a hash of PayPal's payment id, which finds the row when a refund arrives. Once no refund can
     * arrive, the payments of a day are merged into one row with the id `day:<day>`.
     */
    id: text('id').primaryKey(),
    day: integer('day').notNull(),
    amountCents: integer('amount_cents').notNull(),
    refundedCents: integer('refunded_cents').notNull(),
    /** Time at which the row is merged into its day; null for a merged row. */
    retainedUntil: integer('retained_until'),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [
    index('anonymized_payments_day').on(table.day),
    index('anonymized_payments_updated').on(table.updatedAt),
    index('anonymized_payments_until')
      .on(table.retainedUntil)
      .where(sql`${table.retainedUntil} is not null`),
    check('anonymized_payments_amount', sql`${table.amountCents} >= 0 and ${table.refundedCents} >= 0`),
  ],
);

/** Refunds and reversals. A refund's event can arrive before its payment's. */
export const refunds = sqliteTable(
  'refunds',
  {
    /** PayPal's refund id. */
    id: text('id').primaryKey(),
    paymentId: text('payment_id').notNull(),
    /** Null for the whole amount. */
    amountCents: integer('amount_cents'),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    index('refunds_payment').on(table.paymentId),
    check('refunds_amount', sql`${table.amountCents} >= 0`),
  ],
);

/** Verified PayPal webhook events. Each is handled once, in any order of arrival. */
export const paymentEvents = sqliteTable(
  'payment_events',
  {
    /** PayPal's event id. */
    id: text('id').primaryKey(),
    kind: text('kind').notNull(),
    /** The subscription of the event, if it names one. */
    subscriptionId: text('subscription_id'),
    /** The payment data of the event as JSON, without payer data; null when it is not about a payment. */
    payment: text('payment'),
    receivedAt: integer('received_at').notNull(),
    handledAt: integer('handled_at'),
    /** Number of tries; negative while one is running. */
    tries: integer('tries').notNull().default(0),
    retryAt: integer('retry_at').notNull(),
  },
  (table) => [
    index('payment_events_waiting')
      .on(table.retryAt)
      .where(sql`${table.handledAt} is null`),
    index('payment_events_received').on(table.receivedAt),
    index('payment_events_subscription').on(table.subscriptionId),
  ],
);

/** Payouts of commissions to inviters. */
export const payouts = sqliteTable(
  'payouts',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    amountCents: integer('amount_cents').notNull(),
    currency: text('currency').notNull(),
    /** For the operator's bookkeeping, such as the number of a bank transfer. */
    note: text('note').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    index('payouts_user').on(table.userId, table.createdAt),
    check('payouts_amount', sql`${table.amountCents} > 0`),
  ],
);

/** Commissions that inviters earn from their invitees' payments. */
export const commissions = sqliteTable(
  'commissions',
  {
    id: text('id').primaryKey(),
    inviterId: text('inviter_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    inviteeId: text('invitee_id').references(() => users.id, { onDelete: 'set null' }),
    /** The payment that the commission was earned from. A payment earns at most one. */
    paymentId: text('payment_id').notNull(),
    /**
     * Percentage of the payment net of refunds, fixed when the payment arrived; null for rows from before this column.
     */
    percent: integer('percent'),
    amountCents: integer('amount_cents').notNull(),
    currency: text('currency').notNull(),
    status: text('status', { enum: ['due', 'paid', 'reversed'] }).notNull(),
    /** The payout that included it. If it is reversed afterwards, the next payout deducts it. */
    payoutId: text('payout_id'),
    /** The payout that deducted it after it was reversed. */
    clawbackPayoutId: text('clawback_payout_id'),
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
