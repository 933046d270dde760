import { type SQL, sql } from 'drizzle-orm';
import { pictures } from '../../db/schema/core.ts';
import { isRemovedByStaff } from '../safety/removed-picture-statements.ts';

/**
 * Condition that a user may show a picture: it is their own, staff did not remove it, and it is not being deleted
 * (picture-store.ts).
 */
export function isOwnPicture(ownerId: string, key: string): SQL {
  return sql`exists (select 1 from ${pictures} where ${pictures.key} = ${key} and ${pictures.ownerId} = ${ownerId} and ${pictures.createdAt} > 0
    and not ${isRemovedByStaff})`;
}
