import { getEnvironmentError } from './read-environment.ts';
import { withLogContext, log } from '../lib/log.ts';

/** An operator can correct a variable within minutes, so clients may retry soon. */
const RETRY_AFTER_SECONDS = 60;

const HEADERS = {
  'cache-control': 'private, no-store',
  'retry-after': String(RETRY_AFTER_SECONDS),
  'x-content-type-options': 'nosniff',
};

/**
 * Whether a variable is missing or wrong. Logs which one; the response does not name it.
 * @param operation the work that cannot be done, for the log
 */
export function isMisconfigured(env: Env, operation: string): boolean {
  const reason = getEnvironmentError(env);
  if (reason !== null) log('config_invalid', { reason, operation });
  return reason !== null;
}

/** Creates the 503 response to every request while a variable is missing or wrong; null when all are right. */
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
