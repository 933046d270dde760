// Over 400 lines: tables of addresses that are all requested from one server.
import { expect, test } from '@playwright/test';
import { catalogue } from '../../e2e/journey.ts';
import { type Answered, leadsTo, raw } from './wire.ts';

const ORIGIN = process.env.LORELOOM_URL as string;

test.use({ baseURL: ORIGIN });

/** Text that the product or its runtimes show when they fail. */
const INSIDES =
  /node_modules|\.(?:ts|js|mjs):\d+:\d+|at async|workerd|SQLITE|D1_ERROR|Internal Server Error|AstroError|stack/i;

const EVIL = 'evil.example';

/** Removes the parts of a page that differ in each answer. */
const removeVariableParts = (body: string): string => body.replaceAll(/nonce="[^"]*"|uid="[^"]*"/g, '');

test.describe('Unusual addresses', () => {
  const TAILS = [
    '//evil.example',
    '///evil.example',
    '//evil.example/..',
    '/\\evil.example',
    '/\\/evil.example',
    '/%5cevil.example',
    '/%2f%2fevil.example',
    '/%2fevil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/./\\evil.example',
    '/;//evil.example',
    '/%09/evil.example',
    '/%0d%0aLocation:%20//evil.example',
    '/%E5%98%8A%E5%98%8DLocation:%20//evil.example',
    '/@evil.example',
    '/%40evil.example',
    '/evil.example%2f..',
    '/nl//evil.example',
    '/en//evil.example',
    '/en/%2f%2fevil.example',
    '/en/..%2f..%2fevil.example',
    '/xx/discover//evil.example',
    '/discover//evil.example',
    '/blog/rss.xml//evil.example',
    '//evil.example/blog/rss.xml',
    '//evil.example/discover',
    '//evil.example/login',
    '//evil.example/login/',
    '//evil.example/favicon.svg',
    '/\\evil.example/discover',
    '/?lng=//evil.example',
    '/en?lng=de//evil.example',
    '/discover?lng=%2f%2fevil.example&next=//evil.example',
    '/login?next=//evil.example',
    '/login?next=https:evil.example',
    '/login?next=/%5cevil.example',
    '/login?next=%09//evil.example',
    '/api/auth/google?next=//evil.example',
    '/api/auth/google?next=/%5c%5cevil.example',
    '/api/auth/google?next=https://evil.example',
    '/api/auth/google?next=javascript:alert(1)',
    '/api/auth/google/callback?state=x&next=//evil.example',
    '/unsubscribe?token=//evil.example&from=//evil.example',
    '/delete-account?token=//evil.example',
    '/messages//evil.example',
    '/character/%2f%2fevil.example',
    'http://evil.example/',
    'http://evil.example/discover',
    'https://evil.example@localhost/login',
  ];

  test('an unusual address never redirects to another site and never causes a server error', async () => {
    const redirected: string[] = [];
    for (const path of TAILS) {
      for (const method of ['GET', 'HEAD', 'POST']) {
        const answer = await raw(path, { method, headers: { origin: ORIGIN } });
        expect(`${path} ${answer.status}`).not.toMatch(/ 5\d\d$/);
        const to = leadsTo(answer);
        // The test server in Google's place is the only outside address that a sign-in redirects to.
        const isGoogles = to !== null && to.origin === new URL(process.env.LORELOOM_GOOGLE as string).origin;
        if (to !== null && !isGoogles) {
          redirected.push(path);
          expect({ path, method, host: to.host }).toEqual({ path, method, host: 'site.test' });
          expect(String(answer.headers.location)).not.toMatch(/^(?:\/[/\\]|[a-z][\w+.-]*:)/i);
        }
        if (isGoogles) expect(decodeURIComponent(to.href)).not.toContain(EVIL);
        expect(answer.headers['set-cookie']?.toString() ?? '').not.toContain(EVIL);
      }
    }
    // Some of the addresses redirect within the site.
    expect(redirected.length).toBeGreaterThan(5);
  });

  test('an unusual address never reveals files or error details', async () => {
    const odd = [
      '/../../etc/passwd',
      '/..%2f..%2fetc%2fpasswd',
      '/%2e%2e/%2e%2e/wrangler.toml',
      '/_astro/../../server/entry.mjs',
      '/_astro/..%2f..%2fserver%2fwrangler.json',
      '/media/..%2f..%2fx',
      '/media/../api/account',
      '/en/%00',
      '/en/%ff',
      '/en/%',
      '/%',
      '/%c0%ae%c0%ae/',
      '/en;jsessionid=1',
      '/en/discover;x=y',
      '/EN/Discover',
      '/en/discover/',
      '/en/./discover',
      '/en//discover',
      '/en/discover%20',
      '/en/discover%00.css',
      '/en/character-info/x%2f..%2fy',
      '/en/tag/..%2f..%2fx',
      '/api//account',
      '/api/./account',
      '//api/account',
      '/API/account',
      '/api%2faccount',
      '/api/account;x=1',
      '/api/account%2f',
      '/api/account/',
      '/api/account.css',
      '/api/account%00',
      '/api/account?.css',
      '/api\\account',
      '/api/characters/..%2faccount',
      '/.git/config',
      '/.env',
      '/.dev.vars',
      '/wrangler.toml',
      '/package.json',
      '/server/wrangler.json',
      '/_worker.js',
      '/_headers',
      '/_routes.json',
      '/sw.js.map',
      '/src/worker.ts',
      `/${'a/'.repeat(2000)}`,
      `/en/${'x'.repeat(8000)}`,
      `/?${'a=1&'.repeat(3000)}`,
      '/en?__proto__=1&constructor[prototype]=2',
      '/🦊',
      '/en/ｄｉｓｃｏｖｅｒ',
    ];
    for (const path of odd) {
      const answer = await raw(encodeURI(path).replaceAll('%25', '%').replaceAll('%5C', '\\'));
      expect(`${path.slice(0, 60)} ${answer.status}`).not.toMatch(/ 5\d\d$/);
      expect({ path: path.slice(0, 60), found: INSIDES.exec(answer.body)?.[0] }).toEqual({
        path: path.slice(0, 60),
        found: undefined,
      });
      if (/passwd|wrangler|\.git|\.env|\.dev|package\.json|_worker|_headers|_routes|\.map|src\//.test(path)) {
        expect(`${path} ${answer.status}`).toMatch(/ (?:30\d|40\d)$/);
      }
    }
  });

  test('every answer has the security headers, errors and endpoints of the framework included', async () => {
    const paths = [
      ...[
        '/',
        '/en',
        '/login',
        '/nothing/here',
        '/robots.txt',
        '/favicon.svg',
        '/api',
        '/api/nothing',
        '/api/account',
      ],
      ...[
        '/media/x',
        `/media/${'0'.repeat(32)}.png`,
        '/media/',
        '/unsubscribe',
        '/admin-reports',
        '/_astro/no.js',
      ],
      ...[
        '/_image?href=/icons/nobody.svg',
        '//_image?href=/icons/nobody.svg',
        '/%5fimage?href=/icons/nobody.svg',
      ],
      ...['/_image?href=https://evil.example/a.png', '/_server-islands/x', '/_actions/x', '/_nothing'],
    ];
    for (const path of paths) {
      for (const method of ['GET', 'POST']) {
        const { status, headers } = await raw(path, { method, headers: { origin: ORIGIN } });
        const call = `${method} ${path} ${status}`;
        expect({
          call,
          type: headers['x-content-type-options'],
          transport: headers['strict-transport-security'],
          policy: /frame-ancestors 'none'/.test(`${headers['content-security-policy']}`),
        }).toEqual({
          call,
          type: 'nosniff',
          transport: 'max-age=31536000; includeSubDomains',
          policy: true,
        });
        if (/^\/+(?:_|%5f)(?!astro)/.test(path)) expect(call).toBe(`${method} ${path} 404`);
      }
    }
  });

  test('the pages of administrators send their scripts and texts to nobody else', async () => {
    for (const name of ['reports', 'stats', 'people', 'feedback', 'competition']) {
      const { status, body } = await raw(`/admin-${name}`);
      expect(`${name} ${status}`).toBe(`${name} 404`);
      expect(body).not.toMatch(/component-url="[^"]*(?:Admin|Judging)|Moderation action/);
    }
  });

  test('an unsupported method on a page changes nothing and reveals no details', async () => {
    for (const path of ['/en', '/login', '/favicon.svg', '/media/x', '/robots.txt', '/api/account']) {
      for (const method of [
        'POST',
        'PUT',
        'PATCH',
        'DELETE',
        'OPTIONS',
        'PROPFIND',
        'TRACE',
        'LOCK',
        'PURGE',
      ]) {
        const answer = await raw(path, {
          method,
          headers: { origin: ORIGIN, 'x-secret': 'echoed-by-trace' },
        }).catch(() => null);
        // The platform answers some of these methods itself.
        if (answer === null) continue;
        expect(`${method} ${path} ${answer.status}`).not.toMatch(/ 5(?!01)\d\d$/);
        expect(answer.body).not.toContain('echoed-by-trace');
        expect(answer.headers['access-control-allow-origin']).toBeUndefined();
      }
    }
  });
});

