import { expect, test } from 'vitest';
import { createPagedList } from '../../src/islands/shared/paged-list.ts';
import { NETWORK_FAILURE, type Result } from '../../src/islands/shared/api.ts';

type Page = Result<{ items: { id: string }[]; next_cursor: string | null }>;
const pageOf = (ids: string, next: string | null = null): Page => ({
  ok: true,
  data: { items: [...ids].map((id) => ({ id })), next_cursor: next },
});

function list(...answers: Page[]) {
  const asked: (string | undefined)[] = [];
  const came: string[] = [];
  const pages = createPagedList({
    getId: ({ id }: { id: string }) => id,
    fetchPage: async (cursor) => {
      asked.push(cursor);
      return answers.shift() ?? NETWORK_FAILURE;
    },
    onItems: (items) => void came.push(...items.map(({ id }) => id)),
  });
  const ids = () =>
    pages.$list
      .get()
      .items.map(({ id }) => id)
      .join('');
  return { pages, asked, came, ids };
}

test('my list goes on page by page, and holds once what moved from one page to the next', async () => {
  const { pages, asked, came, ids } = list(pageOf('abc', 'x'), pageOf('cd', 'y'), pageOf('e'));
  await pages.load();
  await pages.showMore();
  await pages.showMore();
  await pages.showMore();
  expect({ ids: ids(), asked, came: came.join('') }).toEqual({
    ids: 'abcde',
    asked: [undefined, 'x', 'y'],
    came: 'abcde',
  });
  expect(pages.$list.get()).toMatchObject({ status: 'ready', nextCursor: null, added: 2 });
});

test('a page that does not come leaves the list as it is, and can be asked for again', async () => {
  const { pages, ids } = list(pageOf('a', 'x'), NETWORK_FAILURE, pageOf('b'));
  await pages.load();
  await pages.showMore();
  expect({ ids: ids(), more: pages.$list.get().more }).toEqual({ ids: 'a', more: 'failed' });
  await pages.showMore();
  expect({ ids: ids(), more: pages.$list.get().more }).toEqual({ ids: 'ab', more: 'idle' });
});

test('a list that fails to come says so; what comes for somebody who is gone is not shown', async () => {
  const { pages, ids } = list(NETWORK_FAILURE, pageOf('a'));
  await pages.load();
  expect(pages.$list.get().status).toBe('failed');
  const loading = pages.load();
  pages.reset();
  await loading;
  expect({ ids: ids(), status: pages.$list.get().status }).toEqual({ ids: '', status: 'idle' });
});
