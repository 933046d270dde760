import { handle } from '@astrojs/cloudflare/handler';
import { WorkerEntrypoint } from 'cloudflare:workers';
import { Hono } from 'hono';
import { setCookie, getCookie } from 'hono/cookie';
import { requestId } from 'hono/request-id';
import { api } from './api/app.ts';
import { tellBacklogs } from './jobs/queue-metrics.ts';
import { noticeBusiness } from './services/purge-on-config-change.ts';
import { keepCompetition } from './jobs/update-standings.ts';
import { settleCreations } from './services/create-character.ts';
import { eraseWhoIsGone } from './services/erase-accounts.ts';
import { checkLedgers } from './jobs/audit-ledgers.ts';
import { sendWaitingMails } from './services/deliver-mail.ts';
import { media } from './api/routes/characters/media.ts';
import { tellNews } from './jobs/newsletter.ts';
import { pageLimit } from './api/middleware/page-limit.ts';
import { sendPagePurges } from './services/purge-pages.ts';
import { handleDueEvents, reconcile } from './services/process-payment-events.ts';
import { answerError } from './api/middleware/problems.ts';
import { writeSummaries } from './services/character-summaries.ts';
import { checkAll } from './jobs/synthetic-monitor.ts';
import { DEFAULT_LANGUAGE } from './config/languages.ts';
import { LISTINGS } from './features/character/limits.ts';
import { CRONS } from './jobs/schedule.ts';
import { removeKeptSuspensions } from './features/safety/retained-suspension-statements.ts';
import { openDatabase } from './db/open.ts';
import { readEnvironment } from './env/read-environment.ts';
import { answerClosed, isClosed } from './env/config-error.ts';
import { removeExpiredDeletionRequests } from './features/account/deletion/deletion-store.ts';
import { removeExpiredLoginCodes } from './features/account/login-code-store.ts';
import { removeExpiredSessions } from './features/account/session.ts';
import { removeExpiredTokens } from './features/account/used-token-store.ts';
import { removeUnclaimedCards } from './features/cards/card-gateway.ts';
import {
  forgetOldDays,
  keepTrending,
  refreshListings,
} from './features/character/discovery/discovery-refresh-store.ts';
import { makeWaitingWords } from './features/character/discovery/search-words-store.ts';
import { keepSitemapParts } from './features/character/discovery/sitemap-store.ts';
import { keepFigures } from './features/stats/metrics-store.ts';
import { eraseExpiredConversations } from './jobs/purge-trash.ts';
import { removeUnusedPictures } from './services/purge-pictures.ts';
import { LANGUAGE_COOKIE, LANGUAGE_COOKIE_SECONDS } from './locales/language-cookie.ts';
import { routeFor } from './locales/routes.ts';
import { inRun, log } from './lib/log.ts';
import { fromMakersPage, isMakersPage, toMakersPage } from './layouts/creator-page.ts';
import { disableSharedCaching, NO_STORE, applyCachePolicy } from './lib/cache-control.ts';
import { redactError } from './lib/redact.ts';
import { type PlatformCache, purgePlatform } from './vendors/page-cache.ts';

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

async function draw(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
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
app.use(async (c, next) => answerClosed(c.req.raw, c.env) ?? next());

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
app.use((c, next) => inRun(c.get('requestId'), next));
app.use(async (c, next) => {
  await next();
  c.header('x-request-id', c.get('requestId'));
  // Private unless it says otherwise itself.
  if (c.res.headers.get('cache-control') === null) c.header('cache-control', NO_STORE);
});
app.use(pageLimit);
app.route('/media', media);
app.all('*', async (c) => {
  const url = new URL(c.req.url);
  const route = routeFor(url, getCookie(c, LANGUAGE_COOKIE) ?? null, c.req.header('accept-language') ?? null);
  const ctx = c.executionCtx as ExecutionContext;
  const makers = isMakersPage(url) ? (ctx.exports as { CreatorPages?: Fetcher }).CreatorPages : undefined;
  const page =
    route.kind === 'redirect'
      ? c.redirect(route.to, 302)
      : makers
        ? await makers.fetch(toMakersPage(c.req.raw, route.lang))
        : await draw(c.req.raw, c.env, ctx);
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
      maxAge: LANGUAGE_COOKIE_SECONDS,
      sameSite: 'Lax',
      secure: url.protocol === 'https:',
    });
  }
  if (isMakersPage(url)) disableSharedCaching(c.res.headers);
  else applyCachePolicy(c.res.headers, { method: c.req.method, status: c.res.status });
  return c.res;
});
app.onError((error, c) => answerError(error, c as never));

