import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { requestId } from 'hono/request-id';
import { secureHeaders } from 'hono/secure-headers';
import { BODY_LIMITS } from '../config.ts';
import { account } from './account.ts';
import { admin } from './admin.ts';
import { adminAppeals } from './admin-appeals.ts';
import { adminBusiness } from './admin-business.ts';
import { adminCompetition } from './admin-competition.ts';
import { adminReports } from './admin-reports.ts';
import { adminStats } from './admin-stats.ts';
import { ageCheck } from './adult.ts';
import { appeals } from './appeals.ts';
import { auth, logout } from './auth.ts';
import { cards } from './cards.ts';
import { characters } from './characters.ts';
import { competition } from './competition.ts';
import type { ApiEnv } from './context.ts';
import { chatFiles } from './chat-files.ts';
import { choices } from './choices.ts';
import { creators } from './creators.ts';
import { chats, conversations, live } from './conversations.ts';
import { deletion } from './deletion.ts';
import { dataExport } from './export.ts';
import { feedback } from './feedback.ts';
import { jsonBody, opened, sameOrigin, session, takesForm } from './guards.ts';
import { gifts } from './gifts.ts';
import { google } from './google.ts';
import { health } from './health.ts';
import { invites } from './invites.ts';
import { networkLimit, personLimit } from './limits.ts';
import { mail } from './mail.ts';
import { me } from './me.ts';
import { meSafety } from './me-safety.ts';
import { memory } from './memory.ts';
import { messages } from './messages.ts';
import { models } from './models.ts';
import { onboarding } from './onboarding.ts';
import { permissions } from './permissions.ts';
import { personas } from './personas.ts';
import { pagesMayChange } from './page-purges.ts';
import { payouts } from './payouts.ts';
import { payPalWebhook } from './paypal-webhook.ts';
import { plans } from './plans.ts';
import { pageViews } from './page-views.ts';
import { points } from './points.ts';
import { answerError, answerNotFound, Problem } from './problems.ts';
import { accountWhereAsked, privateUnlessPublic } from './public-routes.ts';
import { publishReference, referencePolicy } from './reference.ts';
import { creatorReports, messageReports, reports } from './reports.ts';
import { requestLog } from './request-log.ts';
import { search } from './search.ts';
import { sessions } from './sessions.ts';
import { status } from './status.ts';
import { storyAhead } from './story-ahead.ts';
import { subscription } from './subscription.ts';
import { testChat } from './test-chat.ts';
import { testLogin } from './test-login.ts';
import { uploads } from './uploads.ts';

/** The routes of the contract; their type is what the browser's client is made from. */
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
  // Before `/characters/:id`: that would take it for an id.
  .route('/characters', cards)
  .route('/characters', testChat)
  .route('/characters', characters)
  .route('/characters', reports)
  .route('/creators', creators)
  .route('/creators', creatorReports)
  .route('/appeals', appeals)
  .route('/admin', admin)
  .route('/admin/reports', adminReports)
  .route('/admin/appeals', adminAppeals)
  .route('/admin/payouts', payouts)
  .route('/admin/gifts', gifts)
  .route('/admin', adminBusiness)
  .route('/admin/competition', adminCompetition)
  .route('/admin/stats', adminStats)
  .route('/me', me)
  .route('/me', choices)
  .route('/me', meSafety)
  // Before `/conversations/:id`: that would take it for an id.
  .route('/conversations/search', search)
  .route('/conversations', chatFiles)
  .route('/conversations', conversations)
  .route('/conversations', messages)
  .route('/conversations', messageReports)
  .route('/conversations', memory)
  .route('/conversations', live)
  .route('/chats', chats)
  .route('/personas', personas)
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

// Not in the contract, nor in anything that is put before others.
if (typeof __LOCAL_BUILD__ === 'boolean' && __LOCAL_BUILD__) routes.route('/auth/test-login', testLogin());

const jsonSize = bodyLimit({
  maxSize: BODY_LIMITS.json,
  onError: () => {
    throw new Problem('too_large');
  },
});

/**
 * The chain that every call under /api passes: request id, security headers, origin, session, who
 * may, body's type and size, route; errors become the contract's shape in one place.
 */
export const api = new Hono<ApiEnv>()
  .basePath('/api')
  // Our own, whatever id the call brings: nobody is to write another's into the log.
  .use(requestId({ limitLength: 0 }))
  .use(requestLog)
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
  .use(opened)
  .use(networkLimit)
  // Before the rules for browsers: mail programs post to it from anywhere, and as a form.
  .route('/mail', mail)
  // PayPal posts from servers of its own, and a body that is to be read as it came.
  .route('/paypal', payPalWebhook)
  .use(sameOrigin)
  .use(session)
  .use(storyAhead)
  .use(privateUnlessPublic)
  .use(personLimit)
  .use(accountWhereAsked)
  .use(jsonBody)
  .use((c, next) => (takesForm(c) ? next() : jsonSize(c, next)))
  .use(pagesMayChange)
  .route('/', routes);

publishReference(api);
api.notFound(answerNotFound);
api.onError(answerError);
