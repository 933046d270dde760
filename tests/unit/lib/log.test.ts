import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { EVENTS, withLogContext, log, type LogEvent, type LogFields } from '../../../src/lib/log.ts';
import { GAUGES } from '../../../src/features/stats/metrics.ts';
import { redactText, redactError } from '../../../src/lib/redact.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string): string => readFileSync(ROOT + path, 'utf8');
/** Sources that run in the Worker; islands and the service worker run in browsers. */
const SOURCES = globSync('src/**/*.{ts,astro}', { cwd: ROOT }).filter(
  (path) => !/^src\/(?:islands|service-worker|layouts|ui)\//.test(path),
);

let lines: { way: string; line: Record<string, unknown> }[] = [];
beforeEach(() => {
  lines = [];
  for (const way of ['log', 'warn', 'error'] as const)
    vi.spyOn(console, way).mockImplementation(
      (line) => void lines.push({ way, line: JSON.parse(String(line)) }),
    );
});
afterEach(() => vi.restoreAllMocks());
const last = () => lines.at(-1)?.line;

describe('Log lines', () => {
  test('a log line names its event and its level, in JSON', () => {
    log('mail_abandoned', { mail_id: 'm', kind: 'account_of_before', tries: 6 });
    expect(lines).toEqual([
      {
        way: 'error',
        line: { event: 'mail_abandoned', level: 'error', mail_id: 'm', kind: 'account_of_before', tries: 6 },
      },
    ]);
    log('check_done', { ms: 5, parts: { site: 3 } });
    log('check_slow', { part: 'site', ms: 5000 });
    expect(lines.map(({ way }) => way)).toEqual(['error', 'log', 'warn']);
  });

  test('a log line carries the request id of its call across everything that the call awaits', async () => {
    await Promise.all(
      ['one', 'two'].map((id) =>
        withLogContext(id, async () => {
          await new Promise((resolve) => setTimeout(resolve, id === 'one' ? 5 : 1));
          log('turn_failed', { message: id });
        }),
      ),
    );
    expect(lines.map(({ line }) => [line['request_id'], line['message']])).toEqual([
      ['two', 'two'],
      ['one', 'one'],
    ]);
    log('turn_failed');
    expect(last()).not.toHaveProperty('request_id');
    withLogContext(undefined, () => log('turn_failed'));
    expect(last()?.['request_id']).toMatch(/^[0-9a-z]{26}$/);
  });

  test('a log line contains only the listed fields', () => {
    log('turn_failed', { message: 'why', content: 'what somebody wrote' } as LogFields);
    expect(last()).toEqual({ event: 'turn_failed', level: 'error', message: 'why' });
  });

  test('a log line redacts e-mail addresses, and keeps a wallet id only in its own field', () => {
    log('runtime_config_parse_failed', { names: ['a@b.test', 'fine'] });
    expect(last()?.['names']).toEqual(['…@…', 'fine']);
    const wallet = '0f'.repeat(32);
    log('ledger_mismatch', { wallet, reason: wallet });
    expect(last()).toMatchObject({ wallet, reason: '…' });
  });
});

test.each([
  ['no mailbox: somebody.else+x@mail.example.test!', 'no mailbox: …@…'],
  ['refused by 203.0.113.77:443', 'refused by …:443'],
  ['from 2001:db8:85a3:8d3:1319:8a2e:370:7348', 'from …'],
  ['from 2001:db8::1, then ::1', 'from …, then ::1'],
  ['Authorization: Bearer abc.def', 'Authorization: …'],
  ['Incorrect API key provided: sk-proj-abcdefgh1234', 'Incorrect API key provided: …'],
  [`session ${'a1'.repeat(32)} is over`, 'session … is over'],
  [`Unexpected token 'D', "Dear diary"... is not valid JSON`, 'This is not valid JSON'],
  ['fts5: syntax error near "my secret": SQLITE_ERROR', 'fts5: syntax error near "…": SQLITE_ERROR'],
  [
    'Failed query: update "x" set "title" = ?\nparams: Dear diary,\nmore,1',
    'Failed query: update "x" set "title" = ?',
  ],
  [
    'at 21:05:33 of the 22nd, version 1.2.3 in file.js:12:34',
    'at 21:05:33 of the 22nd, version 1.2.3 in file.js:12:34',
  ],
])('redaction turns «%s» into «%s»', (input, expected) => {
  expect(redactText(input)).toBe(expected);
});

