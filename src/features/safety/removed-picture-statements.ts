import { type SQL, sql } from 'drizzle-orm';
import { caseSteps, measures } from '../../db/schema/safety.ts';
import { pictures } from '../../db/schema/core.ts';

/** The step of a measure under which what it took away is noted: a picture's key, or names. */
export const REMOVED_CONTENT_STEP = 'taken';

/**
 * Whether staff took a picture away, and it was not given back: it opens for its owner alone, can be shown nowhere else,
 * and is kept, so that it can be given back. To be asked beside a row of `pictures`.
 */
export const isRemovedByStaff: SQL = sql`exists (select 1 from ${measures} as held join ${caseSteps} as taken on taken.case_id = held.id
  where held.owner_id = ${pictures.ownerId} and held.kind = 'picture_removed' and held.ended_at is null
    and taken.step = ${sql.raw(`'${REMOVED_CONTENT_STEP}'`)} and taken.note = ${pictures.key})`;
