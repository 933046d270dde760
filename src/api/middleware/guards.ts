import type { Context, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { SESSION } from '../../features/account/limits.ts';
import { openDatabase } from '../../db/open.ts';
import { readEnvironment } from '../../env/read-environment.ts';
import {
  getCookieName,
  SESSION_COOKIE,
  computeSessionId,
} from '../../features/account/session/session-cookie.ts';
import { endSession, readSession } from '../../features/account/session/session.ts';
import { updateLastSeen } from '../../features/account/session/session-store.ts';
import { type ApiEnv, type Caller, toServiceContext, getMatchedRoute } from './context.ts';
import { closeSessionConnections } from '../../services/close-session-connections.ts';
import { Problem } from './problems.ts';
import { isAccountRequired, getAccessLevel, isVerifiedByConversation } from './access-policy.ts';
import { rejectSuspended } from './suspension.ts';
import { saveSuspensionMarker } from './suspension-marker.ts';

/** Sets the validated settings and the database for all routes. */
export const bindContext: MiddlewareHandler<ApiEnv> = async (c, next) => {
  c.set('settings', readEnvironment(c.env));
  c.set('db', openDatabase(c.env.DB));
  await next();
};

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * CSRF protection: a state-changing request from a browser must come from our own pages. Browsers send `Origin` or,
 * without it, `Sec-Fetch-Site`. Other clients send neither and hold no cookies that a page could abuse.
 */
export const requireSameOrigin: MiddlewareHandler<ApiEnv> = async (c, next) => {
  if (!SAFE_METHODS.has(c.req.method)) {
    const origin = c.req.header('origin');
    const site = c.req.header('sec-fetch-site');
    const foreign =
      origin === undefined
        ? site !== undefined && site !== 'same-origin' && site !== 'none'
        : origin !== new URL(c.req.url).origin;
    if (foreign) throw new Problem('cross_origin');
  }
  await next();
};

/** Routes that take a multipart form instead of JSON. Each reads and limits its body itself (`multipart.ts`). */
const FORM_ROUTES = new Set(['/api/conversations/import', '/api/characters/import', '/api/uploads/avatar']);

/** Whether the route takes a multipart form. */
export function acceptsMultipart(c: Context<ApiEnv>): boolean {
  return c.req.method === 'POST' && FORM_ROUTES.has(c.req.path);
}

/** Requires a JSON content type before anything reads the body. A request without a body needs none. */
export const requireJsonBody: MiddlewareHandler<ApiEnv> = async (c, next) => {
  if (!SAFE_METHODS.has(c.req.method)) {
    const type = c.req.header('content-type');
    const empty = type === undefined && Number(c.req.header('content-length') ?? 0) === 0;
    if (acceptsMultipart(c)) {
      if (!empty && !/^multipart\/form-data\s*;/i.test(type ?? ''))
        throw new Problem('unsupported_media', { error: 'Send this as multipart/form-data.' });
    } else if (!empty && !/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type ?? '')) {
      throw new Problem('unsupported_media');
    }
  }
  await next();
};

/** Returns the name of a cookie for the request's origin: on localhost it lacks the `__Host-` prefix. */
export function resolveCookieName(c: Context<ApiEnv>, name: string): { name: string; secure: boolean } {
  return getCookieName(name, new URL(c.req.url));
}

export function setSessionCookie(c: Context<ApiEnv>, token: string): void {
  const { name, secure } = resolveCookieName(c, SESSION_COOKIE);
  setCookie(c, name, token, {
    httpOnly: true,
    sameSite: 'Lax',
    secure,
    path: '/',
    maxAge: SESSION.lifetimeMs / 1000,
  });
}

export function clearSessionCookie(c: Context<ApiEnv>): void {
  const { name, secure } = resolveCookieName(c, SESSION_COOKIE);
  setCookie(c, name, '', { httpOnly: true, sameSite: 'Lax', secure, path: '/', maxAge: 0 });
}

