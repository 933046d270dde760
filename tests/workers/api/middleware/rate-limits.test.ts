import { isVerifiedByConversation } from '../../../../src/api/middleware/access-policy.ts';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { api } from '../../../../src/api/app.ts';
import {
  type CostName,
  getRouteCost,
  RATES_BY_COST,
  type RateName,
  RATES,
  ROUTES_BY_COST,
  WIDER_RATES,
} from '../../../../src/api/middleware/rate-limits.ts';
import { listOperations } from '../../../support/openapi-operations.ts';
import { signInGuest, ORIGIN, type Visitor } from '../../../support/factories.ts';
import { getSessionId } from '../../../support/turn-requests.ts';

const operations = await listOperations();
/** Routes as the cost table names them: `GET /api/characters/:id`. */
const routes = operations.map(({ method, path }) => `${method} /api${path.replaceAll(/\{(\w+)\}/g, ':$1')}`);

/** Rate limit bindings that record every count and refuse as the test says. */
function createRateLimits(refuses: (rate: RateName, key: string) => boolean = () => false) {
  const counted: { rate: RateName; key: string }[] = [];
  const bindings = Object.fromEntries(
    (Object.keys(RATES) as RateName[]).map((rate) => [
      rate,
      {
        limit: async ({ key }: { key: string }) => {
          counted.push({ rate, key });
          return { success: !refuses(rate, key) };
        },
      },
    ]),
  );
  return { counted, bindings };
}

/** Calls a route from a network, at a site with rate limits on unless `on` says otherwise. */
async function call(
  route: string,
  {
    who,
    from = '203.0.113.7',
    bindings,
    on = 'on',
  }: { who?: Visitor; from?: string; bindings: object; on?: string },
): Promise<Response> {
  const [method, path] = route.split(' ') as [string, string];
  const headers: Record<string, string> = { 'cf-connecting-ip': from };
  if (who !== undefined) headers.cookie = who.cookie;
  if (method !== 'GET') headers['content-type'] = 'application/json';
  const request = new Request(`${ORIGIN}${path.replaceAll(/:\w+/g, 'unknown')}`, {
    method,
    headers,
    ...(method === 'GET' ? {} : { body: '{}' }),
  });
  const context = { waitUntil: () => undefined, passThroughOnException: () => undefined };
  return api.fetch(
    request,
    { ...env, RATE_LIMITS: on, ...bindings } as unknown as Env,
    context as unknown as ExecutionContext,
  );
}

describe('Rate limit table', () => {
  test.each(routes)('the cost table lists the route: %s', (route) => {
    expect(getRouteCost(route)).toBeDefined();
  });

  test('the cost table also lists routes outside the OpenAPI contract, such as the API reference', () => {
    const routed = api.routes
      .filter(({ method }) => method !== 'ALL')
      .map(({ method, path }) => `${method} ${path}`);
    expect(routed).toContain('GET /api/docs');
    expect(routed.length).toBeGreaterThanOrEqual(routes.length);
    expect(routed.filter((route) => getRouteCost(route) === undefined)).toEqual([]);
  });

  test('the cost table lists every route once and no unknown route', () => {
    const listed = Object.values(ROUTES_BY_COST).flat();
    expect(new Set(listed).size).toBe(listed.length);
    const known = new Set(['GET /api/docs', 'GET /api/openapi.json', 'POST /api/auth/test-login', ...routes]);
    expect(listed.filter((route) => !known.has(route))).toEqual([]);
  });

  test('every route that changes data or asks a model has a network limit, except PayPal’s and staff routes', () => {
    for (const route of routes.filter((one) => !one.startsWith('GET '))) {
      const cost = getRouteCost(route) as CostName;
      const isBounded = RATES_BY_COST[cost].network !== null || ['payments', 'staff'].includes(cost);
      expect({ route, isBounded }).toEqual({ route, isBounded: true });
    }
  });
});

/** Sign-in routes are counted one by one, and pages and pictures outside the API router. */
const networkLimits = Object.entries(RATES_BY_COST).flatMap(([cost, { network }]) =>
  network === null || ['door', 'page', 'picture'].includes(cost)
    ? []
    : [[cost as CostName, ROUTES_BY_COST[cost as CostName][0] as string, network] as const],
);
const userLimits = Object.entries(RATES_BY_COST).flatMap(([cost, { person }]) =>
  person === null || cost === 'staff'
    ? []
    : [[cost as CostName, ROUTES_BY_COST[cost as CostName][0] as string, person] as const],
);

