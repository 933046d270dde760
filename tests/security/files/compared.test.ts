import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const src = new URL('../../../src/', import.meta.url).pathname;
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((path) =>
  /\.(?:ts|tsx|astro)$/.test(path),
);
const linesOf = (path: string): string[] =>
  readFileSync(join(src, path), 'utf8')
    .replaceAll(/\/\*[\s\S]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ''))
    .split('\n')
    .map((line) => line.replace(/\/\/.*$/, ''));

/** Names of what somebody must not guess, or of what proves that somebody has it. */
const SECRET = String.raw`[\w.]*(?:[sS]ecret|[sS]ignature|[hH]mac|\bmac|[dD]igest|[nN]once|[cC]odeHash|[tT]okenHash|[sS]essionToken|[pP]assword)\w*`;
/** Whether there is one, or of what type it is, is no comparison of it. */
const NOTHING = String.raw`\s*(?:undefined|null|''|'string')`;
const COMPARED = new RegExp(String.raw`(?:${SECRET})\s*[!=]==?(?!=)(?!${NOTHING})|[!=]==?\s*(?:${SECRET})\b`);

/** Comparisons that tell nobody anything, with why. */
const HARMLESS: Record<string, string> = {
  '} else if (known?.digest === digest) {':
    'whether a text that is searched changed; its digest opens nothing',
};

describe('Secrets are compared by one function', () => {
  test('and nowhere by a sign that stops at the first letter that differs', () => {
    const found = files.flatMap((path) =>
      linesOf(path)
        .map((line, index) => [`${path}:${index + 1}`, line.trim()] as const)
        .filter(([, line]) => COMPARED.test(line)),
    );
    expect(found.filter(([, line]) => HARMLESS[line] === undefined)).toEqual([]);
  });

  test('in each place that takes one: a login code, a sign-in’s state and nonce, a link out of a list, an age, a device', () => {
    const using = files.filter(
      (path) =>
        path !== 'lib/constant-time.ts' && linesOf(path).some((line) => /equalInConstantTime\(/.test(line)),
    );
    expect(using.toSorted()).toEqual([
      'api/google.ts',
      'features/account/age-check.ts',
      'features/account/guest-mark.ts',
      'features/account/login-code-store.ts',
      'features/mail/unsubscribe.ts',
      'vendors/google.ts',
    ]);
  });

  test('or open what is sealed, and the platform compares for us: what goes to whoever checks ages, and to appeals', () => {
    for (const path of ['features/account/age-check.ts', 'features/safety/appeal-token.ts'])
      expect([path, /crypto\.subtle\.decrypt\(/.test(linesOf(path).join('\n'))]).toEqual([path, true]);
  });

  test('or are looked up by their hash: an index then tells of hashes, from which nobody gets to what was hashed', () => {
    const lookups = [
      'features/account/session.ts',
      'features/account/deletion.ts',
      'features/account/used-token-store.ts',
    ];
    for (const path of lookups)
      expect([path, /hashOf|hash/.test(linesOf(path).join('\n'))]).toEqual([path, true]);
  });
});

describe('What cannot be guessed', () => {
  test('comes from the platform’s own source of chance, and nothing else does for it', () => {
    const guessable = files.filter((path) => linesOf(path).some((line) => /Math\.random\(/.test(line)));
    // Where it is drawn when to try again, in a page's own ids, and what a local build shows: nothing that opens anything.
    const opening = guessable.filter((path) =>
      /^(?:features\/(?:account|mail|safety|billing)|api|vendors)\//.test(path),
    );
    expect(opening).toEqual([]);
  });

  test('is hashed by nothing that was broken', () => {
    const weak = files.filter((path) =>
      linesOf(path).some((line) =>
        /['"](?:md5|sha-?1|MD5|SHA-?1|des|rc4|aes-\d+-ecb|AES-CBC|RSAES-PKCS1-v1_5)['"]/i.test(line),
      ),
    );
    expect(weak).toEqual([]);
  });
});