test.describe('Unexpected headers', () => {
  const HEADERS: Record<string, string>[] = [
    { 'x-forwarded-host': EVIL },
    { 'x-forwarded-host': `${EVIL}:443`, 'x-forwarded-proto': 'https', 'x-forwarded-port': '443' },
    { 'x-host': EVIL, 'x-forwarded-server': EVIL, 'x-http-host-override': EVIL },
    { forwarded: `host=${EVIL};proto=https` },
    { 'x-forwarded-scheme': 'http', 'x-forwarded-proto': 'http' },
    { 'x-original-url': '/admin-stats' },
    { 'x-rewrite-url': '/admin-stats' },
    { 'x-original-host': EVIL, 'x-real-ip': '127.0.0.1', 'x-forwarded-for': '127.0.0.1' },
    { 'x-http-method-override': 'DELETE' },
    { 'x-method-override': 'POST', 'x-http-method': 'PUT' },
    { 'x-forwarded-prefix': `//${EVIL}`, 'x-base-url': `//${EVIL}` },
    {
      'x-middleware-subrequest': 'middleware',
      'x-astro-path': '/admin-stats',
      'x-astro-locals': '{"user":"admin"}',
    },
    { 'x-invoke-path': '/admin-stats', 'x-matched-path': '/admin-stats' },
    { 'accept-encoding': 'evil', 'accept-charset': EVIL },
    { 'user-agent': `<script>${EVIL}</script>` },
    { referer: `https://${EVIL}/"><script>` },
    { origin: `https://${EVIL}` },
    { cookie: `lang="><script>${EVIL}</script>; theme=${EVIL}` },
    { 'accept-language': `"><script>${EVIL}</script>` },
    { 'x-wap-profile': `http://${EVIL}/wap.xml`, 'cf-connecting-ip': '127.0.0.1' },
  ];

  test('an unexpected header does not change a public page in a shared cache', async ({ request }) => {
    const [character] = await catalogue(request, 1);
    for (const path of [
      '/en',
      '/en/discover',
      `/en/character-info/${character?.id}`,
      '/en/blog',
      '/robots.txt',
      '/sitemap.xml',
      '/en/manifest.webmanifest',
      '/en/blog/rss.xml',
    ]) {
      for (const headers of HEADERS) {
        // Other tests change the lists at the same time, so repeat until both answers agree.
        await expect(async () => {
          const [plain, withHeaders] = [await raw(path), await raw(path, { headers })];
          expect(withHeaders.status).toBe(plain.status);
          expect(withHeaders.body).not.toContain(EVIL);
          expect(removeVariableParts(withHeaders.body)).toBe(removeVariableParts(plain.body));
          expect(withHeaders.headers['cloudflare-cdn-cache-control']).toBe(
            plain.headers['cloudflare-cdn-cache-control'],
          );
        }).toPass({ timeout: 20_000 });
      }
    }
  });

  test('an unexpected header is never echoed and grants no access', async () => {
    for (const headers of HEADERS) {
      for (const path of [
        '/',
        '/discover',
        '/login',
        '/en/nothing-here',
        '/admin-stats',
        '/api/account',
        '/api/nothing',
        '/api/admin/stats',
      ]) {
        const answer: Answered = await raw(path, { headers });
        expect(
          `${path} ${JSON.stringify(headers)} ${JSON.stringify(answer.headers)}`.replace(
            JSON.stringify(headers),
            '',
          ),
        ).not.toContain(EVIL);
        expect(answer.body).not.toContain(EVIL);
        if (path.startsWith('/api/a')) expect([path, answer.status]).toEqual([path, 401]);
      }
    }
  });

  test('a method override header is ignored', async () => {
    for (const name of ['x-http-method-override', 'x-method-override', 'x-http-method', '_method']) {
      const answer = await raw('/api/auth/anonymous?_method=POST', { headers: { [name]: 'POST' } });
      expect([name, answer.status, answer.headers['set-cookie']]).toEqual([name, 404, undefined]);
    }
  });

  test('an answer to a foreign host name is not shared by caches and does not redirect there', async () => {
    for (const path of ['/en', '/', '/discover', '/robots.txt', '/sitemap.xml', '/login']) {
      const answer = await raw(path, { headers: { host: EVIL } });
      expect(`${path} ${answer.status}`).not.toMatch(/ 5\d\d$/);
      const shared = String(
        answer.headers['cloudflare-cdn-cache-control'] ?? answer.headers['cache-control'] ?? '',
      );
      expect([path, shared]).toEqual([path, expect.stringMatching(/no-store|private/)]);
      if (answer.headers.location !== undefined) expect(String(answer.headers.location)).not.toContain(EVIL);
    }
  });
});

