import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { users } from './schema.ts';

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
    /** When the company was asked last. */
    checkedAt: integer('checked_at').notNull(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [
    index('subscriptions_user').on(table.userId, table.createdAt),
    index('subscriptions_checked').on(table.status, table.checkedAt),
    check('subscriptions_plan', sql`${table.plan} in ('storyteller', 'adventurer', 'legend')`),
    check('subscriptions_status', sql`${table.status} in ('active', 'suspended', 'cancelled', 'expired')`),
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
    amountCents: integer('amount_cents').notNull(),
    currency: text('currency').notNull(),
    status: text('status', { enum: ['due', 'paid', 'reversed'] }).notNull(),
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
