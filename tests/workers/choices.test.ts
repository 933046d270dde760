import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { MAX_SAVED_ITEMS, TAGS } from '../../src/features/character/limits.ts';
import { openDatabase } from '../../src/db/open.ts';
import type {
  CharacterList,
  FollowedCreatorList,
  HiddenList,
} from '../../src/features/character/contract.ts';
import { listFavouriteCharacters } from '../../src/features/character/favourite-store.ts';
import { listFollowedCharacters, listFollowedCreators } from '../../src/features/character/follow-store.ts';
import { getHiddenList } from '../../src/features/character/hidden-store.ts';
import { createId } from '../../src/lib/ids.ts';
import { addCharacter, signInGuest, createAccount, Visitor } from '../support/factories.ts';

const status = async (who: Visitor, method: string, path: string) =>
  (await who.call(`/api/me/${path}`, { method })).status;
const refusal = async (who: Visitor, method: string, path: string) => {
  const answer = await who.call(`/api/me/${path}`, { method });
  return { status: answer.status, ...(await answer.json<{ code: string }>()) };
};
const names = async (who: Visitor, path: string) =>
  (await who.ask<CharacterList>(`/api/me/${path}`)).items.map(({ name }) => name);
const set = (id: string, what: string) =>
  env.DB.prepare(`update characters set ${what} where id = ?`).bind(id).run();

/** Every way in which a character is not everybody's, and back. */
const WAYS: [string, string, string][] = [
  ['is private', "visibility = 'private'", "visibility = 'public'"],
  ['is hidden by moderation', "moderation = 'hidden'", "moderation = 'shown'"],
  ['is removed by moderation', "moderation = 'removed'", "moderation = 'shown'"],
  ['lies in the trash', 'deleted_at = 1', 'deleted_at = null'],
  ['is for adults', 'nsfw_allowed = 1', 'nsfw_allowed = 0'],
];

/** Somebody with a page, without signing them in. */
async function creator(): Promise<string> {
  const id = createId(Date.now());
  await env.DB.prepare(
    `insert into users (id, username, is_anonymous, created_at, updated_at) values (?, ?, 0, 1, 1)`,
  )
    .bind(id, `maker-${id.slice(-6)}`)
    .run();
  return id;
}

describe('What I keep, follow and hide', () => {
  const calls = [
    ['GET', 'favourites'],
    ['GET', 'favourites/x'],
    ['PUT', 'favourites/x'],
    ['DELETE', 'favourites/x'],
    ['GET', 'following'],
    ['GET', 'following/characters'],
    ['GET', 'following/x'],
    ['PUT', 'following/x'],
    ['DELETE', 'following/x'],
    ['GET', 'hidden'],
    ['PUT', 'hidden/tags/anime'],
    ['DELETE', 'hidden/tags/anime'],
    ['PUT', 'hidden/creators/x'],
    ['DELETE', 'hidden/creators/x'],
  ] as const;

  test('needs an account: nobody and guests are told to log in', async () => {
    const [nobody, visitor] = [new Visitor(), await signInGuest()];
    for (const [method, path] of calls) {
      expect(await refusal(nobody, method, path)).toMatchObject({ status: 401, code: 'unauthenticated' });
      expect(await refusal(visitor, method, path)).toMatchObject({ status: 403, code: 'account_required' });
    }
  });

  test('is mine alone, and goes with my account', async () => {
    const [me, other] = [await createAccount(), await createAccount()];
    const [id, maker] = [await addCharacter(), await creator()];
    for (const path of [`favourites/${id}`, `following/${maker}`, `hidden/creators/${maker}`])
      expect(await status(me, 'PUT', path)).toBe(204);
    expect(await names(other, 'favourites')).toEqual([]);
    expect(await other.ask(`/api/me/favourites/${id}`)).toEqual({ favourite: false });
    expect(await other.ask(`/api/me/following/${maker}`)).toEqual({ following: false });
    expect(await other.ask('/api/me/hidden')).toEqual({ tags: [], creators: [] });
    const answer = await me.call('/api/me/favourites');
    expect(answer.headers.get('cache-control')).toBe('private, no-store');

    await env.DB.prepare('delete from users where id = ?').bind(me.id).run();
    for (const table of ['favourites', 'follows', 'hidden_things']) {
      const left = env.DB.prepare(`select count(*) as count from ${table} where user_id = ?`).bind(me.id);
      expect({ table, left: await left.first('count') }).toEqual({ table, left: 0 });
    }
  });
});

