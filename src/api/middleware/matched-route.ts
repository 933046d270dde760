import type { Context } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { ApiEnv } from './context.ts';

/**
 * Returns the matched route in the form of the route tables, such as `GET /api/characters/:id`; null when none matches.
 * HEAD counts as GET.
 */
export function getMatchedRoute(c: Context<ApiEnv>): string | null {
  const route = matchedRoutes(c).find(({ method }) => method !== 'ALL');
  return route === undefined ? null : `${route.method} ${route.path}`;
}
