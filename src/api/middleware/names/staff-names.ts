import type { SessionUser } from '../../../features/account/contract.ts';
import { findStaffPart } from '../../../features/account/staff-names/find-staff-part.ts';
import { Problem } from '../problems.ts';

/**
 * Refuses a name that others would take for the staff's. Names that the user has already stay, and staff may use them.
 * @param user the user before the change
 * @param change the names that the user sends
 * @throws Problem `name_like_staff` with the part of the name
 */
export function refuseStaffNames(
  user: Pick<SessionUser, 'role' | 'username' | 'nickname'>,
  change: { username?: string | undefined; nickname?: string | null | undefined },
): void {
  if (user.role === 'admin') return;
  for (const field of ['username', 'nickname'] as const) {
    const name = change[field];
    const part = name == null || name === user[field] ? null : findStaffPart(name);
    if (part === null) continue;
    const error = `“${part}” in this name looks like this site’s staff. Choose another name.`;
    throw new Problem('name_like_staff', { error, part, fields: { [field]: [error] } });
  }
}
