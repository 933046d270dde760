import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

const MAX_PAGES = 30;
const MAX_PROSE_WORDS = 2000;

const listFiles = (...patterns: string[]) =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns], {
    encoding: 'utf8',
  })
    .split('\n')
    .filter((name) => name !== '' && existsSync(name));

const pages = listFiles('*.md', 'docs/*.md')
  .filter((name) => /^(?:[A-Z]+|docs\/.+)\.md$/.test(name))
  .map((name) => ({ name, text: readFileSync(name, 'utf8') }));

/** A path of the repository, such as `src/lib/log.ts`, `src/lib/` or `src/features/*` followed by more. */
const PATH =
  /(?<![\w./@<-])(?:src|scripts|tests|docs|tools|data|migrations)\/(?:[\w./*{},-]|\[\w+\])*(?:[\w*}/]|\[\w+\])/g;

/** Whether a path, which may contain `*` and `{a,b}`, names something in the repository. */
const isFound = (path: string): boolean =>
  existsSync(path) || (/[*{]/.test(path) && globSync(path).length > 0);

/** The fragment that GitHub gives a heading. */
const toFragment = (heading: string): string =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

function hasFragment(page: string, fragment: string): boolean {
  const headings = readFileSync(page, 'utf8').matchAll(/^#+ (.+)$/gm);
  return [...headings].some(([, heading = '']) => toFragment(heading) === fragment);
}

test('every path that a page of the documentation names exists', () => {
  const missing = pages
    // A changelog also names files of its time.
    .filter(({ name }) => name !== 'CHANGELOG.md')
    .flatMap(({ name, text }) =>
      [...text.matchAll(PATH)].filter(([path]) => !isFound(path)).map(([path]) => `${name}: ${path}`),
    );
  expect(pages.length).toBeGreaterThan(50);
  expect(missing).toEqual([]);
});

test('every relative link of the documentation resolves, with its heading', () => {
  const broken = pages.flatMap(({ name, text }) =>
    [...text.matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
      .filter(([, path = '', fragment]) => {
        const target = path === '' ? name : normalize(join(dirname(name), path));
        return !existsSync(target) || (fragment !== undefined && !hasFragment(target, fragment));
      })
      .map(([link]) => `${name}: ${link.slice(1)}`),
  );
  expect(broken).toEqual([]);
});

test('every page that code, scripts and tests refer to exists', () => {
  const missing = listFiles('src', 'scripts', 'tests', 'wrangler.toml', '.github')
    .filter((name) => /\.(?:ts|tsx|astro|mjs|js|css|toml|yml)$/.test(name))
    .flatMap((name) =>
      [...readFileSync(name, 'utf8').matchAll(/(?<![\w/.])docs\/(?:[\w-]+\/)*[\w-]+(?:\.md)?/g)]
        .filter(([page]) => globSync(`${page}*`).length === 0)
        .map(([page]) => `${name}: ${page}`),
    );
  expect(missing).toEqual([]);
});

test('docs/tables/error-codes.md lists every error code under its status', () => {
  const source = readFileSync('src/api/middleware/problems.ts', 'utf8');
  const defined = [...source.matchAll(/^ {2}(\w+): \[\s*(\d{3}),/gm)].map(
    ([, code, status]) => `${status} ${code}`,
  );
  const rows = readFileSync('docs/tables/error-codes.md', 'utf8').matchAll(/^\| (\d{3}) +\| (.+) \|$/gm);
  const listed = [...rows].flatMap(([, status, codes = '']) =>
    [...codes.matchAll(/`(\w+)`/g)].map(([, code]) => `${status} ${code}`),
  );
  expect(defined.length).toBeGreaterThan(50);
  expect(listed.toSorted()).toEqual(defined.toSorted());
});

test('the documentation has at most 30 pages', () => {
  expect(globSync('docs/*.md').length).toBeLessThanOrEqual(MAX_PAGES);
});

/** Counts the words outside code blocks and tables. */
function countProseWords(text: string): number {
  const lines = text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '').split('\n');
  const prose = lines.filter((line) => !/^\s*\|/.test(line)).join(' ');
  return prose.split(/\s+/).filter((word) => word !== '').length;
}

test('no page of the documentation has more than 2,000 words of prose', () => {
  expect(countProseWords('Two words.\n\n| in | a table |\n\n```sh\nin code\n```\n')).toBe(2);
  const long = pages
    .filter(({ name }) => name.startsWith('docs/') && !name.startsWith('docs/decisions/'))
    .map(({ name, text }) => ({ name, words: countProseWords(text) }))
    .filter(({ words }) => words > MAX_PROSE_WORDS);
  expect(long).toEqual([]);
});
