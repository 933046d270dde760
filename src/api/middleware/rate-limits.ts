import type { Context, MiddlewareHandler } from 'hono';
import { getNetworkPrefix } from '../../features/account/network-prefix.ts';
import { getClientIp } from './client-ip.ts';
import { getMatchedRoute } from './matched-route.ts';
import type { ApiEnv } from './context.ts';
import { Problem } from './problems.ts';

/**
 * How often a network and a person may call what costs something. One place: a route is in it with what it costs, and a
 * test fails for one that is not (docs/limits.md). The platform counts (`[[ratelimits]]` in wrangler.toml), for each of its
 * locations by itself and approximately, so these are bounds and no books: what may never be more than so many, such as
 * points, the objects count.
 */

/** The rates that the platform counts by: the name of each binding, and how many calls it lets by in how many seconds. */
export const RATES = {
  AUTH_LIMIT: { limit: 20, period: 60 },
  LIMIT_40: { limit: 40, period: 60 },
  LIMIT_120: { limit: 120, period: 60 },
  LIMIT_600: { limit: 600, period: 60 },
  LIMIT_3000: { limit: 3000, period: 60 },
} as const;
export type RateName = keyof typeof RATES;

interface Cost {
  /** For one person, by their account or guest; null where nobody is known. */
  person: RateName | null;
  /** For one network, which a household, an office or the customers of a provider share. */
  network: RateName | null;
}

/**
 * What a call costs, and how often that is for a person: twice as often as somebody in a hurry, who writes a message every
 * three seconds, leafs through lists, or presses one thing after the other.
 */
export const RATES_BY_COST = {
  /** A model is asked. */
  model: { person: 'LIMIT_40', network: 'LIMIT_600' },
  /** Something is begun that stays: a conversation with its object, a persona, a character, a report. */
  begin: { person: 'LIMIT_40', network: 'LIMIT_600' },
  /** A file comes in, or one is made of a great deal. */
  file: { person: 'LIMIT_40', network: 'LIMIT_120' },
  /** A search, as often as somebody types. */
  search: { person: 'LIMIT_120', network: 'LIMIT_600' },
  /** Something is changed. */
  change: { person: 'LIMIT_120', network: 'LIMIT_600' },
  /** A line is opened that stays open: a reply that is rejoined, a tab's socket. */
  line: { person: 'LIMIT_120', network: 'LIMIT_600' },
  /** Something is read of the database or of an object. */
  read: { person: 'LIMIT_600', network: 'LIMIT_3000' },
  /** Read by anybody, and counted. */
  open: { person: null, network: 'LIMIT_3000' },
  /** The operator's own people. */
  staff: { person: 'LIMIT_600', network: null },
  /** Ways in, and what sends mails: each route by itself, so that one door's crowd shuts no other. */
  door: { person: null, network: 'AUTH_LIMIT' },
  /** Servers of other companies, many behind few addresses; the routes see to themselves who they are. */
  company: { person: null, network: 'LIMIT_3000' },
  /** PayPal tells of payments as fast as they come; whoever only plays PayPal is bounded there. */
  payments: { person: null, network: null },
  /** A page that is drawn: what shared caches answer comes by here only when it is drawn anew (`limitPages`). */
  page: { person: null, network: 'LIMIT_3000' },
  /** A picture, made-up addresses of some too; a page of a list shows dozens. */
  picture: { person: null, network: 'LIMIT_3000' },
} as const satisfies Record<string, Cost>;
export type CostName = keyof typeof RATES_BY_COST;

