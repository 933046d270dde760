import type { Caller } from './context.ts';
import { getAccessLevel } from './access-policy.ts';
import { Problem } from './problems.ts';

/**
 * What somebody may call whose account staff has shut: come in and go out, read why, appeal, take everything along, end
 * what they pay for, and leave for good.
 */
const ROUTES_FOR_SUSPENDED = new Set([
  'GET /api/auth/status',
  'POST /api/auth/send-login-code',
  'POST /api/auth/login-with-code',
  'GET /api/auth/google',
  'GET /api/auth/google/callback',
  'POST /api/auth/google/callback',
  'POST /api/logout',
  'GET /api/account',
  'GET /api/account/sessions',
  'DELETE /api/account/sessions',
  'DELETE /api/account/sessions/:id',
  'GET /api/account/export',
  'POST /api/account/delete-request',
  'POST /api/account/delete-confirm',
  // Nobody is to pay for an account that is shut.
  'GET /api/subscription',
  'POST /api/subscription/downgrade',
  'GET /api/me/measures',
  'GET /api/me/appeals',
  'GET /api/me/reports',
  'GET /api/me/staff-views',
  'POST /api/appeals',
  ...(typeof __LOCAL_BUILD__ === 'boolean' && __LOCAL_BUILD__ ? ['POST /api/auth/test-login'] : []),
]);

/**
 * Who calls, as a route may know them. Somebody suspended is themselves where the route is open to them, nobody where it
 * is everybody's, and refused elsewhere; of staff's routes they learn no more than anybody else. Nothing shuts out staff.
 * @throws Problem `account_suspended`, `not_found`
 */
export function rejectSuspended(
  caller: Caller | null,
  route: { name: string; isPublic: boolean },
): Caller | null {
  if (caller?.user.suspended_at === undefined || ROUTES_FOR_SUSPENDED.has(route.name)) return caller;
  if (caller.user.role === 'admin') return caller;
  if (route.isPublic) return null;
  if (getAccessLevel(route.name) === 'staff') throw new Problem('not_found');
  throw new Problem('account_suspended');
}
