import type { Context, MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import { withLogContext, log } from '../../lib/log.ts';
import type { ApiEnv } from './context.ts';
import { Problem } from './problems.ts';

/** The line that the log has of a call (docs/watching.md says what it costs). */
const REQUEST_LOG = {
  /** Of calls that went well and quickly one in so many; refusals, failures and slow ones are all told. */
  sampleOneIn: typeof __LOCAL_BUILD__ === 'boolean' && __LOCAL_BUILD__ ? 1 : 10,
  /** To the first byte: a reply may take longer than that. */
  slowMs: 2000,
} as const;

/** The pattern of the route that answered, such as `/api/conversations/:id`: never the address with what is in it. */
function getRoutePattern(c: Context<ApiEnv>): string {
  return matchedRoutes(c).findLast(({ method }) => method !== 'ALL')?.path ?? 'none';
}

/** Of many that went well, one stands for all: by its id, so that every line of a call is there or none is. */
function isSampled(id: string, oneIn: number): boolean {
  let sum = 0;
  for (const char of id) sum = (sum * 31 + (char.codePointAt(0) ?? 0)) % 1_000_003;
  return sum % oneIn === 0;
}

/** Every line of a call's log carries its id; of the call itself there is one line, of those that went well of some. */
export const logRequests: MiddlewareHandler<ApiEnv> = (c, next) => {
  const id = c.get('requestId');
  return withLogContext(id, async () => {
    const startedAt = Date.now();
    await next();
    const ms = Date.now() - startedAt;
    const { status } = c.res;
    const isPlain = status < 400 && ms < REQUEST_LOG.slowMs;
    const oneIn = isPlain ? REQUEST_LOG.sampleOneIn : 1;
    if (!isSampled(id, oneIn)) return;
    const code = c.error instanceof Problem ? c.error.code : undefined;
    log('request', { method: c.req.method, route: getRoutePattern(c), status, ms, code, one_in: oneIn });
  });
};
