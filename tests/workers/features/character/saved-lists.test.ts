// Over 400 lines: favourites, followed creators, hidden items and their news share one fixture.
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { MAX_SAVED_ITEMS, TAGS } from '../../../../src/features/character/limits.ts';
import type {
  CharacterList,
  FollowedCreatorList,
  HiddenList,
  NewsList,
} from '../../../../src/features/character/contract.ts';
import { createId } from '../../../../src/lib/ids.ts';
import { addCharacter, signInGuest, createAccount, Visitor } from '../../../support/factories.ts';

const getStatus = async (visitor: Visitor, method: string, path: string) =>
  (await visitor.call(`/api/me/${path}`, { method })).status;
const readRefusal = async (visitor: Visitor, method: string, path: string) => {
  const answer = await visitor.call(`/api/me/${path}`, { method });
  return { status: answer.status, ...(await answer.json<{ code: string }>()) };
};
const listNames = async (visitor: Visitor, path: string) =>
  (await visitor.ask<CharacterList>(`/api/me/${path}`)).items.map(({ name }) => name);
const setCharacter = (id: string, what: string) =>
  env.DB.prepare(`update characters set ${what} where id = ?`).bind(id).run();

/** Ways to make a character non-public, with the way back. */
const HIDING_CHANGES: [string, string, string][] = [
  ['is private', "visibility = 'private'", "visibility = 'public'"],
  ['is hidden by moderation', "moderation = 'hidden'", "moderation = 'shown'"],
  ['is removed by moderation', "moderation = 'removed'", "moderation = 'shown'"],
  ['is in the trash', 'deleted_at = 1', 'deleted_at = null'],
  ['is for adults', 'nsfw_allowed = 1', 'nsfw_allowed = 0'],
];

/** Inserts an account with a creator page, without signing in. */
async function createCreator(): Promise<string> {
  const id = createId(Date.now());
  await env.DB.prepare(
    `insert into users (id, username, is_anonymous, created_at, updated_at) values (?, ?, 0, 1, 1)`,
  )
    .bind(id, `maker-${id.slice(-6)}`)
    .run();
  return id;
}

describe('Favourites, followed creators and hidden items', () => {
  const calls = [
    ['GET', 'favourites'],
    ['GET', 'favourites/x'],
    ['PUT', 'favourites/x'],
    ['DELETE', 'favourites/x'],
    ['GET', 'likes/x'],
    ['PUT', 'likes/x'],
    ['DELETE', 'likes/x'],
    ['GET', 'following'],
    ['GET', 'following/characters'],
    ['GET', 'following/x'],
    ['PUT', 'following/x'],
    ['DELETE', 'following/x'],
    ['GET', 'hidden'],
    ['GET', 'news'],
    ['PUT', 'hidden/tags/anime'],
    ['DELETE', 'hidden/tags/anime'],
    ['PUT', 'hidden/creators/x'],
    ['DELETE', 'hidden/creators/x'],
  ] as const;

  test('favourites, followed creators and hidden items need an account', async () => {
    const [unauthenticated, guest] = [new Visitor(), await signInGuest()];
    for (const [method, path] of calls) {
      expect(await readRefusal(unauthenticated, method, path)).toMatchObject({
        status: 401,
        code: 'unauthenticated',
      });
      expect(await readRefusal(guest, method, path)).toMatchObject({ status: 403, code: 'account_required' });
    }
  });

  test('favourites, followed creators and hidden items are private and deleted with the account', async () => {
    const [me, other] = [await createAccount(), await createAccount()];
    const [id, creatorId] = [await addCharacter(), await createCreator()];
    for (const path of [`favourites/${id}`, `following/${creatorId}`, `hidden/creators/${creatorId}`])
      expect(await getStatus(me, 'PUT', path)).toBe(204);
    expect(await listNames(other, 'favourites')).toEqual([]);
    expect(await other.ask(`/api/me/favourites/${id}`)).toEqual({ favourite: false });
    expect(await other.ask(`/api/me/following/${creatorId}`)).toEqual({ following: false });
    expect(await other.ask('/api/me/hidden')).toEqual({ tags: [], creators: [] });
    const answer = await me.call('/api/me/favourites');
    expect(answer.headers.get('cache-control')).toBe('private, no-store');

    await env.DB.prepare('delete from users where id = ?').bind(me.id).run();
    for (const table of ['favourites', 'follows', 'hidden_items']) {
      const remaining = env.DB.prepare(`select count(*) as count from ${table} where user_id = ?`).bind(
        me.id,
      );
      expect({ table, left: await remaining.first('count') }).toEqual({ table, left: 0 });
    }
  });
});

