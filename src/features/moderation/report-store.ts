import { and, desc, eq, or, sql } from 'drizzle-orm';
import { REPORT_LIMITS, STAFF_LIMITS } from './limits.ts';
import { buildCursorCondition, buildPage, decodeCursor } from '../../db/cursor.ts';
import { insertWhere } from '../../db/insert-where.ts';
import type { Database } from '../../db/open.ts';
import { caseSteps, reports } from '../../db/schema/safety.ts';
import { parseDefinition } from '../character/definition-parts.ts';
import { parseReplyStyle } from '../reply-style/reply-style.ts';
import { characterExtras } from '../../db/schema/character.ts';
import { characters, conversations, users } from '../../db/schema/core.ts';
import { createId } from '../../lib/ids.ts';
import type { ReportReason } from './report-contract.ts';
import type { Lorebook } from '../character/lorebook/lorebook-contract.ts';
import { listLoreTexts } from '../character/lorebook/lore-texts.ts';
import { NO_PICTURE } from '../character/portrait.ts';
import { sanitizeText } from '../../lib/sanitize-text.ts';
import {
  buildQueueCursorCondition,
  type CaseDecision,
  HOUR_MS,
  buildQueueOrder,
  buildCaseStepStatement,
  toIsoTime,
  toIsoTimeOrNull,
} from './case-store.ts';
import type {
  CaseCharacter,
  CaseLorebook,
  OwnReportList,
  QueuedReport,
  ReportDecision,
  ReportQueue,
  ReportQueueQuery,
  ReportSubject,
} from './report-contract.ts';

/** The subject of a report. */
export interface ReportedContent {
  subject: ReportSubject;
  subjectId: string;
  characterId: string | null;
  /** The creator. */
  ownerId: string | null;
  /** The message; empty for other subjects. */
  excerpt: string;
  /** Facts about the message besides its text; each becomes a case step. */
  marks?: readonly ('edited' | 'imported')[];
}

/** The case step that stores an earlier wording of a report; its time is that of the wording. */
const PREVIOUS_REPORT_STEP = 'told';
/** The case step that stores the answer to it. */
const PREVIOUS_ANSWER_STEP = 'answered';

/**
 * Stores a report. Reporting the same subject again updates and reopens the report; its earlier wording and answer stay
 * in its case. The write itself checks the hourly limit.
 * @returns its id, or, at the limit, the time of the next allowed report in ms
 */
export async function upsertReport(
  db: Database,
  input: ReportedContent & { reporterId: string; reason: ReportReason; details: string; now: number },
): Promise<{ kept: true; id: string } | { kept: false; retryAt: number }> {
  const { subject, subjectId, characterId, ownerId, reporterId, reason, details, marks = [], now } = input;
  const sinceMs = now - HOUR_MS;
  const excerpt = input.excerpt.slice(0, REPORT_LIMITS.maxExcerptChars);
  const reportValues = { reason, details, excerpt, createdAt: now };
  const isSameReport = sql`reporter_id = ${reporterId} and subject = ${subject} and subject_id = ${subjectId}`;
  const isUnchanged = sql`(status = 'open' and reason = ${reason} and details = ${details} and excerpt = ${excerpt})`;
  // Submission times: a report's own time, and the times of the steps with its earlier wordings.
  const submissions = sql`(select created_at as at from ${reports} where reporter_id = ${reporterId} and created_at > ${sinceMs}
    union all select step.created_at from ${reports} as told join ${caseSteps} as step on step.case_id = told.id
      where told.reporter_id = ${reporterId} and told.created_at > ${sinceMs} and step.step = ${PREVIOUS_REPORT_STEP} and step.created_at > ${sinceMs})`;
  const isBelowLimit = sql`(select count(*) from ${submissions}) < ${REPORT_LIMITS.maxPerHour}`;
  const stepId = createId(now);
  const hasPreviousReport = sql`exists (select 1 from ${caseSteps} where id = ${stepId})`;
  const decidedBy = sql`coalesce((select admin_id from ${caseSteps} where case_id = reports.id and step in ('upheld', 'dismissed', 'open')
    order by created_at desc limit 1), reports.reporter_id)`;
  const [, , , , kept, first] = await db.batch([
    db.insert(caseSteps).select(
      sql`select ${stepId}, reports.id, reports.reporter_id, ${PREVIOUS_REPORT_STEP},
        reports.reason || case when reports.details = '' then '' else ': ' || reports.details end
          || case when reports.excerpt in ('', ${excerpt}) then '' else ${'\n\n'} || reports.excerpt end,
        reports.created_at from ${reports} where ${isSameReport} and not ${isUnchanged} and ${isBelowLimit}`,
    ),
    db.insert(caseSteps).select(
      sql`select ${createId(now)}, reports.id, ${decidedBy}, ${PREVIOUS_ANSWER_STEP}, reports.answer, coalesce(reports.resolved_at, reports.created_at)
        from ${reports} where ${isSameReport} and reports.answer is not null and ${hasPreviousReport}`,
    ),
    insertWhere(
      db,
      reports,
      { id: createId(now), subject, subjectId, characterId, ownerId, reporterId, ...reportValues },
      sql`${hasPreviousReport} or (${isBelowLimit} and not exists (select 1 from ${reports} where ${isSameReport}))`,
    ).onConflictDoUpdate({
      target: [reports.reporterId, reports.subject, reports.subjectId],
      set: { ...reportValues, status: 'open', answer: null, resolvedAt: null },
    }),
    db.insert(caseSteps).select(
      sql`select mark.value ->> 'id', reports.id, reports.reporter_id, 'told_' || (mark.value ->> 'mark'), '', ${now}
        from ${reports}, json_each(${JSON.stringify(marks.map((mark) => ({ id: createId(now), mark })))}) as mark
        where ${isSameReport} and reports.created_at = ${now}`,
    ),
    db
      .select({ id: reports.id })
      .from(reports)
      .where(sql`${isSameReport} and ${isUnchanged}`),
    db.select({ at: sql<number | null>`min(at)`.as('first_at') }).from(sql`${submissions}`),
  ]);
  const report = kept[0];
  if (report !== undefined) return { kept: true, id: report.id };
  return { kept: false, retryAt: (first[0]?.at ?? now) + HOUR_MS };
}

