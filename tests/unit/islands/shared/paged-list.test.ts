import { expect, test, vi } from 'vitest';
import { createPagedList } from '../../../../src/islands/shared/paged-list.ts';
import { NETWORK_FAILURE, type Result } from '../../../../src/islands/shared/api.ts';
import { STALE_AFTER_MS } from '../../../../src/islands/shared/remote-state.ts';

type Page = Result<{ items: { id: string }[]; next_cursor: string | null }>;
const createPage = (ids: string, next: string | null = null): Page => ({
  ok: true,
  data: { items: [...ids].map((id) => ({ id })), next_cursor: next },
});

function list(...answers: Page[]) {
  const clock = { ms: 0 };
  const cursors: (string | undefined)[] = [];
  const received: string[] = [];
  const pages = createPagedList({
    getId: ({ id }: { id: string }) => id,
    fetchPage: async (cursor) => {
      cursors.push(cursor);
      return answers.shift() ?? NETWORK_FAILURE;
    },
    now: () => clock.ms,
    onItems: (items) => void received.push(...items.map(({ id }) => id)),
  });
  const ids = () =>
    pages.$list
      .get()
      .items.map(({ id }) => id)
      .join('');
  return { pages, cursors, received, ids, clock };
}

test('a paged list loads page by page and lists an item that moved between pages once', async () => {
  const { pages, cursors, received, ids } = list(
    createPage('abc', 'x'),
    createPage('cd', 'y'),
    createPage('e'),
  );
  await pages.load();
  await pages.showMore();
  await pages.showMore();
  await pages.showMore();
  expect({ ids: ids(), cursors, received: received.join('') }).toEqual({
    ids: 'abcde',
    cursors: [undefined, 'x', 'y'],
    received: 'abcde',
  });
  expect(pages.$list.get()).toMatchObject({ status: 'ready', nextCursor: null, added: 2 });
});

test('a page that fails to load leaves the list as it is and can be requested again', async () => {
  const { pages, ids } = list(createPage('a', 'x'), NETWORK_FAILURE, NETWORK_FAILURE, createPage('b'));
  await pages.load();
  await pages.showMore();
  expect({ ids: ids(), more: pages.$list.get().more }).toEqual({ ids: 'a', more: 'failed' });
  await pages.showMore();
  expect({ ids: ids(), more: pages.$list.get().more }).toEqual({ ids: 'ab', more: 'idle' });
});

test('a list reports a failed load, and drops a page that arrives after a reset', async () => {
  const { pages, ids } = list(NETWORK_FAILURE, NETWORK_FAILURE, createPage('a'));
  await pages.load();
  expect(pages.$list.get().status).toBe('failed');
  const loading = pages.load();
  pages.reset();
  await loading;
  expect({ ids: ids(), status: pages.$list.get().status }).toEqual({ ids: '', status: 'idle' });
});

test('a list that is shown again is read again after five minutes, and keeps its items meanwhile', async () => {
  const { pages, cursors, ids, clock } = list(createPage('a'), createPage('b'));
  pages.loadIfStale();
  await vi.waitFor(() => expect(ids()).toBe('a'));
  clock.ms = STALE_AFTER_MS - 1;
  pages.loadIfStale();
  expect(cursors).toHaveLength(1);
  clock.ms = STALE_AFTER_MS;
  pages.loadIfStale();
  expect({ ids: ids(), status: pages.$list.get().status }).toEqual({ ids: 'a', status: 'loading' });
  await vi.waitFor(() => expect(ids()).toBe('b'));
});
