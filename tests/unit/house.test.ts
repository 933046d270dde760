import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

/** Beyond it a file has more than one matter, or a reason that its first lines tell. */
const LINES = 420;

/** Files of features that look at the clock or wait for it themselves: what goes on by itself, and how old somebody is now. */
const CLOCKED = [
  'account/session.ts',
  'conversation/conversation-chores.ts',
  'conversation/followers.ts',
  'conversation/live-tabs.ts',
  'conversation/memory-keeper.ts',
  'conversation/model-asks.ts',
  'conversation/prompt-source.ts',
  'conversation/running-reply.ts',
  'conversation/turn-counting.ts',
  'conversation/turn-end.ts',
  'conversation/turn-engine.ts',
  'safety/ages.ts',
  'safety/moderator.ts',
];

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((name) => /^(?:src|scripts|tests)\/.*\.(?:ts|tsx|astro|mjs|css)$/.test(name) && existsSync(name))
  .map((name) => ({ name, text: readFileSync(name, 'utf8') }));

describe('The house', () => {
  test('has no file that is long without saying why in its first lines', () => {
    expect(files.length).toBeGreaterThan(1000);
    const long = files
      .filter(({ text }) => text.split('\n').length > LINES)
      .filter(({ text }) => !/over 400 lines|longer than a file/i.test(text.split('\n', 4).join(' ')))
      .map(({ name, text }) => `${name}: ${text.split('\n').length}`);
    expect(long).toEqual([]);
  });

  test('looks for what stands twice in every kind of file that it is written in', () => {
    const folder = mkdtempSync(join(tmpdir(), 'loreloom-twice-'));
    const unseen = ['.astro', '.css', '.tsx', '.mjs', '.ts'].filter((kind) => {
      const long = files.find(({ name, text }) => extname(name) === kind && text.length > 5000);
      const own = join(folder, kind.slice(1));
      mkdirSync(own);
      for (const copy of ['one', 'other']) writeFileSync(join(own, copy + kind), long?.text ?? '');
      const { status } = spawnSync('jscpd', ['--config', resolve('.jscpd.json'), '.'], { cwd: own });
      return status !== 1;
    });
    rmSync(folder, { recursive: true });
    expect(unseen).toEqual([]);
  });

  test('puts nothing off', () => {
    // Spelt so that this file is none of those that it looks for.
    const put = /\b(?:TO[D]O|FIX[M]E|XX[X])\b/;
    expect(files.filter(({ text }) => put.test(text)).map(({ name }) => name)).toEqual([]);
  });

  test('hands time and rows to the files of its features: those that take them themselves are few, and named', () => {
    const handed = files.filter(({ name }) =>
      /^src\/features\/.*(?<!-(?:store|object|ports))\.ts$/.test(name),
    );
    const having = (taken: RegExp) =>
      handed
        .filter(({ text }) => taken.test(text))
        .map(({ name }) => name.replace('src/features/', ''))
        .toSorted();
    expect(having(/\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b|\bset(?:Timeout|Interval)\(/)).toEqual(
      CLOCKED,
    );
    expect(having(/^import (?!type\b)[^;]* from '(?:drizzle-orm|[./]+db\/)/m)).toEqual([
      'account/session.ts',
    ]);
  });

  test('has no test that waits for a time instead of for something', () => {
    const sleeping = files
      .filter(({ name }) => /^tests\/.*\.(?:test|spec)\.ts$/.test(name))
      .filter(({ text }) => /\bwaitForTimeout\(/.test(text))
      .map(({ name }) => name);
    expect(sleeping).toEqual([]);
  });
});
