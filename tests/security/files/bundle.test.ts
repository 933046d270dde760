import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = new URL('../../../', import.meta.url).pathname;

/** Reads the text files of a build, by their paths in it. */
function readBuild(dir: string): [string, string][] {
  const folder = join(root, dir);
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(?:woff2|webp|png|avif)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]);
}

const builds = [
  ['for this machine', process.env.SECURITY_OUT_DIR || '.wrangler/test/dist'],
  ['for others', process.env.SECURITY_PRODUCTION_DIR || ''],
].filter(([, dir]) => dir !== '' && existsSync(join(root, dir as string, 'client'))) as [string, string][];

/** Keys and passwords in the formats of their issuers. */
const KEYS = [
  /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/,
  /\bgh[pousr]_[A-Za-z0-9]{36}\b/,
  /\bgithub_pat_\w{40,}/,
  /\bsk-(?:proj-|ant-)?[A-Za-z0-9_-]{24,}/,
  /\bsk_(?:live|test)_[0-9a-zA-Z]{24,}/,
  /\bAIza[0-9A-Za-z_-]{35}\b/,
  /\bya29\.[0-9A-Za-z_-]{30,}/,
  /\bGOCSPX-[\w-]{20,}/,
  /\bxox[abpr]-[0-9A-Za-z-]{10,}/,
  /\bA21AA[\w-]{40,}/,
  /\beyJ[\w-]{20,}\.eyJ[\w-]{20,}\.[\w-]{20,}/,
  /(?:AUTH_SECRET|API_KEY|CLIENT_SECRET|CACHE_PURGE_SECRET|AGE_CHECK_SECRET)\\?["']?\s*[:=]\s*\\?["'][^"'\s$]{12,}["']/,
];

/** Names of secrets, which browsers never need. */
const SECRET_NAMES =
  /AUTH_SECRET|_API_KEY|CLIENT_SECRET|PURGE_SECRET|AGE_CHECK_SECRET|ADMIN_EMAILS|MODERATION_|PAYPAL_WEBHOOK_ID|readEnvironment/;

test('there is a build to check', () => {
  expect(builds.length).toBeGreaterThan(0);
  if (process.env.SECURITY_PRODUCTION_DIR) expect(builds.map(([what]) => what)).toContain('for others');
});

describe.each(builds)('Build %s', (what, dir) => {
  const files = readBuild(dir);
  const client = files.filter(([path]) => path.startsWith('client/'));

  test('the build contains no key or password', () => {
    const found = files.flatMap(([path, text]) =>
      KEYS.flatMap((key) => (key.test(text) ? [`${path}: ${key.exec(text)?.[0].slice(0, 40)}`] : [])),
    );
    expect(found).toEqual([]);
    const own = join(root, '.wrangler/state/auth-secret');
    const secret = existsSync(own) ? readFileSync(own, 'utf8').trim() : 'none';
    expect(
      files.filter(([, text]) => secret.length > 16 && text.includes(secret)).map(([path]) => path),
    ).toEqual([]);
  });

  test('the browser files name no secret and contain no source maps or sources', () => {
    expect(
      client
        .filter(
          ([path, text]) => /\.(?:js|css|html|json|svg|webmanifest)$/.test(path) && SECRET_NAMES.test(text),
        )
        .map(([path]) => path),
    ).toEqual([]);
    expect(
      client
        .filter(([path]) => /\.map$|\.tsx?$|\.astro$|\.env|\.toml$|\.sql$|\.git/.test(path))
        .map(([path]) => path),
    ).toEqual([]);
    expect(
      client.filter(([, text]) => /sourceMappingURL=|sourcesContent/.test(text)).map(([path]) => path),
    ).toEqual([]);
  });

  test('the browser files contain no path of the build machine', () => {
    const machine = new RegExp(`${root.replaceAll('/', '\\/')}|\\/root\\/|\\/home\\/\\w+\\/`);
    expect(client.filter(([, text]) => machine.test(text)).map(([path]) => path)).toEqual([]);
    const variables = files.filter(([path]) => /(?:^|\/)\.(?:dev\.vars|env)/.test(path));
    expect(variables.map(([path]) => path)).toEqual([]);
  });

  test('the browser scripts contain no eval and no code built from text', () => {
    const scripts = client.filter(([path]) => path.endsWith('.js'));
    expect(scripts.length).toBeGreaterThan(10);
    expect(
      scripts
        .filter(([, text]) => /\beval\(|new Function\(|[=,]Function[;,)]|importScripts\(/.test(text))
        .map(([path]) => path),
    ).toEqual([]);
  });

  if (what === 'for others') {
    test('the production build contains no test login, gallery or test users', () => {
      const traces = [
        'auth/test-login',
        'reader@localhost.test',
        'Sign in as a test user; only in local builds',
        'newcomer-',
        '/test-login',
      ];
      // Source maps contain the sources for error reports and are not served.
      const executed = files.filter(([path]) => !/^server\/.*\.map$/.test(path));
      const found = executed.flatMap(([path, text]) =>
        traces
          .filter(
            (trace) => text.includes(trace) && !(trace === '/test-login' && !path.includes('test-login')),
          )
          .map((trace) => `${path}: ${trace}`),
      );
      expect(found).toEqual([]);
      expect(files.filter(([path]) => /test-login|gallery/i.test(path)).map(([path]) => path)).toEqual([]);
    });
  }
});
