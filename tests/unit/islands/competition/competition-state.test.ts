import { describe, expect, test } from 'vitest';
import type { Judging, OwnEntries } from '../../../../src/features/competition/contract.ts';
import type { CompetitionApi } from '../../../../src/islands/competition/competition-api.ts';
import { createCompetitionStore } from '../../../../src/islands/competition/competition-state.ts';
import type { Failure, Result } from '../../../../src/islands/shared/api.ts';
import {
  buildCompetitionHref,
  parseCompetitionQuery,
} from '../../../../src/components/data/competition-query.ts';

const FAILED: Failure = { ok: false, status: 500, code: 'server_error', error: '' };
const SEASON: OwnEntries['season'] = {
  number: 7,
  begins_at: '2026-10-01T00:00:00.000Z',
  ends_at: '2027-01-01T00:00:00.000Z',
  winners_at: '2027-01-05T00:00:00.000Z',
  status: 'running',
};
const entry = (id: string): OwnEntries['items'][number] => ({
  ...{ character_id: id, name: id, avatar_url: '/a.png', state: 'entered' },
  explicit_words: [],
  ...{ rank: 2, people: 3, score: 40 },
});
const judged = (id: string): Judging['items'][number] => ({
  ...{ character_id: id, name: id, oneliner: '', avatar_url: '/a.png', creator_id: 'c', creator_name: 'C' },
  ...{ is_own: false, mark: null, marks: 1 },
});

/** A page with a server that gives these answers. */
function page(answers: Partial<CompetitionApi> = {}) {
  const calls: unknown[] = [];
  const record =
    <Args extends unknown[], T>(name: string, answer: (...args: Args) => Promise<Result<T>>) =>
    (...args: Args) => {
      calls.push([name, ...args]);
      return answer(...args);
    };
  const api: CompetitionApi = {
    entries: record('entries', async (cursor?: string) => ({
      ok: true,
      data: {
        season: SEASON,
        items: cursor === undefined ? [entry('a'), entry('b')] : [entry('b'), entry('c')],
        next_cursor: cursor === undefined ? 'next' : null,
      },
    })),
    setWithdrawn: record('setOut', async () => ({ ok: true, data: null })),
    judging: record('judging', async (_cursor?: string, _season?: number) => ({
      ok: true,
      data: {
        ...{ season: SEASON, seasons: [7, 6], items: [judged('a')], next_cursor: 'more' },
        prizes: [{ prize: 'gift_card', place: 1, user_id: 'u', character_name: 'A', given_at: null }],
      },
    })),
    scoreEntry: record('mark', async (_, mark: number) => ({ ok: true, data: { mark, marks: 2 } })),
    awardPrize: record('give', async () => ({
      ok: true,
      data: { prize: 'gift_card', place: 1, user_id: 'u', character_name: 'A', given_at: SEASON.ends_at },
    })),
    ...answers,
  };
  const state = createCompetitionStore({ api, asker: { getUserId: () => 'me', signIn: async () => null } });
  return { ...state, calls, list: () => state.entries.$list.get() };
}

describe('Own entries', () => {
  test('entries are loaded page by page without duplicates', async () => {
    const { entries, list } = page();
    await entries.load();
    expect(list()).toMatchObject({ status: 'ready', nextCursor: 'next' });
    await entries.showMore();
    expect(list().items.map(({ character_id }) => character_id)).toEqual(['a', 'b', 'c']);
    expect(list().nextCursor).toBeNull();
    await entries.showMore();
    expect(list().items).toHaveLength(3);
  });

  test('loaded entries stay when the next page fails, which can be loaded again', async () => {
    let down = true;
    const { entries, list } = page({
      entries: async (cursor) => {
        if (cursor !== undefined && down) return FAILED;
        return {
          ok: true,
          data: { season: SEASON, items: [entry(cursor ?? 'a')], next_cursor: cursor ? null : 'z' },
        };
      },
    });
    await entries.load();
    await entries.showMore();
    expect(list()).toMatchObject({ more: 'failed', items: [{ character_id: 'a' }] });
    down = false;
    await entries.showMore();
    expect(list()).toMatchObject({ more: 'idle', items: [{ character_id: 'a' }, { character_id: 'z' }] });
  });

  test('entries that arrive after the user left are not shown', async () => {
    const { entries, list } = page();
    const loading = entries.load();
    entries.reset();
    await loading;
    expect(list()).toMatchObject({ status: 'idle', items: [] });
  });

  test('an entry can be withdrawn and entered again, and stays unchanged after a failure', async () => {
    const { entries, setWithdrawn, list, calls, $busy } = page();
    await entries.load();
    const leaving = setWithdrawn('a', true);
    expect($busy.get().has('a')).toBe(true);
    expect(await leaving).toBeNull();
    expect($busy.get().size).toBe(0);
    expect(list().items[0]).toMatchObject({ state: 'withdrawn', rank: null, score: null });
    expect(await setWithdrawn('a', false)).toBeNull();
    expect(list().items[0]).toMatchObject({ state: 'entered', rank: null });
    expect(calls.slice(1)).toEqual([
      ['setOut', 'a', true],
      ['setOut', 'a', false],
    ]);
    const broken = page({ setWithdrawn: async () => FAILED });
    await broken.entries.load();
    expect(await broken.setWithdrawn('a', true)).toBe(FAILED);
    expect(broken.list().items[0]).toEqual(entry('a'));
  });
});

describe('Judging', () => {
  test('judging shows the saved score and the awarded prizes', async () => {
    const { judging, scoreEntry: mark, awardPrize } = page();
    await judging.load();
    expect(await mark('a', 80)).toBeNull();
    expect(judging.$list.get().items[0]).toMatchObject({ mark: 80, marks: 2 });
    expect(await awardPrize({ season: 7, prize: 'gift_card', place: 1 })).toBeNull();
    expect(judging.$list.get().page?.prizes[0]?.given_at).toBe(SEASON.ends_at);
  });

  test('judging keeps the old score when the new one could not be saved', async () => {
    const { judging, scoreEntry: mark } = page({ scoreEntry: async () => FAILED });
    await judging.load();
    expect(await mark('a', 80)).toBe(FAILED);
    expect(judging.$list.get().items[0]).toMatchObject({ mark: null, marks: 1 });
  });
});

test('judging loads the requested season page by page, or the one that waits for a decision', async () => {
  const { loadJudging, judging, calls } = page();
  await loadJudging(6);
  await judging.showMore();
  await loadJudging(undefined);
  expect(calls).toEqual([
    ['judging', undefined, 6],
    ['judging', 'more', 6],
    ['judging', undefined, undefined],
  ]);
  expect(judging.$list.get().page?.seasons).toEqual([7, 6]);
});

describe('Competition address', () => {
  const read = (query: string) => parseCompetitionQuery(new URLSearchParams(query));

  test('the address contains a season and a cursor, or neither', () => {
    expect(read('')).toEqual({ season: undefined, cursor: undefined });
    expect(read('season=2&cursor=20.a')).toEqual({ season: 2, cursor: '20.a' });
    expect(buildCompetitionHref('/en/x', read('cursor=20.a&season=2&utm=1'))).toBe(
      '/en/x?season=2&cursor=20.a',
    );
    expect(buildCompetitionHref('/en/x', read(''))).toBe('/en/x');
  });

  test.each(['season=', 'season=two', 'season=0', 'season=-1', 'season=1.5', 'season=123456', 'season=02'])(
    'the malformed season in %s is read as season 0',
    (query) => expect(read(query).season).toBe(0),
  );
});
