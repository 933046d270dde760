import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { requestId } from 'hono/request-id';
import { secureHeaders } from 'hono/secure-headers';
import { openAPIRouteHandler } from 'hono-openapi';
import { BODY_LIMITS, BRAND } from '../config.ts';
import { openDatabase } from '../db/open.ts';
import { readEnvironment } from '../environment.ts';
import { auth, logout } from './auth.ts';
import { characters } from './characters.ts';
import type { ApiEnv } from './context.ts';
import { chats, conversations } from './conversations.ts';
import { jsonBody, sameOrigin, session } from './guards.ts';
import { health } from './health.ts';
import { models } from './models.ts';
import { points } from './points.ts';
import { answerError, answerNotFound, Problem } from './problems.ts';

/** The routes of the contract; their type is what the browser's client is made from. */
const routes = new Hono<ApiEnv>()
  .route('/auth', auth)
  .route('/logout', logout)
  .route('/characters', characters)
  .route('/conversations', conversations)
  .route('/chats', chats)
  .route('/points', points)
  .route('/models', models)
  .route('/health', health);

export type Api = typeof routes;

/**
 * The chain that every call under /api passes: request id, security headers, origin, body's size
 * and type, session, route; errors become the contract's shape in one place.
 */
export const api = new Hono<ApiEnv>()
  .basePath('/api')
  .use(requestId())
  .use(async (c, next) => {
    await next();
    if (c.res.headers.get('cache-control') === null) c.header('cache-control', 'private, no-store');
  })
  .use(secureHeaders({ contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } }))
  .use(async (c, next) => {
    c.set('settings', readEnvironment(c.env));
    c.set('db', openDatabase(c.env.DB));
    await next();
  })
  .use(sameOrigin)
  .use(jsonBody)
  .use(
    bodyLimit({
      maxSize: BODY_LIMITS.json,
      onError: () => {
        throw new Problem('too_large');
      },
    }),
  )
  .use(session)
  .route('/', routes);

api.get(
  '/openapi.json',
  openAPIRouteHandler(api, {
    documentation: {
      openapi: '3.1.0',
      info: {
        title: `${BRAND.name} API`,
        version: '1',
        description: 'Every refusal is `{error, code}`: a sentence for people and a code for programs.',
      },
    },
  }),
);
api.notFound(answerNotFound);
api.onError(answerError);