/** Every route with what it costs. */
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
    'POST /api/invites',
    'POST /api/onboarding',
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
  search: ['GET /api/conversations/search', 'GET /api/characters'],
  change: [
    'PATCH /api/account',
    'DELETE /api/account/sessions',
    'DELETE /api/account/sessions/:id',
    'PUT /api/characters/:id/lorebook',
    'PATCH /api/characters/:id',
    'DELETE /api/characters/:id',
    'POST /api/characters/:id/restore',
    'PUT /api/me/favourites/:character_id',
    'DELETE /api/me/favourites/:character_id',
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
    'POST /api/conversations/:id/greeting',
    'PUT /api/conversations/:id/character-version',
    'POST /api/conversations/:id/stop',
    'PATCH /api/conversations/:id/messages/:mid',
    'DELETE /api/conversations/:id/messages/:mid',
    'PUT /api/conversations/:id/messages/:mid/version',
    'PUT /api/conversations/:id/messages/:mid/pin',
    'DELETE /api/conversations/:id/messages/:mid/pin',
    'POST /api/conversations/:id/trash/:tid/restore',
    'DELETE /api/conversations/:id/trash/:tid',
    'PUT /api/conversations/:id/memory',
    'DELETE /api/personas/default',
    'PUT /api/personas/:id/default',
    'PATCH /api/personas/:id',
    'DELETE /api/personas/:id',
    'DELETE /api/competition/entries/:character_id',
  ],
  line: ['GET /api/conversations/:id/stream', 'GET /api/conversations/:id/live'],
  read: [
    'GET /api/account',
    'GET /api/account/sessions',
    'GET /api/invites',
    'GET /api/permissions/create_character',
    'GET /api/characters/import/:id',
    'GET /api/characters/:id/lorebook',
    'GET /api/characters/:id/conversations',
    'GET /api/me/characters',
    'GET /api/me/characters/:id',
    'GET /api/me/favourites',
    'GET /api/me/favourites/:character_id',
    'GET /api/me/following',
    'GET /api/me/following/characters',
    'GET /api/me/following/:creator_id',
    'GET /api/me/hidden',
    'GET /api/me/reports',
    'GET /api/me/measures',
    'GET /api/me/appeals',
    'GET /api/me/staff-views',
    'GET /api/conversations/trash',
    'GET /api/conversations/:id',
    'GET /api/conversations/:id/trash',
    'GET /api/conversations/:id/memory',
    'GET /api/conversations/:id/messages/:mid/context',
    'GET /api/chats',
    'GET /api/personas',
    'GET /api/points',
    'GET /api/points/ledger',
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
    'POST /api/auth/anonymous',
    'GET /api/auth/google',
    'GET /api/auth/google/callback',
    'POST /api/auth/google/callback',
    'POST /api/account/delete-request',
    'POST /api/account/delete-confirm',
    'POST /api/account/age-check/requests',
    'POST /api/account/age-check',
    'POST /api/feedback',
    // Not in builds that are put before others (app.ts).
    ...(typeof __LOCAL_BUILD__ === 'boolean' && __LOCAL_BUILD__ ? ['POST /api/auth/test-login'] : []),
  ],
  company: ['POST /api/mail/unsubscribe'],
  payments: ['POST /api/paypal/webhook'],
  // Not of the API: the front door counts them (page-limit.ts).
  page: [],
  picture: [],
};

/** Browsers come here by a link and from Google's page: these routes count themselves, and refuse on a page of ours. */
const SELF_COUNTED_ROUTES: ReadonlySet<string> = new Set([
  'GET /api/auth/google',
  'GET /api/auth/google/callback',
]);

const COST_BY_ROUTE: ReadonlyMap<string, CostName> = new Map(
  Object.entries(ROUTES_BY_COST).flatMap(([cost, routes]) =>
    routes.map((route) => [route, cost as CostName]),
  ),
);

/** What a route costs, by its method and path; undefined for one that is not in the table. */
export const getRouteCost = (route: string): CostName | undefined => COST_BY_ROUTE.get(route);

/** What the called route costs. */
function getMatchedRouteCost(c: Context<ApiEnv>): CostName | undefined {
  const route = getMatchedRoute(c);
  return route === null ? undefined : getRouteCost(route);
}

/** @throws Problem `too_many_requests` when this was once too often */
async function countCall(env: Env, rate: RateName, key: string): Promise<void> {
  const { success } = await env[rate].limit({ key });
  if (!success) throw new Problem('too_many_requests', {}, RATES[rate].period);
}

/**
 * Counts a call of a network by what it costs; of doors each by its path.
 * @throws Problem `too_many_requests` when this was once too often
 */
export async function countNetworkCall(
  c: Pick<Context, 'req'> & { env: Env },
  cost: CostName,
): Promise<void> {
  const rate = RATES_BY_COST[cost].network;
  if (rate === null) return;
  const network = getNetworkPrefix(getClientIp(c));
  await countCall(c.env, rate, `${cost}|n|${network}${cost === 'door' ? `|${c.req.path}` : ''}`);
}

/**
 * Counts a call of a door that refuses on a page of ours (`SELF_COUNTED_ROUTES`), and of nothing else: all others are
 * counted before they are reached. Off with the other limits.
 * @throws Problem `too_many_requests` when this was once too often
 */
export async function limitSignInCall(c: Context<ApiEnv>): Promise<void> {
  if (c.get('settings').rateLimits === 'on') await countNetworkCall(c, 'door');
}

/** Bounds what one network asks, before anything is looked up for it. Off where the operator says so. */
export const limitNetwork: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const route = getMatchedRoute(c);
  const cost = route === null || SELF_COUNTED_ROUTES.has(route) ? undefined : getRouteCost(route);
  if (cost !== undefined && c.get('settings').rateLimits === 'on') await countNetworkCall(c, cost);
  await next();
};

/** Bounds what one person asks, from wherever they do. Off with the other. */
export const limitUser: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const cost = getMatchedRouteCost(c);
  const rate = cost === undefined ? null : RATES_BY_COST[cost].person;
  if (rate !== null && c.get('settings').rateLimits === 'on') {
    const caller = await c.get('caller')();
    if (caller !== null) await countCall(c.env, rate, `${cost}|p|${caller.user.id}`);
  }
  await next();
};
