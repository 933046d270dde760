import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

/** What the Worker runs: what browsers run is theirs to bound, by the policy that pages carry. */
const BROWSERS = /^(?:islands|service-worker|integrations|layouts\/scripts)\//;
const PAGE_SCRIPTS = /^components\/(?:scripts\/|data\/card-picture)/;

/** Every place from which the Worker asks somebody, and whose word the address is. */
const OUTWARD: Record<string, string> = {
  'vendors/model.ts': 'MODEL_<NAME>_BASE_URL',
  'vendors/google.ts': 'Google’s own, or GOOGLE_API_BASE',
  'vendors/paypal-call.ts': 'PayPal’s own, or PAYPAL_API_BASE',
  'vendors/moderation.ts': 'MODERATION_BASE_URL',
  'vendors/page-cache.ts': 'CACHE_PURGE_URL',
};

const CALLS =
  /(?<![\w.])(?:fetch|fetcher)\(|= fetch\b|\?\? fetch\b|\bconnect\(|new WebSocket\(|new EventSource\(|cloudflare:sockets/;
/** Of our own: objects, assets, other entrypoints, and functions that are called so and ask nobody. */
const INWARD = /\.fetch\(|override async fetch\(|fetch\(request, env/;

/** What goes into pages as it is: scripts and rules of ours, data blocks with their marks escaped, and other pages of ours. */
const HTML_BY_HAND = [
  'components/ChatPage.astro',
  'components/JsonLd.astro',
  'components/SavedLists.astro',
  'components/scripts/infinite-scroll.ts',
  'integrations/gallery/States.astro',
  'layouts/Base.astro',
  'layouts/scripts/adult-view.ts',
];

const src = new URL('../../../src/', import.meta.url).pathname;
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
  (path) => /\.(?:ts|tsx|astro|js)$/.test(path) && !BROWSERS.test(path) && !PAGE_SCRIPTS.test(path),
);
const textOf = (path: string): string =>
  readFileSync(join(src, path), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');

describe('The product asks others', () => {
  test('from the files of its companies alone, each at addresses that the operator sets', () => {
    const asking = files.filter((path) =>
      textOf(path)
        .split('\n')
        .some((line) => CALLS.test(line) && !INWARD.test(line)),
    );
    expect(asking.toSorted()).toEqual(Object.keys(OUTWARD).toSorted());
  });

  test('and follows nobody who sends it on: each of them stops at a redirect, and waits no longer than it says', () => {
    for (const path of Object.keys(OUTWARD)) {
      const text = textOf(path);
      expect([path, /redirect: 'manual'/.test(text), /signal\b/.test(text)]).toEqual([path, true, true]);
    }
  });

  test('with nothing of a request in the address: it is made of settings and of paths that are written here', () => {
    for (const path of Object.keys(OUTWARD)) {
      expect([path, /c\.req|request\.url|\breq\b/.test(textOf(path))]).toEqual([path, false]);
    }
  });

  test('and runs no other program and reads no file of the machine', () => {
    const used = files.filter((path) =>
      /node:(?:fs|child_process|net|tls|dgram|vm|worker_threads|http|https)\b/.test(textOf(path)),
    );
    // Builds read files; nothing of it is in the Worker.
    expect(used.filter((path) => !/integration\.ts$|built-files\.ts$/.test(path))).toEqual([]);
  });
});

test('Nothing that somebody wrote is ever run: no eval, no functions out of text, no HTML by hand', () => {
  const all = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\.(?:ts|tsx|astro|js)$/.test(path),
  );
  const run = all.filter((path) =>
    /\beval\(|new Function\(|\bFunction\(['"`]|setTimeout\(['"`]|dangerouslySetInnerHTML|\.outerHTML\s*=|insertAdjacentHTML|document\.write\(/.test(
      textOf(path),
    ),
  );
  expect(run).toEqual([]);
  const html = all.filter((path) =>
    /set:html|\.innerHTML\s*=|createContextualFragment|parseFromString/.test(textOf(path)),
  );
  // Ours alone goes there: data blocks with their marks escaped, icons, and pages of our own that were fetched.
  expect(html.toSorted()).toEqual(HTML_BY_HAND.toSorted());
});
