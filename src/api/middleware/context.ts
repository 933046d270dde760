import type { Context } from 'hono';
import type { Database } from '../../db/open.ts';
import type { Environment } from '../../env/read-environment.ts';
import type { SessionUser } from '../../features/account/contract.ts';
import type { ProofMethod } from '../../features/account/session/session.ts';
import type { ServiceContext } from '../../services/context.ts';
import { matchedRoutes } from 'hono/route';

/** The authenticated caller. `sessionId` is the hash of the token, so use it only for database lookups. */
export interface Caller {
  sessionId: string;
  /** The session id that may be shown to clients. */
  sessionPublicId: string;
  /** How and when (in ms since 1970) the user proved who they are. */
  provedBy: ProofMethod;
  provedAt: number;
  user: SessionUser;
}

/** The variables that the middleware sets for routes. */
export interface ApiEnv {
  Bindings: Env;
  Variables: {
    requestId: string;
    db: Database;
    settings: Environment;
    /** D1's id of the session cookie, which is not verified; null when there is none. */
    sessionId: () => Promise<string | null>;
    /** Reads the session on the first call. */
    caller: () => Promise<Caller | null>;
    /** Set on the reference page only: the nonce that its policy allows the style sheet by. */
    secureHeadersNonce?: string;
  };
}

/** The part of a request that services and jobs work with. */
export function toServiceContext(c: Context<ApiEnv>): ServiceContext {
  return {
    env: c.env,
    db: c.get('db'),
    settings: c.get('settings'),
    execution: c.executionCtx as ExecutionContext,
  };
}

/** Returns the site's origin for links in mails: SITE_URL, or the request's when that is not set. */
export const getSiteUrl = (c: Context<ApiEnv>): string =>
  c.get('settings').siteUrl ?? new URL(c.req.url).origin;

/** Returns the client's IP address as the platform reports it; null when it reports none. */
export const readClientIp = (c: Pick<Context, 'req'>): string | null =>
  c.req.header('cf-connecting-ip') ?? null;

/** Returns the client's IP address for limits. All clients without one count together. */
export const getClientIp = (c: Pick<Context, 'req'>): string => readClientIp(c) ?? 'unknown';

/**
 * Returns the matched route in the form of the route tables, such as `GET /api/characters/:id`; null when none matches.
 * HEAD counts as GET.
 */
export function getMatchedRoute(c: Context<ApiEnv>): string | null {
  const route = matchedRoutes(c).find(({ method }) => method !== 'ALL');
  return route === undefined ? null : `${route.method} ${route.path}`;
}
