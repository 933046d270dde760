import type { MiddlewareHandler } from 'hono';
import { getMatchedRoute } from './matched-route.ts';
import type { ApiEnv } from './context.ts';
import { requireAccount, requireCaller, requireSessionId } from './guards.ts';
import { isAccountRequired, getAccessLevel, isVerifiedByConversation } from './access-policy.ts';
import { rejectSuspended } from './suspension.ts';

/**
 * Requires a session for every route that is not public: 401 without one, and 403 for a suspended account, before
 * anything else of the request is examined.
 */
export const requireSessionByPolicy: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const name = getMatchedRoute(c);
  // An unknown path is left to the 404 response.
  const isPublic = name === null || getAccessLevel(name) === 'everybody';
  const read = c.get('caller');
  c.set('caller', async () => rejectSuspended(await read(), { name: name ?? '', isPublic }));
  if (name !== null && isVerifiedByConversation(name)) await requireSessionId(c);
  else if (!isPublic) await requireCaller(c);
  await next();
};

/**
 * Refuses guests with 403 on routes that need an account, before the body is validated. Routes check ownership
 * themselves.
 */
export const requireAccountByPolicy: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const name = getMatchedRoute(c);
  if (name !== null && isAccountRequired(getAccessLevel(name))) await requireAccount(c);
  await next();
};
