import type { Caller } from './context.ts';
import { getAccessLevel } from './access-policy.ts';
import { Problem } from './problems.ts';

/**
 * The routes that stay open to a suspended account: sign in and out, read the reason, appeal, export data, cancel the
 * membership and delete the account.
 */
const ROUTES_FOR_SUSPENDED = new Set([
  'GET /api/auth/status',
  'POST /api/auth/send-login-code',
  'POST /api/auth/login-with-code',
  // Refuses a new guest to them.
  'POST /api/auth/anonymous',
  'POST /api/auth/passkey-options',
  'POST /api/auth/login-with-passkey',
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
  // A suspended user must be able to stop paying.
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
 * Applies a suspension to the caller. On the routes above they stay signed in, on public routes they count as signed out,
 * and other routes refuse them; staff routes answer 404 as to everyone else. Admins are exempt.
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
