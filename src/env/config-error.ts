import { getEnvironmentError } from './read-environment.ts';
import { withLogContext, log } from '../lib/log.ts';

/** Somebody mends a variable within minutes: programs may come back by then. */
const RETRY_AFTER_SECONDS = 60;

const HEADERS = {
  'cache-control': 'private, no-store',
  'retry-after': String(RETRY_AFTER_SECONDS),
  'x-content-type-options': 'nosniff',
};

/**
 * Whether the operator's variables keep anything from being done here; the log has which, and nobody else.
 * @param what was to be done, for the log
 */
export function isMisconfigured(env: Env, what: string): boolean {
  const reason = getEnvironmentError(env);
  if (reason !== null) log('environment_wrong', { reason, what });
  return reason !== null;
}

/** What is answered to everything while a variable is missing or wrong; null where none is. */
export function createConfigErrorResponse(request: Request, env: Env): Response | null {
  if (getEnvironmentError(env) === null) return null;
  const { pathname } = new URL(request.url);
  const isApiCall = pathname === '/api' || pathname.startsWith('/api/');
  const id = crypto.randomUUID();
  withLogContext(id, () => isMisconfigured(env, isApiCall ? 'api' : 'page'));
  const error = 'Server error. Please try again later.';
  const headers = { ...HEADERS, 'x-request-id': id };
  return isApiCall
    ? Response.json({ error, code: 'server_error' }, { status: 503, headers })
    : new Response(`${error}\n`, {
        status: 503,
        headers: { ...headers, 'content-type': 'text/plain; charset=utf-8' },
      });
}
