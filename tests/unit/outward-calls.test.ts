import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const SRC = fileURLToPath(new URL('../../src', import.meta.url));
/** What runs in browsers, and asks this site alone. */
const OF_BROWSERS = /^(?:islands|components|integrations|layouts|pages|service-worker)\//;

/** Every call to somebody else in the Worker's sources, with what it is made with. */
const calls = globSync('**/*.ts', { cwd: SRC })
  .filter((path) => !OF_BROWSERS.test(path))
  .flatMap((path) => {
    const source = readFileSync(`${SRC}/${path}`, 'utf8');
    return [...source.matchAll(/\bawait (?:fetch|fetcher)\(|\breturn send\(/g)].map(({ index }) => ({
      path,
      text: source.slice(index, source.indexOf('\n    });', index) + 1 || source.indexOf('\n  });', index)),
    }));
  });

test('every call to somebody else is made by a file of that company, and has its end', () => {
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

test('nothing in the Worker’s sources calls somebody in another way', () => {
  const others = globSync('**/*.ts', { cwd: SRC })
    .filter((path) => !OF_BROWSERS.test(path) && !path.startsWith('vendors/'))
    .filter((path) =>
      /(?<![.\w])fetch\(/.test(
        readFileSync(`${SRC}/${path}`, 'utf8').replaceAll(/override async fetch\(/g, ''),
      ),
    );
  expect(others).toEqual([]);
});
