// Over 400 lines: rules that hold for every route and answer, tested with one list of routes.
import { env, exports } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import packageInfo from '../../../package.json' with { type: 'json' };
import { api } from '../../../src/api/app.ts';
import { uploadTestPicture, createOwnCharacter } from '../../support/character-actions.ts';
import {
  buildOperationPath,
  isMutation,
  listOperations,
  isWebhook,
  readOpenApi,
} from '../../support/openapi-operations.ts';
import {
  startConversation,
  signInGuest,
  listMessages,
  createTurnId,
  ORIGIN,
  getPoints,
  sendMessage,
  createAccount,
  Visitor,
} from '../../support/factories.ts';
import { createUniquePicture } from '../../support/pictures.ts';

/** Lists the routes that the app has, such as `GET /api/models`. */
function listExistingRoutes(): string[] {
  return [
    ...new Set(
      api.routes.filter(({ method }) => method !== 'ALL').map(({ method, path }) => `${method} ${path}`),
    ),
  ];
}

describe('OpenAPI document', () => {
  test('the OpenAPI document is OpenAPI 3.1 and lists exactly the routes of the app', async () => {
    const document = await readOpenApi();
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.info).toMatchObject({ title: 'Loreloom API', version: expect.any(String) });
    const documented = (await listOperations()).map(({ method, path }) => `${method} /api${path}`);
    const existing = listExistingRoutes()
      .map((route) => route.replaceAll(/:(\w+)/g, '{$1}').replace(/\/$/, ''))
      // Except the document itself and the page that renders it.
      .filter((route) => !['GET /api/openapi.json', 'GET /api/docs'].includes(route));
    expect(documented.toSorted()).toEqual(existing.toSorted());
  });

  test('the OpenAPI document names the session cookie as the requested origin uses it', async () => {
    const context = { waitUntil: () => undefined, passThroughOnException: () => undefined };
    const readSecuritySchemes = async (origin: string) => {
      const request = new Request(`${origin}/api/openapi.json`);
      const answer = await api.fetch(request, env, context as unknown as ExecutionContext);
      const { components } = await answer.json<{ components: { securitySchemes: object } }>();
      return components.securitySchemes;
    };
    const session = { type: 'apiKey', in: 'cookie' };
    expect(await readSecuritySchemes('https://loreloom.test')).toEqual({
      session: { ...session, name: '__Host-session' },
    });
    expect(await readSecuritySchemes('http://localhost:8787')).toEqual({
      session: { ...session, name: 'session' },
    });
  });

  test("the OpenAPI document's server and paths combine to existing addresses", async () => {
    const document = await readOpenApi();
    const base = document.servers?.[0]?.url ?? '';
    for (const path of Object.keys(document.paths).filter(
      (one) => !one.includes('{') && document.paths[one]?.get,
    )) {
      const answer = await new Visitor().call(base + path);
      expect({ path: base + path, status: answer.status }).toSatisfy(({ status }) =>
        [200, 302, 400, 401].includes(status),
      );
    }
  });

  test("the document declares the time zone header exactly on the routes that count by the user's day", async () => {
    const { paths } = await readOpenApi();
    const zonedRoutes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { parameters = [] }]) =>
          parameters.some((one) => one.in === 'header' && one.name === 'x-time-zone'),
        )
        .map(([method]) => `${method.toUpperCase()} ${path.replace(/^\/api(?=\/)/, '')}`),
    );
    expect(zonedRoutes.toSorted()).toEqual([
      'GET /points',
      'POST /characters/test-chat',
      'POST /conversations/{id}/impersonate',
      'POST /conversations/{id}/messages',
      'POST /conversations/{id}/messages/{mid}/continue',
      'POST /conversations/{id}/messages/{mid}/regenerate',
      'POST /conversations/{id}/reply',
      'POST /conversations/{id}/suggestions',
      'POST /points/check-availability',
    ]);
  });

  test('the OpenAPI document describes every error with its real shape', async () => {
    for (const { method, path, responses } of await listOperations()) {
      for (const [status, response] of Object.entries(responses)) {
        if (status !== 'default' && Number(status) < 400) continue;
        expect({ method, path, status, response }).toMatchObject({
          response: {
            content: {
              'application/json': {
                schema: {
                  required: ['error', 'code'],
                  properties: { error: { type: 'string' }, code: { type: 'string' } },
                },
              },
            },
          },
        });
      }
    }
  });
});

