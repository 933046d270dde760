import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  computeCapacity,
  computeUsage,
  formatAdded,
  formatNumber,
  formatRatio,
  formatTable,
  judgeAim,
  nameStatement,
  parseResidentBytes,
  percentile,
  priceUsage,
  replaceSection,
} from '../../../../scripts/bench/figures.mjs';
import { countPieces, createTurn, getLastWord, hasEnd } from '../../../../scripts/bench/targets.mjs';
import { countWaits, summarizeWaits } from '../../../../scripts/bench/waits.mjs';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
const PRICES = JSON.parse(readFileSync(join(ROOT, 'scripts/bench/prices.json'), 'utf8')) as {
  read: string;
  sources: string[];
  prices: Record<string, { what: string; price: number; per: number }>;
};

const createCounts = (more: object = {}) => ({
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
  it('a percentile is a measured value, in whatever order the values come', () => {
    const values = [9, 1, 8, 2, 7, 3, 6, 4, 5, 10];
    expect(percentile(values, 0.5)).toBe(5);
    expect(percentile(values, 0.95)).toBe(10);
    expect(percentile(values, 0.9)).toBe(9);
    expect(percentile([4], 0.95)).toBe(4);
    expect(percentile([1, 2], 0)).toBe(1);
  });

  it('a percentile of no values is shown as a dash', () => {
    expect(formatNumber(percentile([], 0.5))).toBe('–');
    expect(formatRatio(Number.NaN, 2)).toBe('–');
  });

  it('computing a percentile keeps the order of its values', () => {
    const values = [3, 1, 2];
    percentile(values, 0.5);
    expect(values).toEqual([3, 1, 2]);
  });
});

describe('capacity', () => {
  it('only what is free beside the held part counts, and only whole things fit', () => {
    expect(computeCapacity(128, 28, 30)).toBe(3);
    expect(computeCapacity(128, 128, 30)).toBe(0);
    expect(computeCapacity(128, 150, 30)).toBe(0);
  });

  it('a capacity for things without a size is shown as a dash', () => {
    expect(formatNumber(computeCapacity(128, 28, 0))).toBe('–');
  });
});

describe('numbers in tables', () => {
  it('a measured number has three significant digits, and a whole one has all of its digits', () => {
    expect([12_345.6, 123.4, 12.34, 1.234, 0.1234, 1.5, 0, 5, 1_000_000].map(formatNumber)).toEqual([
      '12,346',
      '123',
      '12.3',
      '1.23',
      '0.123',
      '1.50',
      '0',
      '5',
      '1,000,000',
    ]);
  });

  it('a number next to its baseline shows the difference with its sign', () => {
    expect(formatAdded(10.2, 1.2)).toBe('10.2 (+9)');
    expect(formatAdded(1.5, 1.8)).toBe('1.50 (−0.30)');
  });

  it('columns have one width, and no text breaks a column', () => {
    const rows = [
      ['a|b', 1],
      ['home', 20_000],
    ];
    const lines = formatTable('page | a second', rows).split('\n');
    expect(lines[0]).toContain('| page | a second |');
    expect(lines[2]).toContain(String.raw`a\|b`);
    expect(lines[3]).toContain('20,000');
    expect(new Set(lines.map((line) => line.length)).size).toBe(1);
  });
});

describe('aims', () => {
  const judge = (value: number) => judgeAim('A page', value, 2, 'times', 'It is drawn.');

  it('an aim is met by a value at its limit', () => {
    expect(judge(2)).toBe('- A page: met (2 times).');
  });

  it('a missed aim says so, and gives the reason', () => {
    expect(judge(2.01)).toBe('- A page: **missed** (2.01 times). It is drawn.');
    expect(judge(Number.NaN)).toContain('**missed**');
  });
});

