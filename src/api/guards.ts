import type { Context, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { SESSION } from '../config.ts';
import { endSession, readSession } from '../features/account/session.ts';
import type { ApiEnv, Caller } from './context.ts';
import { Problem } from './problems.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * A state-changing call that a browser makes must come from our own pages. Browsers say where a
 * call comes from by `Origin`, or by `Sec-Fetch-Site` where they leave it out; other clients send
 * neither and hold no cookies that a page could ride on.
 */
export const sameOrigin: MiddlewareHandler<ApiEnv> = async (c, next) => {
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

/** A body must say that it is JSON before anything reads it; a call without one need say nothing. */
export const jsonBody: MiddlewareHandler<ApiEnv> = async (c, next) => {
  if (!SAFE_METHODS.has(c.req.method)) {
    const type = c.req.header('content-type');
    const empty = type === undefined && Number(c.req.header('content-length') ?? 0) === 0;
    if (!empty && !/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type ?? '')) {
      throw new Problem('unsupported_media');
    }
  }
  await next();
};

/** Plain http is for this machine alone; everywhere else the cookie is for https and this host only. */
function cookieFor(c: Context<ApiEnv>): { name: string; secure: boolean } {
  const { protocol, hostname } = new URL(c.req.url);
  const local = protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  return local ? { name: 'session', secure: false } : { name: '__Host-session', secure: true };
}

export function setSessionCookie(c: Context<ApiEnv>, token: string): void {
  const { name, secure } = cookieFor(c);
  setCookie(c, name, token, {
    httpOnly: true,
    sameSite: 'Lax',
    secure,
    path: '/',
    maxAge: SESSION.lifetimeMs / 1000,
  });
}

export function clearSessionCookie(c: Context<ApiEnv>): void {
  const { name, secure } = cookieFor(c);
  setCookie(c, name, '', { httpOnly: true, sameSite: 'Lax', secure, path: '/', maxAge: 0 });
}

/** Puts a reader of the session into the context: D1 is asked once, and only when a route asks. */
export const session: MiddlewareHandler<ApiEnv> = async (c, next) => {
  let reading: Promise<Caller | null> | null = null;
  c.set('caller', () => {
    reading ??= (async () => {
      const token = getCookie(c, cookieFor(c).name);
      if (token === undefined || token === '') return null;
      const found = await readSession(c.get('db'), token, c.get('settings').adminEmails);
      if (found === null) return null;
      if (found.extended) setSessionCookie(c, token);
      return { sessionId: found.id, user: found.user };
    })();
    return reading;
  });
  await next();
};

/** The caller, or 401. */
export async function requireCaller(c: Context<ApiEnv>): Promise<Caller> {
  const caller = await c.get('caller')();
  if (caller === null) throw new Problem('unauthenticated');
  return caller;
}

/** Bounds what one network address may ask of costly public routes; off where the operator says so. */
export const limitByAddress: MiddlewareHandler<ApiEnv> = async (c, next) => {
  if (c.get('settings').rateLimits === 'on') {
    const key = c.req.header('cf-connecting-ip') ?? 'unknown';
    const { success } = await c.env.AUTH_LIMIT.limit({ key: `${c.req.path}|${key}` });
    if (!success) throw new Problem('too_many_requests', {}, 60);
  }
  await next();
};

/** Ends the caller's session, if there is one. */
export async function endCallerSession(c: Context<ApiEnv>): Promise<void> {
  const caller = await c.get('caller')();
  if (caller !== null) await endSession(c.get('db'), caller.sessionId);
}