describe('API answers', () => {
  const expectSecurityHeaders = (what: string, { headers }: Response): void => {
    expect({ what, id: headers.get('x-request-id') }).toMatchObject({
      what,
      id: expect.stringMatching(/^[\w-]{8,}$/),
    });
    // The status is the same for all users, so caches may keep this one answer for a minute.
    const cache = what === 'GET /status 200' ? 'public, max-age=60, stale-if-error=0' : 'private, no-store';
    expect({ what, cache: headers.get('cache-control') }).toEqual({ what, cache });
    expect({ what, type: headers.get('x-content-type-options') }).toEqual({ what, type: 'nosniff' });
    expect({ what, frames: headers.get('x-frame-options') }).toMatchObject({
      frames: expect.stringMatching(/SAMEORIGIN|DENY/),
    });
    expect({ what, referrer: headers.get('referrer-policy') }).toMatchObject({
      referrer: expect.any(String),
    });
    expect(headers.get('strict-transport-security')).toMatch(/^max-age=31536000; includeSubDomains$/);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('access-control-allow-origin')).toBeNull();
    expect(headers.get('x-powered-by')).toBeNull();
  };

  test('every API answer is private and has a request id and the security headers, whatever its status', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    for (const operation of await listOperations()) {
      const what = `${operation.method} ${operation.path}`;
      for (const visitor of [new Visitor(), await signInGuest()]) {
        const answer = await visitor.call(buildOperationPath(operation, { id, mid: 'unknown' }), {
          method: operation.method,
          ...(operation.body === null ? {} : { json: {} }),
        });
        expectSecurityHeaders(`${what} ${answer.status}`, answer);
        expect(answer.status).toBeLessThan(500);
        await answer.body?.cancel();
      }
    }
    const stream = await me.call(`/api/conversations/${id}/messages`, {
      json: { content: 'x', client_message_id: createTurnId() },
    });
    expectSecurityHeaders('events', stream);
    await stream.text();
    expectSecurityHeaders('openapi.json', await me.call('/api/openapi.json'));
  });

  test('every API answer has its own request id', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => new Visitor().call('/api/models')));
    expect(new Set(answers.map(({ headers }) => headers.get('x-request-id'))).size).toBe(3);
  });

  test('an unknown address under /api answers 404 in JSON', async () => {
    for (const path of [
      '/api',
      '/api/',
      '/api/nothing',
      '/api/conversations/a/b/c/d',
      '/api/%00',
      '/api/characters/',
      '/api/__proto__',
      '/api/OPENAPI.json',
      `/api/${'x'.repeat(10_000)}`,
    ]) {
      for (const method of ['GET', 'POST', 'DELETE', 'PROPFIND']) {
        const answer = await new Visitor().call(path, { method });
        expectSecurityHeaders(`${method} ${path}`, answer);
        expect({ path, status: answer.status, body: await answer.json() }).toEqual({
          path,
          status: 404,
          body: { error: 'The requested resource was not found.', code: 'not_found' },
        });
      }
    }
  });

  test('an unsupported method is refused in JSON', async () => {
    for (const [method, path] of [
      ['PUT', '/api/models'],
      ['DELETE', '/api/points'],
      ['GET', '/api/logout'],
      ['PATCH', '/api/chats'],
    ] as const) {
      const answer = await new Visitor().call(path, { method });
      expect([404, 405]).toContain(answer.status);
      expect(await answer.json()).toMatchObject({ error: expect.any(String), code: expect.any(String) });
    }
  });

  test('an answer to HEAD has no body', async () => {
    const answer = await new Visitor().call('/api/models', { method: 'HEAD' });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe('');
  });
});

