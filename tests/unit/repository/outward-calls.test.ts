import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const SRC = fileURLToPath(new URL('../../../src', import.meta.url));
/** Folders that run in browsers, which call only this site. */
const BROWSER_FOLDERS = /^(?:islands|components|integrations|layouts|pages|service-worker)\//;

/** Every call to another company in the Worker's sources, with its arguments. */
const calls = globSync('**/*.ts', { cwd: SRC })
  .filter((path) => !BROWSER_FOLDERS.test(path))
  .flatMap((path) => {
    const source = readFileSync(`${SRC}/${path}`, 'utf8');
    return [...source.matchAll(/\bawait (?:fetch|fetcher)\(|\breturn send\(/g)].map(({ index }) => ({
      path,
      text: source.slice(index, source.indexOf('\n    });', index) + 1 || source.indexOf('\n  });', index)),
    }));
  });

test('every call to another company is in a vendor file and has an abort signal', () => {
  expect(calls.map(({ path }) => path).toSorted()).toEqual([
    'vendors/google.ts',
    'vendors/model.ts',
    'vendors/moderation.ts',
    'vendors/page-cache.ts',
    'vendors/paypal-call.ts',
  ]);
  for (const { path, text } of calls)
    expect({ path, text }).toMatchObject({ text: expect.stringMatching(/\bsignal\b/) });
});

test('no other Worker source calls fetch', () => {
  const others = globSync('**/*.ts', { cwd: SRC })
    .filter((path) => !BROWSER_FOLDERS.test(path) && !path.startsWith('vendors/'))
    .filter((path) =>
      /(?<![.\w])fetch\(/.test(
        readFileSync(`${SRC}/${path}`, 'utf8').replaceAll(/override async fetch\(/g, ''),
      ),
    );
  expect(others).toEqual([]);
});
