import type { Context, MiddlewareHandler } from 'hono';
import { listNetworks } from '../../features/account/network-prefix.ts';
import { getClientIp, type ApiEnv, getMatchedRoute } from './context.ts';
import { isVerifiedByConversation } from './access-policy.ts';
import { requireSessionId } from './guards.ts';
import { Problem } from './problems.ts';

/**
 * Rate limits per network and per user. Every route has a cost class here, and a test fails for a route without one
 * (docs/limits.md). The platform counts (`[[ratelimits]]` in wrangler.toml) approximately and per location, so these
 * limits are not exact. Durable Objects count hard limits, such as points.
 */

/** The platform's rate limit bindings: calls allowed per period in seconds. Must match wrangler.toml. */
export const RATES = {
  AUTH_LIMIT: { limit: 20, period: 60 },
  LIMIT_40: { limit: 40, period: 60 },
  LIMIT_120: { limit: 120, period: 60 },
  LIMIT_600: { limit: 600, period: 60 },
  LIMIT_3000: { limit: 3000, period: 60 },
  LIMIT_15000: { limit: 15_000, period: 60 },
} as const;
export type RateName = keyof typeof RATES;

interface Cost {
  /** For one account or guest; null when the caller has no session. */
  person: RateName | null;
  /** For one network, which a household, an office or a provider's customers may share. */
  network: RateName | null;
}

/**
 * Cost classes with their limits. The limits per user allow twice the rate of a hurried user, who sends a message every
 * three seconds, pages through lists or clicks without a pause.
 */
export const RATES_BY_COST = {
  /** Calls a model. */
  model: { person: 'LIMIT_40', network: 'LIMIT_600' },
  /** Creates something lasting: a conversation with its object, a persona, a style, a character, a report. */
  begin: { person: 'LIMIT_40', network: 'LIMIT_600' },
  /** Uploads a file, or generates one from much data. */
  file: { person: 'LIMIT_40', network: 'LIMIT_120' },
  /** A search, which may run as often as the user types. */
  search: { person: 'LIMIT_120', network: 'LIMIT_600' },
  /** Changes data. */
  change: { person: 'LIMIT_120', network: 'LIMIT_600' },
  /** Opens a lasting connection: a reply that is rejoined, or a tab's socket. */
  line: { person: 'LIMIT_120', network: 'LIMIT_600' },
  /** Reads from the database or an object. */
  read: { person: 'LIMIT_600', network: 'LIMIT_3000' },
  /** Public reads. */
  open: { person: null, network: 'LIMIT_3000' },
  /** Staff routes. */
  staff: { person: 'LIMIT_600', network: null },
  /** Sign-in and mails. Counted per route, so that load on one does not block another. */
  door: { person: null, network: 'AUTH_LIMIT' },
  /** Servers of other companies, many behind few addresses. The routes authenticate them. */
  company: { person: null, network: 'LIMIT_3000' },
  /** PayPal's webhook, whose rate is PayPal's. The route limits networks that send forged events. */
  payments: { person: null, network: null },
  /** A rendered page; responses from a shared cache are not counted (`limitPages`). */
  page: { person: null, network: 'LIMIT_3000' },
  /** A picture, at an unknown address too; one page of a list shows dozens. */
  picture: { person: null, network: 'LIMIT_3000' },
} as const satisfies Record<string, Cost>;
export type CostName = keyof typeof RATES_BY_COST;

/**
 * The rate of the first 48 bits of an IPv6 address, by that of its first 64: five or six times as much. One customer may have
 * all 65,536 networks of such a prefix, or share it with neighbours.
 */
export const WIDER_RATES = {
  AUTH_LIMIT: 'LIMIT_120',
  LIMIT_120: 'LIMIT_600',
  LIMIT_600: 'LIMIT_3000',
  LIMIT_3000: 'LIMIT_15000',
} as const satisfies Record<string, RateName>;

