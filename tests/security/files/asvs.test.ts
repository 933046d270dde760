import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { AREAS, fileOf, filesOf } from '../../../scripts/security/areas.mjs';
import { REQUIREMENTS } from '../asvs.ts';

const root = new URL('../../../', import.meta.url).pathname;
const page = readFileSync(`${root}docs/security.md`, 'utf8');

const STATES = ['holds', 'does not hold', 'does not apply', 'the operator’s'];

interface Row {
  id: string;
  level: number;
  state: string;
  words: string;
  shownBy: string[];
  /** Tests that are named by their titles, each with the file that it is named after. */
  titles: { path: string; title: string }[];
}

/** Sections of the standard that ask for documents: what shows them is a document. */
const OF_DOCUMENTS = /^(?:2|3|5|6|7|8|11|13|14|15|16)\.1\./;

const isTest = (link: string): boolean => /\.(?:test|spec)\.ts$/.test(link);

/** The rows of the page's tables, by what is required. */
const rows: Row[] = page.split('\n').flatMap((line) => {
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
      titles: [...shown.matchAll(/\]\((?<path>[^)]+)\) «(?<title>[^»]+)»/g)].map(({ groups }) => ({
        path: groups?.path ?? '',
        title: groups?.title ?? '',
      })),
    },
  ];
});

/** Where a link of the page leads, from the project's folder. */
const pathOf = (link: string): string =>
  (link.startsWith('../') ? link.slice(3) : `docs/${link}`).replace(/#.*$/, '');

describe('docs/security.md', () => {
  test('says of every requirement of levels 1 and 2 what it is here, once and in order', () => {
    expect([
      REQUIREMENTS.length,
      ...[1, 2, 3].map((level) => REQUIREMENTS.filter((one) => one.level === level).length),
    ]).toEqual([345, 70, 183, 92]);
    expect(rows.map(({ id, level }) => `${id} (${level})`)).toEqual(
      REQUIREMENTS.filter(({ level }) => level < 3).map(({ id, level }) => `${id} (${level})`),
    );
  });

  test('says each in one of four ways, and why', () => {
    for (const { id, state, words } of rows) {
      expect([id, STATES.includes(state), words.length > 6]).toEqual([id, true, true]);
    }
  });

  test('names for everything that holds a test or a file that shows it, and each of them is there', () => {
    for (const { id, state, shownBy } of rows) {
      if (state === 'holds') expect([id, shownBy.length]).toEqual([id, expect.any(Number)]);
      if (state === 'holds') expect(`${id} ${shownBy.length}`).not.toBe(`${id} 0`);
      expect([id, shownBy.filter((link) => !existsSync(root + pathOf(link)))]).toEqual([id, []]);
    }
  });

  test('names a test for everything that holds and is no matter of documents', () => {
    const untested = rows.filter(
      ({ id, state, shownBy }) => state === 'holds' && !OF_DOCUMENTS.test(id) && !shownBy.some(isTest),
    );
    expect(untested.map(({ id }) => id)).toEqual([]);
  });

  test('names tests by titles that they have', () => {
    const titles = rows.flatMap((row) => row.titles.map((one) => ({ id: row.id, ...one })));
    expect(titles.length).toBeGreaterThan(10);
    const gone = titles.filter(
      ({ path, title }) => !readFileSync(root + pathOf(path), 'utf8').includes(`'${title}'`),
    );
    expect(gone).toEqual([]);
  });

  test('names for everything that is kept a test that shows how it is guarded', () => {
    const [, kept = ''] = page.split('## What is kept');
    const [table = ''] = kept.split('\n## ');
    const lines = table.split('\n').filter((line) => /^\| (?:secret|private|public) /.test(line));
    expect(lines.length).toBeGreaterThan(4);
    expect(lines.filter((line) => !/\]\([^)]+\.test\.ts\)/.test(line))).toEqual([]);
  });

  test('counts them as they are', () => {
    const counted = STATES.map((state) => rows.filter((row) => row.state === state).length);
    expect(page).toContain(
      `${counted[0]} hold, ${counted[2]} do not apply, ${counted[3]} are the operator’s to set, and ${counted[1]} do not hold`,
    );
  });

  test('leads nowhere that is not there', () => {
    const links = [...page.matchAll(/\]\((?!https?:)([^)]+)\)/g)]
      .map(([, link]) => link as string)
      .filter((link) => !link.startsWith('#'));
    expect(links.filter((link) => !existsSync(root + pathOf(link)))).toEqual([]);
    const anchors = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor as string);
    const heads = new Set(
      [...page.matchAll(/^#+ (.+)$/gm)].map(([, head]) =>
        (head as string)
          .toLowerCase()
          .replaceAll(/[^\w -]/g, '')
          .replaceAll(' ', '-'),
      ),
    );
    expect(anchors.filter((anchor) => !heads.has(anchor))).toEqual([]);
  });
});

test('What the run tries is there: every file of every area', () => {
  const files = AREAS.flatMap((area) => filesOf(area, true));
  expect(files.filter((path) => !existsSync(root + path))).toEqual([]);
  expect(fileOf.workers('x')).toBe('tests/workers/x.test.ts');
});
