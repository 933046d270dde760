import type { MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { ApiEnv } from './context.ts';
import { requireCaller } from './guards.ts';
import { unlessSuspended } from './suspension.ts';

/** The calls that whoever has no session may make; each sees to itself what it shows to whom. */
const PUBLIC = new Set([
  'GET /api/auth/status',
  'POST /api/auth/send-login-code',
  'POST /api/auth/login-with-code',
  'POST /api/auth/anonymous',
  'GET /api/auth/google',
  'GET /api/auth/google/callback',
  'POST /api/auth/google/callback',
  'POST /api/logout',
  // Whoever confirms holds the link that was mailed; whoever checks ages signs the result.
  'POST /api/account/delete-confirm',
  'POST /api/account/age-check',
  'GET /api/characters',
  'GET /api/characters/:id',
  'GET /api/characters/:id/card',
  'GET /api/creators/:id',
  'GET /api/models',
  'GET /api/plans',
  'GET /api/competition',
  'POST /api/feedback',
  'POST /api/page-views',
  'GET /api/health',
  'GET /api/status',
  'GET /api/openapi.json',
  'GET /api/docs',
  // Not in builds that are put before others (app.ts).
  ...(typeof __LOCAL_BUILD__ === 'boolean' && __LOCAL_BUILD__ ? ['POST /api/auth/test-login'] : []),
]);

/** Calls that are taken before anybody is asked who they are: each knows by itself whom it hears. */
const OUTSIDE = new Set(['POST /api/mail/unsubscribe', 'POST /api/paypal/webhook']);

/** Whether whoever has no session may make a call. @param path as the OpenAPI document writes it */
export function isPublicRoute(method: string, path: string): boolean {
  const name = `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
  return PUBLIC.has(name) || OUTSIDE.has(name);
}

/**
 * Every route is private unless it is named here: nobody gets 401, and whoever is suspended 403, before anything else of
 * the call is looked at.
 */
export const privateUnlessPublic: MiddlewareHandler<ApiEnv> = async (c, next) => {
  // Where no route answers, there is nothing to keep private.
  const route = matchedRoutes(c).find(({ method }) => method !== 'ALL');
  const name = route === undefined ? '' : `${route.method} ${route.path}`;
  const isPublic = route === undefined || PUBLIC.has(name);
  const read = c.get('caller');
  c.set('caller', async () => unlessSuspended(await read(), { name, isPublic }));
  if (!isPublic) await requireCaller(c);
  await next();
};