/**
 * The pages of those who make characters, once a language. Shared caches know a page by its address, and these have no
 * language in theirs: the front door asks for them here by one that has, and this entrypoint has a cache of its own.
 */
export class CreatorPages extends WorkerEntrypoint<Env> {
  /** @param request made by `toMakersPage`; nothing in it is of one person */
  override async fetch(request: Request): Promise<Response> {
    const page = await draw(fromMakersPage(request), this.env, this.ctx);
    const answer = new Response(page.body, page);
    applyCachePolicy(answer.headers, { method: request.method, status: answer.status });
    return answer;
  }

  /** Has this entrypoint's cache forget pages. @returns false when it refused */
  async forget(tags: string[]): Promise<boolean> {
    const cache = this.ctx.cache as Partial<PlatformCache> | undefined;
    return typeof cache?.purge !== 'function' || purgePlatform(cache as PlatformCache, tags);
  }
}

/** What is done at a time, by the names that the log has for it; each task is harmless to repeat. */
function tasksAt(cron: string, env: Env, ctx: ExecutionContext): Record<string, () => Promise<unknown>> {
  const db = openDatabase(env.DB);
  const now = Date.now();
  switch (cron) {
    case CRONS.soon:
      return {
        pages: () =>
          noticeBusiness(env, db, now).finally(() => sendPagePurges(env, db, { invocation: ctx, now })),
        payment_events: () => handleDueEvents(env, now),
      };
    case CRONS.books:
      return { books: () => reconcile(env, now), figures: () => keepFigures(env, db, now) };
    case CRONS.mails:
      return {
        mails: () => tellNews(env, db, now).finally(() => sendWaitingMails(env, db, { now: Date.now() })),
      };
    case CRONS.wallets:
      return {
        ledgers: () => checkLedgers(env, db, now),
        creations: () => settleCreations(env, db, now),
        competition: () => keepCompetition(env, db, now),
      };
    case CRONS.watch:
      return {
        backlogs: () => tellBacklogs(env, db, now),
        check: () =>
          checkAll(env, {
            api: (request) => api.fetch(request, env, ctx),
            page: () => Promise.resolve(app.fetch(frontPage(env), env, ctx)),
          }),
      };
    default:
      return {
        sessions: () => removeExpiredSessions(db),
        login_codes: () => removeExpiredLoginCodes(db, now),
        tokens: () => removeExpiredTokens(db, now),
        deletion_requests: () => removeExpiredDeletionRequests(db, now),
        suspensions: () => removeKeptSuspensions(db, now),
        erasures: () => eraseWhoIsGone(env, db, now),
        trash: () => eraseExpiredConversations(env, db, now),
        listings: () => refreshListings(db),
        words: () => makeWaitingWords(db, LISTINGS.wordsPerRun),
        trending: () => keepTrending(db, env.KV, now),
        sitemap: () => keepSitemapParts(db, env.KV, now),
        summaries: () => writeSummaries(env, db, { now }),
        days: () => forgetOldDays(db, now),
        pictures: () => removeUnusedPictures(env, db, now),
        cards: () => removeUnclaimedCards(env, db, now),
      };
  }
}

/** The front page in the first language, as whoever checks the site asks for it. */
const frontPage = (env: Env): Request =>
  new Request(new URL(`/${DEFAULT_LANGUAGE}`, readEnvironment(env).siteUrl ?? 'https://check.invalid'));

/**
 * Does what is due, all of it at once, and tells the log how it went. What fails is told there without a word of anybody's;
 * the platform, which writes down whatever is thrown, gets the names of the tasks alone.
 */
async function housekeep(cron: string, env: Env, ctx: ExecutionContext): Promise<void> {
  const began = Date.now();
  const tasks = Object.entries(tasksAt(cron, env, ctx));
  const failed: string[] = [];
  const run = async ([task, work]: (typeof tasks)[number]): Promise<void> => {
    try {
      await work();
    } catch (error) {
      failed.push(task);
      log('task_failed', { cron, task, ...redactError(error) });
    }
  };
  await Promise.all(tasks.map(run));
  log('cron_done', { cron, ms: Date.now() - began, tasks: tasks.length, failed });
  if (failed.length > 0) throw new Error(`Of the tasks of ${cron} failed: ${failed.join(', ')}`);
}

export default {
  fetch: (request, env, ctx) => app.fetch(request, env, ctx),
  async scheduled(event, env, ctx) {
    if (isClosed(env, `cron ${event.cron}`)) return;
    ctx.waitUntil(inRun(undefined, () => housekeep(event.cron, env, ctx)));
  },
} satisfies ExportedHandler<Env>;
