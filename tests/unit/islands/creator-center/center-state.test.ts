import { describe, expect, test } from 'vitest';
import type { OwnCharacter, OwnCharacterList } from '../../../../src/features/character/contract.ts';
import type { CenterApi } from '../../../../src/islands/creator-center/center-api.ts';
import { createCreatorCenter, getDaysLeft } from '../../../../src/islands/creator-center/center-state.ts';
import { NETWORK_FAILURE, type Failure } from '../../../../src/islands/shared/api.ts';

const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-11-20T12:00:00.000Z');

const own = (id: string, day: number, deletedAt?: string): OwnCharacter => ({
  id,
  name: id,
  oneliner: 'Keeps the light',
  avatar_id: 'a.webp',
  avatar_url: '/media/a.webp',
  tags: [],
  free_tags: [],
  chat_count: 0,
  likes: 0,
  about: '',
  liked_count: 0,
  disliked_count: 0,
  featured: false,
  nsfw_allowed: false,
  creator: { id: 'me', name: 'Me' },
  summary: null,
  summary_generated: false,
  character_traits: 'Patient.',
  first_message: '',
  model_type: 'roleplay',
  visibility: 'public',
  point_of_view: 'normal',
  suggested_replies: [],
  language: null,
  alternate_greetings: [],
  moderation: 'shown',
  version: 1,
  created_at: new Date(Date.UTC(2026, 9, day)).toISOString(),
  updated_at: new Date(Date.UTC(2026, 9, day)).toISOString(),
  ...(deletedAt === undefined ? {} : { deleted_at: deletedAt }),
});
const page = (items: OwnCharacter[], next: string | null = null): OwnCharacterList => ({
  items,
  next_cursor: next,
  count: items.length,
});

/** A server with a creator's characters; each refusal applies to one call. */
function createFixture(here: OwnCharacterList[], trash: OwnCharacterList[] = [page([])], signsInAs = 'me') {
  const refusals: Failure[] = [];
  const lists = { here: [...here], trash: [...trash] };
  const count = here[0]?.count ?? 0;
  const done = async () => refusals.shift() ?? { ok: true as const, data: null };
  const api: CenterApi = {
    list: async (which) => {
      const refused = refusals.shift();
      return refused ?? { ok: true, data: { ...(lists[which].shift() ?? page([])), count } };
    },
    remove: done,
    restore: done,
  };
  const center = createCreatorCenter({
    api,
    asker: { getUserId: () => 'me', signIn: async () => signsInAs },
    now: () => NOW,
  });
  const ids = (which: 'here' | 'trash') => center.$center.get()[which].items.map(({ id }) => id);
  return { center, ids, refusals };
}

describe('Creator center', () => {
  test('a deleted character moves to the trash, and a restored one returns to its place', async () => {
    const { center, ids } = createFixture([page([own('c', 3), own('b', 2), own('a', 1)])]);
    await center.load('here');
    await center.load('trash');
    expect(await center.remove('b')).toBeNull();
    expect(await center.remove('c')).toBeNull();
    expect([ids('here'), ids('trash'), center.$center.get().count]).toEqual([['a'], ['c', 'b'], 1]);
    expect(await center.restore('b')).toBeNull();
    expect([ids('here'), ids('trash'), center.$center.get().count]).toEqual([['b', 'a'], ['c'], 2]);
    expect(center.$center.get().here.items[0]).not.toHaveProperty('deleted_at');
  });

  test('a character that could not be deleted or restored stays where it is', async () => {
    const { center, ids, refusals } = createFixture(
      [page([own('a', 1)])],
      [page([own('z', 2, '2026-11-19T00:00:00.000Z')])],
    );
    await center.load('here');
    await center.load('trash');
    refusals.push(NETWORK_FAILURE, NETWORK_FAILURE);
    expect(await center.remove('a')).toMatchObject({ code: 'network' });
    expect(await center.restore('z')).toMatchObject({ code: 'network' });
    expect([ids('here'), ids('trash')]).toEqual([['a'], ['z']]);
    expect(center.$center.get().busy.size).toBe(0);
  });

  test('deleting continues after the same user logs in again, and not after another one does', async () => {
    const ended: Failure = { ok: false, status: 401, code: 'unauthenticated', error: '' };
    for (const [signsInAs, left, failure] of [
      ['me', [], null],
      ['somebody', ['a'], { code: 'other_account' }],
    ] as const) {
      const { center, ids, refusals } = createFixture([page([own('a', 1)])], [page([])], signsInAs);
      await center.load('here');
      refusals.push(ended);
      const answer = await center.remove('a');
      if (failure === null) expect(answer).toBeNull();
      else expect(answer).toMatchObject(failure);
      expect(ids('here')).toEqual(left);
    }
  });

  test('a character that is already gone leaves the list and is not added to the trash', async () => {
    const { center, ids, refusals } = createFixture([page([own('a', 1)])]);
    await center.load('here');
    await center.load('trash');
    refusals.push({ ok: false, status: 404, code: 'not_found', error: '' });
    expect(await center.remove('a')).toBeNull();
    expect([ids('here'), ids('trash')]).toEqual([[], []]);
  });

  test('the next page of the list is appended without duplicates, also after a failure', async () => {
    const { center, ids, refusals } = createFixture([
      page([own('c', 3), own('b', 2)], '2.b'),
      page([own('b', 2), own('a', 1)]),
    ]);
    await center.load('here');
    refusals.push(NETWORK_FAILURE);
    await center.showMore('here');
    expect(center.$center.get().here.more).toBe('failed');
    await center.showMore('here');
    expect(ids('here')).toEqual(['c', 'b', 'a']);
    expect(center.$center.get().here.nextCursor).toBeNull();
  });

  test('a restored character that is older than the loaded page is not shown yet', async () => {
    const { center, ids } = createFixture(
      [page([own('c', 3), own('b', 2)], '2.b')],
      [page([own('a', 1, '2026-11-19T00:00:00.000Z')])],
    );
    await center.load('here');
    await center.load('trash');
    await center.restore('a');
    expect([ids('here'), ids('trash')]).toEqual([['c', 'b'], []]);
  });

  test('a failed list can be loaded again, and a reset removes the user’s characters', async () => {
    const { center, ids, refusals } = createFixture([page([own('a', 1)])]);
    refusals.push(NETWORK_FAILURE);
    await center.load('here');
    expect(center.$center.get().here.status).toBe('failed');
    await center.load('here');
    expect(ids('here')).toEqual(['a']);
    center.reset();
    expect(center.$center.get()).toMatchObject({ count: 0, here: { status: 'idle', items: [] } });
  });

  test('the days left in the trash are rounded up', () => {
    const deletedAgo = (ms: number) => new Date(NOW - ms).toISOString();
    expect(getDaysLeft(deletedAgo(0), NOW)).toBe(30);
    expect(getDaysLeft(deletedAgo(1), NOW)).toBe(30);
    expect(getDaysLeft(deletedAgo(29 * DAY_MS + 1), NOW)).toBe(1);
    expect(getDaysLeft(deletedAgo(31 * DAY_MS), NOW)).toBe(0);
  });
});
