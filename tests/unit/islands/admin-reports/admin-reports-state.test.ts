import { describe, expect, test } from 'vitest';
import type { AccountCase } from '../../../../src/features/moderation/moderation-action-contract.ts';
import type { QueuedReport, ReportCase } from '../../../../src/features/moderation/report-contract.ts';
import {
  type AdminQueuesApi,
  createAdminQueues,
} from '../../../../src/islands/admin-reports/admin-reports-state.ts';
import { NETWORK_FAILURE, type Result } from '../../../../src/islands/shared/api.ts';

const row = (id: string, part: Partial<QueuedReport> = {}): QueuedReport => ({
  id,
  subject: 'character',
  subject_id: `of-${id}`,
  character_id: `of-${id}`,
  name: 'Vesper',
  reason: 'spam',
  status: 'open',
  answer: null,
  created_at: '2026-11-22T10:00:00.000Z',
  resolved_at: null,
  open_beside: 0,
  ...part,
});

const toCase = (one: QueuedReport): ReportCase => ({
  ...one,
  details: '',
  excerpt: '',
  reporter: null,
  owner: null,
  character: null,
  measures: [],
  history: [],
});

const createAccount = (id: string): AccountCase => ({
  id,
  name: id,
  email: `${id}@example.org`,
  is_anonymous: false,
  plan: 'free',
  points: 50,
  character_count: 2,
  created_at: '2026-11-01T10:00:00.000Z',
  suspended_at: null,
  measures: [],
});

/** A server that returns these reports in pages of two; `fail` makes its next answers fail. */
function createServer(rows: QueuedReport[]) {
  const requests: string[] = [];
  const missing = new Set<string>();
  let fails = 0;
  const answer = <T>(what: string, data: () => T): Promise<Result<T>> => {
    requests.push(what);
    if (fails > 0) {
      fails -= 1;
      return Promise.resolve(NETWORK_FAILURE);
    }
    return Promise.resolve({ ok: true, data: data() });
  };
  const find = (id: string) => rows.find((one) => one.id === id) as QueuedReport;
  const api: AdminQueuesApi = {
    reports: ({ status, subject, cursor }) =>
      answer(`reports ${status} ${subject ?? 'all'} ${cursor ?? ''}`.trim(), () => {
        const from = Number(cursor ?? 0);
        const found = rows.filter((one) => one.status === status);
        return {
          items: found.slice(from, from + 2),
          next_cursor: found.length > from + 2 ? String(from + 2) : null,
        };
      }),
    report: (id) => answer(`report ${id}`, () => toCase(find(id))),
    decideReport: (id, { status }) =>
      answer(`decide ${id} ${status}`, () => Object.assign(find(id), { status })),
    appeals: ({ status }) => answer(`appeals ${status}`, () => ({ items: [], next_cursor: null })),
    appeal: (id) => answer(`appeal ${id}`, () => ({}) as never),
    decideAppeal: (id) => answer(`decide ${id}`, () => ({}) as never),
    applyAction: ({ kind, report_id: report }) => answer(`take ${kind} of ${report}`, () => null),
    revokeAction: (id) => answer(`take back ${id}`, () => null),
    account: (id) => {
      if (missing.has(id)) return Promise.resolve({ ok: false, status: 404, code: 'not_found', error: '' });
      return answer(`account ${id}`, () => createAccount(id));
    },
    lorebook: (id, from) =>
      answer(`lorebook ${id} ${from}`, () => ({
        texts: [`${id} ${from}`],
        next: from < 2 ? from + 1 : null,
      })),
  };
  const queues = createAdminQueues(api);
  return { queues, requests, missing, fail: (times: number) => (fails = times) };
}

const ALL = { queue: 'reports', status: 'open', subject: null } as const;

describe('Report queue', () => {
  test('the queue loads page by page, and a new filter starts from its first page', async () => {
    const { queues, requests } = createServer([row('a'), row('b'), row('c')]);
    await queues.show(ALL);
    expect(queues.$state.get()).toMatchObject({ status: 'ready', nextCursor: '2', rows: { length: 2 } });
    await queues.showMore();
    expect(queues.$state.get().rows.map((one) => one.row.id)).toEqual(['a', 'b', 'c']);
    await queues.show({ ...ALL, status: 'upheld', subject: 'creator' });
    expect(queues.$state.get()).toMatchObject({ status: 'ready', rows: [], nextCursor: null, open: null });
    await queues.show({ queue: 'appeals', status: 'open' });
    expect(requests).toEqual([
      'reports open all',
      'reports open all 2',
      'reports upheld creator',
      'appeals open',
    ]);
  });

  test('a page that failed to load is retried from the same cursor', async () => {
    const { queues, fail } = createServer([row('a'), row('b'), row('c')]);
    await queues.show(ALL);
    fail(1);
    await queues.showMore();
    expect(queues.$state.get()).toMatchObject({ status: 'failed', rows: { length: 2 } });
    await queues.showMore();
    expect(queues.$state.get()).toMatchObject({ status: 'ready', rows: { length: 3 } });
  });

  test('the queue shows the filter chosen last, whichever answer arrives first', async () => {
    const { queues } = createServer([row('a'), row('b', { status: 'upheld' })]);
    const [first, second] = [queues.show(ALL), queues.show({ ...ALL, status: 'upheld' })];
    await Promise.all([first, second]);
    expect(queues.$state.get().rows.map((one) => one.row.id)).toEqual(['b']);
  });
});

