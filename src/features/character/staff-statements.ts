import { sql } from 'drizzle-orm';
import { users } from '../../db/schema/core.ts';

/**
 * Column of `users`: whether the account belongs to the site's staff, which are the administrators and the owner of the
 * seeded catalogue. Null where a left join found no account.
 */
export const selectIsStaff = (staffEmails: readonly string[]) =>
  sql<
    boolean | null
  >`(${users.isSystem} or coalesce(${users.email}, '') in (select value from json_each(${JSON.stringify(staffEmails)})))`
    .mapWith(Boolean)
    .as('is_staff');

/** The field of an answer: absent for everybody else. */
export const toStaffField = (isStaff: boolean | null): { staff?: true } =>
  isStaff === true ? { staff: true } : {};