describe('Favourites', () => {
  test('a favourite is stored once, listed newest first in pages, and can be removed', async () => {
    const me = await createAccount();
    const ids = await Promise.all(['One', 'Two', 'Three'].map((name) => addCharacter({ name })));
    for (const id of ids) expect(await getStatus(me, 'PUT', `favourites/${id}`)).toBe(204);
    // Repeated requests at the same moment.
    const again = await Promise.all([1, 2, 3].map(() => getStatus(me, 'PUT', `favourites/${ids[0]}`)));
    expect(again).toEqual([204, 204, 204]);
    expect(await listNames(me, 'favourites')).toEqual(['Three', 'Two', 'One']);

    const first = await me.ask<CharacterList>('/api/me/favourites?limit=2');
    expect(first.items.map(({ name }) => name)).toEqual(['Three', 'Two']);
    const rest = await me.ask<CharacterList>(`/api/me/favourites?limit=2&cursor=${first.next_cursor}`);
    expect({ names: rest.items.map(({ name }) => name), next: rest.next_cursor }).toEqual({
      names: ['One'],
      next: null,
    });

    expect(await me.ask(`/api/me/favourites/${ids[1]}`)).toEqual({ favourite: true });
    for (const _ of [1, 2]) expect(await getStatus(me, 'DELETE', `favourites/${ids[1]}`)).toBe(204);
    expect(await me.ask(`/api/me/favourites/${ids[1]}`)).toEqual({ favourite: false });
    expect(await listNames(me, 'favourites')).toEqual(['Three', 'One']);
  });

  test.each(HIDING_CHANGES)(
    'a character is left out of the favourites and cannot be added while it %s',
    async (_, hide, restore) => {
      const [me, late] = [await createAccount(), await createAccount()];
      const [otherId, id] = [await addCharacter({ name: 'Kept' }), await addCharacter({ name: 'Wanders' })];
      for (const one of [otherId, id]) expect(await getStatus(me, 'PUT', `favourites/${one}`)).toBe(204);
      await setCharacter(id, hide);
      // The answer equals that for an unknown character.
      const unknown = await readRefusal(late, 'PUT', 'favourites/nobody');
      expect(unknown).toMatchObject({ status: 404, code: 'not_found' });
      for (const visitor of [me, late])
        expect(await readRefusal(visitor, 'PUT', `favourites/${id}`)).toEqual(unknown);
      expect(await me.ask('/api/me/favourites?limit=1')).toMatchObject({
        items: [{ name: 'Kept' }],
        next_cursor: null,
      });
      expect(await getStatus(late, 'DELETE', `favourites/${id}`)).toBe(204);
      await setCharacter(id, restore);
      expect(await listNames(me, 'favourites')).toEqual(['Wanders', 'Kept']);
    },
  );

  test('favourites contain adult characters only in spicy mode, and own private and unlisted ones always', async () => {
    const me = await createAccount();
    const own = await addCharacter({ name: 'Mine', creatorId: me.id, visibility: 'private' });
    const linked = await addCharacter({ name: 'Linked', visibility: 'unlisted' });
    const adult = await addCharacter({ name: 'Adult', nsfwAllowed: true });
    const setSpicyMode = (on: 0 | 1) =>
      env.DB.prepare('update users set spicy_mode = ?, age_confirmed = 1 where id = ?').bind(on, me.id).run();
    await setSpicyMode(1);
    for (const id of [own, linked, adult]) expect(await getStatus(me, 'PUT', `favourites/${id}`)).toBe(204);
    expect(await listNames(me, 'favourites')).toEqual(['Adult', 'Linked', 'Mine']);
    await setSpicyMode(0);
    expect(await listNames(me, 'favourites')).toEqual(['Linked', 'Mine']);
  });

  test('favourites are limited, also for simultaneous requests, and adding one again is allowed', async () => {
    const me = await createAccount();
    const ids = [await addCharacter(), await addCharacter(), await addCharacter()];
    const creatorId = await createCreator();
    await env.DB.prepare(
      `insert into characters (id, creator_id, name, oneliner, character_traits, model_type, visibility, point_of_view,
         suggested_replies, avatar_key, created_at, updated_at)
       select ?1 || cast(value as integer), ?1, 'x', 'x', 'x', 'roleplay', 'private', 'normal', '[]', 'x', 1, 1
       from (with recursive n(value) as (select 1 union all select value + 1 from n where value < ?2) select value from n)`,
    )
      .bind(creatorId, MAX_SAVED_ITEMS.favourites - 1)
      .run();
    await env.DB.prepare(
      'insert into favourites (user_id, character_id, created_at) select ?, id, 1 from characters where creator_id = ?',
    )
      .bind(me.id, creatorId)
      .run();
    const both = await Promise.all(
      [0, 1].map((index) => me.call(`/api/me/favourites/${ids[index]}`, { method: 'PUT' })),
    );
    expect(both.map(({ status: code }) => code).toSorted()).toEqual([204, 409]);
    expect(await readRefusal(me, 'PUT', `favourites/${ids[2]}`)).toMatchObject({ code: 'favourite_limit' });
    const savedId = both[0]?.status === 204 ? ids[0] : ids[1];
    expect(await getStatus(me, 'PUT', `favourites/${savedId}`)).toBe(204);
    expect((await me.ask<CharacterList>('/api/me/favourites')).items.map(({ id }) => id)).toEqual([savedId]);
  });
});

