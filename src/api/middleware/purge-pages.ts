import type { MiddlewareHandler } from 'hono';
import { sendPagePurgesSoon } from '../../services/purge-pages.ts';
import { type ApiEnv, serviceContext } from './context.ts';

/** What is under these may change what public pages show of characters and of those who make them. */
const SEEN_IN_PAGES = /^\/api\/(?:characters|account|onboarding|admin|competition)(?:\/|$)/;
const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** After a change that may be seen in public pages, caches are told. */
export const pagesMayChange: MiddlewareHandler<ApiEnv> = async (c, next) => {
  await next();
  if (!READS.has(c.req.method) && c.res.ok && SEEN_IN_PAGES.test(c.req.path))
    sendPagePurgesSoon(serviceContext(c));
};
