import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const src = new URL('../../../src/', import.meta.url).pathname;
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((path) =>
  /\.(?:ts|tsx|astro)$/.test(path),
);
const readCodeLines = (path: string): string[] =>
  readFileSync(join(src, path), 'utf8')
    .replaceAll(/\/\*[\s\S]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ''))
    .split('\n')
    .map((line) => line.replace(/\/\/.*$/, ''));

/** Names of secrets and of values that prove knowledge of one. */
const SECRET = String.raw`[\w.]*(?:[sS]ecret|[sS]ignature|[hH]mac|\bmac|[dD]igest|[nN]once|[cC]odeHash|[tT]okenHash|[sS]essionToken|[pP]assword)\w*`;
/** Checks for presence or type do not compare the value. */
const PRESENCE = String.raw`\s*(?:undefined|null|''|'string')`;
const COMPARISON = new RegExp(
  String.raw`(?:${SECRET})\s*[!=]==?(?!=)(?!${PRESENCE})|[!=]==?\s*(?:${SECRET})\b`,
);

/** Comparisons that reveal nothing, each with its reason. */
const HARMLESS: Record<string, string> = {
  '} else if (known?.digest === digest) {':
    'whether a text that is searched changed; its digest opens nothing',
};

describe('Comparison of secrets in the source', () => {
  test('no secret is compared with an operator that stops at the first difference', () => {
    const found = files.flatMap((path) =>
      readCodeLines(path)
        .map((line, index) => [`${path}:${index + 1}`, line.trim()] as const)
        .filter(([, line]) => COMPARISON.test(line)),
    );
    expect(found.filter(([, line]) => HARMLESS[line] === undefined)).toEqual([]);
  });

  test('every module that accepts a secret uses the constant-time comparison', () => {
    const using = files.filter(
      (path) =>
        path !== 'lib/timing-safe-equal.ts' &&
        readCodeLines(path).some((line) => /timingSafeEqual\(/.test(line)),
    );
    expect(using.toSorted()).toEqual([
      'api/routes/account/google.ts',
      'features/account/age-check.ts',
      'features/account/guest-counter.ts',
      'features/account/login-code/known-browser.ts',
      'features/account/login-code/login-code-store.ts',
      'features/account/passkey/passkey-challenge.ts',
      'features/account/signed-cookie.ts',
      'features/mail/unsubscribe.ts',
      'vendors/google.ts',
    ]);
  });

  test("sealed tokens are opened by the platform's decryption", () => {
    for (const path of ['features/account/age-check.ts', 'features/moderation/appeal-token.ts'])
      expect([path, /crypto\.subtle\.decrypt\(/.test(readCodeLines(path).join('\n'))]).toEqual([path, true]);
  });

  test('sessions, deletion links and used tokens are looked up by their hash', () => {
    const lookups = [
      'features/account/session/session-cookie.ts',
      'features/account/deletion/deletion.ts',
      'features/account/used-token-store.ts',
    ];
    for (const path of lookups)
      expect([path, /hash/i.test(readCodeLines(path).join('\n'))]).toEqual([path, true]);
  });
});

describe('Random values and hashes', () => {
  test('nothing that must be unguessable uses Math.random', () => {
    const guessable = files.filter((path) => readCodeLines(path).some((line) => /Math\.random\(/.test(line)));
    // Allowed elsewhere: retry delays, ids within a page and what a local build shows.
    const opening = guessable.filter((path) =>
      /^(?:features\/(?:account|mail|moderation|safety|billing)|api|vendors)\//.test(path),
    );
    expect(opening).toEqual([]);
  });

  test('no broken hash or cipher is used', () => {
    const weak = files.filter((path) =>
      readCodeLines(path).some((line) =>
        /['"](?:md5|sha-?1|MD5|SHA-?1|des|rc4|aes-\d+-ecb|AES-CBC|RSAES-PKCS1-v1_5)['"]/i.test(line),
      ),
    );
    expect(weak).toEqual([]);
  });
});