describe('Followed creators', () => {
  test('followed creators are listed latest first; oneself, guests and unknown users cannot be followed', async () => {
    const [me, guest] = [await createAccount(), await signInGuest()];
    const [first, second] = [await createCreator(), await createCreator()];
    for (const id of [first, second, first]) expect(await getStatus(me, 'PUT', `following/${id}`)).toBe(204);
    expect(await readRefusal(me, 'PUT', `following/${me.id}`)).toMatchObject({
      status: 409,
      code: 'cannot_target_self',
    });
    for (const id of [guest.id, 'nobody'])
      expect(await readRefusal(me, 'PUT', `following/${id}`)).toMatchObject({
        status: 404,
        code: 'not_found',
      });

    const page = await me.ask<FollowedCreatorList>('/api/me/following?limit=1');
    expect(page.items).toEqual([{ id: second, name: expect.stringContaining('maker'), avatar_url: null }]);
    const rest = await me.ask<FollowedCreatorList>(`/api/me/following?limit=1&cursor=${page.next_cursor}`);
    expect({ ids: rest.items.map(({ id }) => id), next: rest.next_cursor }).toEqual({
      ids: [first],
      next: null,
    });

    expect(await me.ask(`/api/me/following/${first}`)).toEqual({ following: true });
    for (const _ of [1, 2]) expect(await getStatus(me, 'DELETE', `following/${first}`)).toBe(204);
    expect(await me.ask(`/api/me/following/${first}`)).toEqual({ following: false });
  });

  test('followed creators are limited', async () => {
    const me = await createAccount();
    const [wanted, known] = [await createCreator(), await createCreator()];
    const many = createId(Date.now());
    const numbers = `with recursive n(value) as (select 1 union all select value + 1 from n where value < ?2)`;
    await env.DB.batch([
      env.DB.prepare(
        `insert into users (id, username, is_anonymous, created_at, updated_at)
           select ?1 || cast(value as integer), 'x', 0, 1, 1 from (${numbers} select value from n)`,
      ).bind(many, MAX_SAVED_ITEMS.follows - 1),
      env.DB.prepare(
        `insert into follows (user_id, creator_id, created_at)
           select ?3, ?1 || cast(value as integer), 1 from (${numbers} select value from n)`,
      ).bind(many, MAX_SAVED_ITEMS.follows - 1, me.id),
    ]);
    expect(await getStatus(me, 'PUT', `following/${known}`)).toBe(204);
    expect(await readRefusal(me, 'PUT', `following/${wanted}`)).toMatchObject({
      status: 409,
      code: 'follow_limit',
    });
    expect(await getStatus(me, 'PUT', `following/${known}`)).toBe(204);
  });

  test('the newest public characters of all followed creators are listed in one order, page by page', async () => {
    const me = await createAccount();
    const creatorIds = await Promise.all([1, 2, 3, 4].map(() => createCreator()));
    const strangerId = await createCreator();
    const at = (hour: number) => Date.UTC(2026, 0, 1, hour);
    // Many by the first creator, one an hour, some at the same moment as another creator's.
    const characters: [string, number, string][] = [
      ...[10, 9, 8, 7, 6, 5].map((hour): [string, number, string] => [
        creatorIds[0] as string,
        hour,
        `first ${hour}`,
      ]),
      [creatorIds[1] as string, 10, 'second 10'],
      [creatorIds[1] as string, 3, 'second 3'],
      [creatorIds[2] as string, 4, 'third 4'],
      [strangerId, 11, 'stranger 11'],
    ];
    for (const [creatorId, hour, name] of characters)
      await addCharacter({ creatorId, name, createdAt: at(hour) });
    for (const [, hide] of [...HIDING_CHANGES, ['', "visibility = 'unlisted'"] as const]) {
      const id = await addCharacter({
        creatorId: creatorIds[3] as string,
        name: 'unseen',
        createdAt: at(12),
      });
      await setCharacter(id, hide);
    }
    for (const id of creatorIds) await getStatus(me, 'PUT', `following/${id}`);
    const order = [
      'second 10',
      'first 10',
      'first 9',
      'first 8',
      'first 7',
      'first 6',
      'first 5',
      'third 4',
      'second 3',
    ];
    expect(await listNames(me, 'following/characters')).toEqual(order);
    for (const limit of [1, 2, 4]) {
      const found: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const page: CharacterList = await me.ask(
          `/api/me/following/characters?limit=${limit}&cursor=${cursor}`,
        );
        found.push(...page.items.map(({ name }) => name));
        cursor = page.next_cursor;
      }
      expect({ limit, found }).toEqual({ limit, found: order });
    }
  });
});