describe('Too many calls', () => {
  test.each(networkLimits)(
    'too many calls from one network are refused with a retry time: %s, as %s',
    async (cost, route, rate) => {
      const { counted, bindings } = createRateLimits((one, key) => one === rate && key.includes('|n|'));
      const answer = await call(route, { bindings });
      expect(answer.status).toBe(429);
      expect(answer.headers.get('retry-after')).toBe('60');
      expect(await answer.json()).toMatchObject({ code: 'too_many_requests' });
      expect(counted).toEqual([{ rate, key: `${cost}|n|203.0.113.7` }]);
    },
  );

  test.each(ROUTES_BY_COST.door)(
    'too many sign-in calls from one network are refused before any database read: %s',
    async (route) => {
      const path = route.split(' ')[1] as string;
      const own = `door|n|203.0.113.7|${path}`;
      const { counted, bindings } = createRateLimits((_, key) => key === own);
      let isRead = false;
      const DB = new Proxy(env.DB, {
        get: (known, name) => {
          isRead = true;
          const value: unknown = Reflect.get(known, name, known);
          return typeof value === 'function' ? value.bind(known) : value;
        },
      });
      const answer = await call(route, { who: await signInGuest(), bindings: { ...bindings, DB } });
      if (answer.status === 302)
        expect(answer.headers.get('location')).toBe('/login?error=too_many_requests&next=%2F');
      else {
        expect(answer.status).toBe(429);
        expect(answer.headers.get('retry-after')).toBe('60');
        expect(await answer.json()).toMatchObject({ code: 'too_many_requests' });
      }
      expect(counted).toEqual([{ rate: 'AUTH_LIMIT', key: own }]);
      expect(isRead).toBe(false);
    },
  );

  test.each(userLimits)(
    'too many calls of one user are refused from any network: %s, as %s',
    async (cost, route, rate) => {
      const me = await signInGuest();
      const { counted, bindings } = createRateLimits((one, key) => one === rate && key.includes('|p|'));
      const answer = await call(route, { who: me, from: '2001:db8:1:2::9', bindings });
      // Routes that are open to everyone still count per user when the caller has a session.
      expect(answer.status).toBe(429);
      // A message waits for no answer of D1 before it reaches its conversation, so the session is counted.
      const person = isVerifiedByConversation(route) ? await getSessionId(me) : me.id;
      expect(counted.at(-1)).toEqual({ rate, key: `${cost}|p|${person}` });
      expect(counted[0]?.key).toBe(`${cost}|n|2001:db8:1:2`);
    },
  );

  test.each(networkLimits)(
    'too many calls from one /48 are refused, and a /64 that has called too often does not count there: %s, as %s',
    async (cost, route, rate) => {
      const from = '2001:db8:1:2::9';
      const wider = createRateLimits((_, key) => key.includes('|w|'));
      const answer = await call(route, { from, bindings: wider.bindings });
      expect(answer.status).toBe(429);
      expect(answer.headers.get('retry-after')).toBe('60');
      expect(wider.counted).toEqual([
        { rate, key: `${cost}|n|2001:db8:1:2` },
        { rate: WIDER_RATES[rate], key: `${cost}|w|2001:db8:1` },
      ]);
      const own = createRateLimits((_, key) => key.includes('|n|'));
      expect((await call(route, { from, bindings: own.bindings })).status).toBe(429);
      expect(own.counted).toHaveLength(1);
    },
  );

  test('a rate limit applies to one network and one cost only', async () => {
    const { bindings } = createRateLimits((_, key) => key === 'search|n|203.0.113.7');
    expect((await call('GET /api/characters', { bindings })).status).toBe(429);
    expect((await call('GET /api/characters', { from: '203.0.113.8', bindings })).status).toBe(200);
    expect((await call('GET /api/models', { bindings })).status).toBe(200);
  });

  test('calls are not counted when the operator has switched the rate limits off', async () => {
    const { counted, bindings } = createRateLimits(() => true);
    expect((await call('GET /api/characters', { bindings, on: 'off' })).status).toBe(200);
    expect(counted).toEqual([]);
  });
});

describe('Platform rate limits', () => {
  test('the platform refuses the call after the last allowed one of a minute', async () => {
    const from = '198.51.100.77';
    const me = await signInGuest();
    const { limit } = RATES[RATES_BY_COST.begin.person];
    const statuses: number[] = [];
    for (let time = 0; time <= limit; time += 1)
      statuses.push((await call('POST /api/personas', { who: me, from, bindings: {} })).status);
    expect(new Set(statuses.slice(0, limit))).toEqual(new Set([400]));
    expect(statuses[limit]).toBe(429);
  });
});
