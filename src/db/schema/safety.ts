import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { characters, users } from './core.ts';

/** Reports, moderation actions, appeals and staff access. Times are milliseconds since the epoch. */

/** Reports by users. A second report of the same subject by the same user replaces the first. */
export const reports = sqliteTable(
  'reports',
  {
    id: text('id').primaryKey(),
    subject: text('subject', { enum: ['character', 'creator', 'message'] })
      .notNull()
      .default('character'),
    /** The id of the character, creator or message. */
    subjectId: text('subject_id').notNull(),
    /** The reported character, or the one that wrote the message; null for a creator. */
    characterId: text('character_id').references(() => characters.id, { onDelete: 'cascade' }),
    /** The owner of the reported content; null without one. */
    ownerId: text('owner_id').references(() => users.id, { onDelete: 'set null' }),
    reporterId: text('reporter_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    reason: text('reason').notNull(),
    details: text('details').notNull(),
    /** The message as the reporter submitted it; empty for other subjects. */
    excerpt: text('excerpt').notNull().default(''),
    status: text('status', { enum: ['open', 'upheld', 'dismissed'] })
      .notNull()
      .default('open'),
    /** The answer shown to the reporter; null until there is one. */
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

/** Moderation actions with their reasons. The affected user can read and appeal them. */
export const moderationActions = sqliteTable(
  'moderation_actions',
  {
    id: text('id').primaryKey(),
    kind: text('kind', {
      enum: ['character_hidden', 'character_removed', 'picture_removed', 'name_cleared', 'account_suspended'],
    }).notNull(),
    /** The id of the character or account. */
    subjectId: text('subject_id').notNull(),
    /** Its name at that time. */
    subjectName: text('subject_name').notNull(),
    /** The affected user. */
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Shown to the affected user. */
    reason: text('reason').notNull(),
    /** The report that led to it; null without one. */
    reportId: text('report_id'),
    /** No foreign key: the action stays when the staff account is deleted. */
    adminId: text('admin_id').notNull(),
    createdAt: integer('created_at').notNull(),
    /** Time at which it was revoked; null while it is in force. */
    revokedAt: integer('revoked_at'),
    /**
     * For a suspension that was restored from `retainedSuspensions` after the account was deleted: the id of the first one.
     */
    continuedFrom: text('continued_from'),
  },
  (table) => [
    index('moderation_actions_owner').on(table.ownerId, table.createdAt),
    index('moderation_actions_subject').on(table.subjectId, table.createdAt),
    check(
      'moderation_actions_kind',
      sql`${table.kind} in ('character_hidden', 'character_removed', 'picture_removed', 'name_cleared', 'account_suspended')`,
    ),
  ],
);

/**
 * Suspensions that were in force when the account was deleted, so that they apply again when the user signs in with the
 * same identity. No foreign key: the account is gone. Only a hash of the identity is stored, keyed with the operator's
 * secret.
 */
export const retainedSuspensions = sqliteTable(
  'retained_suspensions',
  {
    /** HMAC of the email address or of Google's `sub` claim, in hex. */
    hash: text('hash').primaryKey(),
    /** The id of the first suspension, which all later ones refer to. */
    suspensionId: text('suspension_id').notNull(),
    /** As shown to the affected user. */
    reason: text('reason').notNull(),
    adminId: text('admin_id').notNull(),
    suspendedAt: integer('suspended_at').notNull(),
    retainedUntil: integer('retained_until').notNull(),
  },
  (table) => [
    index('retained_suspensions_suspension').on(table.suspensionId),
    index('retained_suspensions_until').on(table.retainedUntil),
  ],
);

/** Appeals against a moderation action or against the refusal of a text. */
export const appeals = sqliteTable(
  'appeals',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Null for an appeal about a refused text. */
    measureId: text('measure_id').references(() => moderationActions.id, { onDelete: 'cascade' }),
    /** The refused text as the user submitted it; null for an appeal against an action. */
    refusedText: text('refused_text'),
    /** The place and the rule of the refusal; null for an appeal against an action. */
    place: text('place', { enum: ['message', 'reply', 'character', 'persona', 'import', 'name'] }),
    rule: text('rule'),
    /** The user's reasons. */
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

/** Log of staff's work on a report or an appeal. */
export const caseSteps = sqliteTable(
  'case_steps',
  {
    id: text('id').primaryKey(),
    /** The id of the report or appeal. */
    caseId: text('case_id').notNull(),
    adminId: text('admin_id').notNull(),
    /** Key of the step. */
    step: text('step').notNull(),
    /** Visible to staff only. */
    note: text('note').notNull().default(''),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [index('case_steps_case').on(table.caseId, table.createdAt)],
);

/** Log of staff access to a user's private content. The user can read it in the account. */
export const staffAccessLog = sqliteTable(
  'staff_access_log',
  {
    id: text('id').primaryKey(),
    /** The user whose content was viewed. */
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    adminId: text('admin_id').notNull(),
    resourceType: text('resource_type', {
      enum: ['character', 'message', 'account', 'appeal', 'report'],
    }).notNull(),
    resourceId: text('resource_id').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    index('staff_access_log_owner').on(table.ownerId, table.createdAt),
    check(
      'staff_access_log_resource_type',
      sql`${table.resourceType} in ('character', 'message', 'account', 'appeal', 'report')`,
    ),
  ],
);

/** Number of crisis referrals shown per day (UTC, days since the epoch). Counts only, without users or texts. */
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
