import { handle } from '@astrojs/cloudflare/handler';
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
import { readEnvironment } from './env/read-environment.ts';
import { createConfigErrorResponse, isMisconfigured } from './env/config-error.ts';
import { removeExpiredDeletionRequests } from './features/account/deletion/deletion-store.ts';
import { removeExpiredLoginCodes } from './features/account/login-code-store.ts';
import { removeExpiredSessions } from './features/account/session.ts';
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
import { disableSharedCaching, NO_STORE, applyCachePolicy } from './lib/cache-control.ts';
import { redactError } from './lib/redact.ts';
import { type PlatformCache, purgePlatformCache } from './vendors/page-cache.ts';

export { ConversationObject } from './features/conversation/conversation-object.ts';
export { SearchObject } from './features/search/search-object.ts';
export { WalletObject } from './features/wallet/wallet-object.ts';

/** What every page carries beside the policy that Astro writes for its scripts and styles. */
const PAGE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), browsing-topics=()',
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
};

async function renderPage(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
  return (await handle(request, env, ctx)) as unknown as Response;
}

/** The front door: the API, pictures, and everything else as pages in their one right address. */
const app = new Hono<{ Bindings: Env; Variables: { requestId: string } }>();

// Which version answers: a deployment judges one by its own answers alone (scripts/deploy/smoke.mjs).
app.use(async (c, next) => {
  await next();
  const version = c.env.VERSION?.id;
  if (version !== undefined) c.header('x-version', version);
});
app.use(async (c, next) => createConfigErrorResponse(c.req.raw, c.env) ?? next());

app.all('/api', (c) => api.fetch(c.req.raw, c.env, c.executionCtx));
app.all('/api/*', (c) => api.fetch(c.req.raw, c.env, c.executionCtx));
// A mail's way out is one address (RFC 8058): opened, it is a page; posted to, it is done.
app.post('/unsubscribe', (c) => {
  const target = new URL('/api/mail/unsubscribe', c.req.url);
  target.search = new URL(c.req.url).search;
  return api.fetch(new Request(target, c.req.raw), c.env, c.executionCtx);
});

// Our own, whatever id the call brings.
app.use(requestId({ limitLength: 0 }));
app.use((c, next) => withLogContext(c.get('requestId'), next));
app.use(async (c, next) => {
  await next();
  c.header('x-request-id', c.get('requestId'));
  // Private unless it says otherwise itself.
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
        : await renderPage(c.req.raw, c.env, ctx);
  // Answers of the assets binding come with headers that cannot be changed: this one can.
  c.res = new Response(page.body, page);
  // What is text says in which letters: a browser that had to guess could be made to guess another.
  if (c.res.headers.get('content-type') === 'text/html') c.header('content-type', 'text/html; charset=utf-8');
  for (const [name, value] of Object.entries(PAGE_HEADERS)) c.header(name, value);
  // Pages bring a policy of their own; feeds, lists and texts for robots are framed by nobody either.
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
 * The pages of those who make characters, once a language. Shared caches know a page by its address, and these have no
 * language in theirs: the front door asks for them here by one that has, and this entrypoint has a cache of its own.
 */
export class CreatorPages extends WorkerEntrypoint<Env> {
  /** @param request made by `toCacheableRequest`; nothing in it is of one person */
  override async fetch(request: Request): Promise<Response> {
    const page = await renderPage(fromCacheableRequest(request), this.env, this.ctx);
    const answer = new Response(page.body, page);
    applyCachePolicy(answer.headers, { method: request.method, status: answer.status });
    return answer;
  }

  /** Has this entrypoint's cache forget pages. @returns false when it refused */
  async forget(tags: string[]): Promise<boolean> {
    const cache = this.ctx.cache as Partial<PlatformCache> | undefined;
    return typeof cache?.purge !== 'function' || purgePlatformCache(cache as PlatformCache, tags);
  }
}

/** What is done at a time, by the names that the log has for it; each task is harmless to repeat. */
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

/** The front page in the first language, as whoever checks the site asks for it. */
const buildFrontPageRequest = (env: Env): Request =>
  new Request(new URL(`/${DEFAULT_LANGUAGE}`, readEnvironment(env).siteUrl ?? 'https://check.invalid'));

/**
 * Does what is due, all of it at once, and tells the log how it went. What fails is told there without a word of anybody's;
 * the platform, which writes down whatever is thrown, gets the names of the tasks alone.
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
      log('task_failed', { cron, task, ...redactError(error) });
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