describe('My favourites', () => {
  test('are kept once however often I press, newest first, page by page, and can be taken back', async () => {
    const me = await createAccount();
    const ids = await Promise.all(['One', 'Two', 'Three'].map((name) => addCharacter({ name })));
    for (const id of ids) expect(await status(me, 'PUT', `favourites/${id}`)).toBe(204);
    // At the same moment, and again.
    const again = await Promise.all([1, 2, 3].map(() => status(me, 'PUT', `favourites/${ids[0]}`)));
    expect(again).toEqual([204, 204, 204]);
    expect(await names(me, 'favourites')).toEqual(['Three', 'Two', 'One']);

    const first = await me.ask<CharacterList>('/api/me/favourites?limit=2');
    expect(first.items.map(({ name }) => name)).toEqual(['Three', 'Two']);
    const rest = await me.ask<CharacterList>(`/api/me/favourites?limit=2&cursor=${first.next_cursor}`);
    expect({ names: rest.items.map(({ name }) => name), next: rest.next_cursor }).toEqual({
      names: ['One'],
      next: null,
    });

    expect(await me.ask(`/api/me/favourites/${ids[1]}`)).toEqual({ favourite: true });
    for (const _ of [1, 2]) expect(await status(me, 'DELETE', `favourites/${ids[1]}`)).toBe(204);
    expect(await me.ask(`/api/me/favourites/${ids[1]}`)).toEqual({ favourite: false });
    expect(await names(me, 'favourites')).toEqual(['Three', 'One']);
  });

  test.each(WAYS)('leave out a character while it %s, and it cannot be kept then', async (_, leave, back) => {
    const [me, late] = [await createAccount(), await createAccount()];
    const [kept, id] = [await addCharacter({ name: 'Kept' }), await addCharacter({ name: 'Wanders' })];
    for (const one of [kept, id]) expect(await status(me, 'PUT', `favourites/${one}`)).toBe(204);
    await set(id, leave);
    // The same answer as for a character that never was.
    const nobody = await refusal(late, 'PUT', 'favourites/nobody');
    expect(nobody).toMatchObject({ status: 404, code: 'not_found' });
    for (const who of [me, late]) expect(await refusal(who, 'PUT', `favourites/${id}`)).toEqual(nobody);
    expect(await me.ask('/api/me/favourites?limit=1')).toMatchObject({
      items: [{ name: 'Kept' }],
      next_cursor: null,
    });
    expect(await status(late, 'DELETE', `favourites/${id}`)).toBe(204);
    await set(id, back);
    expect(await names(me, 'favourites')).toEqual(['Wanders', 'Kept']);
  });

  test('hold what is for adults for those alone who see it, unlisted ones, and private ones of my own', async () => {
    const me = await createAccount();
    const own = await addCharacter({ name: 'Mine', creatorId: me.id, visibility: 'private' });
    const linked = await addCharacter({ name: 'Linked', visibility: 'unlisted' });
    const adult = await addCharacter({ name: 'Adult', nsfwAllowed: true });
    const spicy = (on: 0 | 1) =>
      env.DB.prepare('update users set spicy_mode = ?, age_confirmed = 1 where id = ?').bind(on, me.id).run();
    await spicy(1);
    for (const id of [own, linked, adult]) expect(await status(me, 'PUT', `favourites/${id}`)).toBe(204);
    expect(await names(me, 'favourites')).toEqual(['Adult', 'Linked', 'Mine']);
    await spicy(0);
    expect(await names(me, 'favourites')).toEqual(['Linked', 'Mine']);
  });

  test('are bounded, also for two that come at once, and what is kept already is no more than there was', async () => {
    const me = await createAccount();
    const ids = [await addCharacter(), await addCharacter(), await addCharacter()];
    const maker = await creator();
    await env.DB.prepare(
      `insert into characters (id, creator_id, name, oneliner, character_traits, model_type, visibility, point_of_view,
         suggested_replies, avatar_key, created_at, updated_at)
       select ?1 || cast(value as integer), ?1, 'x', 'x', 'x', 'roleplay', 'private', 'normal', '[]', 'x', 1, 1
       from (with recursive n(value) as (select 1 union all select value + 1 from n where value < ?2) select value from n)`,
    )
      .bind(maker, MAX_SAVED_ITEMS.favourites - 1)
      .run();
    await env.DB.prepare(
      'insert into favourites (user_id, character_id, created_at) select ?, id, 1 from characters where creator_id = ?',
    )
      .bind(me.id, maker)
      .run();
    const both = await Promise.all(
      [0, 1].map((index) => me.call(`/api/me/favourites/${ids[index]}`, { method: 'PUT' })),
    );
    expect(both.map(({ status: code }) => code).toSorted()).toEqual([204, 409]);
    expect(await refusal(me, 'PUT', `favourites/${ids[2]}`)).toMatchObject({ code: 'favourite_limit' });
    const kept = both[0]?.status === 204 ? ids[0] : ids[1];
    expect(await status(me, 'PUT', `favourites/${kept}`)).toBe(204);
    expect((await me.ask<CharacterList>('/api/me/favourites')).items.map(({ id }) => id)).toEqual([kept]);
  });
});

