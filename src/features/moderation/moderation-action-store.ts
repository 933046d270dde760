import { and, desc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import { STAFF } from './limits.ts';
import { behind, pageOf, readCursor } from '../../db/cursor.ts';
import type { Database } from '../../db/open.ts';
import { removedByStaff, TAKEN_STEP } from '../safety/removed-picture-statements.ts';
import { appeals, caseSteps, measures } from '../../db/schema/safety.ts';
import { characters, pictures, users } from '../../db/schema/core.ts';
import { sanitizeText } from '../../lib/visible-text.ts';
import type { AccountCase, Measure, OwnMeasure, OwnMeasureList } from './moderation-action-contract.ts';
import { takenBy } from './removed-content.ts';

/** Measures as they are read: by staff, and by those whom they concern. What makes and ends them is in measure-taking-store.ts. */

const time = (at: number): string => new Date(at).toISOString();
const timeOrNull = (at: number | null): string | null => (at === null ? null : time(at));

type Row = typeof measures.$inferSelect;

const asKept = (row: Row) => ({
  id: row.id,
  kind: row.kind,
  subject_id: row.subjectId,
  subject_name: sanitizeText(row.subjectName),
  reason: row.reason,
  created_at: time(row.createdAt),
  ended_at: timeOrNull(row.endedAt),
});

const asMeasure = (row: Row): Measure => ({ ...asKept(row), owner_id: row.ownerId });

/** One measure as staff has it; null when there is none. */
export async function findMeasure(db: Database, id: string): Promise<Measure | null> {
  const row = await db.select().from(measures).where(eq(measures.id, id)).get();
  return row === undefined ? null : asMeasure(row);
}

/** What was done against some things, the latest first. */
export async function measuresAgainst(db: Database, subjectIds: readonly string[]): Promise<Measure[]> {
  const rows = await db
    .select()
    .from(measures)
    .where(inArray(measures.subjectId, [...subjectIds]))
    .orderBy(desc(measures.createdAt), desc(measures.id))
    .limit(STAFF.measuresShown);
  return rows.map(asMeasure);
}

/** Whether the picture that a measure took away is there still, as the one that is kept for whoever it belongs to. */
const pictureKept = sql<number>`exists (select 1 from ${pictures} where ${pictures.key} = ${caseSteps.note}
  and ${pictures.ownerId} = ${measures.ownerId} and ${pictures.createdAt} > 0 and ${removedByStaff})`;

/** What a measure took away, as its owner sees it. */
function takenToTell(row: Row, note: string | null, isKept: boolean): OwnMeasure['taken'] {
  const taken = takenBy(row, note);
  if (taken === null) return null;
  const { names, picture } = taken;
  return { names: names.map(sanitizeText), picture_url: isKept ? `/media/${picture}` : null };
}

/** What was done that concerns somebody, the latest first, with what they said to it. @param subjectId of one thing alone */
export async function measuresOf(
  db: Database,
  input: { ownerId: string; subjectId?: string | undefined; cursor?: string | undefined; limit: number },
): Promise<OwnMeasureList> {
  const { ownerId, subjectId, cursor, limit } = input;
  const rows = await db
    .select({
      measure: measures,
      appeal: { id: appeals.id, status: appeals.status, answer: appeals.answer },
      taken: caseSteps.note,
      isKept: pictureKept,
    })
    .from(measures)
    .leftJoin(caseSteps, and(eq(caseSteps.caseId, measures.id), eq(caseSteps.step, TAKEN_STEP)))
    .leftJoin(appeals, and(sql`${appeals.measureId} is not null`, eq(appeals.measureId, measures.id)))
    .where(
      and(
        eq(measures.ownerId, ownerId),
        subjectId === undefined ? undefined : eq(measures.subjectId, subjectId),
        behind(readCursor(cursor), measures.createdAt, measures.id),
      ),
    )
    .orderBy(desc(measures.createdAt), desc(measures.id))
    .limit(limit + 1);
  return pageOf(rows, limit, {
    place: ({ measure }) => ({ value: measure.createdAt, id: measure.id }),
    item: ({ measure, appeal, taken, isKept }) => ({
      ...asKept(measure),
      subject: measure.subjectId === measure.ownerId ? 'account' : 'character',
      taken: takenToTell(measure, taken, isKept === 1),
      appeal,
    }),
  });
}

/** An account as staff opens it; null when there is none, or it is the house's. */
export async function accountCase(db: Database, id: string): Promise<AccountCase | null> {
  const row = await db
    .select({
      username: users.username,
      nickname: users.nickname,
      email: users.email,
      isAnonymous: users.isAnonymous,
      createdAt: users.createdAt,
      suspendedAt: users.suspendedAt,
      characters: sql<number>`(select count(*) from ${characters} as made where made.creator_id = users.id)`,
    })
    .from(users)
    .where(and(eq(users.id, id), eq(users.isHouse, false)))
    .get();
  if (row === undefined) return null;
  const concerning = await db
    .select()
    .from(measures)
    .where(eq(measures.ownerId, id))
    .orderBy(desc(measures.createdAt), desc(measures.id))
    .limit(STAFF.measuresShown);
  return {
    id,
    name: sanitizeText(row.nickname ?? row.username),
    email: row.email,
    is_anonymous: row.isAnonymous,
    character_count: row.characters,
    created_at: time(row.createdAt),
    suspended_at: timeOrNull(row.suspendedAt),
    measures: concerning.map(asMeasure),
  };
}

/** What holds against something still, of these kinds. */
export function holding(subjectId: string, kinds: readonly Row['kind'][]): SQL {
  return and(
    eq(measures.subjectId, subjectId),
    inArray(measures.kind, [...kinds]),
    isNull(measures.endedAt),
  ) as SQL;
}
