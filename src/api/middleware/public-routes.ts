import type { MiddlewareHandler } from 'hono';
import { calledRoute } from './matched-route.ts';
import type { ApiEnv } from './context.ts';
import { requireAccount, requireCaller } from './guards.ts';
import { asksForAccount, levelOf } from './access-policy.ts';
import { unlessSuspended } from './suspension.ts';

/**
 * Every route is private unless it is named as everybody's: nobody gets 401, and whoever is suspended 403, before anything
 * else of the call is looked at.
 */
export const privateUnlessPublic: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const name = calledRoute(c);
  // Where no route answers there is nothing to keep private.
  const isPublic = name === null || levelOf(name) === 'everybody';
  const read = c.get('caller');
  c.set('caller', async () => unlessSuspended(await read(), { name: name ?? '', isPublic }));
  if (!isPublic) await requireCaller(c);
  await next();
};

/** Guests get 403 where an account is asked for, whatever they send. Whose a thing is, the routes see to themselves. */
export const accountWhereAsked: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const name = calledRoute(c);
  if (name !== null && asksForAccount(levelOf(name))) await requireAccount(c);
  await next();
};
