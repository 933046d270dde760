import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../../../../src/db/open.ts';
import type { CharacterList, ListCharactersQuery } from '../../../../../src/features/character/contract.ts';
import {
  toCharacterDay,
  updateTrending,
  updateListings,
} from '../../../../../src/features/character/discovery/discovery-refresh-store.ts';
import { listCharacters } from '../../../../../src/features/character/discovery/listing-store.ts';
import {
  getTrendingKey,
  type TrendingList,
} from '../../../../../src/features/character/discovery/trending.ts';
import { createId } from '../../../../../src/lib/ids.ts';
import {
  addCharacter,
  startConversation,
  signInGuest,
  sendMessage,
  createAccount,
  Visitor,
} from '../../../../support/factories.ts';

const db = () => openDatabase(env.DB);
const anonymous = { userId: null, spicy: false };
const adult = { userId: null, spicy: true };

/** Returns a word that no other test's characters contain. */
const createWord = (): string => `zeta${createId(Date.now())}`;

async function listNames(query: string, visitor = new Visitor()): Promise<string[]> {
  const { items } = await visitor.ask<CharacterList>(`/api/characters?limit=100&${query}`);
  return items.map((item) => item.name);
}
const buildSearch = (words: string): string => `q=${encodeURIComponent(words)}`;

async function listAllIds(query: Partial<ListCharactersQuery>, viewer = anonymous): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listCharacters(db(), { sort: 'popular', limit: 10, ...query, cursor }, viewer, env.KV);
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined && ids.length < 2000);
  return ids;
}

const setCharacter = (id: string, what: string) =>
  env.DB.prepare(`update characters set ${what} where id = ?`).bind(id).run();

describe('Characters leaving the lists', () => {
  const changes: [string, string, string][] = [
    ['is made private', "visibility = 'private'", "visibility = 'public'"],
    ['is made unlisted', "visibility = 'unlisted'", "visibility = 'public'"],
    ['is hidden by moderation', "moderation = 'hidden'", "moderation = 'shown'"],
    ['is removed by moderation', "moderation = 'removed'", "moderation = 'shown'"],
    ['goes into the trash', 'deleted_at = 1', 'deleted_at = null'],
  ];
  test.each(changes)(
    'a character that %s leaves every list and search at once and returns when it is undone',
    async (_, hide, restore) => {
      const word = createWord();
      const id = await addCharacter({ name: word, tags: ['rpg', 'anime'], chatCount: 900_000_000 });
      const queries = [
        '',
        buildSearch(word),
        `${buildSearch(word)}&tag=rpg`,
        `${buildSearch(word)}&sort=new`,
        'tag=anime',
        'sort=new',
        'tag=rpg&sort=new',
      ];
      for (const query of queries)
        expect({ query, found: await listNames(query) }).toMatchObject({
          found: expect.arrayContaining([word]),
        });
      await setCharacter(id, hide);
      for (const query of queries)
        expect({ query, found: await listNames(query) }).toMatchObject({
          found: expect.not.arrayContaining([word]),
        });
      await setCharacter(id, restore);
      for (const query of queries)
        expect({ query, found: await listNames(query) }).toMatchObject({
          found: expect.arrayContaining([word]),
        });
      await env.DB.prepare('delete from characters where id = ?').bind(id).run();
      for (const query of queries)
        expect({ query, found: await listNames(query) }).toMatchObject({
          found: expect.not.arrayContaining([word]),
        });
      for (const table of ['character_listings', 'character_words'])
        expect(
          await env.DB.prepare(`select * from ${table} where character_id = ?`).bind(id).all(),
        ).toMatchObject({ results: [] });
    },
  );

  test('a character that becomes adult is found only by users with spicy mode on', async () => {
    const word = createWord();
    const id = await addCharacter({ name: word, tags: ['fantasy'] });
    const reader = await createAccount();
    await env.DB.prepare('update users set spicy_mode = 1, age_confirmed = 1 where id = ?')
      .bind(reader.id)
      .run();
    await setCharacter(id, 'nsfw_allowed = 1');
    for (const query of [
      buildSearch(word),
      `${buildSearch(word)}&sort=new`,
      `${buildSearch(word)}&tag=fantasy`,
      `${buildSearch(word)}&sort=trending`,
    ]) {
      expect({ query, found: await listNames(query) }).toEqual({ query, found: [] });
      expect({ query, found: await listNames(query, reader) }).toEqual({ query, found: [word] });
    }
  });
});

