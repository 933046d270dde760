import { describe, expect, it } from 'vitest';
import type { FoundMessage, SearchResult } from '../../src/features/search/contract.ts';
import {
  createMessageSearch,
  type FindMessages,
  MAX_EMPTY_PAGES,
  DEBOUNCE_MS,
} from '../../src/islands/search/search-state.ts';
import type { Failure, Result } from '../../src/islands/shared/api.ts';
import { NETWORK_ERROR, createFailure, flushPromises } from '../support/chat-fixture.ts';

const found = (id: string): FoundMessage => ({
  conversation_id: 'c1',
  message_id: id,
  role: 'user',
  character_id: 'char1',
  character_name: 'Ilse',
  avatar_url: '/media/ilse.webp',
  snippet: id,
  marks: [],
  created_at: '2026-03-10T12:00:00.000Z',
});
const page = (ids: string[], next: string | null = null): Result<SearchResult> => ({
  ok: true,
  data: { items: ids.map(found), next_cursor: next },
});

/** A search whose server answers when the test says so, and whose clock stands still. */
function world({ comes = 'ana' as string | null } = {}) {
  const asked: {
    query: string;
    cursor: string | null;
    answer: (result: Result<SearchResult>) => Promise<void>;
  }[] = [];
  let timers: { at: number; run: () => void }[] = [];
  let now = 0;
  let signIns = 0;
  const find: FindMessages = (query, cursor) =>
    new Promise((resolve) => {
      asked.push({
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
        return comes;
      },
    },
  });
  return {
    search,
    asked,
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

describe('A search', () => {
  it('looks for what is typed once it rests, and at once when it is sent', () => {
    const me = world();
    me.search.setQuery('la');
    me.pass(DEBOUNCE_MS - 1);
    me.search.setQuery('lamp ');
    me.pass(DEBOUNCE_MS - 1);
    expect(me.asked).toEqual([]);
    me.pass(1);
    expect(me.asked.map(({ query }) => query)).toEqual(['lamp']);
    me.search.setQuery('lamp post');
    me.search.submit('lamp post');
    me.pass(DEBOUNCE_MS);
    expect(me.asked.map(({ query }) => query)).toEqual(['lamp', 'lamp post']);
  });

  it('does not ask again for what it was asked already', () => {
    const me = world();
    me.search.submit('lamp');
    me.search.setQuery('lamp ');
    me.pass(DEBOUNCE_MS);
    expect(me.asked).toHaveLength(1);
  });

  it('shows the answer to what was asked last, whichever comes first', async () => {
    const me = world();
    me.search.submit('lamp');
    me.search.submit('storm');
    await me.asked[1]?.answer(page(['storm']));
    await me.asked[0]?.answer(page(['lamp']));
    expect(me.state).toMatchObject({ status: 'found', asked: 'storm' });
    expect(me.shown).toEqual(['storm']);
  });

  it('keeps what was found while something else is looked for, and nothing once the box is empty', async () => {
    const me = world();
    me.search.submit('lamp');
    await me.asked[0]?.answer(page(['lamp']));
    me.search.submit('lamps');
    expect(me.state.status).toBe('searching');
    expect(me.shown).toEqual(['lamp']);
    me.search.setQuery('  ');
    expect(me.state.status).toBe('idle');
    await me.asked[1]?.answer(page(['lamps']));
    expect(me.shown).toEqual([]);
  });

  it('fetches older ones behind what is shown, each page once', async () => {
    const me = world();
    me.search.submit('lamp');
    await me.asked[0]?.answer(page(['m3', 'm2'], '7'));
    void me.search.showMore();
    void me.search.showMore();
    expect(me.asked.map(({ cursor }) => cursor)).toEqual([null, '7']);
    await me.asked[1]?.answer(page(['m1']));
    expect(me.shown).toEqual(['m3', 'm2', 'm1']);
    expect(me.state).toMatchObject({ nextCursor: null, more: 'idle' });
  });

  it('goes on by itself where a page came back empty, until something is found or nothing is left', async () => {
    const me = world();
    me.search.submit('lamp');
    await me.asked[0]?.answer(page([], '9'));
    expect(me.state.status).toBe('searching');
    await me.asked[1]?.answer(page(['m1'], '7'));
    expect(me.state).toMatchObject({ status: 'found', nextCursor: '7' });
    void me.search.showMore();
    await me.asked[2]?.answer(page([], '5'));
    expect(me.state.more).toBe('loading');
    await me.asked[3]?.answer(page([]));
    expect(me.asked.map(({ cursor }) => cursor)).toEqual([null, '9', '7', '5']);
    expect(me.shown).toEqual(['m1']);
    expect(me.state).toMatchObject({ status: 'found', more: 'idle', nextCursor: null });
  });

  it('does not go on forever', async () => {
    const me = world();
    me.search.submit('lamp');
    for (let asked = 0; asked < MAX_EMPTY_PAGES; asked += 1)
      await me.asked[asked]?.answer(page([], `${asked}`));
    expect(me.asked).toHaveLength(MAX_EMPTY_PAGES);
    expect(me.state).toMatchObject({ status: 'found', items: [], nextCursor: `${MAX_EMPTY_PAGES - 1}` });
  });

  it('ends at an empty page when something else is asked', async () => {
    const me = world();
    me.search.submit('lamp');
    me.search.submit('storm');
    await me.asked[0]?.answer(page([], '9'));
    expect(me.asked.map(({ query }) => query)).toEqual(['lamp', 'storm']);
  });

  it('says what failed, and does that again', async () => {
    const me = world();
    me.search.submit('lamp');
    await me.asked[0]?.answer(NETWORK_ERROR);
    expect(me.state).toMatchObject({ status: 'failed', failure: { code: 'network' } });
    me.search.retry();
    await me.asked[1]?.answer(page(['m2'], '7'));
    void me.search.showMore();
    await me.asked[2]?.answer(createFailure(500, 'server_error'));
    expect(me.state).toMatchObject({ status: 'found', more: 'failed' });
    expect(me.shown).toEqual(['m2']);
    me.search.retry();
    await me.asked[3]?.answer(page(['m1']));
    expect(me.shown).toEqual(['m2', 'm1']);
    me.search.retry();
    expect(me.asked).toHaveLength(4);
  });

  it('goes on after signing in again where the session had ended', async () => {
    const me = world();
    me.search.submit('lamp');
    await me.asked[0]?.answer(createFailure(401, 'unauthenticated'));
    expect(me.signIns).toBe(1);
    await me.asked[1]?.answer(page(['m1']));
    expect(me.shown).toEqual(['m1']);

    const other = world({ comes: null });
    other.search.submit('lamp');
    await other.asked[0]?.answer(createFailure(401, 'unauthenticated') as Failure);
    expect(other.state).toMatchObject({ status: 'failed', failure: { status: 401 } });
  });

  it('is not made again in the chats of whoever else signs in, and asks nobody to sign in once it is called off', async () => {
    const me = world({ comes: 'ben' });
    me.search.submit('lamp');
    await me.asked[0]?.answer(createFailure(401, 'unauthenticated'));
    expect(me.asked).toHaveLength(1);
    expect(me.state).toMatchObject({ status: 'failed', failure: { code: 'other_account' } });
    me.search.submit('storm');
    me.search.reset();
    await me.asked[1]?.answer(createFailure(401, 'unauthenticated'));
    expect(me.signIns).toBe(1);
  });

  it('knows nothing any more when somebody else is here', async () => {
    const me = world();
    me.search.submit('lamp');
    me.search.reset();
    await me.asked[0]?.answer(page(['m1']));
    expect(me.state).toMatchObject({ status: 'idle', asked: '' });
    expect(me.shown).toEqual([]);
  });
});