/** The cost class of every route. */
export const ROUTES_BY_COST: Record<CostName, readonly string[]> = {
  model: [
    'POST /api/conversations/:id/messages',
    'POST /api/conversations/:id/messages/:mid/regenerate',
    'POST /api/conversations/:id/messages/:mid/continue',
    'POST /api/conversations/:id/reply',
    'POST /api/conversations/:id/suggestions',
    'POST /api/conversations/:id/impersonate',
    'POST /api/characters/test-chat',
  ],
  begin: [
    'POST /api/conversations',
    'POST /api/conversations/:id/messages/:mid/fork',
    'POST /api/characters',
    'POST /api/characters/:id/reports',
    'POST /api/creators/:id/reports',
    'POST /api/conversations/:id/messages/:mid/reports',
    'POST /api/appeals',
    'POST /api/personas',
    'POST /api/reply-styles',
    'POST /api/invites',
    'POST /api/onboarding',
    'POST /api/account/passkeys',
    'POST /api/subscription/activate',
    'POST /api/subscription/downgrade',
    'POST /api/competition/entries/:character_id',
  ],
  file: [
    'POST /api/uploads/avatar',
    'POST /api/characters/import',
    'POST /api/conversations/import',
    'GET /api/account/export',
    'GET /api/conversations/:id/export',
    'GET /api/characters/:id/card',
  ],
  search: [
    'GET /api/conversations/search',
    'GET /api/characters',
    'GET /api/characters/suggestions',
    'GET /api/characters/for-you',
    // Slower than other public reads, so that codes cannot be guessed.
    'GET /api/invites/:code',
  ],
  change: [
    'PATCH /api/account',
    'DELETE /api/account/sessions',
    'DELETE /api/account/sessions/:id',
    'POST /api/account/passkeys/options',
    'PATCH /api/account/passkeys/:id',
    'DELETE /api/account/passkeys/:id',
    'DELETE /api/account/trash',
    'PUT /api/characters/:id/lorebook',
    'PATCH /api/characters/:id',
    'DELETE /api/characters/:id',
    'POST /api/characters/:id/restore',
    'PUT /api/me/favourites/:character_id',
    'DELETE /api/me/favourites/:character_id',
    'PUT /api/me/likes/:character_id',
    'DELETE /api/me/likes/:character_id',
    'PUT /api/me/following/:creator_id',
    'DELETE /api/me/following/:creator_id',
    'PUT /api/me/hidden/tags/:tag',
    'DELETE /api/me/hidden/tags/:tag',
    'PUT /api/me/hidden/creators/:id',
    'DELETE /api/me/hidden/creators/:id',
    'PATCH /api/conversations/:id',
    'DELETE /api/conversations/:id',
    'POST /api/conversations/:id/restore',
    'PUT /api/conversations/:id/persona',
    'PUT /api/conversations/:id/own-name',
    'PATCH /api/conversations/:id/reply-settings',
    'POST /api/conversations/:id/greeting',
    'PUT /api/conversations/:id/character-version',
    'POST /api/conversations/:id/stop',
    'PATCH /api/conversations/:id/messages/:mid',
    'DELETE /api/conversations/:id/messages/:mid',
    'PUT /api/conversations/:id/messages/:mid/version',
    'PUT /api/conversations/:id/messages/:mid/rating',
    'PUT /api/conversations/:id/messages/:mid/pin',
    'DELETE /api/conversations/:id/messages/:mid/pin',
    'POST /api/conversations/:id/trash/:tid/restore',
    'DELETE /api/conversations/:id/trash/:tid',
    'PUT /api/conversations/:id/memory',
    'DELETE /api/personas/default',
    'PUT /api/personas/:id/default',
    'PATCH /api/personas/:id',
    'DELETE /api/personas/:id',
    'POST /api/personas/:id/restore',
    'PATCH /api/reply-styles/:id',
    'DELETE /api/reply-styles/:id',
    'DELETE /api/competition/entries/:character_id',
  ],
  line: ['GET /api/conversations/:id/stream', 'GET /api/conversations/:id/live'],
  read: [
    'GET /api/account',
    'GET /api/account/sessions',
    'GET /api/account/passkeys',
    'GET /api/account/storage',
    'GET /api/invites',
    'GET /api/permissions/create_character',
    'GET /api/characters/import/:id',
    'GET /api/characters/:id/lorebook',
    'GET /api/characters/:id/definition',
    'GET /api/characters/:id/conversations',
    'GET /api/me/characters',
    'GET /api/me/characters/:id',
    'GET /api/me/favourites',
    'GET /api/me/favourites/:character_id',
    'GET /api/me/likes/:character_id',
    'GET /api/me/following',
    'GET /api/me/following/characters',
    'GET /api/me/following/:creator_id',
    'GET /api/me/hidden',
    'GET /api/me/news',
    'GET /api/me/reports',
    'GET /api/me/measures',
    'GET /api/me/appeals',
    'GET /api/me/staff-views',
    'GET /api/conversations/trash',
    'GET /api/conversations/:id',
    'GET /api/conversations/:id/trash',
    'GET /api/conversations/:id/reply-settings',
    'GET /api/conversations/:id/memory',
    'GET /api/conversations/:id/messages/:mid/context',
    'GET /api/conversations/:id/messages/:mid/thinking',
    'GET /api/chats',
    'GET /api/personas',
    'GET /api/personas/characters',
    'GET /api/personas/trash',
    'GET /api/reply-styles',
    'GET /api/points',
    'GET /api/points/ledger',
    'GET /api/points/history',
    'POST /api/points/check-availability',
    'GET /api/subscription',
    'GET /api/competition/entries',
  ],
  open: [
    'GET /api/auth/status',
    'POST /api/logout',
    'GET /api/characters/:id',
    'GET /api/creators/:id',
    'GET /api/plans',
    'GET /api/models',
    'GET /api/competition',
    'GET /api/status',
    'GET /api/health',
    'GET /api/docs',
    'GET /api/openapi.json',
    'POST /api/page-views',
  ],
  staff: [
    'PUT /api/admin/characters/:id/moderation',
    'GET /api/admin/characters/:id/picture',
    'GET /api/admin/characters/:id/lorebook',
    'POST /api/admin/measures',
    'DELETE /api/admin/measures/:id',
    'GET /api/admin/accounts/:id',
    'GET /api/admin/people',
    'GET /api/admin/featured',
    'PUT /api/admin/characters/:id/featured',
    'GET /api/admin/feedback',
    'PATCH /api/admin/feedback/:id',
    'GET /api/admin/reports',
    'GET /api/admin/reports/:id',
    'PATCH /api/admin/reports/:id',
    'GET /api/admin/appeals',
    'GET /api/admin/appeals/:id',
    'PATCH /api/admin/appeals/:id',
    'GET /api/admin/payouts',
    'POST /api/admin/payouts',
    'POST /api/admin/gifts',
    'GET /api/admin/business',
    'PUT /api/admin/business',
    'GET /api/admin/competition',
    'PUT /api/admin/competition/:character_id/creativity',
    'POST /api/admin/competition/prizes/:season/:prize/:place',
    'GET /api/admin/stats',
    'GET /api/admin/stats/referrals',
  ],
  door: [
    'POST /api/auth/send-login-code',
    'POST /api/auth/login-with-code',
    'POST /api/auth/passkey-options',
    'POST /api/auth/login-with-passkey',
    'POST /api/auth/anonymous',
    'GET /api/auth/google',
    'GET /api/auth/google/callback',
    'POST /api/auth/google/callback',
    'POST /api/account/delete-request',
    'POST /api/account/delete-confirm',
    'POST /api/account/age-check/requests',
    'POST /api/account/age-check',
    'POST /api/feedback',
    // Only in local builds (app.ts).
    ...(typeof __LOCAL_BUILD__ === 'boolean' && __LOCAL_BUILD__ ? ['POST /api/auth/test-login'] : []),
  ],
  company: ['POST /api/mail/unsubscribe'],
  payments: ['POST /api/paypal/webhook'],
  // Outside the API; counted in page-limit.ts.
  page: [],
  picture: [],
};