describe('Character search', () => {
  test('the character search finds a character by its tags in any language, and within a tag', async () => {
    const word = createWord();
    const id = await addCharacter({ name: word, tags: ['fantasy', 'female'] });
    for (const typed of ['fantasy', 'Fantasía', 'фэнтези', 'ファンタジー', 'weiblich', '女性'])
      expect({ typed, found: await listNames(buildSearch(`${word} ${typed}`)) }).toEqual({
        typed,
        found: [word],
      });
    expect(await listNames(buildSearch(`${word} rpg`))).toEqual([]);
    expect(await listNames(`${buildSearch(word)}&tag=rpg`)).toEqual([]);
    await env.DB.prepare("update character_tags set tag = 'rpg' where character_id = ? and tag = 'fantasy'")
      .bind(id)
      .run();
    expect(await listNames(`${buildSearch(word)}&tag=fantasy`)).toEqual([]);
    for (const query of [`${buildSearch(word)}&tag=rpg`, buildSearch(`${word} rpg`)])
      expect(await listNames(query)).toEqual([word]);
    await env.DB.prepare("delete from character_tags where character_id = ? and tag = 'female'")
      .bind(id)
      .run();
    await env.DB.prepare("insert into character_tags (tag, character_id) values ('anime', ?)").bind(id).run();
    expect(await listNames(buildSearch(`${word} female`))).toEqual([]);
    expect(await listNames(`${buildSearch(word)}&tag=female`)).toEqual([]);
    expect(await listNames(`${buildSearch(word)}&tag=anime`)).toEqual([word]);
  });

  test.each([
    ['English', 'The witches of two cities', ['witch', 'city', 'Witches']],
    ['English verbs', 'Running where wolves swim', ['runs', 'Runs', 'wolf', 'swimming']],
    ['German', 'Die Wächterinnen der Drachen', ['Wächterin', 'Drache', 'drachens']],
    ['French', 'Les sorcières du château', ['sorcière', 'châteaux', 'sorciere']],
    ['Spanish', 'Guardián de las canciones', ['canción', 'cancion']],
    ['Spanish after z', 'Dos actrices bajo las luces', ['actriz', 'luz']],
    ['Italian', 'Le streghe del bosco', ['strega', 'boschi']],
    ['Portuguese', 'Guardiã dos corações', ['coração', 'coracao']],
    ['Russian', 'Хранитель старых драконов', ['дракон', 'драконы', 'старый']],
    ['Hindi', 'लड़कियों की कहानी', ['लड़की', 'कहानियाँ']],
    ['Polish', 'Opiekun dawnych wiedźm', ['wiedźma', 'wiedźmami', 'dawny']],
    ['Polish queens', 'Królowa zimy', ['królowej', 'królową']],
    ['Indonesian', 'Penjaga hutannya', ['hutan']],
    ['Japanese', '灯台を守る人', ['灯台', '守る', '人', '灯台を守']],
    ['either kana', 'がくせいとスパイ', ['ガクセイ', 'がくせい', 'すぱい', 'ガク']],
    ['Chinese', '灯塔的守护者', ['灯塔', '守护', '守', '灯塔的守护']],
  ])('the character search finds other forms of a word in %s', async (_, oneliner, typed) => {
    const word = createWord();
    await addCharacter({ name: word, oneliner });
    for (const words of typed)
      expect({ words, found: await listNames(buildSearch(`${words} ${word}`)) }).toEqual({
        words,
        found: [word],
      });
  });

  test('character search results are ordered by match quality and then by popularity', async () => {
    const word = createWord();
    const named = [
      { name: `Old ${word}`, chatCount: 1 },
      { name: 'Whoever', oneliner: `Sister of ${word}`, chatCount: 70_000 },
      { name: `${word} the Younger`, chatCount: 3 },
      { name: word, chatCount: 0 },
      { name: 'Somebody', oneliner: `Friend of ${word}`, chatCount: 900 },
      { name: `${word} the Elder`, chatCount: 5000 },
      { name: 'Another', oneliner: `Two ${word}s`, chatCount: 800_000 },
    ];
    for (const fields of named) await addCharacter(fields);
    const order = [
      word,
      `${word} the Elder`,
      `${word} the Younger`,
      `Old ${word}`,
      'Whoever',
      'Somebody',
      'Another',
    ];
    expect(await listNames(buildSearch(word))).toEqual(order);
    const ids = await listAllIds({ q: word, limit: 2 });
    const names = await Promise.all(
      ids.map((id) => env.DB.prepare('select name from characters where id = ?').bind(id).first('name')),
    );
    expect(names).toEqual(order);
    expect(await listNames(`${buildSearch(word)}&sort=new`)).toEqual(
      named.map(({ name }) => name).toReversed(),
    );
  });
});