test.describe('Response headers', () => {
  const TYPES: [string, RegExp][] = [
    ['/en', /^text\/html; ?charset=utf-8$/i],
    ['/en/discover', /^text\/html; ?charset=utf-8$/i],
    ['/en/nothing-here', /^text\/html; ?charset=utf-8$/i],
    ['/login', /^text\/html; ?charset=utf-8$/i],
    ['/robots.txt', /^text\/plain; ?charset=utf-8$/i],
    ['/sitemap.xml', /^(?:application|text)\/xml; ?charset=utf-8$/i],
    ['/en/blog/rss.xml', /^(?:application|text)\/(?:rss\+)?xml(?:; ?charset=utf-8)?$/i],
    ['/en/manifest.webmanifest', /^application\/manifest\+json/],
    ['/favicon.svg', /^image\/svg\+xml/],
    ['/sw.js', /^(?:text|application)\/javascript/],
    ['/api/health', /^application\/json/],
    ['/api/nothing', /^application\/json/],
  ];

  test('every answer has its content type, nosniff and HSTS, and does not name its software', async () => {
    for (const [path, type] of TYPES) {
      const { headers } = await raw(path);
      expect([path, headers['content-type']]).toEqual([path, expect.stringMatching(type)]);
      expect([path, headers['x-content-type-options']]).toEqual([path, 'nosniff']);
      expect([path, headers['strict-transport-security']]).toEqual([
        path,
        'max-age=31536000; includeSubDomains',
      ]);
      expect([path, headers['content-security-policy']]).toEqual([
        path,
        expect.stringContaining("frame-ancestors 'none'"),
      ]);
      for (const name of ['server', 'x-powered-by', 'x-astro-version', 'via', 'x-runtime'])
        expect([path, name, headers[name]]).toEqual([path, name, undefined]);
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  test('a file of the build has the same security headers', async () => {
    const { body } = await raw('/en');
    const files = [
      ...new Set([...body.matchAll(/(?:src|href)="(\/_astro\/[^"]+)"/g)].map(([, path]) => path as string)),
    ];
    expect(files.length).toBeGreaterThan(2);
    for (const path of [...files.slice(0, 6), '/icons/icon-192.png']) {
      const { status, headers } = await raw(path);
      if (status === 404) continue;
      expect([
        path,
        headers['x-content-type-options'],
        headers['strict-transport-security'],
        headers['content-security-policy'],
      ]).toEqual([
        path,
        'nosniff',
        'max-age=31536000; includeSubDomains',
        expect.stringContaining("frame-ancestors 'none'"),
      ]);
    }
  });

  test('a page has a strict content security policy', async () => {
    for (const path of [
      '/en',
      '/login',
      '/account',
      '/en/nothing-here',
      '/messages/x',
      '/admin-stats',
      '/about',
    ]) {
      const { headers } = await raw(path);
      // It must be in the response header, because browsers ignore frame rules inside a page.
      const policy = String(headers['content-security-policy']);
      const rules = new Map(
        policy
          .split(';')
          .map((rule) => rule.trim().split(/\s+/))
          .map(([name, ...values]) => [name, values.join(' ')]),
      );
      expect([
        path,
        rules.get('object-src'),
        rules.get('base-uri'),
        rules.get('frame-ancestors'),
        rules.get('form-action'),
        rules.get('default-src'),
      ]).toEqual([path, "'none'", "'none'", "'none'", "'self'", "'self'"]);
      expect(rules.get('script-src') ?? '').not.toMatch(/unsafe-inline|unsafe-eval|data:|\*|https?:(?:\s|$)/);
      expect(rules.get('style-src') ?? '').not.toMatch(/unsafe-inline|\*/);
      expect([path, headers['x-frame-options'], headers['cross-origin-opener-policy']]).toEqual([
        path,
        'DENY',
        'same-origin-allow-popups',
      ]);
      expect(headers['referrer-policy']).toBe('strict-origin-when-cross-origin');
    }
  });

  test('an answer with personal data is not stored by caches', async ({ request }) => {
    await request.post(`${ORIGIN}/api/auth/anonymous`);
    for (const path of [
      '/api/account',
      '/api/auth/status',
      '/api/chats',
      '/api/points',
      '/api/account/export?format=json',
    ]) {
      const answer = await request.get(ORIGIN + path);
      expect([path, answer.headers()['cache-control']]).toEqual([path, 'private, no-store']);
    }
  });

  test('a personal address that looks like a file is not stored by caches', async () => {
    for (const path of [
      '/api/account/x.css',
      '/api/account.js',
      '/api/account/%2e%2e/x.png',
      '/account/x.css',
      '/account.css',
      '/messages/x.png',
      '/chats/search/x.js',
    ]) {
      const answer = await raw(path);
      expect([path, answer.status]).toEqual([path, expect.any(Number)]);
      const shared = String(
        answer.headers['cloudflare-cdn-cache-control'] ?? answer.headers['cache-control'] ?? '',
      );
      expect([path, shared]).toEqual([path, expect.stringMatching(/no-store|private/)]);
    }
  });
});

test('security.txt names a contact and an expiry date', async () => {
  const { status, headers, body } = await raw('/.well-known/security.txt');
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  const fields = new Map(
    body
      .trimEnd()
      .split('\n')
      .map((line) => line.split(': ', 2) as [string, string]),
  );
  expect(Object.fromEntries(fields)).toEqual({
    Contact: 'mailto:support@localhost.test',
    Expires: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T00:00:00\.000Z$/),
    'Preferred-Languages': 'en',
    Canonical: `${ORIGIN}/.well-known/security.txt`,
  });
  const days = (Date.parse(fields.get('Expires') as string) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(170);
  expect(days).toBeLessThan(365);
});
