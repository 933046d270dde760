import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, extname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

/** A longer file states its reason in its first lines. */
const MAX_LINES = 400;
const MAX_FILES_PER_FOLDER = 25;
const MAX_ENTRY_FILES = 5;

/** Files of features that read the clock or set timers: background work, and the age of a person today. */
const CLOCK_READERS = [
  'account/session/session.ts',
  'conversation/compose-conversation.ts',
  'conversation/conversation-host.ts',
  'conversation/conversation-sync.ts',
  'conversation/live-sockets.ts',
  'conversation/memory/memory-summarizer.ts',
  'conversation/prompt/compose-prompt.ts',
  'conversation/turn/followers.ts',
  'conversation/turn/model-asks.ts',
  'conversation/turn/running-reply.ts',
  'conversation/turn/turn-counting.ts',
  'conversation/turn/turn-engine.ts',
  'conversation/turn/turn-requests.ts',
  'safety/ages.ts',
  'safety/moderation.ts',
];

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((name) => /^(?:src|scripts|tests)\/.*\.(?:ts|tsx|astro|mjs|css)$/.test(name) && existsSync(name))
  .map((name) => ({ name, text: readFileSync(name, 'utf8') }));

test('a file of more than 400 lines states its reason in its first lines', () => {
  expect(files.length).toBeGreaterThan(1000);
  const long = files
    .map(({ name, text }) => ({ name, lines: text.trimEnd().split('\n') }))
    .filter(({ lines }) => lines.length > MAX_LINES)
    .filter(({ lines }) => !/over 400 lines|longer than a file/i.test(lines.slice(0, 4).join(' ')))
    .map(({ name, lines }) => `${name}: ${lines.length}`);
  expect(long).toEqual([]);
});

test('the duplicate check reads every kind of source file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'loreloom-duplicates-'));
  const unread = ['.astro', '.css', '.tsx', '.mjs', '.ts'].filter((kind) => {
    const long = files.find(({ name, text }) => extname(name) === kind && text.length > 5000);
    const own = join(folder, kind.slice(1));
    mkdirSync(own);
    for (const copy of ['one', 'other']) writeFileSync(join(own, copy + kind), long?.text ?? '');
    const { status } = spawnSync('jscpd', ['--config', resolve('.jscpd.json'), '.'], { cwd: own });
    return status !== 1;
  });
  rmSync(folder, { recursive: true });
  expect(unread).toEqual([]);
});

test('no file contains a to-do mark', () => {
  // Written so that this file does not match its own pattern.
  const put = /\b(?:TO[D]O|FIX[M]E|XX[X])\b/;
  expect(files.filter(({ text }) => put.test(text)).map(({ name }) => name)).toEqual([]);
});

test('rules get time and rows as arguments, and the files that read the clock themselves are listed', () => {
  const rules = files.filter(({ name }) =>
    /^src\/features\/.*(?<!-(?:store|statements|object|gateway))\.ts$/.test(name),
  );
  const listMatching = (pattern: RegExp) =>
    rules
      .filter(({ text }) => pattern.test(text))
      .map(({ name }) => name.replace('src/features/', ''))
      .toSorted();
  expect(
    listMatching(/\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b|\bset(?:Timeout|Interval)\(/),
  ).toEqual(CLOCK_READERS);
  expect(listMatching(/^import (?!type\b)[^;]* from '(?:drizzle-orm|[./]+db\/)/m)).toEqual([
    'account/session/session.ts',
    'conversation/compose-conversation.ts',
    'conversation/conversation-host.ts',
  ]);
});

test('a folder of src holds at most 25 files, and src itself its entry points', () => {
  const sizes = new Map<string, number>();
  for (const { name } of files.filter((each) => each.name.startsWith('src/')))
    sizes.set(dirname(name), (sizes.get(dirname(name)) ?? 0) + 1);
  const { src: entries = 0, ...folders } = Object.fromEntries(sizes);
  expect(Object.entries(folders).filter(([, count]) => count > MAX_FILES_PER_FOLDER)).toEqual([]);
  expect(entries).toBeLessThanOrEqual(MAX_ENTRY_FILES);
});

test('no browser test sleeps', () => {
  const sleepers = files
    .filter(({ name }) => /^tests\/.*\.(?:test|spec)\.ts$/.test(name))
    .filter(({ text }) => /\bwaitForTimeout\(/.test(text))
    .map(({ name }) => name);
  expect(sleepers).toEqual([]);
});
