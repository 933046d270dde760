import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

/** Beyond it a file has more than one matter, or a reason that its first lines tell. */
const LINES = 420;

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

  test('puts nothing off', () => {
    // Spelt so that this file is none of those that it looks for.
    const put = /\b(?:TO[D]O|FIX[M]E|XX[X])\b/;
    expect(files.filter(({ text }) => put.test(text)).map(({ name }) => name)).toEqual([]);
  });

  test('has no test that waits for a time instead of for something', () => {
    const sleeping = files
      .filter(({ name }) => /^tests\/.*\.(?:test|spec)\.ts$/.test(name))
      .filter(({ text }) => /\bwaitForTimeout\(/.test(text))
      .map(({ name }) => name);
    expect(sleeping).toEqual([]);
  });
});
