import { WorkerEntrypoint } from 'cloudflare:workers';
import { Hono } from 'hono';
import { setCookie, getCookie } from 'hono/cookie';
import { requestId } from 'hono/request-id';
import { api } from './api/app.ts';
import { logQueueMetrics } from './jobs/queue-metrics.ts';
import { purgeOnConfigChange } from './services/purge-on-config-change.ts';
import { updateCompetition } from './jobs/update-standings.ts';
import { refundAbandonedCreations } from './services/create-character.ts';
import { eraseDueAccounts } from './services/erase-accounts.ts';
import { auditLedgers } from './jobs/audit-ledgers.ts';
import { deliverQueuedMail } from './services/deliver-mail.ts';
import { media } from './api/routes/characters/media.ts';
import { enqueueNewsletter } from './jobs/newsletter.ts';
import { limitPages } from './api/middleware/page-limit.ts';
import { purgePages } from './services/purge-pages.ts';
import { handleDuePaymentEvents, reconcileSubscriptions } from './services/process-payment-events.ts';
import { respondWithError } from './api/middleware/problems.ts';
import { writeSummaries } from './services/character-summaries.ts';
import { runSyntheticChecks } from './jobs/synthetic-monitor.ts';
import { DEFAULT_LANGUAGE } from './config/languages.ts';
import { LISTINGS } from './features/character/limits.ts';
import { CRONS } from './jobs/schedule.ts';
import { removeExpiredSuspensions } from './features/safety/retained-suspension-statements.ts';
import { openDatabase } from './db/open.ts';
import { readEnvironment, createConfigErrorResponse, isMisconfigured } from './env/read-environment.ts';
import { removeExpiredDeletionRequests } from './features/account/deletion/deletion-store.ts';
import { removeExpiredLoginCodes } from './features/account/login-code-store.ts';
import { removeExpiredSessions } from './features/account/session/session.ts';
import { removeExpiredTokens } from './features/account/used-token-store.ts';
import { removeUnclaimedCards } from './features/cards/card-gateway.ts';
import {
  removeOldDays,
  updateTrending,
  updateListings,
} from './features/character/discovery/discovery-refresh-store.ts';
import { buildPendingSearchWords } from './features/character/discovery/search-words-store.ts';
import { updateSitemapParts } from './features/character/discovery/sitemap-store.ts';
import { updateMetrics } from './features/stats/metrics-store.ts';
import { purgeExpiredConversations } from './jobs/purge-trash.ts';
import { purgeUnusedPictures } from './services/purge-pictures.ts';
import { LANGUAGE_COOKIE, LANGUAGE_COOKIE_MAX_AGE_SECONDS } from './locales/language-cookie.ts';
import { resolveRoute } from './locales/routes.ts';
import { withLogContext, log } from './lib/log.ts';
import { fromCacheableRequest, isCreatorPage, toCacheableRequest } from './layouts/creator-page.ts';
import { renderOnce } from './layouts/static-page.ts';
import { disableSharedCaching, NO_STORE, applyCachePolicy } from './lib/cache-control.ts';
import { redactError } from './lib/redact.ts';
import { type PlatformCache, purgePlatformCache } from './vendors/page-cache.ts';

export { ConversationObject } from './features/conversation/conversation-object.ts';
export { SearchObject } from './features/search/search-object.ts';
export { WalletObject } from './features/wallet/wallet-object.ts';

/** Headers of every page; Astro adds the policy for the page's scripts and styles. */
const PAGE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), browsing-topics=()',
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
};

async function renderPage(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
  // Pages are read when one is asked for: a Worker that started for an API call or an object needs none.
  const { handle } = await import('@astrojs/cloudflare/handler');
  return (await handle(request, env, ctx)) as unknown as Response;
}

/** Handles all requests: the API, pictures, and pages at their canonical addresses. */
const app = new Hono<{ Bindings: Env; Variables: { requestId: string } }>();

