import type { Context, MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { ApiEnv } from './context.ts';
import { requireAccount, requireCaller } from './guards.ts';
import { asksForAccount, levelOf } from './levels.ts';
import { unlessSuspended } from './suspension.ts';

/** By what name the tables have the route of a call; null where no route answers, and there is nothing to keep private. */
function routeOf(c: Context<ApiEnv>): string | null {
  const route = matchedRoutes(c).find(({ method }) => method !== 'ALL');
  return route === undefined ? null : `${route.method} ${route.path}`;
}

/**
 * Every route is private unless it is named as everybody's: nobody gets 401, and whoever is suspended 403, before anything
 * else of the call is looked at.
 */
export const privateUnlessPublic: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const name = routeOf(c);
  const isPublic = name === null || levelOf(name) === 'everybody';
  const read = c.get('caller');
  c.set('caller', async () => unlessSuspended(await read(), { name: name ?? '', isPublic }));
  if (!isPublic) await requireCaller(c);
  await next();
};

/** Guests get 403 where an account is asked for, whatever they send. Whose a thing is, the routes see to themselves. */
export const accountWhereAsked: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const name = routeOf(c);
  if (name !== null && asksForAccount(levelOf(name))) await requireAccount(c);
  await next();
};
