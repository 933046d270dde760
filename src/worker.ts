import { handle } from '@astrojs/cloudflare/handler';
import { WorkerEntrypoint } from 'cloudflare:workers';
import { Hono } from 'hono';
import { setCookie, getCookie } from 'hono/cookie';
import { requestId } from 'hono/request-id';
import { api } from './api/app.ts';
import { noticeBusiness } from './api/business-pages.ts';
import { keepCompetition } from './api/competition-standings.ts';
import { settleCreations } from './api/creating.ts';
import { eraseWhoIsGone } from './api/erasing.ts';
import { checkLedgers } from './api/ledger-check.ts';
import { sendWaitingMails } from './api/mail-sending.ts';
import { media } from './api/media.ts';
import { tellNews } from './api/news.ts';
import { sendPagePurges } from './api/page-purges.ts';
import { handleDueEvents, reconcile } from './api/payment-events.ts';
import { answerError } from './api/problems.ts';
import { writeSummaries } from './api/summaries.ts';
import { LISTINGS } from './config.ts';
import { CRONS } from './crons.ts';
import { removeKeptSuspensions } from './db/kept-suspensions.ts';
import { openDatabase } from './db/open.ts';
import { removeExpiredDeletionRequests } from './features/account/deletion-store.ts';
import { removeExpiredLoginCodes } from './features/account/login-code-store.ts';
import { removeExpiredSessions } from './features/account/session.ts';
import { removeExpiredTokens } from './features/account/used-token-store.ts';
import { removeUnclaimedCards } from './features/cards/card-ports.ts';
import { forgetOldDays, keepTrending, refreshListings } from './features/character/discovery-chores-store.ts';
import { makeWaitingWords } from './features/character/search-words-store.ts';
import { keepSitemapParts } from './features/character/sitemap-store.ts';
import { keepFigures } from './features/stats/figures-store.ts';
import { eraseExpiredConversations } from './features/conversation/clearing-ports.ts';
import { removeUnusedPictures } from './features/picture/clearing-ports.ts';
import { LANGUAGE_COOKIE, LANGUAGE_COOKIE_SECONDS } from './locales/language-cookie.ts';
import { routeFor } from './locales/routes.ts';
import { fromMakersPage, isMakersPage, toMakersPage } from './makers-page.ts';
import { keepInside, NOBODY_KEEPS, settleSharing } from './shared-answer.ts';
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

app.all('/api', (c) => api.fetch(c.req.raw, c.env, c.executionCtx));
app.all('/api/*', (c) => api.fetch(c.req.raw, c.env, c.executionCtx));
// A mail's way out is one address (RFC 8058): opened, it is a page; posted to, it is done.
app.post('/unsubscribe', (c) => {
  const target = new URL('/api/mail/unsubscribe', c.req.url);
  target.search = new URL(c.req.url).search;
  return api.fetch(new Request(target, c.req.raw), c.env, c.executionCtx);
});

app.use(requestId());
app.use(async (c, next) => {
  await next();
  c.header('x-request-id', c.get('requestId'));
  // Private unless it says otherwise itself.
  if (c.res.headers.get('cache-control') === null) c.header('cache-control', NOBODY_KEEPS);
});
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
  for (const [name, value] of Object.entries(PAGE_HEADERS)) c.header(name, value);
  if (route.setLang !== undefined) {
    setCookie(c, LANGUAGE_COOKIE, route.setLang, {
      path: '/',
      maxAge: LANGUAGE_COOKIE_SECONDS,
      sameSite: 'Lax',
      secure: url.protocol === 'https:',
    });
  }
  if (isMakersPage(url)) keepInside(c.res.headers);
  else settleSharing(c.res.headers, { method: c.req.method, status: c.res.status });
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
    settleSharing(answer.headers, { method: request.method, status: answer.status });
    return answer;
  }

  /** Has this entrypoint's cache forget pages. @returns false when it refused */
  async forget(tags: string[]): Promise<boolean> {
    const cache = this.ctx.cache as Partial<PlatformCache> | undefined;
    return typeof cache?.purge !== 'function' || purgePlatform(cache as PlatformCache, tags);
  }
}

/** What is done at a time; each task is harmless to repeat. */
function tasksAt(cron: string, env: Env, ctx: ExecutionContext): Promise<unknown>[] {
  const db = openDatabase(env.DB);
  const now = Date.now();
  switch (cron) {
    case CRONS.soon:
      return [
        noticeBusiness(env, db, now).finally(() => sendPagePurges(env, db, { invocation: ctx, now })),
        handleDueEvents(env, now),
      ];
    case CRONS.books:
      return [reconcile(env, now), keepFigures(env, db, now)];
    case CRONS.mails:
      return [tellNews(env, db, now).finally(() => sendWaitingMails(env, db, { now: Date.now() }))];
    case CRONS.wallets:
      return [checkLedgers(env, db, now), settleCreations(env, db, now), keepCompetition(env, db, now)];
    default:
      return [
        removeExpiredSessions(db),
        removeExpiredLoginCodes(db, now),
        removeExpiredTokens(db, now),
        removeExpiredDeletionRequests(db, now),
        removeKeptSuspensions(db, now),
        eraseWhoIsGone(env, db, now),
        eraseExpiredConversations(env, db, now),
        refreshListings(db),
        makeWaitingWords(db, LISTINGS.wordsPerRun),
        keepTrending(db, env.KV, now),
        keepSitemapParts(db, env.KV, now),
        writeSummaries(env, db, { now }),
        forgetOldDays(db, now),
        removeUnusedPictures(env, db, now),
        removeUnclaimedCards(env, db, now),
      ];
  }
}

export default {
  fetch: app.fetch,
  async scheduled(event, env, ctx) {
    for (const task of tasksAt(event.cron, env, ctx)) ctx.waitUntil(task);
  },
} satisfies ExportedHandler<Env>;
