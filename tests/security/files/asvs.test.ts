import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AREAS, fileOf, filesOf } from '../../../scripts/security/areas.mjs';
import { REQUIREMENTS } from '../asvs.ts';

const root = new URL('../../../', import.meta.url).pathname;
const TABLE = 'docs/tables/security-checks.md';
const page = readFileSync(`${root}docs/security.md`, 'utf8');
const table = readFileSync(root + TABLE, 'utf8');

const STATES = ['holds', 'does not hold', 'does not apply', 'the operator’s'];

interface Row {
  id: string;
  level: number;
  state: string;
  words: string;
  shownBy: string[];
  /** Whether the row says that no test shows it. */
  saysNoTest: boolean;
  /** Tests that the row names by title, each with its file. */
  titles: { path: string; title: string }[];
}

/** Sections of the standard that ask for documentation; a document is enough to show them. */
const DOCUMENTATION_SECTIONS = /^(?:2|3|5|6|7|8|11|13|14|15|16)\.1\./;

const isTest = (link: string): boolean => /\.(?:test|spec)\.ts$/.test(link);

/** The rows of the tables, one per requirement. */
const rows: Row[] = table.split('\n').flatMap((line) => {
  const cells = line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
  const [id = '', level = '', state = '', words = '', shown = ''] = cells;
  if (!/^\d+\.\d+\.\d+$/.test(id)) return [];
  return [
    {
      id,
      level: Number(level),
      state,
      words,
      shownBy: [...shown.matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => path as string),
      saysNoTest: /\bno test\b/.test(shown),
      titles: [...shown.matchAll(/\]\((?<path>[^)]+)\) «(?<title>[^»]+)»/g)].map(({ groups }) => ({
        path: groups?.path ?? '',
        title: groups?.title ?? '',
      })),
    },
  ];
});

/** Returns the path that a link of the table points to, from the project's folder. */
const resolveLink = (link: string): string => join(dirname(TABLE), link.replace(/#.*$/, ''));

describe('Security checks', () => {
  test('docs/tables/security-checks.md lists every requirement of levels 1 and 2 once and in order', () => {
    expect([
      REQUIREMENTS.length,
      ...[1, 2, 3].map((level) => REQUIREMENTS.filter((one) => one.level === level).length),
    ]).toEqual([345, 70, 183, 92]);
    expect(rows.map(({ id, level }) => `${id} (${level})`)).toEqual(
      REQUIREMENTS.filter(({ level }) => level < 3).map(({ id, level }) => `${id} (${level})`),
    );
  });

  test('every requirement in docs/tables/security-checks.md has one of four states and an explanation', () => {
    for (const { id, state, words } of rows) {
      expect([id, STATES.includes(state), words.length > 6]).toEqual([id, true, true]);
    }
  });

  test('every requirement that holds in docs/tables/security-checks.md names an existing test or file', () => {
    for (const { id, state, shownBy } of rows) {
      if (state === 'holds') expect([id, shownBy.length]).toEqual([id, expect.any(Number)]);
      if (state === 'holds') expect(`${id} ${shownBy.length}`).not.toBe(`${id} 0`);
      expect([id, shownBy.filter((link) => !existsSync(root + resolveLink(link)))]).toEqual([id, []]);
    }
  });

  test('every requirement that holds names a test, except those about documentation', () => {
    const untested = rows.filter(
      ({ id, state, shownBy }) =>
        state === 'holds' && !DOCUMENTATION_SECTIONS.test(id) && !shownBy.some(isTest),
    );
    expect(untested.map(({ id }) => id)).toEqual([]);
  });

  test('every requirement without a test in docs/tables/security-checks.md says so, and no other does', () => {
    const applicable = rows.filter(({ state }) => state !== 'does not apply');
    expect(applicable.filter(({ saysNoTest }) => saysNoTest).length).toBeGreaterThan(10);
    expect(
      applicable.filter(({ shownBy, saysNoTest }) => shownBy.some(isTest) === saysNoTest).map(({ id }) => id),
    ).toEqual([]);
  });

  test('the test titles in docs/tables/security-checks.md exist', () => {
    const titles = rows.flatMap((row) => row.titles.map((one) => ({ id: row.id, ...one })));
    expect(titles.length).toBeGreaterThan(10);
    const missing = titles.filter(
      ({ path, title }) => !readFileSync(root + resolveLink(path), 'utf8').includes(`'${title}'`),
    );
    expect(missing).toEqual([]);
  });

  test('docs/security.md names for all data that is kept a test that shows how it is guarded', () => {
    const [, kept = ''] = page.split('## Data retention');
    const [section = ''] = kept.split('\n## ');
    const lines = section.split('\n').filter((line) => /^\| (?:secret|private|public) /.test(line));
    expect(lines.length).toBeGreaterThan(4);
    expect(lines.filter((line) => !/\]\([^)]+\.test\.ts\)/.test(line))).toEqual([]);
  });

  test('the state counts in docs/security.md are right', () => {
    const counted = STATES.map((state) => rows.filter((row) => row.state === state).length);
    expect(page).toContain(
      `${counted[0]} hold, ${counted[2]} do not apply, ${counted[3]} are the operator’s to set, and ${counted[1]} do not hold`,
    );
  });
});

test('every file that the security run lists exists', () => {
  const files = AREAS.flatMap((area) => filesOf(area, true));
  expect(files.filter((path) => !existsSync(root + path))).toEqual([]);
  expect(fileOf.workers('x')).toBe('tests/workers/x.test.ts');
});
