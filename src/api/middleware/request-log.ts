import type { Context, MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import { withLogContext, log } from '../../lib/log.ts';
import type { ApiEnv } from './context.ts';
import { Problem } from './problems.ts';

/** The request log (docs/monitoring.md gives its cost). */
const REQUEST_LOG = {
  /** One in this many fast and successful requests is logged; refused, failed and slow ones always are. */
  sampleOneIn: typeof __LOCAL_BUILD__ === 'boolean' && __LOCAL_BUILD__ ? 1 : 10,
  /** Time to the first byte; a streamed reply may take longer. */
  slowMs: 2000,
} as const;

/**
 * Returns the pattern of the matched route, such as `/api/conversations/:id`: a full address would contain ids and
 * queries.
 */
function getRoutePattern(c: Context<ApiEnv>): string {
  return matchedRoutes(c).findLast(({ method }) => method !== 'ALL')?.path ?? 'none';
}

/** Samples by a hash of the request id, so that all lines of a request are logged or none. */
function isSampled(id: string, sampleRate: number): boolean {
  let sum = 0;
  for (const char of id) sum = (sum * 31 + (char.codePointAt(0) ?? 0)) % 1_000_003;
  return sum % sampleRate === 0;
}

/** Sets the request id for all log lines and logs one line per request, sampled when it was fast and successful. */
export const logRequests: MiddlewareHandler<ApiEnv> = (c, next) => {
  const id = c.get('requestId');
  return withLogContext(id, async () => {
    const startedAt = Date.now();
    await next();
    const ms = Date.now() - startedAt;
    const { status } = c.res;
    const isPlain = status < 400 && ms < REQUEST_LOG.slowMs;
    const sampleRate = isPlain ? REQUEST_LOG.sampleOneIn : 1;
    if (!isSampled(id, sampleRate)) return;
    const code = c.error instanceof Problem ? c.error.code : undefined;
    log('request', {
      method: c.req.method,
      route: getRoutePattern(c),
      status,
      ms,
      code,
      sample_rate: sampleRate,
    });
  });
};