/** Sets lazy readers of the session: D1 is queried at most once, and only when a route needs the caller. */
export const loadSession: MiddlewareHandler<ApiEnv> = async (c, next) => {
  let pendingId: Promise<string | null> | null = null;
  c.set(
    'sessionId',
    () => (pendingId ??= computeSessionId(getCookie(c, resolveCookieName(c, SESSION_COOKIE).name) ?? '')),
  );
  let pendingRead: Promise<Caller | null> | null = null;
  c.set('caller', () => {
    pendingRead ??= (async () => {
      const token = getCookie(c, resolveCookieName(c, SESSION_COOKIE).name);
      if (token === undefined || token === '') return null;
      const { adminEmails, spicyMode, ageCheck } = c.get('settings');
      const db = c.get('db');
      const now = Date.now();
      const found = await readSession(db, token, { adminEmails, spicyMode, ageCheck, now });
      if (found === null) return null;
      const {
        id: sessionId,
        publicId: sessionPublicId,
        provedBy,
        provedAt,
        user,
        shouldRenew: slides,
      } = found;
      if (found.shouldUpdateLastSeen)
        c.executionCtx.waitUntil(
          updateLastSeen(db, { sessionId, userId: user.id, shouldRenew: slides, now }),
        );
      if (slides) setSessionCookie(c, token);
      if (user.suspended_at !== undefined && user.role !== 'admin') await saveSuspensionMarker(c, user);
      return { sessionId, sessionPublicId, provedBy, provedAt, user };
    })();
    return pendingRead;
  });
  await next();
};

/** Returns D1's id of the session cookie, without reading the session. @throws Problem `unauthenticated` */
export async function requireSessionId(c: Context<ApiEnv>): Promise<string> {
  const sessionId = await c.get('sessionId')();
  if (sessionId === null) throw new Problem('unauthenticated');
  return sessionId;
}

/** Returns the caller. @throws Problem `unauthenticated` */
export async function requireCaller(c: Context<ApiEnv>): Promise<Caller> {
  const caller = await c.get('caller')();
  if (caller === null) throw new Problem('unauthenticated');
  return caller;
}

/** Returns the caller with an account. @throws Problem `unauthenticated`, or `account_required` for a guest */
export async function requireAccount(c: Context<ApiEnv>): Promise<Caller> {
  const caller = await requireCaller(c);
  if (caller.user.is_anonymous) throw new Problem('account_required');
  return caller;
}

/** Requires an admin. Answers 401 without a session and 404 to everyone else, to hide that the route exists. */
export const requireAdmin: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const { user } = await requireCaller(c);
  if (user.role !== 'admin') throw new Problem('not_found');
  await next();
};

/** Ends the caller's session, if there is one, and closes its connections. */
export async function endCallerSession(c: Context<ApiEnv>): Promise<void> {
  const caller = await c.get('caller')();
  if (caller === null) return;
  const { sessionId, sessionPublicId, user } = caller;
  await endSession(c.get('db'), sessionId);
  c.executionCtx.waitUntil(
    closeSessionConnections(toServiceContext(c), { userId: user.id, sessionPublicId }),
  );
}

/**
 * Requires a session for every route that is not public: 401 without one, and 403 for a suspended account, before
 * anything else of the request is examined.
 */
export const requireSessionByPolicy: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const name = getMatchedRoute(c);
  // An unknown path is left to the 404 response.
  const isPublic = name === null || getAccessLevel(name) === 'everybody';
  const read = c.get('caller');
  c.set('caller', async () => rejectSuspended(await read(), { name: name ?? '', isPublic }));
  if (name !== null && isVerifiedByConversation(name)) await requireSessionId(c);
  else if (!isPublic) await requireCaller(c);
  await next();
};

/**
 * Refuses guests with 403 on routes that need an account, before the body is validated. Routes check ownership
 * themselves.
 */
export const requireAccountByPolicy: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const name = getMatchedRoute(c);
  if (name !== null && isAccountRequired(getAccessLevel(name))) await requireAccount(c);
  await next();
};
