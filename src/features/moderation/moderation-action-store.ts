import { and, desc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import { STAFF_LIMITS } from './limits.ts';
import { buildCursorCondition, buildPage, decodeCursor } from '../../db/cursor.ts';
import type { Database } from '../../db/open.ts';
import { isRemovedByStaff, REMOVED_CONTENT_STEP } from '../safety/removed-picture-statements.ts';
import { appeals, caseSteps, moderationActions } from '../../db/schema/safety.ts';
import { characters, pictures, users } from '../../db/schema/core.ts';
import { sanitizeText } from '../../lib/sanitize-text.ts';
import type {
  AccountCase,
  ModerationAction,
  OwnModerationAction,
  OwnModerationActionList,
} from './moderation-action-contract.ts';
import { parseRemovedContent } from './removed-content.ts';

/** Reads moderation actions, for staff and for affected users. Two other stores apply and revoke them. */

const toIsoTime = (at: number): string => new Date(at).toISOString();
const toIsoTimeOrNull = (at: number | null): string | null => (at === null ? null : toIsoTime(at));

type ModerationActionRow = typeof moderationActions.$inferSelect;

const toActionFields = (row: ModerationActionRow) => ({
  id: row.id,
  kind: row.kind,
  subject_id: row.subjectId,
  subject_name: sanitizeText(row.subjectName),
  reason: row.reason,
  created_at: toIsoTime(row.createdAt),
  ended_at: toIsoTimeOrNull(row.revokedAt),
});

const toModerationAction = (row: ModerationActionRow): ModerationAction => ({
  ...toActionFields(row),
  owner_id: row.ownerId,
});

/** Finds an action as staff sees it; null if it does not exist. */
export async function findModerationAction(db: Database, id: string): Promise<ModerationAction | null> {
  const row = await db.select().from(moderationActions).where(eq(moderationActions.id, id)).get();
  return row === undefined ? null : toModerationAction(row);
}

/** Lists actions against some subjects, newest first. */
export async function listModerationActionsAgainst(
  db: Database,
  subjectIds: readonly string[],
): Promise<ModerationAction[]> {
  const rows = await db
    .select()
    .from(moderationActions)
    .where(inArray(moderationActions.subjectId, [...subjectIds]))
    .orderBy(desc(moderationActions.createdAt), desc(moderationActions.id))
    .limit(STAFF_LIMITS.maxActionsShown);
  return rows.map(toModerationAction);
}

/** Whether a removed picture is still stored for its owner. */
const isPictureRetained = sql<number>`exists (select 1 from ${pictures} where ${pictures.key} = ${caseSteps.note}
  and ${pictures.ownerId} = ${moderationActions.ownerId} and ${pictures.createdAt} > 0 and ${isRemovedByStaff})`;

/** The content that an action removed, as its owner sees it. */
function toOwnRemovedContent(
  row: ModerationActionRow,
  note: string | null,
  isKept: boolean,
): OwnModerationAction['taken'] {
  const taken = parseRemovedContent(row, note);
  if (taken === null) return null;
  const { names, picture } = taken;
  return { names: names.map(sanitizeText), picture_url: isKept ? `/media/${picture}` : null };
}

/**
 * Lists the actions that affect a user, newest first, with their appeals. @param subjectId limits the list to one subject
 */
export async function listOwnModerationActions(
  db: Database,
  input: { ownerId: string; subjectId?: string | undefined; cursor?: string | undefined; limit: number },
): Promise<OwnModerationActionList> {
  const { ownerId, subjectId, cursor, limit } = input;
  const rows = await db
    .select({
      measure: moderationActions,
      appeal: { id: appeals.id, status: appeals.status, answer: appeals.answer },
      taken: caseSteps.note,
      isKept: isPictureRetained,
    })
    .from(moderationActions)
    .leftJoin(
      caseSteps,
      and(eq(caseSteps.caseId, moderationActions.id), eq(caseSteps.step, REMOVED_CONTENT_STEP)),
    )
    .leftJoin(
      appeals,
      and(sql`${appeals.measureId} is not null`, eq(appeals.measureId, moderationActions.id)),
    )
    .where(
      and(
        eq(moderationActions.ownerId, ownerId),
        subjectId === undefined ? undefined : eq(moderationActions.subjectId, subjectId),
        buildCursorCondition(decodeCursor(cursor), moderationActions.createdAt, moderationActions.id),
      ),
    )
    .orderBy(desc(moderationActions.createdAt), desc(moderationActions.id))
    .limit(limit + 1);
  return buildPage(rows, limit, {
    place: ({ measure }) => ({ value: measure.createdAt, id: measure.id }),
    item: ({ measure, appeal, taken, isKept }) => ({
      ...toActionFields(measure),
      subject: measure.subjectId === measure.ownerId ? 'account' : 'character',
      taken: toOwnRemovedContent(measure, taken, isKept === 1),
      appeal,
    }),
  });
}

/** Reads an account for staff, without its points; null if it does not exist or is the house account. */
export async function readAccountCase(db: Database, id: string): Promise<Omit<AccountCase, 'points'> | null> {
  const row = await db
    .select({
      username: users.username,
      nickname: users.nickname,
      email: users.email,
      isAnonymous: users.isAnonymous,
      plan: users.plan,
      createdAt: users.createdAt,
      suspendedAt: users.suspendedAt,
      characters: sql<number>`(select count(*) from ${characters} as made where made.creator_id = users.id)`,
    })
    .from(users)
    .where(and(eq(users.id, id), eq(users.isSystem, false)))
    .get();
  if (row === undefined) return null;
  const actions = await db
    .select()
    .from(moderationActions)
    .where(eq(moderationActions.ownerId, id))
    .orderBy(desc(moderationActions.createdAt), desc(moderationActions.id))
    .limit(STAFF_LIMITS.maxActionsShown);
  return {
    id,
    name: sanitizeText(row.nickname ?? row.username),
    email: row.email,
    is_anonymous: row.isAnonymous,
    plan: row.plan,
    character_count: row.characters,
    created_at: toIsoTime(row.createdAt),
    suspended_at: toIsoTimeOrNull(row.suspendedAt),
    measures: actions.map(toModerationAction),
  };
}

/** The condition for active actions of these kinds against a subject. */
export function buildActiveActionCondition(
  subjectId: string,
  kinds: readonly ModerationActionRow['kind'][],
): SQL {
  return and(
    eq(moderationActions.subjectId, subjectId),
    inArray(moderationActions.kind, [...kinds]),
    isNull(moderationActions.revokedAt),
  ) as SQL;
}
