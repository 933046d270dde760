import { env } from 'cloudflare:workers';
import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import { api } from '../../../../src/api/app.ts';
import type { RateName } from '../../../../src/api/middleware/rate-limits.ts';
import { limitPages } from '../../../../src/api/middleware/page-limit.ts';
import { respondWithError } from '../../../../src/api/middleware/problems.ts';
import { ORIGIN } from '../../../support/factories.ts';

const context = {
  waitUntil: () => undefined,
  passThroughOnException: () => undefined,
} as unknown as ExecutionContext;

/** The page rate limit in front of an empty app, on a platform that refuses the keys that the test names. */
function createLimitedSite(refuses: (key: string) => boolean, on = 'on') {
  const counted: [RateName, string][] = [];
  const names: RateName[] = ['LIMIT_600', 'LIMIT_3000'];
  const bindings = Object.fromEntries(
    names.map((rate) => [
      rate,
      {
        limit: async ({ key }: { key: string }) => {
          counted.push([rate, key]);
          return { success: !refuses(key) };
        },
      },
    ]),
  );
  const siteEnv = { ...env, RATE_LIMITS: on, ...bindings } as unknown as Env;
  let rendered = 0;
  const app = new Hono<{ Bindings: Env }>()
    .use(limitPages)
    .all('*', (c) => {
      rendered += 1;
      return c.text('drawn');
    })
    .onError((error, c) => respondWithError(error, c as never));
  const ask = async (path: string, headers: Record<string, string> = {}) =>
    app.fetch(
      new Request(`${ORIGIN}${path}`, { headers: { 'cf-connecting-ip': '203.0.113.7', ...headers } }),
      siteEnv,
      context,
    );
  return { ask, counted, siteEnv, rendered: () => rendered };
}

describe('Page rate limits', () => {
  test.each([
    ['/en/discover?q=lamp', 'LIMIT_600', 'search|n|203.0.113.7'],
    ['/de/tag/fantasy?q=lamp&sort=new', 'LIMIT_600', 'search|n|203.0.113.7'],
    ['/en/discover?cursor=made-up', 'LIMIT_600', 'search|n|203.0.113.7'],
    ['/en/discover', 'LIMIT_3000', 'page|n|203.0.113.7'],
    ['/en/character-info/made-up?x=1', 'LIMIT_3000', 'page|n|203.0.113.7'],
    [`/media/${'0'.repeat(32)}.webp`, 'LIMIT_3000', 'picture|n|203.0.113.7'],
  ])(
    'pages and pictures are counted for their network before they are rendered: %s as %s',
    async (path, rate, key) => {
      const { ask, counted, rendered } = createLimitedSite(() => false);
      expect(await (await ask(path)).text()).toBe('drawn');
      expect(counted).toEqual([[rate, key]]);
      const limited = createLimitedSite((one) => one === key);
      const answer = await limited.ask(path);
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '60']);
      expect([rendered(), limited.rendered()]).toEqual([1, 0]);
    },
  );

  test('searches on pages and through the API share one count', async () => {
    const { siteEnv, counted, ask } = createLimitedSite(() => false);
    await ask('/en/discover?q=lamp');
    const request = new Request(`${ORIGIN}/api/characters?q=lamp`, {
      headers: { 'cf-connecting-ip': '203.0.113.7' },
    });
    expect((await api.fetch(request, siteEnv, context)).status).toBe(200);
    expect(counted[0]).toEqual(['LIMIT_600', 'search|n|203.0.113.7']);
    expect(counted[1]).toEqual(counted[0]);
  });

  test('a refused page is in the reader’s language and is not cached', async () => {
    const { ask } = createLimitedSite(() => true);
    const german = await ask('/de/discover?q=lamp');
    expect(german.headers.get('cache-control')).toBe('private, no-store');
    expect(german.headers.get('content-type')).toMatch(/^text\/html; charset=utf-8$/i);
    expect(german.headers.get('content-security-policy')).toContain("default-src 'none'");
    const text = await german.text();
    expect(text).toContain('<html lang="de">');
    expect(text).toContain('Das war viel auf einmal. Bitte warte einen Moment und versuche es noch einmal.');
    // A path without a language uses the reader’s own language.
    const french = await (await ask('/discover?q=<b>', { 'accept-language': 'fr' })).text();
    expect(french).toContain('<html lang="fr">');
    expect(french).not.toContain('<b>');
    const picture = await ask('/media/none');
    expect(await picture.json()).toMatchObject({ code: 'too_many_requests' });
  });

  test('pages are not counted when the operator has switched the rate limits off', async () => {
    const { ask, counted } = createLimitedSite(() => true, 'off');
    expect((await ask('/en/discover?q=lamp')).status).toBe(200);
    expect(counted).toEqual([]);
  });
});
