import type { Context } from 'hono';
import type { PasskeySite } from '../../features/account/passkey/webauthn.ts';
import type { ApiEnv } from './context.ts';

/** The site that passkeys are bound to: SITE_URL, or the request's address when that is not set. */
export function getPasskeySite(c: Context<ApiEnv>): PasskeySite {
  const { hostname, origin } = new URL(c.get('settings').siteUrl ?? c.req.url);
  return { host: hostname, origin };
}