describe('Hidden tags and creators', () => {
  test('hidden tags and creators are stored once and can be shown again', async () => {
    const me = await createAccount();
    const creatorId = await createCreator();
    for (const path of [
      'hidden/tags/anime',
      'hidden/tags/rpg',
      'hidden/tags/anime',
      `hidden/creators/${creatorId}`,
    ])
      expect(await getStatus(me, 'PUT', path)).toBe(204);
    const hidden = await me.ask<HiddenList>('/api/me/hidden');
    expect(hidden.tags.toSorted()).toEqual(['anime', 'rpg']);
    expect(hidden.creators).toEqual([{ id: creatorId, name: expect.stringContaining('maker') }]);
    for (const path of ['hidden/tags/anime', 'hidden/tags/anime', `hidden/creators/${creatorId}`])
      expect(await getStatus(me, 'DELETE', path)).toBe(204);
    expect(await me.ask('/api/me/hidden')).toEqual({ tags: ['rpg'], creators: [] });
  });

  test('unknown tags, unknown creators, guests and oneself cannot be hidden', async () => {
    const [me, guest] = [await createAccount(), await signInGuest()];
    for (const path of ['hidden/tags/nonsense', 'hidden/creators/nobody', `hidden/creators/${guest.id}`])
      expect(await readRefusal(me, 'PUT', path)).toMatchObject({ status: 404, code: 'not_found' });
    expect(await readRefusal(me, 'PUT', `hidden/creators/${me.id}`)).toMatchObject({
      code: 'cannot_target_self',
    });
  });

  test('hidden items are limited', async () => {
    const me = await createAccount();
    await env.DB.prepare(
      `insert into hidden_items (user_id, kind, target, created_at)
       select ?1, 'creator', 'x' || cast(value as integer), 1
       from (with recursive n(value) as (select 1 union all select value + 1 from n where value < ?2) select value from n)`,
    )
      .bind(me.id, MAX_SAVED_ITEMS.hidden - 1)
      .run();
    expect(await getStatus(me, 'PUT', `hidden/tags/${TAGS[0]}`)).toBe(204);
    expect(await readRefusal(me, 'PUT', `hidden/tags/${TAGS[1]}`)).toMatchObject({
      status: 409,
      code: 'hidden_limit',
    });
    expect(await getStatus(me, 'PUT', `hidden/tags/${TAGS[0]}`)).toBe(204);
  });
});