describe('Cross-site calls', () => {
  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://loreloom.test' },
    { origin: 'https://loreloom.test:8443' },
    { origin: 'https://loreloom.test.evil.example' },
    { origin: 'https://sub.loreloom.test' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
  ];

  test("a cross-site call changes nothing on any route, even with the user's cookie", async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    await sendMessage(me, id);
    const before = [await listMessages(me, id), await getPoints(me), await me.ask('/api/auth/status')];
    const mid = (await listMessages(me, id)).at(-1)?.id as string;
    const mutations = (await listOperations()).filter((one) => isMutation(one) && !isWebhook(one));
    for (const operation of mutations) {
      for (const headers of foreign) {
        const answer = await me.call(buildOperationPath(operation, { id, mid }), {
          method: operation.method,
          headers,
          ...(operation.body === null
            ? {}
            : { json: { content: 'x', client_message_id: createTurnId(), title: 'x' } }),
        });
        expect({ path: operation.path, headers, status: answer.status, body: await answer.json() }).toEqual({
          path: operation.path,
          headers,
          status: 403,
          body: { error: 'This request came from another site.', code: 'cross_origin' },
        });
        expect(answer.headers.get('set-cookie')).toBeNull();
      }
    }
    expect([await listMessages(me, id), await getPoints(me), await me.ask('/api/auth/status')]).toEqual(
      before,
    );
  });

  test('calls from the site itself, from programs and from the address bar are not cross-site', async () => {
    const own: Record<string, string>[] = [
      { origin: ORIGIN },
      { origin: ORIGIN, 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
      {},
    ];
    for (const headers of own) {
      const answer = await new Visitor().call('/api/auth/anonymous', { method: 'POST', headers });
      expect({ headers, status: answer.status }).toEqual({ headers, status: 201 });
    }
  });

  test('a cross-site call may read public data', async () => {
    const answer = await new Visitor().call('/api/models', {
      headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    });
    expect(answer.status).toBe(200);
  });
});

describe('Public routes', () => {
  test('only public routes answer without a session; all others answer 401', async () => {
    const publicRoutes = [
      'GET /auth/status',
      'POST /auth/send-login-code',
      'POST /auth/login-with-code',
      'POST /auth/passkey-options',
      'POST /auth/login-with-passkey',
      'POST /auth/anonymous',
      'GET /auth/google',
      'GET /auth/google/callback',
      'POST /auth/google/callback',
      'POST /logout',
      'POST /account/age-check',
      'GET /characters',
      'GET /characters/suggestions',
      'GET /characters/{id}',
      'GET /characters/{id}/card',
      'GET /competition',
      'GET /creators/{id}',
      'GET /invites/{code}',
      'GET /models',
      'GET /plans',
      'POST /feedback',
      'POST /page-views',
      'GET /health',
      'GET /status',
    ];
    const found: string[] = [];
    for (const operation of await listOperations()) {
      if (isWebhook(operation)) continue;
      const { method } = operation;
      const bodies =
        method === 'GET' ? [{}] : [{}, { body: '{}', headers: { 'content-type': 'text/plain' } }];
      for (const sent of bodies) {
        const { status } = await new Visitor().call(buildOperationPath(operation, { id: 'unknown' }), {
          method,
          ...sent,
        });
        const name = `${method} ${operation.path}`;
        if (status !== 401) found.push(name);
        else expect(publicRoutes).not.toContain(name);
      }
    }
    expect([...new Set(found)].toSorted()).toEqual(publicRoutes.toSorted());
  });

  test("the health route returns the product's version", async () => {
    expect(await new Visitor().ask('/api/health')).toEqual({ ok: true, version: packageInfo.version });
  });

  const failImmediately = () => Promise.reject(new Error('secret detail'));
  const neverAnswer = () => new Promise(() => {});
  const BROKEN_STORES = {
    database: (how: () => Promise<unknown>) => ({ DB: { prepare: () => ({ first: how }) } }),
    keys: (how: () => Promise<unknown>) => ({ KV: { get: how } }),
    objects: (how: () => Promise<unknown>) => ({
      WALLETS: { idFromName: () => '', get: () => ({ ping: how }) },
    }),
  };

  /** @param broken bindings that replace the working ones */
  async function fetchHealth(broken: Record<string, unknown>): Promise<Response> {
    const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} };
    return api.fetch(
      new Request(`${ORIGIN}/api/health`),
      { ...env, ...broken } as unknown as Env,
      context as unknown as ExecutionContext,
    );
  }

  test.each(['database', 'keys', 'objects'] as const)(
    'the health route names only %s when it fails',
    async (store) => {
      const answer = await fetchHealth(BROKEN_STORES[store](failImmediately));
      expect(answer.status).toBe(503);
      expect(await answer.json()).toEqual({
        error: expect.any(String),
        code: 'dependencies_down',
        failed: [store],
      });
      expect(answer.headers.get('x-request-id')).not.toBeNull();
    },
  );

  test('the health route names every store that does not answer', async () => {
    const { database, keys, objects } = BROKEN_STORES;
    const stores = [
      database(neverAnswer),
      keys(neverAnswer),
      objects(neverAnswer),
      { ...database(failImmediately), ...objects(neverAnswer) },
    ];
    const answers = await Promise.all(stores.map(fetchHealth));
    const bodies = await Promise.all(answers.map((answer) => answer.json<{ failed: string[] }>()));
    expect(bodies.map(({ failed }) => failed)).toEqual([
      ['database'],
      ['keys'],
      ['objects'],
      ['database', 'objects'],
    ]);
  });
});

