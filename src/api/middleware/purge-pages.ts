import type { MiddlewareHandler } from 'hono';
import { schedulePagePurge } from '../../services/purge-pages.ts';
import { type ApiEnv, toServiceContext } from './context.ts';

/** What is under these may change what public pages show of characters and of those who make them. */
const PUBLIC_PAGE_ROUTES = /^\/api\/(?:characters|account|onboarding|admin|competition)(?:\/|$)/;
const READ_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** After a change that may be seen in public pages, caches are told. */
export const purgeAfterWrite: MiddlewareHandler<ApiEnv> = async (c, next) => {
  await next();
  if (!READ_METHODS.has(c.req.method) && c.res.ok && PUBLIC_PAGE_ROUTES.test(c.req.path))
    schedulePagePurge(toServiceContext(c));
};
