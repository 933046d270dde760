import type { MiddlewareHandler } from 'hono';
import { schedulePagePurge } from '../../services/purge-pages.ts';
import { type ApiEnv, toServiceContext } from './context.ts';

const READ_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Purges cached pages after a write. For routes that may change public pages of characters and creators. */
export const purgeAfterWrite: MiddlewareHandler<ApiEnv> = async (c, next) => {
  await next();
  if (!READ_METHODS.has(c.req.method) && c.res.ok) schedulePagePurge(toServiceContext(c));
};
