import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';

/** Words of the private dialect that earlier comments were written in; plain technical English does without them. */
const MARKED =
  /\b(?:whoever|whomever|nobody|somebody|anew|beside|whatever|meanwhile|told|tells|telling|hears|heard|stands|stood|goes on|went on|by now|as far as|one['’]s|is to be|so (?:many|much|long|seldom)|let by|lies in|put away|brought|is had|are had|as good as)\b/giu;
const MAX_MARKED_PER_1000 = 15;
/** Percent of the exported functions. */
const MIN_VERB_FIRST = 90;
const VERBS = new Set(
  `abort accept acquire add allow answer append apply ask assert attach audit authenticate authorize begin bind build
  calculate call can cancel cap charge check choose chunk claim classify clean clear clone close collect compare compute
  connect consume convert copy could count create decide decode delete deliver delta deny deps derive describe detach
  detect diff disable dismiss dispatch display draw drop edit emit enable encode end enqueue ensure erase escape estimate
  evict execute expire export extract fetch filter find finish flush follow forget format generate get go grant group
  guess handle has hash hide ignore import index infer inflate init insert invalidate invite is iterate join keep limit
  list load lock log look make map mark match measure memoize merge migrate moderate move must name normalize note notify
  observe on open paginate parse pause pick pin poll post prefetch prepare present prevent print process prune publish
  purge push put query queue read receive reconcile record redact redirect reduce refresh refund refuse register reject
  release remove rename render repair replace report request require reserve reset resolve respond restore resume retry
  revert revoke round run sanitize save schedule scroll search select send serialize set settle should show sign skip sort
  split start stop store stream strip submit subscribe sum supports swap sync take test throttle throw to toggle track
  train transform translate trash trim truncate undo unescape unpin unsubscribe unwrap update upload use validate verify
  visit wait walk want watch will with withdraw wrap write`.split(/\s+/),
);

const listFiles = (folder: string, pattern: RegExp): string[] =>
  execFileSync('git', ['ls-files', folder], { encoding: 'utf8', maxBuffer: 1 << 28 })
    .split('\n')
    .filter((file) => pattern.test(file) && existsSync(file));

/** The lines of a source text that belong to comments. */
function listCommentLines(text: string): string[] {
  let isInside = false;
  return text.split('\n').filter((line) => {
    const trimmed = line.trim();
    const starts = /^(?:\{?\/\*|\/\/)/.test(trimmed);
    const belongs = isInside || starts;
    if (/^\{?\/\*/.test(trimmed) && !trimmed.includes('*/')) isInside = true;
    if (trimmed.includes('*/')) isInside = false;
    return belongs;
  });
}

test.each(['src', 'scripts', 'tests'])('the comments of %s are written in plain words', (folder) => {
  const lines = listFiles(folder, /\.(?:ts|tsx|astro|mjs|js)$/).flatMap((file) =>
    listCommentLines(readFileSync(file, 'utf8')),
  );
  const marked = lines.filter((line) => line.match(MARKED) !== null);
  expect(lines.length).toBeGreaterThan(1000);
  expect((1000 * marked.length) / lines.length, marked.slice(0, 20).join('\n')).toBeLessThan(
    MAX_MARKED_PER_1000,
  );
});

const FUNCTION =
  /^export (?:async )?function\*? ([a-z][A-Za-z0-9]*)|^export const ([a-z][A-Za-z0-9]*) = (?:async )?\([^)]*\)(?:: [^=]+)? =>/gm;

test('exported functions start with a verb, and none ends in Of', () => {
  const names = listFiles('src', /\.tsx?$/).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(FUNCTION)].map(([, name, constant]) => name ?? constant ?? ''),
  );
  const others = names.filter((name) => !VERBS.has(/^[a-z]+/.exec(name)?.[0] ?? ''));
  expect(names.length).toBeGreaterThan(1000);
  expect(names.filter((name) => /[a-z]Of$/.test(name))).toEqual([]);
  expect(100 - (100 * others.length) / names.length, others.join(' ')).toBeGreaterThan(MIN_VERB_FIRST);
});

/** A name that starts like this has no subject. */
const FRAGMENT =
  /^(?:and|but|that|who|which|is|are|has|have|may|says?|stays?|holds|stands|answers|names|leaves|keeps|gives)\b/;

/** The names of the tests in a source text, also of those that run for each of several values. */
function listTestNames(file: string): string[] {
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit);
    if (!ts.isCallExpression(node) || !/^(?:test|it)\b(?!\.describe)/.test(node.expression.getText())) return;
    const [name, body] = node.arguments;
    if (body === undefined || !name) return;
    if (ts.isStringLiteralLike(name) || ts.isTemplateExpression(name))
      names.push(name.getText().slice(1, -1));
  };
  visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true));
  return names;
}

test('the name of a test is a sentence of at least three words that starts with its subject', () => {
  const names = listFiles('tests', /\.(?:test|spec)\.ts$/).flatMap(listTestNames);
  expect(names.length).toBeGreaterThan(3000);
  expect(names.filter((name) => name.split(' ').length < 3 || FRAGMENT.test(name))).toEqual([]);
});
