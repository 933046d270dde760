import { type SQL, sql } from 'drizzle-orm';
import { caseSteps, moderationActions } from '../../db/schema/safety.ts';
import { pictures } from '../../db/schema/core.ts';

/** The case step of a moderation action that notes the removed content: a picture's key, or names. */
export const REMOVED_CONTENT_STEP = 'taken';

/**
 * Whether staff removed a picture and did not restore it. Such a picture is visible to its owner only and stays stored,
 * so that it can be restored. Use in a query over `pictures`.
 */
export const isRemovedByStaff: SQL = sql`exists (select 1 from ${moderationActions} as held join ${caseSteps} as taken on taken.case_id = held.id
  where held.owner_id = ${pictures.ownerId} and held.kind = 'picture_removed' and held.revoked_at is null
    and taken.step = ${sql.raw(`'${REMOVED_CONTENT_STEP}'`)} and taken.note = ${pictures.key})`;
