import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { RATES, RATES_BY_COST, type RateName, WIDER_RATES } from '../../../src/api/middleware/rate-limits.ts';
import { formatLimit, renderLimitsPage, listLimits } from '../../../scripts/write-limits.mjs';

const limits = listLimits().flatMap(({ file, limits: found }) => found.map((limit) => ({ file, ...limit })));

test('docs/tables/limits.md has a row for each limit of the code and no other: `node scripts/write-limits.mjs` writes it', () => {
  const even = (text: string) => text.replaceAll(/-{3,}/g, '---').replaceAll(/ +/g, ' ').trim();
  expect(even(readFileSync('docs/tables/limits.md', 'utf8'))).toBe(even(renderLimitsPage()));
});

test('the table of limits has the constants of every file of limits, with values in their units', () => {
  const find = (name: string) => limits.find((limit) => limit.name === name);
  expect(find('LOGIN_CODE.maxAttempts')).toMatchObject({ file: 'src/features/account/limits.ts', value: 5 });
  expect(find('MAX_FOLLOWERS')).toMatchObject({ file: 'src/features/conversation/turn/followers.ts' });
  expect(formatLimit('LOGIN_CODE.lifetimeMs', 600_000)).toBe('10 minutes');
  expect(formatLimit('RECENT_LOGIN_MS', 3_600_000)).toBe('1 hour');
  expect(formatLimit('BODY_LIMITS.json', 1024 * 1024)).toBe('1 MiB');
  expect(formatLimit('CARD.maxJsonBytes', 1000)).toBe('1,000 bytes');
  expect(formatLimit('MAIL.retryDelaysMs', [60_000, 86_400_000])).toBe('1 minute, 1 day');
  expect(formatLimit('TEXT_LIMITS.message', 8000)).toBe('8,000');
});

test('where docs/limits.md names a limit of the code, the line has its value', () => {
  const named = readFileSync('docs/limits.md', 'utf8')
    .split('\n')
    .flatMap((line) =>
      limits
        .filter(({ name, value }) => value !== undefined && line.includes(`\`${name}\``))
        .map(({ name, value }) => ({ line, name, value: formatLimit(name, value) })),
    );
  expect(named.length).toBeGreaterThan(25);
  const wrong = named.filter(
    ({ line, value }) =>
      !new RegExp(`(?<![\\d,.])${value}(?![\\d]|,\\d)`).test(line.replaceAll(/`[^`]*`/g, '')),
  );
  expect(wrong).toEqual([]);
});

test('docs/limits.md has the calls a minute of each cost class', () => {
  const rows = readFileSync('docs/limits.md', 'utf8').matchAll(
    /^\| `(\w+)`: [^|]+\|([^|]+)\|([^|]+)\|([^|]+)\|/gm,
  );
  const read = (cell: string | undefined) => (/\d+/.exec(cell ?? '') ?? [null])[0];
  const written = [...rows].map(([, cost, ...cells]) => [cost, ...cells.map(read)]);
  const getLimit = (rate: RateName | null) => (rate === null ? null : String(RATES[rate].limit));
  const inCode = Object.entries(RATES_BY_COST).map(([cost, { person, network }]) => [
    cost,
    getLimit(person),
    getLimit(network),
    getLimit(network === null ? null : WIDER_RATES[network]),
  ]);
  expect(written.toSorted()).toEqual(inCode.toSorted());
});

test('docs/limits.md names every error code of a limit', () => {
  const page = readFileSync('docs/limits.md', 'utf8');
  const codes = readFileSync('src/api/middleware/problems.ts', 'utf8').matchAll(
    /^ {2}(\w+): \[\s*(\d{3}),/gm,
  );
  const ofLimits = [...codes]
    .filter(([, code, status]) => status === '429' || status === '413' || code?.endsWith('_limit'))
    .map(([, code]) => code);
  expect(ofLimits.length).toBeGreaterThan(15);
  expect(ofLimits.filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
});
