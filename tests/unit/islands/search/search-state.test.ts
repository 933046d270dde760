import { describe, expect, it } from 'vitest';
import type { FoundMessage, SearchResult } from '../../../../src/features/search/contract.ts';
import {
  createMessageSearch,
  type FindMessages,
  MAX_EMPTY_PAGES,
  DEBOUNCE_MS,
} from '../../../../src/islands/search/search-state.ts';
import type { Failure, Result } from '../../../../src/islands/shared/api.ts';
import { NETWORK_ERROR, createFailure, flushPromises } from '../../../support/chat-fixture.ts';

const found = (id: string): FoundMessage => ({
  conversation_id: 'c1',
  message_id: id,
  role: 'user',
  character_id: 'char1',
  character_name: 'Ilse',
  avatar_url: '/media/ilse.webp',
  title: null,
  branch_of: null,
  snippet: id,
  marks: [],
  created_at: '2026-03-10T12:00:00.000Z',
});
const page = (ids: string[], next: string | null = null): Result<SearchResult> => ({
  ok: true,
  data: { items: ids.map(found), next_cursor: next },
});

/** A search whose server answers when the test says so, with a clock that the test moves. */
function createSearchFixture({ loginResult = 'ana' as string | null } = {}) {
  const requests: {
    query: string;
    cursor: string | null;
    answer: (result: Result<SearchResult>) => Promise<void>;
  }[] = [];
  let timers: { at: number; run: () => void }[] = [];
  let now = 0;
  let signIns = 0;
  const find: FindMessages = (query, cursor) =>
    new Promise((resolve) => {
      requests.push({
        query,
        cursor,
        answer: async (result) => {
          resolve(result);
          await flushPromises();
        },
      });
    });
  const search = createMessageSearch({
    find,
    clock: {
      now: () => now,
      after(ms, run) {
        const timer = { at: now + ms, run };
        timers.push(timer);
        return () => void (timers = timers.filter((other) => other !== timer));
      },
    },
    asker: {
      getUserId: () => 'ana',
      signIn: async () => {
        signIns += 1;
        return loginResult;
      },
    },
  });
  return {
    search,
    requests,
    get state() {
      return search.$search.get();
    },
    get shown() {
      return search.$search.get().items.map(({ message_id }) => message_id);
    },
    get signIns() {
      return signIns;
    },
    pass(ms: number) {
      now += ms;
      const due = timers.filter(({ at }) => at <= now);
      timers = timers.filter(({ at }) => at > now);
      for (const { run } of due) run();
    },
  };
}