describe('News', () => {
  const DAY_MS = 86_400_000;
  const readNews = async (visitor: Visitor) =>
    (await visitor.ask<NewsList>('/api/me/news')).items.map(
      ({ kind, character }) => `${kind} ${character.name}`,
    );
  /** Gives a character a new version at a time. */
  const changeCharacter = (id: string, version: number, at: number) =>
    env.DB.batch([
      env.DB.prepare('update characters set version = ? where id = ?').bind(version, id),
      env.DB.prepare(
        "insert into character_versions (character_id, version, definition, created_at) values (?, ?, '{}', ?)",
      ).bind(id, version, at),
    ]);

  test('news are the newest character of each followed creator and favourites that changed later', async () => {
    const me = await createAccount();
    const now = Date.now();
    const [creatorId, quietId, unknownId] = [
      await createCreator(),
      await createCreator(),
      await createCreator(),
    ];
    for (const [owner, name, days] of [
      [creatorId, 'older', 3],
      [creatorId, 'newest', 2],
      [quietId, 'of long ago', 31],
      [unknownId, 'of a stranger', 1],
    ] as const)
      await addCharacter({ creatorId: owner, name, createdAt: now - days * DAY_MS });
    for (const id of [creatorId, quietId]) expect(await getStatus(me, 'PUT', `following/${id}`)).toBe(204);
    const [changed, same, own] = [
      await addCharacter({ name: 'changed', createdAt: now - 50 * DAY_MS }),
      await addCharacter({ name: 'same', createdAt: now - 50 * DAY_MS }),
      await addCharacter({ name: 'own', creatorId: me.id, createdAt: now - 50 * DAY_MS }),
    ];
    for (const id of [changed, same, own]) expect(await getStatus(me, 'PUT', `favourites/${id}`)).toBe(204);
    // This version is older than the favourite.
    await changeCharacter(same, 2, now - DAY_MS);
    await changeCharacter(own, 2, now + DAY_MS);
    await changeCharacter(changed, 2, now + DAY_MS);
    expect(await readNews(me)).toEqual(['changed_favourite changed', 'new_character newest']);
    expect(await readNews(await createAccount())).toEqual([]);
  });

  test.each(HIDING_CHANGES)('news leave out a character while it %s', async (_, hide) => {
    const me = await createAccount();
    const creatorId = await createCreator();
    const [id, favouriteId] = [await addCharacter({ creatorId }), await addCharacter()];
    expect(await getStatus(me, 'PUT', `following/${creatorId}`)).toBe(204);
    expect(await getStatus(me, 'PUT', `favourites/${favouriteId}`)).toBe(204);
    await changeCharacter(favouriteId, 2, Date.now() + DAY_MS);
    expect(await readNews(me)).toHaveLength(2);
    await setCharacter(id, hide);
    await setCharacter(favouriteId, hide);
    expect(await readNews(me)).toEqual([]);
  });

  test('news are at most six, newest first', async () => {
    const me = await createAccount();
    for (const days of [1, 2, 3, 4, 5, 6, 7]) {
      const creatorId = await createCreator();
      await addCharacter({ creatorId, name: `${days}`, createdAt: Date.now() - days * DAY_MS });
      expect(await getStatus(me, 'PUT', `following/${creatorId}`)).toBe(204);
    }
    expect(await readNews(me)).toEqual([1, 2, 3, 4, 5, 6].map((days) => `new_character ${days}`));
  });
});