describe('Rate limits by network address', () => {
  test('a rate limit applies where it is on, and the answer says how long to wait', async () => {
    const limited = { ...env, RATE_LIMITS: 'on' };
    const context = {
      waitUntil: () => undefined,
      passThroughOnException: () => undefined,
      props: {},
    } as unknown as ExecutionContext;
    const call = (address: string) =>
      api.fetch(
        new Request(`${ORIGIN}/api/auth/login-with-code`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'cf-connecting-ip': address },
          body: JSON.stringify({ email: 'guessed@example.test', code: '000000' }),
        }),
        limited,
        context,
      );
    const answers: Response[] = [];
    for (let index = 0; index < 21; index += 1) answers.push(await call('203.0.113.7'));
    expect(answers.slice(0, 20).map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 400));
    expect(answers[20]?.status).toBe(429);
    expect(answers[20]?.headers.get('retry-after')).toBe('60');
    expect(await answers[20]?.json()).toMatchObject({ code: 'too_many_requests' });
    expect((await call('203.0.113.8')).status).toBe(400);
  });
});

describe('Pictures', () => {
  const get = (path: string, headers: Record<string, string> = {}) =>
    exports.default.fetch(ORIGIN + path, { headers });

  test('a picture is served unchanged, cached permanently, with headers that block scripts', async () => {
    const maker = await createAccount();
    const key = await uploadTestPicture(maker, createUniquePicture(3));
    await createOwnCharacter(maker, { avatar_id: key });
    const answer = await get(`/media/${key}`);
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(createUniquePicture(3));
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/gif',
      'cache-control': expect.stringMatching(/^public, max-age=31536000,.* immutable$/),
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'strict-transport-security': expect.stringMatching(/^max-age=31536000;/),
      etag: expect.stringMatching(/^"/),
    });
    const again = await get(`/media/${key}`, { 'if-none-match': answer.headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
  });

  test('an unknown picture is not found, whatever its name', async () => {
    for (const name of [
      `${'b'.repeat(32)}.png`,
      '..%2fsecret',
      'x.png',
      `${'a1'.repeat(16)}.png.exe`,
      '%00',
      `${'a'.repeat(10_000)}.png`,
    ]) {
      const answer = await get(`/media/${name}`);
      expect({ name, status: answer.status }).toEqual({ name, status: 404 });
    }
  });
});