describe('Character lists', () => {
  test('the cron task counts new conversations and orders the lists by them', async () => {
    const word = createWord();
    const me = await signInGuest();
    const quiet = await addCharacter({ name: `${word} quiet` });
    const lively = await addCharacter({ name: `${word} lively` });
    await addCharacter({ name: `${word} newest` });
    const id = await startConversation(me, lively);
    await sendMessage(me, id);
    await me.ask(`/api/conversations/${id}`, { method: 'PATCH', json: { title: 'x' } });
    expect(await updateListings(db())).toBe(false);
    expect(await listNames(buildSearch(word))).toEqual([`${word} lively`, `${word} newest`, `${word} quiet`]);
    const days = await env.DB.prepare(
      'select chats, is_pending from character_days where character_id in (?, ?)',
    )
      .bind(lively, quiet)
      .all();
    expect(days.results).toEqual([{ chats: 1, is_pending: 0 }]);
    expect(
      await env.DB.prepare("select chat_count from character_listings where character_id = ? and tag = ''")
        .bind(lively)
        .first('chat_count'),
    ).toBe(1);
  });

  test('the trending list weighs recent days more, respects visibility and continues with popular characters', async () => {
    const now = Date.UTC(2030, 0, 20, 12);
    const today = toCharacterDay(now);
    const ids = await Promise.all([
      addCharacter({ tags: ['rpg'] }),
      addCharacter({ tags: ['rpg'], nsfwAllowed: true }),
      addCharacter({ tags: ['rpg'] }),
      addCharacter({ tags: ['rpg'] }),
      addCharacter({ tags: ['rpg'], chatCount: 800_000_000 }),
    ]);
    const [once, spicy, lately, gone, popular] = ids as [string, string, string, string, string];
    const addChats = (id: string, age: number, chats: number) =>
      env.DB.prepare('insert into character_days (day, character_id, chats) values (?, ?, ?)')
        .bind(today - age, id, chats)
        .run();
    // Ten days are five half-lives, so 1000 chats count as 31 now.
    await addChats(once, 10, 1000);
    await addChats(lately, 0, 40);
    await addChats(spicy, 1, 4000);
    await addChats(gone, 0, 9000);
    await addChats(popular, 15, 1_000_000);
    expect(await updateTrending(db(), env.KV, now)).toBe(true);
    expect(await updateTrending(db(), env.KV, now + 60_000)).toBe(false);
    await setCharacter(gone, "visibility = 'private'");
    const [anonymousIds, adultIds] = [
      await listAllIds({ sort: 'trending', tag: 'rpg', limit: 2 }),
      await listAllIds({ sort: 'trending', tag: 'rpg', limit: 2 }, adult),
    ];
    expect(anonymousIds.slice(0, 3)).toEqual([lately, once, popular]);
    expect(adultIds.slice(0, 4)).toEqual([spicy, lately, once, popular]);
    for (const list of [anonymousIds, adultIds]) expect(new Set(list).size).toBe(list.length);
    expect(new Set(anonymousIds)).toEqual(new Set(await listAllIds({ tag: 'rpg' })));

    // A reader with a cursor continues in the list where the reading started.
    const first = await listCharacters(db(), { sort: 'trending', tag: 'rpg', limit: 1 }, anonymous, env.KV);
    await addChats(popular, 0, 1_000_000);
    expect(await updateTrending(db(), env.KV, now + 3_600_000)).toBe(true);
    const known = await env.KV.get<TrendingList>(getTrendingKey({ spicy: false, tag: 'rpg' }), 'json');
    expect(known).toMatchObject({ version: String(now + 3_600_000), before: { version: String(now) } });
    expect(known?.ids[0]).toBe(popular);
    expect(first.items.map(({ id }) => id)).toEqual([lately]);
    const cursor = first.next_cursor ?? '';
    const second = await listCharacters(
      db(),
      { sort: 'trending', tag: 'rpg', limit: 1, cursor },
      anonymous,
      env.KV,
    );
    expect(second.items.map(({ id }) => id)).toEqual([once]);
  });

  test('the trending list of a tag drops a character at once when it loses the tag', async () => {
    const now = Date.UTC(2030, 2, 20, 12);
    const [keptId, removedId] = [
      await addCharacter({ tags: ['male'] }),
      await addCharacter({ tags: ['male'] }),
    ];
    for (const [id, chats] of [
      [keptId, 10],
      [removedId, 20],
    ] as const) {
      await env.DB.prepare('insert into character_days (day, character_id, chats) values (?, ?, ?)')
        .bind(toCharacterDay(now), id, chats)
        .run();
    }
    await updateTrending(db(), env.KV, now);
    const listTrending = () => listAllIds({ sort: 'trending', tag: 'male' });
    expect((await listTrending()).slice(0, 2)).toEqual([removedId, keptId]);
    await env.DB.prepare('delete from character_tags where character_id = ?').bind(removedId).run();
    const remaining = await listTrending();
    expect(remaining[0]).toBe(keptId);
    expect(remaining).not.toContain(removedId);
  });

  test('pages of the trending list are full even when many listed characters are no longer visible', async () => {
    const tag = 'fantasy' as const;
    const [hiddenIds, visibleIds, popular] = await Promise.all([
      Promise.all(Array.from({ length: 90 }, () => addCharacter({ tags: [tag] }))),
      Promise.all(Array.from({ length: 5 }, () => addCharacter({ tags: [tag] }))),
      addCharacter({ tags: [tag], chatCount: 700_000_000 }),
    ]);
    const storeTrending = (ids: string[]) =>
      env.KV.put(
        getTrendingKey({ spicy: false, tag }),
        JSON.stringify({ version: '7', ids, before: null } satisfies TrendingList),
      );
    const readTrending = (limit: number, cursor?: string) =>
      listCharacters(
        db(),
        { sort: 'trending', tag, limit, ...(cursor ? { cursor } : {}) },
        anonymous,
        env.KV,
      );
    await env.DB.prepare(
      "update characters set visibility = 'private' where id in (select value from json_each(?))",
    )
      .bind(JSON.stringify(hiddenIds))
      .run();

    await storeTrending([...hiddenIds.slice(0, 80), ...visibleIds, ...hiddenIds.slice(80)]);
    const first = await readTrending(3);
    expect(first.items.map(({ id }) => id)).toEqual(visibleIds.slice(0, 3));
    const second = await readTrending(3, first.next_cursor ?? '');
    expect(second.items.map(({ id }) => id)).toEqual([...visibleIds.slice(3), popular]);

    await storeTrending(hiddenIds);
    const fallback = await readTrending(10);
    expect(fallback).toMatchObject({
      items: (await listCharacters(db(), { sort: 'popular', tag, limit: 10 }, anonymous)).items,
    });
    expect(fallback.items[0]?.id).toBe(popular);
    await env.KV.delete(getTrendingKey({ spicy: false, tag }));
  });

  test('the trending lists are computed again soon when one of them could not be written', async () => {
    const now = Date.UTC(2030, 3, 20, 12);
    const brokenKv = {
      get: env.KV.get.bind(env.KV),
      put: (key: string, value: string) =>
        key.endsWith(':anime') ? Promise.reject(new Error('KV is away')) : env.KV.put(key, value),
    } as unknown as KVNamespace;
    await expect(updateTrending(db(), brokenKv, now)).rejects.toThrow('KV is away');
    expect(await updateTrending(db(), env.KV, now + 900_000)).toBe(true);
    expect(await updateTrending(db(), env.KV, now + 1_800_000)).toBe(false);
  });

  test('the trending list equals the popular list until it is computed', async () => {
    const keys = (await env.KV.list({ prefix: 'trending:' })).keys;
    await Promise.all(keys.map(({ name }) => env.KV.delete(name)));
    expect(await listAllIds({ sort: 'trending', tag: 'anime' })).toEqual(await listAllIds({ tag: 'anime' }));
  });
});
