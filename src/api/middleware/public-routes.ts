import type { MiddlewareHandler } from 'hono';
import { getMatchedRoute } from './matched-route.ts';
import type { ApiEnv } from './context.ts';
import { requireAccount, requireCaller } from './guards.ts';
import { isAccountRequired, getAccessLevel } from './access-policy.ts';
import { rejectSuspended } from './suspension.ts';

/**
 * Every route is private unless it is named as everybody's: nobody gets 401, and whoever is suspended 403, before anything
 * else of the call is looked at.
 */
export const requireSessionByPolicy: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const name = getMatchedRoute(c);
  // Where no route answers there is nothing to keep private.
  const isPublic = name === null || getAccessLevel(name) === 'everybody';
  const read = c.get('caller');
  c.set('caller', async () => rejectSuspended(await read(), { name: name ?? '', isPublic }));
  if (!isPublic) await requireCaller(c);
  await next();
};

/** Guests get 403 where an account is asked for, whatever they send. Whose a thing is, the routes see to themselves. */
export const requireAccountByPolicy: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const name = getMatchedRoute(c);
  if (name !== null && isAccountRequired(getAccessLevel(name))) await requireAccount(c);
  await next();
};