/** The character in a user's conversation and its creator; null if the user has no such conversation. */
export async function findOwnConversationCharacter(
  db: Database,
  { conversationId, ownerId }: { conversationId: string; ownerId: string },
): Promise<{ id: string; makerId: string } | null> {
  const row = await db
    .select({ id: characters.id, makerId: characters.creatorId })
    .from(conversations)
    .innerJoin(characters, eq(characters.id, conversations.characterId))
    .where(and(eq(conversations.id, conversationId), eq(conversations.ownerId, ownerId)))
    .get();
  return row ?? null;
}

/** Columns for every view of a report, with a name if it is public. */
const REPORT_COLUMNS = {
  id: reports.id,
  subject: reports.subject,
  subjectId: reports.subjectId,
  characterId: reports.characterId,
  reason: reports.reason,
  details: reports.details,
  status: reports.status,
  answer: reports.answer,
  createdAt: reports.createdAt,
  resolvedAt: reports.resolvedAt,
  // Names that are not public are only shown in an opened case, and that access is recorded. Tables are qualified,
  // because an unqualified column would refer to the inner query.
  name: sql<string | null>`case when reports.subject = 'creator'
    then (select coalesce(made.nickname, made.username) from ${users} as made where made.id = reports.subject_id and made.is_anonymous = 0)
    else (select shown.name from ${characters} as shown where shown.id = reports.character_id
      and shown.visibility = 'public' and shown.moderation = 'shown' and shown.nsfw_allowed = 0 and shown.deleted_at is null)
    end`.as('told_name'),
};

type ReportRow = Pick<
  typeof reports.$inferSelect,
  | 'id'
  | 'subject'
  | 'subjectId'
  | 'characterId'
  | 'reason'
  | 'details'
  | 'status'
  | 'answer'
  | 'createdAt'
  | 'resolvedAt'
> & { name: string | null };

function toReportFields(row: ReportRow) {
  return {
    id: row.id,
    subject: row.subject,
    subject_id: row.subjectId,
    character_id: row.characterId,
    name: row.name === null ? null : sanitizeText(row.name),
    reason: row.reason as ReportReason,
    status: row.status,
    answer: row.answer,
    created_at: toIsoTime(row.createdAt),
    resolved_at: toIsoTimeOrNull(row.resolvedAt),
  };
}

/** Lists the user's reports with their outcome, newest first. */
export async function listOwnReports(
  db: Database,
  { reporterId, cursor, limit }: { reporterId: string; cursor?: string | undefined; limit: number },
): Promise<OwnReportList> {
  const rows = await db
    .select(REPORT_COLUMNS)
    .from(reports)
    .where(
      and(
        eq(reports.reporterId, reporterId),
        buildCursorCondition(decodeCursor(cursor), reports.createdAt, reports.id),
      ),
    )
    .orderBy(desc(reports.createdAt), desc(reports.id))
    .limit(limit + 1);
  return buildPage(rows, limit, {
    place: ({ createdAt, id }) => ({ value: createdAt, id }),
    item: (row) => ({ ...toReportFields(row), details: row.details }),
  });
}

const QUEUE_COLUMNS = {
  ...REPORT_COLUMNS,
  openBeside:
    sql<number>`(select count(*) from (select 1 from ${reports} as beside where beside.subject = reports.subject
    and beside.subject_id = reports.subject_id and beside.status = 'open' and beside.id <> reports.id limit 99))`.as(
      'open_beside',
    ),
};

const toQueuedReport = (row: ReportRow & { openBeside: number }): QueuedReport => ({
  ...toReportFields(row),
  open_beside: row.openBeside,
});