describe('Report case', () => {
  test('one case is open at a time, and a second press closes it', async () => {
    const { queues } = createServer([row('a'), row('b')]);
    await queues.show(ALL);
    await queues.toggleCase('a');
    expect(queues.$state.get().open).toMatchObject({ id: 'a', status: 'ready' });
    await queues.toggleCase('b');
    expect(queues.$state.get().open).toMatchObject({ id: 'b', status: 'ready' });
    await queues.toggleCase('b');
    expect(queues.$state.get().open).toBeNull();
  });

  test('a case that fails to open shows the failure and opens on retry', async () => {
    const { queues, fail } = createServer([row('a')]);
    await queues.show(ALL);
    fail(1);
    await queues.toggleCase('a');
    expect(queues.$state.get().open).toEqual({ id: 'a', status: 'failed', case: null });
    await queues.reloadOpen();
    expect(queues.$state.get().open).toMatchObject({ status: 'ready', case: { case: { id: 'a' } } });
  });

  test('a case is reloaded after each action, and its row shows the new status', async () => {
    const { queues, requests } = createServer([row('a'), row('b')]);
    await queues.show(ALL);
    await queues.toggleCase('a');
    requests.length = 0;
    const measure = { kind: 'character_hidden', subject_id: 'of-a', reason: 'Because.' } as const;
    expect(await queues.applyAction(measure)).toBeNull();
    expect(await queues.decideReport({ status: 'upheld' })).toBeNull();
    expect(await queues.revokeAction('m')).toBeNull();
    expect(requests).toEqual([
      'take character_hidden of a',
      'report a',
      'decide a upheld',
      'report a',
      'take back m',
      'report a',
    ]);
    expect(queues.$state.get().rows.map(({ row: one }) => [one.id, one.status])).toEqual([
      ['a', 'upheld'],
      ['b', 'open'],
    ]);
  });

  test('a failed decision is reported and leaves the case unchanged', async () => {
    const { queues, fail } = createServer([row('a')]);
    await queues.show(ALL);
    await queues.toggleCase('a');
    fail(1);
    expect(await queues.decideReport({ status: 'dismissed' })).toEqual(NETWORK_FAILURE);
    expect(queues.$state.get()).toMatchObject({ busy: false, open: { id: 'a', status: 'ready' } });
    expect(queues.$state.get().rows[0]?.row.status).toBe('open');
  });
});

describe('Account in a case', () => {
  test('one account is open at a time, and it closes on a second press or with another case', async () => {
    const { queues } = createServer([row('a'), row('b')]);
    await queues.show(ALL);
    await queues.toggleCase('a');
    await queues.toggleAccount('maker');
    expect(queues.$state.get().account).toMatchObject({
      id: 'maker',
      status: 'ready',
      account: { name: 'maker' },
    });
    await queues.toggleAccount('reporter');
    expect(queues.$state.get().account).toMatchObject({ id: 'reporter', status: 'ready' });
    await queues.toggleAccount('reporter');
    expect(queues.$state.get().account).toBeNull();
    await queues.toggleAccount('maker');
    await queues.toggleCase('b');
    expect(queues.$state.get().account).toBeNull();
  });

  test('an account is loaded only when it is opened, and reloaded after an action against it', async () => {
    const { queues, requests } = createServer([row('a')]);
    await queues.show(ALL);
    await queues.toggleCase('a');
    const lookups = () => requests.filter((what) => what.startsWith('account '));
    expect(lookups()).toEqual([]);
    await queues.toggleAccount('maker');
    await queues.decideReport({ status: 'upheld' });
    expect(lookups()).toEqual(['account maker']);
    await queues.applyAction({ kind: 'account_suspended', subject_id: 'maker', reason: 'Spam.' });
    await queues.revokeAction('m1');
    expect(lookups()).toEqual(['account maker', 'account maker', 'account maker']);
  });

  test('an account that failed to load is retried, and one that does not exist is shown as missing', async () => {
    const { queues, fail, missing } = createServer([row('a')]);
    await queues.show(ALL);
    await queues.toggleCase('a');
    fail(1);
    await queues.toggleAccount('maker');
    expect(queues.$state.get().account).toEqual({ id: 'maker', status: 'failed', account: null });
    await queues.reloadAccount();
    expect(queues.$state.get().account).toMatchObject({ status: 'ready' });
    missing.add('house');
    await queues.toggleAccount('house');
    expect(queues.$state.get().account).toEqual({ id: 'house', status: 'missing', account: null });
  });

  test('the account opened last is shown, whichever answer arrives first', async () => {
    const { queues } = createServer([row('a')]);
    await queues.show(ALL);
    await queues.toggleCase('a');
    await Promise.all([queues.toggleAccount('maker'), queues.toggleAccount('reporter')]);
    expect(queues.$state.get().account).toMatchObject({ id: 'reporter', account: { id: 'reporter' } });
  });
});

describe('Lorebook in a case', () => {
  test('the lorebook loads page by page, continues after a failure, and closes with its case', async () => {
    const { queues, requests, fail } = createServer([row('a'), row('b')]);
    await queues.show(ALL);
    await queues.toggleCase('a');
    await queues.loadMoreLore('of-a');
    fail(1);
    await queues.loadMoreLore('of-a');
    expect(queues.$state.get().lore).toMatchObject({ status: 'failed', texts: ['of-a 0'], next: 1 });
    await queues.loadMoreLore('of-a');
    await queues.loadMoreLore('of-a');
    await queues.loadMoreLore('of-a');
    expect(queues.$state.get().lore).toEqual({
      id: 'of-a',
      status: 'ready',
      texts: ['of-a 0', 'of-a 1', 'of-a 2'],
      next: null,
    });
    expect(requests.filter((what) => what.startsWith('lorebook'))).toEqual([
      'lorebook of-a 0',
      'lorebook of-a 1',
      'lorebook of-a 1',
      'lorebook of-a 2',
    ]);
    await queues.toggleCase('b');
    expect(queues.$state.get().lore).toBeNull();
  });
});
