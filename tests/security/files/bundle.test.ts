import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = new URL('../../../', import.meta.url).pathname;

/** A build's files as text, by their paths in it. */
function filesOf(dir: string): [string, string][] {
  const at = join(root, dir);
  return readdirSync(at, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(?:woff2|webp|png|avif)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [path.slice(at.length + 1), readFileSync(path, 'utf8')]);
}

const builds = [
  ['for this machine', process.env.SECURITY_OUT_DIR || '.wrangler/test/dist'],
  ['for others', process.env.SECURITY_PRODUCTION_DIR || ''],
].filter(([, dir]) => dir !== '' && existsSync(join(root, dir as string, 'client'))) as [string, string][];

/** Keys and passwords as their makers write them. */
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

/** What names a secret: browsers have no use for it. */
const NAMES =
  /AUTH_SECRET|_API_KEY|CLIENT_SECRET|PURGE_SECRET|AGE_CHECK_SECRET|ADMIN_EMAILS|MODERATION_|PAYPAL_WEBHOOK_ID|readEnvironment/;

test('There is a build to look through', () => {
  expect(builds.length).toBeGreaterThan(0);
  if (process.env.SECURITY_PRODUCTION_DIR) expect(builds.map(([what]) => what)).toContain('for others');
});

describe.each(builds)('The build %s', (what, dir) => {
  const files = filesOf(dir);
  const client = files.filter(([path]) => path.startsWith('client/'));

  test('holds no key and no password, neither of this machine nor of anybody', () => {
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

  test('gives browsers nothing that names a secret, and no way back to the sources', () => {
    expect(
      client
        .filter(([path, text]) => /\.(?:js|css|html|json|svg|webmanifest)$/.test(path) && NAMES.test(text))
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

  test('tells nothing of the machine that it was made on', () => {
    const machine = new RegExp(`${root.replaceAll('/', '\\/')}|\\/root\\/|\\/home\\/\\w+\\/`);
    expect(client.filter(([, text]) => machine.test(text)).map(([path]) => path)).toEqual([]);
    const variables = files.filter(([path]) => /(?:^|\/)\.(?:dev\.vars|env)/.test(path));
    expect(variables.map(([path]) => path)).toEqual([]);
  });

  test('has its scripts run only what it brought: no eval, no worker out of text', () => {
    const scripts = client.filter(([path]) => path.endsWith('.js'));
    expect(scripts.length).toBeGreaterThan(10);
    expect(
      scripts
        .filter(([, text]) => /\beval\(|new Function\(|[=,]Function[;,)]|importScripts\(/.test(text))
        .map(([path]) => path),
    ).toEqual([]);
  });

  if (what === 'for others') {
    test('has nothing for test people: no way in without a code, no gallery, no people who are made up', () => {
      const traces = [
        'auth/test-login',
        'reader@localhost.test',
        'Come in as a test person',
        'newcomer-',
        '/test-login',
      ];
      // A map is what the platform reads errors by: it has the open source's text, and is served to nobody.
      const run = files.filter(([path]) => !/^server\/.*\.map$/.test(path));
      const found = run.flatMap(([path, text]) =>
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
