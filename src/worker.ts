import { handle } from '@astrojs/cloudflare/handler';
import { Hono } from 'hono';
import { setCookie, getCookie } from 'hono/cookie';
import { requestId } from 'hono/request-id';
import { api } from './api/app.ts';
import { media } from './api/media.ts';
import { answerError } from './api/problems.ts';
import { openDatabase } from './db/open.ts';
import { removeExpiredLoginCodes } from './features/account/login-code-store.ts';
import { removeExpiredSessions } from './features/account/session.ts';
import { LANGUAGE_COOKIE, routeFor } from './locales/routes.ts';

export { ConversationObject } from './features/conversation/conversation-object.ts';
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

const LANGUAGE_COOKIE_SECONDS = 365 * 24 * 60 * 60;

/** The front door: the API, pictures, and everything else as pages in their one right address. */
const app = new Hono<{ Bindings: Env; Variables: { requestId: string } }>();

app.all('/api', (c) => api.fetch(c.req.raw, c.env, c.executionCtx));
app.all('/api/*', (c) => api.fetch(c.req.raw, c.env, c.executionCtx));

app.use(requestId());
app.use(async (c, next) => {
  await next();
  c.header('x-request-id', c.get('requestId'));
  // Private unless it says otherwise itself.
  if (c.res.headers.get('cache-control') === null) c.header('cache-control', 'private, no-store');
});
app.route('/media', media);
app.all('*', async (c) => {
  const url = new URL(c.req.url);
  const route = routeFor(url, getCookie(c, LANGUAGE_COOKIE) ?? null, c.req.header('accept-language') ?? null);
  const page =
    route.kind === 'redirect'
      ? c.redirect(route.to, 302)
      : ((await handle(c.req.raw, c.env, c.executionCtx as ExecutionContext)) as unknown as Response);
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
  return c.res;
});
app.onError((error, c) => answerError(error, c as never));

export default {
  fetch: app.fetch,
  /** Housekeeping; each task is harmless to repeat. */
  async scheduled(_event, env, ctx) {
    const db = openDatabase(env.DB);
    ctx.waitUntil(Promise.all([removeExpiredSessions(db), removeExpiredLoginCodes(db, Date.now())]));
  },
} satisfies ExportedHandler<Env>;
