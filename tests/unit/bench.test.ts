import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  added,
  chargedFor,
  costOf,
  percentile,
  residentBytes,
  shown,
  statementName,
  table,
  verdict,
  withPart,
} from '../../scripts/bench/figures.mjs';
import { stepsOf } from '../../scripts/bench/steps.mjs';
import { isEnd, lastWordOf, piecesIn, turnOf } from '../../scripts/bench/ways.mjs';

const ROOT = join(import.meta.dirname, '..', '..');
const PRICES = JSON.parse(readFileSync(join(ROOT, 'scripts/bench/prices.json'), 'utf8')) as {
  read: string;
  sources: string[];
  prices: Record<string, { what: string; price: number; per: number }>;
};

const counted = (more: object = {}) => ({
  worker_requests: 0,
  worker_cpu_ms: 0,
  d1_rows_read: 0,
  d1_rows_written: 0,
  kv_reads: 0,
  kv_writes: 0,
  data_points: 0,
  log_lines: 0,
  alarms: 0,
  object_requests: {},
  object_rows_read: {},
  object_rows_written: {},
  active_ms: {},
  ...more,
});

describe('percentiles', () => {
  it('are values that were measured, whatever their order', () => {
    const values = [9, 1, 8, 2, 7, 3, 6, 4, 5, 10];
    expect(percentile(values, 0.5)).toBe(5);
    expect(percentile(values, 0.95)).toBe(10);
    expect(percentile(values, 0.9)).toBe(9);
    expect(percentile([4], 0.95)).toBe(4);
    expect(percentile([1, 2], 0)).toBe(1);
  });

  it('of nothing are no number, and a table shows that', () => {
    expect(shown(percentile([], 0.5))).toBe('–');
  });

  it('leave what they were made of as it was', () => {
    const values = [3, 1, 2];
    percentile(values, 0.5);
    expect(values).toEqual([3, 1, 2]);
  });
});

describe('numbers in tables', () => {
  it('have three digits that mean something', () => {
    expect([12_345.6, 123.4, 12.34, 1.234, 0.1234, 0].map(shown)).toEqual([
      '12,346',
      '123',
      '12.3',
      '1.23',
      '0.123',
      '0',
    ]);
  });

  it('tell what was added to a floor, and also what was taken away', () => {
    expect(added(10.2, 1.2)).toBe('10.2 (+9.00)');
    expect(added(1, 1.5)).toBe('1.00 (−0.50)');
  });

  it('stand in columns of one width, and no text breaks a column', () => {
    const lines = table(
      ['page', 'a second'],
      [
        ['a|b', '1'],
        ['home', '20,000'],
      ],
    ).split('\n');
    expect(lines[2]).toContain(String.raw`a\|b`);
    expect(new Set(lines.map((line) => line.length)).size).toBe(1);
  });
});

describe('an aim', () => {
  const of = (value: number) =>
    verdict({ aim: 'A page', value, most: 2, unit: 'times', why: 'It is drawn.' });

  it('that is just reached is met', () => {
    expect(of(2)).toBe('A page: met (2.00 times).');
  });

  it('that is missed says so, and why', () => {
    expect(of(2.01)).toBe('A page: **missed** (2.01 times). It is drawn.');
    expect(of(Number.NaN)).toContain('**missed**');
  });
});