/** Browsers open these by a link or return from Google: they call `limitSignInCall` themselves and refuse with a page. */
const SELF_COUNTED_ROUTES: ReadonlySet<string> = new Set([
  'GET /api/auth/google',
  'GET /api/auth/google/callback',
]);

const COST_BY_ROUTE: ReadonlyMap<string, CostName> = new Map(
  Object.entries(ROUTES_BY_COST).flatMap(([cost, routes]) =>
    routes.map((route) => [route, cost as CostName]),
  ),
);

/** Returns the cost class of a route by method and path; undefined when it has none. */
export const getRouteCost = (route: string): CostName | undefined => COST_BY_ROUTE.get(route);

/** Returns the cost class of the matched route. */
function getMatchedRouteCost(c: Context<ApiEnv>): CostName | undefined {
  const route = getMatchedRoute(c);
  return route === null ? undefined : getRouteCost(route);
}

/** @throws Problem `too_many_requests` when the limit is exceeded */
async function countCall(env: Env, rate: RateName, key: string): Promise<void> {
  const { success } = await env[rate].limit({ key });
  if (!success) throw new Problem('too_many_requests', {}, RATES[rate].period);
}

/**
 * Counts a call for the network by its cost class, and for the wider network around it if the network has not had too many.
 * Several networks together can use up the wider one's share. Sign-in routes (`door`) count each by its path.
 * @throws Problem `too_many_requests` when the limit is exceeded
 */