describe('the price of turns', () => {
  it('each count is multiplied by its price, and the highest comes first', () => {
    const lines = priceUsage(
      { d1_rows_written: 5, object_rows_written: 20, worker_requests: 1 },
      PRICES.prices,
    );
    expect(lines.map(({ name }) => name)).toEqual([
      'object_rows_written',
      'd1_rows_written',
      'worker_requests',
    ]);
    expect(lines.map(({ dollars }) => dollars)).toEqual([20e-6, 5e-6, 0.3e-6]);
  });

  it('usage without a price is an error', () => {
    expect(() => priceUsage({ pigeons: 1 }, PRICES.prices)).toThrow('pigeons');
  });

  it('usage is computed per turn, with objects charged for 128 MB while they are busy', () => {
    const counts = createCounts({
      worker_requests: 10,
      alarms: 10,
      object_requests: { conversation: 10, wallet: 20 },
      object_rows_written: { conversation: 300, wallet: 80 },
      active_ms: { conversation: 50_000, wallet: 10_000 },
      log_lines: 10,
    });
    const usage = computeUsage(counts, 10);
    expect(usage).toMatchObject({
      worker_requests: 1,
      object_requests: 4,
      object_rows_written: 38,
      log_events: 1,
    });
    expect(usage.object_gb_seconds).toBeCloseTo(6 * 0.128, 10);
  });

  it('every counted use has a price, and the list has a date and its sources', () => {
    const usage = computeUsage(createCounts(), 1);
    expect(() => priceUsage(usage, PRICES.prices)).not.toThrow();
    expect(Object.keys(PRICES.prices).toSorted()).toEqual(Object.keys(usage).toSorted());
    expect(PRICES.read).toMatch(/^\d{4}-\d\d-\d\d$/);
    for (const source of PRICES.sources) expect(source).toMatch(/^https:\/\/developers\.cloudflare\.com\//);
  });
});

describe('the document', () => {
  const before =
    'one\n\n<!-- bench:a -->\n\nold\n\n<!-- /bench:a -->\n\ntwo <!-- bench:b --><!-- /bench:b -->';

  it('replacing a section leaves the rest of the document as it is', () => {
    const after = replaceSection(before, 'a', '| new |\n');
    expect(after).toBe(before.replace('old', '| new |'));
    expect(replaceSection(after, 'a', 'old')).toBe(before);
  });

  it('the documents have a section for every measurement, and an unknown section is an error', () => {
    const read = (name: string) => readFileSync(join(ROOT, 'docs/tables', name), 'utf8');
    const document = read('performance.md');
    const names = ['turns', 'streams', 'waits', 'pages', 'rows', 'memory', 'cold-start', 'database'];
    for (const name of names) expect(replaceSection(document, name, 'figures')).toContain('figures');
    const browserDocument = read('browser-performance.md');
    for (const name of ['long-chat', 'navigation'])
      expect(replaceSection(browserDocument, name, 'figures')).toContain('figures');
    expect(() => replaceSection(document, 'nowhere', '')).toThrow('nowhere');
  });
});

it('a statement is named by its verb and its tables', () => {
  const session = `select "s"."id" from "sessions" inner join "users" on "users"."id" = "sessions"."user_id"`;
  expect(nameStatement(session)).toBe('select sessions, users');
  expect(nameStatement('update "conversations" set "title" = ? where "id" = ?')).toBe('update conversations');
  expect(nameStatement('insert into\n  words (rowid) select value from json_each(?)')).toBe('insert words');
  expect(nameStatement('delete from search_queue where seq <= ?')).toBe('delete search_queue');
});

describe('the targets of a turn', () => {
  const model = { name: 'model', kind: 'model', origin: 'http://127.0.0.1:9' } as const;
  const product = {
    name: 'Loreloom',
    kind: 'product',
    origin: 'http://localhost:9',
    users: [{ cookie: 'session=a', address: '10.0.0.1', conversationId: 'c1' }],
  } as const;

  it('the pieces of a reply are counted alike for the model and the product', () => {
    const chunk = (text: string) => `data: {"choices":[{"index":0,"delta":{"content":"${text}"}}]}\n\n`;
    const first = 'data: {"choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}\n\n';
    expect(countPieces(model, first + chunk('w0') + chunk(' w1') + chunk(' w2'))).toBe(3);
    expect(
      countPieces(product, 'id: t:2\nevent: delta\ndata: {}\n\nid: t:3\nevent: done\ndata: {}\n\n'),
    ).toBe(1);
  });

  it('a reply has ended when its own format says so', () => {
    expect(hasEnd(model, 'data: [DONE]\n\n')).toBe(true);
    expect(hasEnd(product, 'event: error\n')).toBe(false);
  });

  it('the last word of a reply is known for a scenario of words', () => {
    expect(getLastWord('tokens n=400 ms=20')).toBe(' w399');
    expect(getLastWord('hang')).toBe('');
    expect(getLastWord(null)).toBe('');
  });

  it('every turn is a new message of its own user to the origin', () => {
    const [one, other] = [createTurn(product, 0, 'hang'), createTurn(product, 7, 'hang')];
    expect(one).toMatchObject({ path: '/api/conversations/c1/messages', hostname: '127.0.0.1' });
    expect(one.headers).toMatchObject({
      host: 'localhost:9',
      cookie: 'session=a',
      'cf-connecting-ip': '10.0.0.1',
    });
    expect(JSON.parse(one.body).client_message_id).not.toBe(JSON.parse(other.body).client_message_id);
    expect(JSON.parse(createTurn(product, 0, null).body).content).not.toContain('[[');
  });
});

it('the waits of a turn come in order with their mean time, without what follows the first token', () => {
  const turn = (startedAt: number, marks: [string, number][]) => ({
    startedAt,
    firstMs: 10,
    marks: marks.map(([name, at]): [string, number] => [name, startedAt + at]),
  });
  const turns = [
    turn(1000, [
      ['asked', 2],
      ['asked', 5],
      ['updated the list', 30],
    ]),
    turn(5000, [
      ['asked', 4],
      ['asked', 5],
      ['now and then', 1],
    ]),
  ];
  expect(summarizeWaits(turns)).toEqual([
    { name: 'asked', at: 3 },
    { name: 'asked (2)', at: 5 },
    { name: 'the reader has the first token', at: 10 },
  ]);
});

it('calls that start before the first of them has answered are one wait', () => {
  const count = (...names: string[]) => countWaits(names.map((name) => [name, 0]));
  const send = ['conversation.send is called', 'conversation.send begins'];
  const D1 = ['D1 is asked', 'D1 has answered'];
  const wallet = ['wallet.reserve is called', 'wallet.reserve begins', 'wallet.reserve has answered'];
  expect(count(...send, 'the model is asked', ...D1)).toBe(0);
  expect(count(...send, ...D1, ...wallet, 'the model is asked')).toBe(2);
  expect(count('D1 is asked', ...send, ...wallet, 'D1 has answered', 'the model is asked')).toBe(1);
  expect(count(...D1, ...send, ...wallet, ...D1, 'the model is asked')).toBe(3);
});

it('the resident memory of a process is read from /proc in bytes', () => {
  expect(parseResidentBytes('Name:\tworkerd\nVmRSS:\t    2048 kB\n')).toBe(2_097_152);
  expect(() => parseResidentBytes('Name:\tworkerd\n')).toThrow();
});