// Lets a deployment check that the responses come from its own version (scripts/deploy/smoke.mjs).
app.use(async (c, next) => {
  await next();
  const version = c.env.VERSION?.id;
  if (version !== undefined) c.header('x-version', version);
});
app.use(async (c, next) => createConfigErrorResponse(c.req.raw, c.env) ?? next());

app.all('/api', (c) => api.fetch(c.req.raw, c.env, c.executionCtx));
app.all('/api/*', (c) => api.fetch(c.req.raw, c.env, c.executionCtx));
// One-click unsubscribe (RFC 8058): the same address shows a page for GET and unsubscribes for POST.
app.post('/unsubscribe', (c) => {
  const target = new URL('/api/mail/unsubscribe', c.req.url);
  target.search = new URL(c.req.url).search;
  return api.fetch(new Request(target, c.req.raw), c.env, c.executionCtx);
});

// Always create the request id; ignore an id in the request.
app.use(requestId({ limitLength: 0 }));
app.use((c, next) => withLogContext(c.get('requestId'), next));
app.use(async (c, next) => {
  await next();
  c.header('x-request-id', c.get('requestId'));
  // Responses are private unless they set a cache policy.
  if (c.res.headers.get('cache-control') === null) c.header('cache-control', NO_STORE);
});
app.use(limitPages);
app.route('/media', media);
app.all('*', async (c) => {
  const url = new URL(c.req.url);
  const route = resolveRoute(
    url,
    getCookie(c, LANGUAGE_COOKIE) ?? null,
    c.req.header('accept-language') ?? null,
  );
  const ctx = c.executionCtx as ExecutionContext;
  const creatorPages = isCreatorPage(url)
    ? (ctx.exports as { CreatorPages?: Fetcher }).CreatorPages
    : undefined;
  const page =
    route.kind === 'redirect'
      ? c.redirect(route.to, 302)
      : creatorPages
        ? await creatorPages.fetch(toCacheableRequest(c.req.raw, route.lang))
        : await renderOnce(c.req.raw, route.lang, () => renderPage(c.req.raw, c.env, ctx));
  // Responses of the assets binding have immutable headers, so copy the response.
  c.res = new Response(page.body, page);
  // Without a charset, a browser would have to guess it and could be tricked into another one.
  if (c.res.headers.get('content-type') === 'text/html') c.header('content-type', 'text/html; charset=utf-8');
  for (const [name, value] of Object.entries(PAGE_HEADERS)) c.header(name, value);
  // Pages bring their own policy; for feeds, lists and robots files only framing has to be denied.
  if (!c.res.headers.has('content-security-policy'))
    c.header('content-security-policy', "frame-ancestors 'none'");
  if (route.setLang !== undefined) {
    setCookie(c, LANGUAGE_COOKIE, route.setLang, {
      path: '/',
      maxAge: LANGUAGE_COOKIE_MAX_AGE_SECONDS,
      sameSite: 'Lax',
      secure: url.protocol === 'https:',
    });
  }
  if (isCreatorPage(url)) disableSharedCaching(c.res.headers);
  else applyCachePolicy(c.res.headers, { method: c.req.method, status: c.res.status });
  return c.res;
});
app.onError((error, c) => respondWithError(error, c as never));

/**
 * Creator pages, cached per language. Shared caches use the address as the key, and the address of a creator page does
 * not contain the language. The worker therefore calls this entrypoint, which has its own cache, with an address that
 * does.
 */
export class CreatorPages extends WorkerEntrypoint<Env> {
  /** @param request created by `toCacheableRequest`; it contains nothing about the user */
  override async fetch(request: Request): Promise<Response> {
    const page = await renderPage(fromCacheableRequest(request), this.env, this.ctx);
    const answer = new Response(page.body, page);
    applyCachePolicy(answer.headers, { method: request.method, status: answer.status });
    return answer;
  }

  /** Purges pages from this entrypoint's cache. @returns false when the cache refused */
  async forget(tags: string[]): Promise<boolean> {
    const cache = this.ctx.cache as Partial<PlatformCache> | undefined;
    return typeof cache?.purge !== 'function' || purgePlatformCache(cache as PlatformCache, tags);
  }
}