export async function countNetworkCall(
  c: Pick<Context, 'req'> & { env: Env },
  cost: CostName,
): Promise<void> {
  const rate = RATES_BY_COST[cost].network;
  if (rate === null) return;
  const [own, wider] = listNetworks(getClientIp(c));
  const path = cost === 'door' ? `|${c.req.path}` : '';
  await countCall(c.env, rate, `${cost}|n|${own}${path}`);
  if (wider !== undefined) await countCall(c.env, WIDER_RATES[rate], `${cost}|w|${wider}${path}`);
}

/**
 * Counts a call of a route in `SELF_COUNTED_ROUTES`. All other routes are counted by middleware. Off when RATE_LIMITS is
 * off.
 * @throws Problem `too_many_requests` when the limit is exceeded
 */
export async function limitSignInCall(c: Context<ApiEnv>): Promise<void> {
  if (c.get('settings').rateLimits === 'on') await countNetworkCall(c, 'door');
}

/** Limits calls per network, before anything is looked up. Off when RATE_LIMITS is off. */
export const limitNetwork: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const route = getMatchedRoute(c);
  const cost = route === null || SELF_COUNTED_ROUTES.has(route) ? undefined : getRouteCost(route);
  if (cost !== undefined && c.get('settings').rateLimits === 'on') await countNetworkCall(c, cost);
  await next();
};

/** Limits calls per user, across all networks. Off when RATE_LIMITS is off. */
export const limitUser: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const cost = getMatchedRouteCost(c);
  const rate = cost === undefined ? null : RATES_BY_COST[cost].person;
  if (rate !== null && c.get('settings').rateLimits === 'on') {
    const route = getMatchedRoute(c);
    // For these routes the user is not known yet, so each session is counted.
    const person =
      route !== null && isVerifiedByConversation(route)
        ? await requireSessionId(c)
        : (await c.get('caller')())?.user.id;
    if (person !== undefined) await countCall(c.env, rate, `${cost}|p|${person}`);
  }
  await next();
};
