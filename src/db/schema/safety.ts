import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { characters, users } from './core.ts';

/** What keeps people safe: reports, what came of them, and what staff looked at. Times are milliseconds since the epoch. */

/** What people report. The same person's report of the same thing is one, told anew. */
export const reports = sqliteTable(
  'reports',
  {
    id: text('id').primaryKey(),
    subject: text('subject', { enum: ['character', 'creator', 'message'] })
      .notNull()
      .default('character'),
    /** The id of the character, of the maker, or of the message. */
    subjectId: text('subject_id').notNull(),
    /** The character, or the one that said the message; null for a maker. */
    characterId: text('character_id').references(() => characters.id, { onDelete: 'cascade' }),
    /** Who made what is reported; null where that is nobody. */
    ownerId: text('owner_id').references(() => users.id, { onDelete: 'set null' }),
    reporterId: text('reporter_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    reason: text('reason').notNull(),
    details: text('details').notNull(),
    /** The message, as it was when it was reported: whoever reports it shows it. Empty for everything else. */
    excerpt: text('excerpt').notNull().default(''),
    status: text('status', { enum: ['open', 'upheld', 'dismissed'] })
      .notNull()
      .default('open'),
    /** What the reporter is told of it; null until somebody says something. */
    answer: text('answer'),
    createdAt: integer('created_at').notNull(),
    resolvedAt: integer('resolved_at'),
  },
  (table) => [
    uniqueIndex('reports_reporter_subject').on(table.reporterId, table.subject, table.subjectId),
    index('reports_reporter').on(table.reporterId, table.createdAt),
    index('reports_subject').on(table.subject, table.subjectId),
    index('reports_character').on(table.characterId),
    index('reports_owner').on(table.ownerId),
    index('reports_status').on(table.status, table.createdAt, table.id),
    index('reports_status_subject').on(table.status, table.subject, table.createdAt, table.id),
    check('reports_subject', sql`${table.subject} in ('character', 'creator', 'message')`),
    check('reports_status', sql`${table.status} in ('open', 'upheld', 'dismissed')`),
  ],
);

/** What staff did against something, and why: those concerned read it, and may appeal. */
export const measures = sqliteTable(
  'measures',
  {
    id: text('id').primaryKey(),
    kind: text('kind', {
      enum: ['character_hidden', 'character_removed', 'picture_removed', 'name_cleared', 'account_suspended'],
    }).notNull(),
    /** The id of the character or of the account. */
    subjectId: text('subject_id').notNull(),
    /** What it was called then. */
    subjectName: text('subject_name').notNull(),
    /** Whom it concerns. */
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Read by those concerned. */
    reason: text('reason').notNull(),
    /** The report that it came of; null where there was none. */
    reportId: text('report_id'),
    /** No reference: what was done stays done when whoever did it goes. */
    adminId: text('admin_id').notNull(),
    createdAt: integer('created_at').notNull(),
    /** When it was taken back; null while it holds. */
    endedAt: integer('ended_at'),
    /** Of a suspension that goes on after its account was deleted (`keptSuspensions`): the first one's id. */
    goesOnFrom: text('goes_on_from'),
  },
  (table) => [
    index('measures_owner').on(table.ownerId, table.createdAt),
    index('measures_subject').on(table.subjectId, table.createdAt),
    check(
      'measures_kind',
      sql`${table.kind} in ('character_hidden', 'character_removed', 'picture_removed', 'name_cleared', 'account_suspended')`,
    ),
  ],
);

/**
 * Suspensions that held when their account was deleted, for whoever comes back by the same way; no reference to the account,
 * which is gone. What they came in by is not in here: only whoever comes with it once more, and the operator's secret, make
 * the same hash.
 */
export const keptSuspensions = sqliteTable(
  'kept_suspensions',
  {
    /** HMAC of the address, or of the name that Google knows them by, in hex. */
    hash: text('hash').primaryKey(),
    /** The id that the measure had, by which those that go on from it are known as one. */
    suspensionId: text('suspension_id').notNull(),
    /** As those concerned read it. */
    reason: text('reason').notNull(),
    adminId: text('admin_id').notNull(),
    suspendedAt: integer('suspended_at').notNull(),
    keptUntil: integer('kept_until').notNull(),
  },
  (table) => [
    index('kept_suspensions_suspension').on(table.suspensionId),
    index('kept_suspensions_until').on(table.keptUntil),
  ],
);

/** What people say against a measure, or against a text of theirs being refused. */
export const appeals = sqliteTable(
  'appeals',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Null where it is about a refused text. */
    measureId: text('measure_id').references(() => measures.id, { onDelete: 'cascade' }),
    /** The text that was refused, which whoever appeals shows; null where it is about a measure. */
    refusedText: text('refused_text'),
    /** Where it was refused, and by which rule; null where it is about a measure. */
    place: text('place', { enum: ['message', 'reply', 'character', 'persona', 'import', 'name'] }),
    rule: text('rule'),
    /** What they say to it. */
    message: text('message').notNull(),
    status: text('status', { enum: ['open', 'granted', 'declined'] })
      .notNull()
      .default('open'),
    answer: text('answer'),
    createdAt: integer('created_at').notNull(),
    decidedAt: integer('decided_at'),
  },
  (table) => [
    uniqueIndex('appeals_measure')
      .on(table.measureId)
      .where(sql`${table.measureId} is not null`),
    index('appeals_user').on(table.userId, table.createdAt),
    index('appeals_status').on(table.status, table.createdAt, table.id),
    check('appeals_status', sql`${table.status} in ('open', 'granted', 'declined')`),
    check('appeals_about', sql`(${table.measureId} is null) <> (${table.refusedText} is null)`),
  ],
);

/** What staff did with a report or an appeal, step by step. */
export const caseSteps = sqliteTable(
  'case_steps',
  {
    id: text('id').primaryKey(),
    /** A report's or an appeal's id. */
    caseId: text('case_id').notNull(),
    adminId: text('admin_id').notNull(),
    /** What was done, by its machine's name. */
    step: text('step').notNull(),
    /** For staff alone. */
    note: text('note').notNull().default(''),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [index('case_steps_case').on(table.caseId, table.createdAt)],
);

/** Each time that staff was shown something of a person that is not public; the person reads it in the account. */
export const staffViews = sqliteTable(
  'staff_views',
  {
    id: text('id').primaryKey(),
    /** Whose it is. */
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    adminId: text('admin_id').notNull(),
    what: text('what', { enum: ['character', 'message', 'account', 'appeal', 'report'] }).notNull(),
    subjectId: text('subject_id').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    index('staff_views_owner').on(table.ownerId, table.createdAt),
    check('staff_views_what', sql`${table.what} in ('character', 'message', 'account', 'appeal', 'report')`),
  ],
);

/** How often somebody was shown where help is, on a day (UTC, days since the epoch). Counts, of nobody and of no words. */
export const crisisDays = sqliteTable(
  'crisis_days',
  {
    day: integer('day').notNull(),
    kind: text('kind', { enum: ['suicide', 'self_harm', 'harm_to_others'] }).notNull(),
    referrals: integer('referrals').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.day, table.kind] }),
    check('crisis_days_kind', sql`${table.kind} in ('suicide', 'self_harm', 'harm_to_others')`),
    check('crisis_days_referrals', sql`${table.referrals} >= 0`),
  ],
);