/** The tasks of a cron schedule, by their names in the log. Each task may safely run again. */
function getTasks(cron: string, env: Env, ctx: ExecutionContext): Record<string, () => Promise<unknown>> {
  const db = openDatabase(env.DB);
  const now = Date.now();
  switch (cron) {
    case CRONS.everyMinute:
      return {
        pages: () =>
          purgeOnConfigChange(env, db, now).finally(() => purgePages(env, db, { invocation: ctx, now })),
        payment_events: () => handleDuePaymentEvents(env, now),
      };
    case CRONS.billing:
      return { books: () => reconcileSubscriptions(env, now), figures: () => updateMetrics(env, db, now) };
    case CRONS.mail:
      return {
        mails: () =>
          enqueueNewsletter(env, db, now).finally(() => deliverQueuedMail(env, db, { now: Date.now() })),
      };
    case CRONS.ledgerAudit:
      return {
        ledgers: () => auditLedgers(env, db, now),
        creations: () => refundAbandonedCreations(env, db, now),
        competition: () => updateCompetition(env, db, now),
      };
    case CRONS.monitoring:
      return {
        backlogs: () => logQueueMetrics(env, db, now),
        check: () =>
          runSyntheticChecks(env, {
            api: (request) => api.fetch(request, env, ctx),
            page: () => Promise.resolve(app.fetch(buildFrontPageRequest(env), env, ctx)),
          }),
      };
    default:
      return {
        sessions: () => removeExpiredSessions(db),
        login_codes: () => removeExpiredLoginCodes(db, now),
        tokens: () => removeExpiredTokens(db, now),
        deletion_requests: () => removeExpiredDeletionRequests(db, now),
        suspensions: () => removeExpiredSuspensions(db, now),
        erasures: () => eraseDueAccounts(env, db, now),
        trash: () => purgeExpiredConversations(env, db, now),
        listings: () => updateListings(db),
        words: () => buildPendingSearchWords(db, LISTINGS.maxWordsPerRun),
        trending: () => updateTrending(db, env.KV, now),
        sitemap: () => updateSitemapParts(db, env.KV, now),
        summaries: () => writeSummaries(env, db, { now }),
        days: () => removeOldDays(db, now),
        pictures: () => purgeUnusedPictures(env, db, now),
        cards: () => removeUnclaimedCards(env, db, now),
      };
  }
}

/** The request of the synthetic check for the front page, in the default language. */
const buildFrontPageRequest = (env: Env): Request =>
  new Request(new URL(`/${DEFAULT_LANGUAGE}`, readEnvironment(env).siteUrl ?? 'https://check.invalid'));

/**
 * Runs all due tasks in parallel and logs the outcome. Errors are logged redacted. The platform records every thrown
 * error, so the error contains only the names of the failed tasks.
 */
async function runScheduledTasks(cron: string, env: Env, ctx: ExecutionContext): Promise<void> {
  const startedAt = Date.now();
  const tasks = Object.entries(getTasks(cron, env, ctx));
  const failed: string[] = [];
  const runTask = async ([task, work]: (typeof tasks)[number]): Promise<void> => {
    try {
      await work();
    } catch (error) {
      failed.push(task);
      log('cron_task_failed', { cron, task, ...redactError(error) });
    }
  };
  await Promise.all(tasks.map(runTask));
  log('cron_done', { cron, ms: Date.now() - startedAt, tasks: tasks.length, failed });
  if (failed.length > 0) throw new Error(`Of the tasks of ${cron} failed: ${failed.join(', ')}`);
}

export default {
  fetch: (request, env, ctx) => app.fetch(request, env, ctx),
  async scheduled(event, env, ctx) {
    if (isMisconfigured(env, `cron ${event.cron}`)) return;
    ctx.waitUntil(withLogContext(undefined, () => runScheduledTasks(event.cron, env, ctx)));
  },
} satisfies ExportedHandler<Env>;
