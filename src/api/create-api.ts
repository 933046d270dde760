import { Hono } from 'hono';
import { requestId } from 'hono/request-id';
import { TrieRouter } from 'hono/router/trie-router';
import { NONCE, secureHeaders } from 'hono/secure-headers';
import type { Schema } from 'hono/types';
import type { ApiEnv } from './middleware/context.ts';
import {
  requireJsonBody,
  bindContext,
  requireSameOrigin,
  loadSession,
  acceptsMultipart,
  requireAccountByPolicy,
  requireSessionByPolicy,
} from './middleware/guards.ts';
import { readJsonBody } from './middleware/json-body.ts';
import { respondWithError, respondNotFound } from './middleware/problems.ts';
import { requireProofByPolicy } from './middleware/proof.ts';
import { purgeAfterWrite } from './middleware/purge-pages.ts';
import { limitNetwork, limitUser } from './middleware/rate-limits.ts';
import { refuseUnknownQuery } from './middleware/validate.ts';
import { logRequests } from './middleware/request-log.ts';

/** The page of the API reference: one inline style sheet and no script. */
const referencePolicy = secureHeaders({
  contentSecurityPolicy: { defaultSrc: ["'none'"], styleSrc: [NONCE], frameAncestors: ["'none'"] },
});

/**
 * Creates an app that answers routes under /api. The middleware chain of every request, in this order: request id,
 * security headers, network limit, origin, session, access policy, proof, query fields, type and size of the body, route. Errors become
 * problem responses in one place.
 * @param webhooks routes that end the chain before the origin, because programs other than browsers call them
 */
export function createApi<S extends Schema>(routes: Hono<ApiEnv, S>, webhooks = new Hono<ApiEnv>()) {
  const api = new Hono<ApiEnv>({
    // Hono's default router builds one large expression at the first request of each isolate; this one builds nothing.
    router: new TrieRouter(),
  })
    .basePath('/api')
    // Always generate the id: a client must not be able to write an id of its choice into the log.
    .use(requestId({ limitLength: 0 }))
    .use(logRequests)
    .use(async (c, next) => {
      await next();
      if (c.res.headers.get('cache-control') === null) c.header('cache-control', 'private, no-store');
    })
    .use('/docs', referencePolicy)
    .use(
      secureHeaders({
        contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
        strictTransportSecurity: 'max-age=31536000; includeSubDomains',
      }),
    )
    .use(bindContext)
    .use(limitNetwork)
    .route('/', webhooks)
    .use(requireSameOrigin)
    .use(loadSession)
    .use(requireSessionByPolicy)
    .use(limitUser)
    .use(requireAccountByPolicy)
    .use(requireProofByPolicy)
    .use(refuseUnknownQuery)
    .use(requireJsonBody)
    .use((c, next) => (acceptsMultipart(c) ? next() : readJsonBody(c, next)))
    .use('/characters/*', purgeAfterWrite)
    .use('/account/*', purgeAfterWrite)
    .use('/onboarding/*', purgeAfterWrite)
    .use('/admin/*', purgeAfterWrite)
    .use('/competition/*', purgeAfterWrite)
    .route('/', routes);
  api.notFound(respondNotFound);
  api.onError(respondWithError);
  return api;
}