/** Lists the queue of reports for staff. */
export async function listReportQueue(
  db: Database,
  { status, subject, order, cursor, limit }: ReportQueueQuery,
): Promise<ReportQueue> {
  // Served by the indexes `reports_status` and `reports_status_subject`, in this order.
  const kind = subject === undefined ? undefined : eq(reports.subject, subject);
  const rows = await db
    .select(QUEUE_COLUMNS)
    .from(reports)
    .where(and(eq(reports.status, status), kind, buildQueueCursorCondition(reports, order, cursor)))
    .orderBy(...buildQueueOrder(reports, order))
    .limit(limit + 1);
  return buildPage(rows, limit, {
    place: (row) => ({ value: row.createdAt, id: row.id }),
    item: toQueuedReport,
  });
}

/** Finds a report as shown in the queue, with the fields for its case; null if it does not exist. */
export async function findReport(db: Database, id: string) {
  const row = await db
    .select({
      ...QUEUE_COLUMNS,
      excerpt: reports.excerpt,
      reporterId: reports.reporterId,
      ownerId: reports.ownerId,
    })
    .from(reports)
    .where(eq(reports.id, id))
    .get();
  if (row === undefined) return null;
  const { excerpt, reporterId, ownerId, details } = row;
  return { queued: toQueuedReport(row), details, excerpt, reporterId, ownerId };
}

/** Reads a character for a case; null if it is deleted. */
export async function readReportedCharacter(db: Database, id: string) {
  const found = await db
    .select({ row: characters, extras: characterExtras })
    .from(characters)
    .leftJoin(characterExtras, eq(characterExtras.characterId, characters.id))
    .where(eq(characters.id, id))
    .get();
  if (found === undefined) return null;
  const { row, extras } = found;
  const lore = listLoreTexts(extras?.lorebook == null ? null : (JSON.parse(extras.lorebook) as Lorebook));
  const isPublic =
    row.visibility === 'public' && row.moderation === 'shown' && !row.nsfwAllowed && row.deletedAt === null;
  return {
    isPublic,
    ownerId: row.creatorId,
    avatarKey: row.avatarKey,
    lore,
    character: {
      id: row.id,
      name: sanitizeText(row.name),
      oneliner: row.oneliner,
      character_traits: row.characterTraits,
      first_message: row.firstMessage,
      about: row.about,
      alternate_greetings: extras?.alternateGreetings ?? [],
      suggested_replies: row.suggestedReplies,
      summary: row.summary,
      nickname: extras?.nickname ?? null,
      recommended_note: parseReplyStyle(extras?.recommendedStyle)?.author_note ?? '',
      definition: Object.fromEntries(
        Object.entries(parseDefinition(extras?.definition) ?? {}).map(([part, { text }]) => [part, text]),
      ),
      lorebook_texts: lore.length,
      visibility: row.visibility,
      nsfw_allowed: row.nsfwAllowed,
      moderation: row.moderation,
      deleted_at: toIsoTimeOrNull(row.deletedAt),
    },
  };
}

export const toCaseCharacter = (
  about: Awaited<ReturnType<typeof readReportedCharacter>>,
): CaseCharacter | null =>
  about === null
    ? null
    : {
        ...about.character,
        picture_url:
          about.avatarKey === NO_PICTURE ? null : `/api/admin/characters/${about.character.id}/picture`,
      };

/** Builds a page of lorebook texts within the limits, with at least one text. */
export function buildLorePage(texts: readonly string[], from: number): CaseLorebook {
  let room: number = STAFF_LIMITS.maxLoreChars;
  const page: string[] = [];
  for (const text of texts.slice(from, from + STAFF_LIMITS.maxLoreTexts)) {
    if (page.length > 0 && text.length > room) break;
    page.push(text);
    room -= text.length;
  }
  const next = from + page.length;
  return { texts: page, next: page.length > 0 && next < texts.length ? next : null };
}

/**
 * Sets a report's status and records the decision. The answer stays unless a new one is given.
 * @returns the report; null if it does not exist
 */
export async function decideReport(
  db: Database,
  deciding: CaseDecision<ReportDecision>,
): Promise<QueuedReport | null> {
  const { id, decision, now } = deciding;
  const { status, answer } = decision;
  await db.batch([
    buildCaseStepStatement(db, reports, deciding),
    db
      .update(reports)
      .set({
        status,
        resolvedAt: status === 'open' ? null : now,
        ...(answer === undefined ? {} : { answer }),
      })
      .where(eq(reports.id, id)),
  ]);
  return (await findReport(db, id))?.queued ?? null;
}

/** Whether a report concerns this subject, which is required before an action can refer to it. */
export async function isReportAbout(
  db: Database,
  { id, subjectId }: { id: string; subjectId: string },
): Promise<boolean> {
  const row = await db
    .select({ id: reports.id })
    .from(reports)
    .where(
      and(
        eq(reports.id, id),
        or(
          eq(reports.subjectId, subjectId),
          eq(reports.characterId, subjectId),
          eq(reports.ownerId, subjectId),
        ),
      ),
    )
    .get();
  return row !== undefined;
}