test('a redacted parser error omits its input, and a long text is cut', () => {
  const error = (() => {
    try {
      return JSON.parse('{"a": Dear diary, today');
    } catch (caught) {
      return caught;
    }
  })();
  expect(redactError(error).message).not.toContain('diary');
  expect(redactText('x '.repeat(5000)).length).toBeLessThan(2100);
});

/** The anchor that Markdown gives a heading. */
const toAnchor = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .trim()
    .replaceAll(' ', '-');

describe('Log events', () => {
  const sources = SOURCES.filter((path) => path !== 'src/lib/log.ts')
    .map((path) => read(path))
    .join('\n');

  test('only the log writes to the console of the Worker', () => {
    const others = SOURCES.filter((path) => path !== 'src/lib/log.ts' && /\bconsole\s*\./.test(read(path)));
    expect(others).toEqual([]);
  });

  test('every listed event is logged somewhere in the Worker', () => {
    const unused = Object.keys(EVENTS).filter((event) => !sources.includes(`'${event}'`));
    expect(unused).toEqual([]);
  });

  test('docs/tables/log-events.md explains every event that is a warning or an error', () => {
    const page = read('docs/tables/log-events.md');
    const loud = (Object.keys(EVENTS) as LogEvent[]).filter((event) => EVENTS[event] !== 'info');
    expect(loud.filter((event) => !page.includes(`\`${event}\``))).toEqual([]);
  });

  test('every event that docs/tables/log-events.md and alarms.md name exists at the level they state', () => {
    const tables = [...read('docs/tables/log-events.md').matchAll(/^\| `([a-z_]+)` +\| (error|warn) /gm)];
    expect(tables.length).toBeGreaterThan(50);
    for (const [, event = '', level] of tables)
      expect([event, EVENTS[event as LogEvent]]).toEqual([event, level]);
    const alarms = [
      ...read('docs/tables/alarms.md').matchAll(/^\| \[[^|]+\(\.\.\/runbook\.md#[^|]+\| ([^|]+) \|/gm),
    ].map(([, rests = '']) => rests);
    expect(alarms.length).toBeGreaterThanOrEqual(12);
    for (const rests of alarms) {
      const names = [...rests.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(([, name = '']) => name);
      const known = names.filter((name) => name in EVENTS || (GAUGES as readonly string[]).includes(name));
      expect(names).toEqual(known);
      expect(known.length > 0 || rests.includes('/api/health')).toBe(true);
    }
  });

  test("every error event belongs to one alarm, and that alarm's runbook page names it", () => {
    const rows = [
      ...read('docs/tables/alarms.md').matchAll(
        /^\| \[[^|]+\(\.\.\/runbook\.md#([^)]+)\)[^|]+\| ([^|]+) \|/gm,
      ),
    ];
    const pages = new Map(
      read('docs/runbook.md')
        .split(/^## /m)
        .slice(1)
        .map((page) => [toAnchor(page.slice(0, page.indexOf('\n'))), page]),
    );
    const errors = (Object.keys(EVENTS) as LogEvent[]).filter((event) => EVENTS[event] === 'error');
    expect(errors.length).toBeGreaterThan(50);
    const found = errors.map((event) => {
      const alarms = rows
        .filter(([, , rests = '']) => rests.includes(`\`${event}\``))
        .map(([, anchor = '']) => anchor);
      return {
        event,
        alarms: alarms.length,
        isNamed: pages.get(alarms[0] ?? '')?.includes(`\`${event}\``) ?? false,
      };
    });
    expect(found.filter(({ alarms, isNamed }) => alarms !== 1 || !isNamed)).toEqual([]);
  });

  test('every alarm has a page of the runbook, and every page has an alarm', () => {
    const alarms = [...read('docs/tables/alarms.md').matchAll(/\]\(\.\.\/runbook\.md#([a-z0-9-]+)\)/g)].map(
      ([, anchor]) => anchor,
    );
    const sections = [...read('docs/runbook.md').matchAll(/^## (.+)$/gm)].map(([, title = '']) =>
      toAnchor(title),
    );
    expect(alarms.length).toBeGreaterThanOrEqual(12);
    for (const anchor of alarms) expect(sections).toContain(anchor);
    expect(sections.filter((section) => !alarms.includes(section))).toEqual([]);
  });
});