describe('what turns cost', () => {
  it('is each count by its price, the dearest first', () => {
    const lines = costOf({ d1_rows_written: 5, object_rows_written: 20, worker_requests: 1 }, PRICES.prices);
    expect(lines.map(({ name }) => name)).toEqual([
      'object_rows_written',
      'd1_rows_written',
      'worker_requests',
    ]);
    expect(lines.map(({ dollars }) => dollars)).toEqual([20e-6, 5e-6, 0.3e-6]);
  });

  it('cannot be told of something without a price', () => {
    expect(() => costOf({ pigeons: 1 }, PRICES.prices)).toThrow('pigeons');
  });

  it('is that of one turn, objects charged by 128 MB for as long as they are at work', () => {
    const counts = counted({
      worker_requests: 10,
      alarms: 10,
      object_requests: { conversation: 10, wallet: 20 },
      object_rows_written: { conversation: 300, wallet: 80 },
      active_ms: { conversation: 50_000, wallet: 10_000 },
      log_lines: 10,
    });
    const charged = chargedFor(counts, 10);
    expect(charged).toMatchObject({
      worker_requests: 1,
      object_requests: 4,
      object_rows_written: 38,
      log_events: 1,
    });
    expect(charged.object_gb_seconds).toBeCloseTo(6 * 0.128, 10);
  });

  it('has a price, with a day and its sources, for everything that is counted', () => {
    expect(() => costOf(chargedFor(counted(), 1), PRICES.prices)).not.toThrow();
    expect(Object.keys(PRICES.prices).toSorted()).toEqual(Object.keys(chargedFor(counted(), 1)).toSorted());
    expect(PRICES.read).toMatch(/^\d{4}-\d\d-\d\d$/);
    for (const source of PRICES.sources) expect(source).toMatch(/^https:\/\/developers\.cloudflare\.com\//);
  });
});

describe('the document', () => {
  const before =
    'one\n\n<!-- bench:a -->\n\nold\n\n<!-- /bench:a -->\n\ntwo <!-- bench:b --><!-- /bench:b -->';

  it('has one part replaced, and nothing else', () => {
    const after = withPart(before, 'a', '| new |\n');
    expect(after).toBe(before.replace('old', '| new |'));
    expect(withPart(after, 'a', 'old')).toBe(before);
  });

  it('has a place for every part, and refuses one that it does not have', () => {
    const document = readFileSync(join(ROOT, 'docs/performance.md'), 'utf8');
    const parts = ['turns', 'steps', 'pages', 'memory', 'rows', 'database', 'fresh'];
    for (const part of parts) expect(withPart(document, part, 'figures')).toContain('figures');
    expect(() => withPart(document, 'nowhere', '')).toThrow('nowhere');
  });
});

describe('a statement', () => {
  it('is named by what it does to which tables', () => {
    const session = `select "s"."id" from "sessions" inner join "users" on "users"."id" = "sessions"."user_id"`;
    expect(statementName(session)).toBe('select sessions, users');
    expect(statementName('update "conversations" set "title" = ? where "id" = ?')).toBe(
      'update conversations',
    );
    expect(statementName('insert into\n  words (rowid) select value from json_each(?)')).toBe('insert words');
    expect(statementName('delete from search_queue where seq <= ?')).toBe('delete search_queue');
  });
});

describe('the three ways to a reply', () => {
  const upstream = { name: 'model', kind: 'upstream', origin: 'http://127.0.0.1:9' } as const;
  const product = {
    name: 'Loreloom',
    kind: 'product',
    origin: 'http://localhost:9',
    people: [{ cookie: 'session=a', conversationId: 'c1' }],
  } as const;

  it('count their tokens alike', () => {
    const chunk = (text: string) => `data: {"choices":[{"index":0,"delta":{"content":"${text}"}}]}\n\n`;
    const first = 'data: {"choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}\n\n';
    expect(piecesIn(upstream, first + chunk('w0') + chunk(' w1') + chunk(' w2'))).toBe(3);
    expect(piecesIn(product, 'id: t:2\nevent: delta\ndata: {}\n\nid: t:3\nevent: done\ndata: {}\n\n')).toBe(
      1,
    );
  });

  it('are whole where they say so themselves', () => {
    expect(isEnd(upstream, 'data: [DONE]\n\n')).toBe(true);
    expect(isEnd(product, 'event: error\n')).toBe(false);
  });

  it('are whole with their last word alone, where it is known', () => {
    expect(lastWordOf('tokens n=400 ms=20')).toBe(' w399');
    expect(lastWordOf('hang')).toBe('');
    expect(lastWordOf(null)).toBe('');
  });

  it('send every turn as a new one, to their own person and site', () => {
    const [one, other] = [turnOf(product, 0, 'hang'), turnOf(product, 7, 'hang')];
    expect(one).toMatchObject({ path: '/api/conversations/c1/messages', hostname: '127.0.0.1' });
    expect(one.headers).toMatchObject({ host: 'localhost:9', cookie: 'session=a' });
    expect(JSON.parse(one.body).client_message_id).not.toBe(JSON.parse(other.body).client_message_id);
    expect(JSON.parse(turnOf(product, 0, null).body).content).not.toContain('[[');
  });
});

describe('the steps of a turn', () => {
  const turn = (begunAt: number, marks: [string, number][]) => ({
    begunAt,
    first: 10,
    marks: marks.map(([name, at]): [string, number] => [name, begunAt + at]),
  });

  it('come in their order with their mean time, and nothing that nobody waited for', () => {
    const turns = [
      turn(1000, [
        ['asked', 2],
        ['asked', 5],
        ['told the list', 30],
      ]),
      turn(5000, [
        ['asked', 4],
        ['asked', 5],
        ['now and then', 1],
      ]),
    ];
    expect(stepsOf(turns)).toEqual([
      { name: 'asked', at: 3 },
      { name: 'asked (2)', at: 5 },
      { name: 'the reader has the first token', at: 10 },
    ]);
  });
});

it('the memory of a process is what /proc tells, in bytes', () => {
  expect(residentBytes('Name:\tworkerd\nVmRSS:\t    2048 kB\n')).toBe(2_097_152);
  expect(() => residentBytes('Name:\tworkerd\n')).toThrow();
});
