import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

/** Code that runs in the Worker. The content security policy of the pages bounds browser code. */
const BROWSERS = /^(?:islands|service-worker|integrations|layouts\/scripts)\//;
const PAGE_SCRIPTS = /^components\/(?:scripts\/|data\/card-picture)/;

/** Every file from which the Worker calls another service, and the setting of its address. */
const OUTWARD: Record<string, string> = {
  'vendors/model.ts': 'MODEL_<NAME>_BASE_URL',
  'vendors/google.ts': 'Google’s own, or GOOGLE_API_BASE',
  'vendors/paypal-call.ts': 'PayPal’s own, or PAYPAL_API_BASE',
  'vendors/moderation.ts': 'MODERATION_BASE_URL',
  'vendors/page-cache.ts': 'CACHE_PURGE_URL',
};

const CALLS =
  /(?<![\w.])(?:fetch|fetcher)\(|= fetch\b|\?\? fetch\b|\bconnect\(|new WebSocket\(|new EventSource\(|cloudflare:sockets/;
/** Calls within the platform: objects, assets, other entrypoints and functions with such names. */
const INWARD = /\.fetch\(|override async fetch\(|fetch\(request, env/;

/** Files that insert HTML: our scripts and rules, escaped data blocks, rendered markup and fetched pages of ours. */
const HTML_BY_HAND = [
  'components/JsonLd.astro',
  'components/ReturningHome.astro',
  'components/SavedLists.astro',
  'components/scripts/infinite-scroll.ts',
  'components/scripts/view-refresh.ts',
  'integrations/gallery/States.astro',
  'layouts/Base.astro',
  'layouts/ChatPage.astro',
  'layouts/Sidebar.astro',
  'pages/[lang]/character-info/[id].astro',
];

const src = new URL('../../../src/', import.meta.url).pathname;
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
  (path) => /\.(?:ts|tsx|astro|js)$/.test(path) && !BROWSERS.test(path) && !PAGE_SCRIPTS.test(path),
);
const readCode = (path: string): string =>
  readFileSync(join(src, path), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');

describe('Outgoing requests in the source', () => {
  test('only the listed files send outgoing requests', () => {
    const asking = files.filter((path) =>
      readCode(path)
        .split('\n')
        .some((line) => CALLS.test(line) && !INWARD.test(line)),
    );
    expect(asking.toSorted()).toEqual(Object.keys(OUTWARD).toSorted());
  });

  test('every outgoing request refuses redirects and has a time limit', () => {
    for (const path of Object.keys(OUTWARD)) {
      const text = readCode(path);
      expect([path, /redirect: 'manual'/.test(text), /signal\b/.test(text)]).toEqual([path, true, true]);
    }
  });

  test('no outgoing request contains parts of an incoming request in its address', () => {
    for (const path of Object.keys(OUTWARD)) {
      expect([path, /c\.req|request\.url|\breq\b/.test(readCode(path))]).toEqual([path, false]);
    }
  });

  test('the Worker starts no program and reads no file of the machine', () => {
    const used = files.filter((path) =>
      /node:(?:fs|child_process|net|tls|dgram|vm|worker_threads|http|https)\b/.test(readCode(path)),
    );
    // Build integrations read files; none of them is part of the Worker.
    expect(used.filter((path) => !/integration\.ts$|built-files\.ts$/.test(path))).toEqual([]);
  });
});

test('no text from users is executed or inserted as HTML', () => {
  const all = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\.(?:ts|tsx|astro|js)$/.test(path),
  );
  const executing = all.filter((path) =>
    /\beval\(|new Function\(|\bFunction\(['"`]|setTimeout\(['"`]|dangerouslySetInnerHTML|\.outerHTML\s*=|insertAdjacentHTML|document\.write\(/.test(
      readCode(path),
    ),
  );
  expect(executing).toEqual([]);
  const html = all.filter((path) =>
    /set:html|\.innerHTML\s*=|createContextualFragment|parseFromString/.test(readCode(path)),
  );
  // Only our own content is inserted: escaped data blocks, icons and fetched pages of ours.
  expect(html.toSorted()).toEqual(HTML_BY_HAND.toSorted());
});
