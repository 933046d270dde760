import type { MiddlewareHandler } from 'hono';
import { schedulePagePurge } from '../../services/purge-pages.ts';
import { type ApiEnv, toServiceContext } from './context.ts';

/** Writes under these paths may change public pages of characters and creators. */
const PUBLIC_PAGE_ROUTES = /^\/api\/(?:characters|account|onboarding|admin|competition)(?:\/|$)/;
const READ_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Purges cached pages after a write that may change public pages. */
export const purgeAfterWrite: MiddlewareHandler<ApiEnv> = async (c, next) => {
  await next();
  if (!READ_METHODS.has(c.req.method) && c.res.ok && PUBLIC_PAGE_ROUTES.test(c.req.path))
    schedulePagePurge(toServiceContext(c));
};
