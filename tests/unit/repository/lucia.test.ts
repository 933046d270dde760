import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const FILE = 'src/features/account/session/session.ts';
const PAGE = 'docs/decisions/0004-lucia-behind-one-file.md';

test('only one file imports Lucia', () => {
  const files = execFileSync('git', ['grep', '-lE', `from '(lucia|@lucia-auth/)`, '--', 'src'], {
    encoding: 'utf8',
  });
  expect(files.trim().split('\n')).toEqual([FILE]);
});

test('the decision page lists the functions of Lucia that this file calls', () => {
  const called = [...readFileSync(FILE, 'utf8').matchAll(/createLucia\(db\)\.(\w+)/g)].map(
    ([, name]) => name,
  );
  const listed = [...readFileSync(PAGE, 'utf8').matchAll(/^\| `(\w+)` /gm)].map(([, name]) => name);
  expect(listed.toSorted()).toEqual([...new Set(called)].toSorted());
});
