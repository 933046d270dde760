import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { requestId } from 'hono/request-id';
import { TrieRouter } from 'hono/router/trie-router';
import { secureHeaders } from 'hono/secure-headers';
import { BODY_LIMITS } from '../config/body-limits.ts';
import { account } from './routes/account/account.ts';
import { adminModeration } from './routes/admin/moderation.ts';
import { adminAppeals } from './routes/admin/appeals.ts';
import { adminRuntimeConfig } from './routes/admin/runtime-config.ts';
import { adminCompetition } from './routes/admin/competition.ts';
import { adminReports } from './routes/admin/reports.ts';
import { adminStats } from './routes/admin/metrics.ts';
import { ageCheck } from './routes/account/age-check.ts';
import { appeals } from './routes/site/appeals.ts';
import { auth, logout } from './routes/account/auth.ts';
import { cards } from './routes/characters/cards.ts';
import { characters } from './routes/characters/characters.ts';
import { competition } from './routes/site/competition.ts';
import type { ApiEnv } from './middleware/context.ts';
import { conversationFiles } from './routes/conversations/conversation-files.ts';
import { savedListRoutes } from './routes/characters/saved-lists.ts';
import { creators } from './routes/characters/creators.ts';
import { chats, conversations, live } from './routes/conversations/conversations.ts';
import { deletion } from './routes/account/deletion.ts';
import { dataExport } from './routes/account/export.ts';
import { feedback } from './routes/site/feedback.ts';
import {
  requireJsonBody,
  bindContext,
  requireSameOrigin,
  loadSession,
  acceptsMultipart,
  requireAccountByPolicy,
  requireSessionByPolicy,
} from './middleware/guards.ts';
import { pointGrants } from './routes/admin/point-grants.ts';
import { google } from './routes/account/google.ts';
import { health } from './routes/site/health.ts';
import { invites } from './routes/account/invites.ts';
import { limitNetwork, limitUser } from './middleware/rate-limits.ts';
import { mail } from './routes/account/mail.ts';
import { me } from './routes/account/me.ts';
import { ownModeration } from './routes/account/own-moderation.ts';
import { memory } from './routes/conversations/memory.ts';
import { replySettings } from './routes/conversations/reply-settings.ts';
import { replyStyles } from './routes/conversations/reply-styles.ts';
import { messages } from './routes/conversations/messages.ts';
import { models } from './routes/conversations/models.ts';
import { onboarding } from './routes/account/onboarding.ts';
import { permissions } from './routes/account/permissions.ts';
import { personas } from './routes/characters/personas.ts';
import { purgeAfterWrite } from './middleware/purge-pages.ts';
import { payouts } from './routes/admin/payouts.ts';
import { payPalWebhook } from './routes/billing/paypal-webhook.ts';
import { plans } from './routes/billing/plans.ts';
import { pageViews } from './routes/site/page-views.ts';
import { points } from './routes/billing/points.ts';
import { respondWithError, respondNotFound, Problem } from './middleware/problems.ts';
import { publishReference, referencePolicy } from './openapi/reference.ts';
import { creatorReports, messageReports, reports } from './routes/site/reports.ts';
import { logRequests } from './middleware/request-log.ts';
import { search } from './routes/conversations/search.ts';
import { sessions } from './routes/account/sessions.ts';
import { status } from './routes/site/status.ts';
import { subscription } from './routes/billing/subscription.ts';
import { testChat } from './routes/conversations/test-chat.ts';
import { createTestLoginRoute } from './routes/account/test-login.ts';
import { uploads } from './routes/characters/uploads.ts';

/** All routes of the API. The browser's client is typed by `Api`. */
const routes = new Hono<ApiEnv>()
  .route('/auth/google', google)
  .route('/auth', auth)
  .route('/logout', logout)
  .route('/account/sessions', sessions)
  .route('/account/export', dataExport)
  .route('/account', deletion)
  .route('/account/age-check', ageCheck)
  .route('/account', account)
  .route('/onboarding', onboarding)
  .route('/invites', invites)
  .route('/permissions', permissions)
  // Before `/characters/:id`, which would match these paths as ids.
  .route('/characters', cards)
  .route('/characters', testChat)
  .route('/characters', characters)
  .route('/characters', reports)
  .route('/creators', creators)
  .route('/creators', creatorReports)
  .route('/appeals', appeals)
  .route('/admin', adminModeration)
  .route('/admin/reports', adminReports)
  .route('/admin/appeals', adminAppeals)
  .route('/admin/payouts', payouts)
  .route('/admin/gifts', pointGrants)
  .route('/admin', adminRuntimeConfig)
  .route('/admin/competition', adminCompetition)
  .route('/admin/stats', adminStats)
  .route('/me', me)
  .route('/me', savedListRoutes)
  .route('/me', ownModeration)
  // Before `/conversations/:id`, which would match this path as an id.
  .route('/conversations/search', search)
  .route('/conversations', conversationFiles)
  .route('/conversations', conversations)
  .route('/conversations', messages)
  .route('/conversations', messageReports)
  .route('/conversations', memory)
  .route('/conversations', replySettings)
  .route('/conversations', live)
  .route('/chats', chats)
  .route('/personas', personas)
  .route('/reply-styles', replyStyles)
  .route('/uploads', uploads)
  .route('/points', points)
  .route('/plans', plans)
  .route('/subscription', subscription)
  .route('/models', models)
  .route('/competition', competition)
  .route('/feedback', feedback)
  .route('/page-views', pageViews)
  .route('/status', status)
  .route('/health', health);

export type Api = typeof routes;

// Only in local builds; not part of the API.
if (typeof __LOCAL_BUILD__ === 'boolean' && __LOCAL_BUILD__)
  routes.route('/auth/test-login', createTestLoginRoute());

const limitJsonBody = bodyLimit({
  maxSize: BODY_LIMITS.json,
  onError: () => {
    throw new Problem('too_large');
  },
});

/**
 * The middleware chain of every request under /api, in this order: request id, security headers, network limit, origin,
 * session, access policy, type and size of the body, route. Errors become problem responses in one place.
 */
export const api = new Hono<ApiEnv>({
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
  // Before the browser checks: mail programs post here from any origin, as a form.
  .route('/mail', mail)
  // Before the browser checks: PayPal posts from its own servers, and the signature needs the raw body.
  .route('/paypal', payPalWebhook)
  .use(requireSameOrigin)
  .use(loadSession)
  .use(requireSessionByPolicy)
  .use(limitUser)
  .use(requireAccountByPolicy)
  .use(requireJsonBody)
  .use((c, next) => (acceptsMultipart(c) ? next() : limitJsonBody(c, next)))
  .use('/characters/*', purgeAfterWrite)
  .use('/account/*', purgeAfterWrite)
  .use('/onboarding/*', purgeAfterWrite)
  .use('/admin/*', purgeAfterWrite)
  .use('/competition/*', purgeAfterWrite)
  .route('/', routes);

publishReference(api);
api.notFound(respondNotFound);
api.onError(respondWithError);
