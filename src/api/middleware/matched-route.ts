import type { Context } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { ApiEnv } from './context.ts';

/**
 * The route of a call by the name that tables have of it, as `GET /api/characters/:id`; null where no route answers. HEAD is
 * GET here.
 */
export function getMatchedRoute(c: Context<ApiEnv>): string | null {
  const route = matchedRoutes(c).find(({ method }) => method !== 'ALL');
  return route === undefined ? null : `${route.method} ${route.path}`;
}
