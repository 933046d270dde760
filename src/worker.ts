import { WorkerEntrypoint } from 'cloudflare:workers';
import { Hono, type Context } from 'hono';
import { setCookie, getCookie } from 'hono/cookie';
import { requestId } from 'hono/request-id';
import { media } from './api/routes/characters/media.ts';
import { loadApi } from './api/load-api.ts';
import { limitPages } from './api/middleware/page-limit.ts';
import { respondWithError } from './api/middleware/problems.ts';
import { DEFAULT_LANGUAGE } from './config/languages.ts';
import { readEnvironment, createConfigErrorResponse, isMisconfigured } from './env/read-environment.ts';
import { LANGUAGE_COOKIE, LANGUAGE_COOKIE_MAX_AGE_SECONDS } from './locales/language-cookie.ts';
import { resolveRoute } from './locales/routes.ts';
import { log, withLogContext } from './lib/log.ts';
import { redactError } from './lib/redact.ts';
import { getCookieName, SESSION_COOKIE } from './features/account/session/session-cookie.ts';
import { fromCacheableRequest, isCreatorPage, toCacheableRequest } from './layouts/creator-page.ts';
import { setOpenedChat, readOpenedChat } from './layouts/opened-chat.ts';
import { renderOnce } from './layouts/static-page.ts';
import { disableSharedCaching, NO_STORE, applyCachePolicy } from './lib/cache-control.ts';
import { type PlatformCache, purgePlatformCache } from './vendors/page-cache.ts';

export { ConversationObject } from './features/conversation/conversation-object.ts';
export { SearchObject } from './features/search/search-object.ts';
export { WalletObject } from './features/wallet/wallet-object.ts';

/** Headers of every response. Pages, the API and pictures have a stricter policy of their own. */
const COMMON_HEADERS = {
  'x-content-type-options': 'nosniff',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
};

/** Headers of every page; Astro adds the policy for the page's scripts and styles. */
const PAGE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), browsing-topics=()',
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
};

/** Paths that Astro reserves for itself, except for the built files. */
const FRAMEWORK_PATH = /^\/+_(?!astro\/)/;

/*
 * The pages, the scheduled tasks and the API are modules that are read when something asks for them. Only the routes for
 * turns are read at the start, because a person waits for the first word of a reply.
 */

async function answerApi(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
  const api = await loadApi(new URL(request.url).pathname);
  return api.fetch(request, env, ctx);
}

async function renderPage(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
  const { handle } = await import('@astrojs/cloudflare/handler');
  return (await handle(request, env, ctx)) as unknown as Response;
}

/**
 * Opens the chat of a chat page before the page is rendered. When that fails, the page's script does it.
 * @returns the cookies to set with the page
 */
async function openChat(request: Request, hasSession: boolean, c: Context): Promise<string[]> {
  try {
    const opening = await readOpenedChat(request, hasSession, (asked) =>
      answerApi(asked, c.env as Env, c.executionCtx as ExecutionContext),
    );
    if (opening?.chat != null) setOpenedChat(request, opening.chat);
    return opening?.cookies ?? [];
  } catch (error) {
    log('page_data_failed', redactError(error));
    return [];
  }
}

/** Handles all requests: the API, pictures, and pages at their canonical addresses. */
const app = new Hono<{ Bindings: Env; Variables: { requestId: string } }>();

// Lets a deployment check that the responses come from its own version (scripts/deploy/smoke.mjs).
app.use(async (c, next) => {
  await next();
  const version = c.env.VERSION?.id;
  if (version !== undefined) c.header('x-version', version);
});
app.use(async (c, next) => {
  await next();
  // The response that opens a socket has no content, and its headers cannot be changed.
  if (c.res.status === 101) return;
  for (const [name, value] of Object.entries(COMMON_HEADERS)) {
    if (!c.res.headers.has(name)) c.header(name, value);
  }
});
app.use(async (c, next) => createConfigErrorResponse(c.req.raw, c.env) ?? next());

app.all('/api', (c) => answerApi(c.req.raw, c.env, c.executionCtx as ExecutionContext));
app.all('/api/*', (c) => answerApi(c.req.raw, c.env, c.executionCtx as ExecutionContext));
// One-click unsubscribe (RFC 8058): the same address shows a page for GET and unsubscribes for POST.
app.post('/unsubscribe', (c) => {
  const target = new URL('/api/mail/unsubscribe', c.req.url);
  target.search = new URL(c.req.url).search;
  return answerApi(new Request(target, c.req.raw), c.env, c.executionCtx as ExecutionContext);
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
// Astro's own endpoints below an underscore, such as the one that fetches pictures from any address, are of no use here.
app.all('*', async (c, next) => (FRAMEWORK_PATH.test(c.req.path) ? c.notFound() : next()));
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
  const hasSession = getCookie(c, getCookieName(SESSION_COOKIE, url).name) !== undefined;
  const cookies = route.kind === 'redirect' ? [] : await openChat(c.req.raw, hasSession, c);
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
  for (const cookie of cookies) c.header('set-cookie', cookie, { append: true });
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

/** The request of the synthetic check for the front page, in the default language. */
const buildFrontPageRequest = (env: Env): Request =>
  new Request(new URL(`/${DEFAULT_LANGUAGE}`, readEnvironment(env).siteUrl ?? 'https://check.invalid'));

export default {
  fetch: (request, env, ctx) => app.fetch(request, env, ctx),
  async scheduled(event, env, ctx) {
    if (isMisconfigured(env, `cron ${event.cron}`)) return;
    const { runScheduledTasks } = await import('./jobs/scheduled-tasks.ts');
    const deps = {
      invocation: ctx,
      api: (request: Request) => answerApi(request, env, ctx),
      page: () => Promise.resolve(app.fetch(buildFrontPageRequest(env), env, ctx)),
    };
    ctx.waitUntil(withLogContext(undefined, () => runScheduledTasks(event.cron, env, deps)));
  },
} satisfies ExportedHandler<Env>;
