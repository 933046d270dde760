import type { Context, MiddlewareHandler } from 'hono';
import type { LoginMethod } from '../../features/account/contract.ts';
import { RECENT_LOGIN_MS } from '../../features/account/limits.ts';
import { findLoginMethods, isAdminWithPasskey } from '../../features/account/passkey/passkey-store.ts';
import type { PasskeySite } from '../../features/account/passkey/webauthn.ts';
import { log } from '../../lib/log.ts';
import { getAccessLevel, isRecentLoginRequired } from './access-policy.ts';
import { getMatchedRoute, type ApiEnv, type Caller } from './context.ts';
import { requireCaller } from './guards.ts';
import { Problem } from './problems.ts';

/** The site that passkeys are bound to: SITE_URL, or the request's address when that is not set. */
export function getPasskeySite(c: Context<ApiEnv>): PasskeySite {
  const { hostname, origin } = new URL(c.get('settings').siteUrl ?? c.req.url);
  return { host: hostname, origin };
}

/** Lists how an account can log in, for clients that ask its user to. */
async function listLoginMethods(c: Context<ApiEnv>, { user }: Caller): Promise<LoginMethod[]> {
  const { host } = getPasskeySite(c);
  const found = await findLoginMethods(c.get('db'), { userId: user.id, host });
  return [
    ...(found.hasPasskey ? (['passkey'] as const) : []),
    ...(user.email === null ? [] : (['code'] as const)),
    ...(found.hasGoogle && c.get('settings').google !== undefined ? (['google'] as const) : []),
  ];
}

/** Whether ADMIN_PASSKEYS asks for a passkey. Not while no admin has one, so that the setting alone locks no admin out. */
async function isAdminPasskeyRequired(c: Context<ApiEnv>): Promise<boolean> {
  const { adminPasskeys, adminEmails } = c.get('settings');
  if (adminPasskeys === 'optional') return false;
  const { host } = getPasskeySite(c);
  const isRequired = await isAdminWithPasskey(c.get('db'), { adminEmails, host });
  if (!isRequired) log('admin_passkeys_missing', {});
  return isRequired;
}

/** @throws Problem `passkey_required` when the caller is an admin who has to log in with a passkey and did not */
export async function requireAdminPasskey(c: Context<ApiEnv>, caller: Caller): Promise<void> {
  if (caller.user.role !== 'admin' || caller.provedBy === 'passkey') return;
  if (!(await isAdminPasskeyRequired(c))) return;
  const methods = (await listLoginMethods(c, caller)).filter((method) => method === 'passkey');
  throw new Problem('passkey_required', { methods });
}

/**
 * Requires that the user of an account logged in a short while ago, so that a borrowed device or a stolen cookie is not
 * enough. Guests have nothing to prove it with.
 * @throws Problem `recent_login_required`
 */
async function requireRecentLogin(c: Context<ApiEnv>, caller: Caller): Promise<void> {
  if (caller.user.is_anonymous || Date.now() - caller.provedAt < RECENT_LOGIN_MS) return;
  throw new Problem('recent_login_required', { methods: await listLoginMethods(c, caller) });
}

/** Requires a passkey of admins on staff routes where ADMIN_PASSKEYS asks for it, and a recent login by policy. */
export const requireProofByPolicy: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const name = getMatchedRoute(c);
  if (name !== null) {
    const isStaffRoute = getAccessLevel(name) === 'staff';
    const caller = isStaffRoute || isRecentLoginRequired(name) ? await requireCaller(c) : null;
    // Staff routes answer 404 to everyone else themselves.
    if (caller !== null && (!isStaffRoute || caller.user.role === 'admin')) {
      if (isStaffRoute) await requireAdminPasskey(c, caller);
      if (isRecentLoginRequired(name)) await requireRecentLogin(c, caller);
    }
  }
  await next();
};