describe('Whom I follow', () => {
  test('is one list, the latest first, without myself, guests and whoever is not there', async () => {
    const [me, visitor] = [await createAccount(), await signInGuest()];
    const [first, second] = [await creator(), await creator()];
    for (const id of [first, second, first]) expect(await status(me, 'PUT', `following/${id}`)).toBe(204);
    expect(await refusal(me, 'PUT', `following/${me.id}`)).toMatchObject({
      status: 409,
      code: 'not_yourself',
    });
    for (const id of [visitor.id, 'nobody'])
      expect(await refusal(me, 'PUT', `following/${id}`)).toMatchObject({ status: 404, code: 'not_found' });

    const page = await me.ask<FollowedCreatorList>('/api/me/following?limit=1');
    expect(page.items).toEqual([{ id: second, name: expect.stringContaining('maker'), avatar_url: null }]);
    const rest = await me.ask<FollowedCreatorList>(`/api/me/following?limit=1&cursor=${page.next_cursor}`);
    expect({ ids: rest.items.map(({ id }) => id), next: rest.next_cursor }).toEqual({
      ids: [first],
      next: null,
    });

    expect(await me.ask(`/api/me/following/${first}`)).toEqual({ following: true });
    for (const _ of [1, 2]) expect(await status(me, 'DELETE', `following/${first}`)).toBe(204);
    expect(await me.ask(`/api/me/following/${first}`)).toEqual({ following: false });
  });

  test('is bounded', async () => {
    const me = await createAccount();
    const [wanted, known] = [await creator(), await creator()];
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
    expect(await status(me, 'PUT', `following/${known}`)).toBe(204);
    expect(await refusal(me, 'PUT', `following/${wanted}`)).toMatchObject({
      status: 409,
      code: 'follow_limit',
    });
    expect(await status(me, 'PUT', `following/${known}`)).toBe(204);
  });

  test('brings their newest characters, of all of them in one order, page by page, and only what lists hold', async () => {
    const me = await createAccount();
    const makers = await Promise.all([1, 2, 3, 4].map(() => creator()));
    const stranger = await creator();
    const at = (hour: number) => Date.UTC(2026, 0, 1, hour);
    // Many by the first, one of each hour, some at the same moment as another's.
    const made: [string, number, string][] = [
      ...[10, 9, 8, 7, 6, 5].map((hour): [string, number, string] => [
        makers[0] as string,
        hour,
        `first ${hour}`,
      ]),
      [makers[1] as string, 10, 'second 10'],
      [makers[1] as string, 3, 'second 3'],
      [makers[2] as string, 4, 'third 4'],
      [stranger, 11, 'stranger 11'],
    ];
    for (const [creatorId, hour, name] of made) await addCharacter({ creatorId, name, createdAt: at(hour) });
    for (const [, leave] of [...WAYS, ['', "visibility = 'unlisted'"] as const]) {
      const id = await addCharacter({ creatorId: makers[3] as string, name: 'unseen', createdAt: at(12) });
      await set(id, leave);
    }
    for (const id of makers) await status(me, 'PUT', `following/${id}`);
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
    expect(await names(me, 'following/characters')).toEqual(order);
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

describe('What I hide', () => {
  test('is one list of tags and creators, the same however often I press, and can be shown again', async () => {
    const me = await createAccount();
    const maker = await creator();
    for (const path of [
      'hidden/tags/anime',
      'hidden/tags/rpg',
      'hidden/tags/anime',
      `hidden/creators/${maker}`,
    ])
      expect(await status(me, 'PUT', path)).toBe(204);
    const hidden = await me.ask<HiddenList>('/api/me/hidden');
    expect(hidden.tags.toSorted()).toEqual(['anime', 'rpg']);
    expect(hidden.creators).toEqual([{ id: maker, name: expect.stringContaining('maker') }]);
    for (const path of ['hidden/tags/anime', 'hidden/tags/anime', `hidden/creators/${maker}`])
      expect(await status(me, 'DELETE', path)).toBe(204);
    expect(await me.ask('/api/me/hidden')).toEqual({ tags: ['rpg'], creators: [] });
  });

  test('is neither myself, nor a tag or somebody that is not there', async () => {
    const [me, visitor] = [await createAccount(), await signInGuest()];
    for (const path of ['hidden/tags/nonsense', 'hidden/creators/nobody', `hidden/creators/${visitor.id}`])
      expect(await refusal(me, 'PUT', path)).toMatchObject({ status: 404, code: 'not_found' });
    expect(await refusal(me, 'PUT', `hidden/creators/${me.id}`)).toMatchObject({ code: 'not_yourself' });
  });

  test('is bounded', async () => {
    const me = await createAccount();
    await env.DB.prepare(
      `insert into hidden_things (user_id, kind, what, created_at)
       select ?1, 'creator', 'x' || cast(value as integer), 1
       from (with recursive n(value) as (select 1 union all select value + 1 from n where value < ?2) select value from n)`,
    )
      .bind(me.id, MAX_SAVED_ITEMS.hidden - 1)
      .run();
    expect(await status(me, 'PUT', `hidden/tags/${TAGS[0]}`)).toBe(204);
    expect(await refusal(me, 'PUT', `hidden/tags/${TAGS[1]}`)).toMatchObject({
      status: 409,
      code: 'hidden_limit',
    });
    expect(await status(me, 'PUT', `hidden/tags/${TAGS[0]}`)).toBe(204);
  });
});

describe('What it costs to read', () => {
  /** D1 that says how it went about what it was asked, and how many rows that took. */
  async function costOf(
    work: (db: ReturnType<typeof openDatabase>) => Promise<unknown>,
  ): Promise<{ plans: string[]; rows: number }> {
    const asked: { sql: string; values: unknown[] }[] = [];
    const listening = {
      prepare: (sql: string) => ({
        bind: (...values: unknown[]) => {
          asked.push({ sql, values });
          return env.DB.prepare(sql).bind(...values);
        },
      }),
    };
    await work(openDatabase(listening as unknown as D1Database));
    const plans: string[] = [];
    let rows = 0;
    for (const { sql, values } of asked) {
      const plan = await env.DB.prepare(`explain query plan ${sql}`)
        .bind(...values)
        .all<{ detail: string }>();
      plans.push(...plan.results.map(({ detail }) => detail));
      rows += (
        await env.DB.prepare(sql)
          .bind(...values)
          .all()
      ).meta.rows_read;
    }
    return { plans, rows };
  }

  test('is an index at every step, and a page of whom one follows takes the same few rows however much they made', async () => {
    const userId = (await createAccount()).id;
    const makers = await Promise.all(Array.from({ length: 30 }, () => creator()));
    const make = (from: number, to: number) =>
      env.DB.batch(
        makers.map((id) =>
          env.DB.prepare(
            `insert into characters (id, creator_id, name, oneliner, character_traits, model_type, visibility,
               point_of_view, suggested_replies, avatar_key, created_at, updated_at)
             select ?1 || cast(value as integer), ?1, 'x', 'x', 'x', 'roleplay', 'public', 'normal', '[]', 'x', value, 1
             from (with recursive n(value) as (select ?2 union all select value + 1 from n where value < ?3)
               select value from n)`,
          ).bind(id, from, to),
        ),
      );
    await make(1, 60);
    await env.DB.batch(
      makers.map((id) => env.DB.prepare('insert into follows values (?, ?, 1)').bind(userId, id)),
    );
    const viewer = { userId, spicy: false };
    const cursor = '50.abc';
    const reads = [
      (db: ReturnType<typeof openDatabase>) =>
        listFavouriteCharacters(db, { userId, viewer, cursor, limit: 24 }),
      (db: ReturnType<typeof openDatabase>) => listFollowedCreators(db, { userId, cursor, limit: 24 }),
      (db: ReturnType<typeof openDatabase>) =>
        listFollowedCharacters(db, { userId, viewer, cursor, limit: 24 }),
      (db: ReturnType<typeof openDatabase>) => getHiddenList(db, userId),
    ];
    for (const read of reads) {
      const { plans } = await costOf(read);
      for (const plan of plans)
        expect(plan).not.toMatch(/^SCAN (characters|users|favourites|follows|hidden_things|head)\b/);
    }
    const page = (db: ReturnType<typeof openDatabase>) =>
      listFollowedCharacters(db, { userId, viewer, limit: 5 });
    const few = await costOf(page);
    await make(61, 300);
    const many = await costOf(page);
    expect(many.rows).toBe(few.rows);
    expect(many.rows).toBeLessThan(600);
    // Nine thousand characters are no other test's.
    await env.DB.batch(
      makers.map((id) => env.DB.prepare('delete from characters where creator_id = ?').bind(id)),
    );
  });
});