describe('Message search state', () => {
  it('a search starts when typing pauses, and at once when it is submitted', () => {
    const fixture = createSearchFixture();
    fixture.search.setQuery('la');
    fixture.pass(DEBOUNCE_MS - 1);
    fixture.search.setQuery('lamp ');
    fixture.pass(DEBOUNCE_MS - 1);
    expect(fixture.requests).toEqual([]);
    fixture.pass(1);
    expect(fixture.requests.map(({ query }) => query)).toEqual(['lamp']);
    fixture.search.setQuery('lamp post');
    fixture.search.submit('lamp post');
    fixture.pass(DEBOUNCE_MS);
    expect(fixture.requests.map(({ query }) => query)).toEqual(['lamp', 'lamp post']);
  });

  it('a search does not repeat the same query', () => {
    const fixture = createSearchFixture();
    fixture.search.submit('lamp');
    fixture.search.setQuery('lamp ');
    fixture.pass(DEBOUNCE_MS);
    expect(fixture.requests).toHaveLength(1);
  });

  it('a search shows the results of the last query, whichever answer comes first', async () => {
    const fixture = createSearchFixture();
    fixture.search.submit('lamp');
    fixture.search.submit('storm');
    await fixture.requests[1]?.answer(page(['storm']));
    await fixture.requests[0]?.answer(page(['lamp']));
    expect(fixture.state).toMatchObject({ status: 'found', asked: 'storm' });
    expect(fixture.shown).toEqual(['storm']);
  });

  it('a search keeps its results during the next query and clears them when the box is empty', async () => {
    const fixture = createSearchFixture();
    fixture.search.submit('lamp');
    await fixture.requests[0]?.answer(page(['lamp']));
    fixture.search.submit('lamps');
    expect(fixture.state.status).toBe('searching');
    expect(fixture.shown).toEqual(['lamp']);
    fixture.search.setQuery('  ');
    expect(fixture.state.status).toBe('idle');
    await fixture.requests[1]?.answer(page(['lamps']));
    expect(fixture.shown).toEqual([]);
  });

  it('older results are appended once per page', async () => {
    const fixture = createSearchFixture();
    fixture.search.submit('lamp');
    await fixture.requests[0]?.answer(page(['m3', 'm2'], '7'));
    void fixture.search.showMore();
    void fixture.search.showMore();
    expect(fixture.requests.map(({ cursor }) => cursor)).toEqual([null, '7']);
    await fixture.requests[1]?.answer(page(['m1']));
    expect(fixture.shown).toEqual(['m3', 'm2', 'm1']);
    expect(fixture.state).toMatchObject({ nextCursor: null, more: 'idle' });
  });

  it('a search continues past empty pages until it finds something or reaches the end', async () => {
    const fixture = createSearchFixture();
    fixture.search.submit('lamp');
    await fixture.requests[0]?.answer(page([], '9'));
    expect(fixture.state.status).toBe('searching');
    await fixture.requests[1]?.answer(page(['m1'], '7'));
    expect(fixture.state).toMatchObject({ status: 'found', nextCursor: '7' });
    void fixture.search.showMore();
    await fixture.requests[2]?.answer(page([], '5'));
    expect(fixture.state.more).toBe('loading');
    await fixture.requests[3]?.answer(page([]));
    expect(fixture.requests.map(({ cursor }) => cursor)).toEqual([null, '9', '7', '5']);
    expect(fixture.shown).toEqual(['m1']);
    expect(fixture.state).toMatchObject({ status: 'found', more: 'idle', nextCursor: null });
  });

  it('a search stops after the maximum number of empty pages', async () => {
    const fixture = createSearchFixture();
    fixture.search.submit('lamp');
    for (let requests = 0; requests < MAX_EMPTY_PAGES; requests += 1)
      await fixture.requests[requests]?.answer(page([], `${requests}`));
    expect(fixture.requests).toHaveLength(MAX_EMPTY_PAGES);
    expect(fixture.state).toMatchObject({ status: 'found', items: [], nextCursor: `${MAX_EMPTY_PAGES - 1}` });
  });

  it('a search does not continue past an empty page once the query has changed', async () => {
    const fixture = createSearchFixture();
    fixture.search.submit('lamp');
    fixture.search.submit('storm');
    await fixture.requests[0]?.answer(page([], '9'));
    expect(fixture.requests.map(({ query }) => query)).toEqual(['lamp', 'storm']);
  });

  it('a failed search reports what failed and can be retried', async () => {
    const fixture = createSearchFixture();
    fixture.search.submit('lamp');
    await fixture.requests[0]?.answer(NETWORK_ERROR);
    expect(fixture.state).toMatchObject({ status: 'failed', failure: { code: 'network' } });
    fixture.search.retry();
    await fixture.requests[1]?.answer(page(['m2'], '7'));
    void fixture.search.showMore();
    await fixture.requests[2]?.answer(createFailure(500, 'server_error'));
    expect(fixture.state).toMatchObject({ status: 'found', more: 'failed' });
    expect(fixture.shown).toEqual(['m2']);
    fixture.search.retry();
    await fixture.requests[3]?.answer(page(['m1']));
    expect(fixture.shown).toEqual(['m2', 'm1']);
    fixture.search.retry();
    expect(fixture.requests).toHaveLength(4);
  });

  it('a search is repeated after the user logs in again', async () => {
    const fixture = createSearchFixture();
    fixture.search.submit('lamp');
    await fixture.requests[0]?.answer(createFailure(401, 'unauthenticated'));
    expect(fixture.signIns).toBe(1);
    await fixture.requests[1]?.answer(page(['m1']));
    expect(fixture.shown).toEqual(['m1']);

    const other = createSearchFixture({ loginResult: null });
    other.search.submit('lamp');
    await other.requests[0]?.answer(createFailure(401, 'unauthenticated') as Failure);
    expect(other.state).toMatchObject({ status: 'failed', failure: { status: 401 } });
  });

  it('a search is not repeated for another account, nor does it ask for a login after a reset', async () => {
    const fixture = createSearchFixture({ loginResult: 'ben' });
    fixture.search.submit('lamp');
    await fixture.requests[0]?.answer(createFailure(401, 'unauthenticated'));
    expect(fixture.requests).toHaveLength(1);
    expect(fixture.state).toMatchObject({ status: 'failed', failure: { code: 'other_account' } });
    fixture.search.submit('storm');
    fixture.search.reset();
    await fixture.requests[1]?.answer(createFailure(401, 'unauthenticated'));
    expect(fixture.signIns).toBe(1);
  });

  it('a reset search drops its results and pending answers', async () => {
    const fixture = createSearchFixture();
    fixture.search.submit('lamp');
    fixture.search.reset();
    await fixture.requests[0]?.answer(page(['m1']));
    expect(fixture.state).toMatchObject({ status: 'idle', asked: '' });
    expect(fixture.shown).toEqual([]);
  });
});
