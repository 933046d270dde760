import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/open.ts';
import type { CharacterList, ListCharactersQuery } from '../../src/features/character/contract.ts';
import {
  toCharacterDay,
  updateTrending,
  updateListings,
} from '../../src/features/character/discovery/discovery-refresh-store.ts';
import { listCharacters } from '../../src/features/character/discovery/listing-store.ts';
import { getTrendingKey, type TrendingList } from '../../src/features/character/discovery/trending.ts';
import { createId } from '../../src/lib/ids.ts';
import {
  addCharacter,
  startConversation,
  signInGuest,
  sendMessage,
  createAccount,
  Visitor,
} from '../support/factories.ts';

const db = () => openDatabase(env.DB);
const everybody = { userId: null, spicy: false };
const adult = { userId: null, spicy: true };

/** A word that no other test's characters hold. */
const freshWord = (): string => `zeta${createId(Date.now())}`;

async function found(query: string, visitor = new Visitor()): Promise<string[]> {
  const { items } = await visitor.ask<CharacterList>(`/api/characters?limit=100&${query}`);
  return items.map((item) => item.name);
}
const q = (words: string): string => `q=${encodeURIComponent(words)}`;

async function pages(query: Partial<ListCharactersQuery>, viewer = everybody): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listCharacters(db(), { sort: 'popular', limit: 10, ...query, cursor }, viewer, env.KV);
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined && ids.length < 2000);
  return ids;
}

const set = (id: string, what: string) =>
  env.DB.prepare(`update characters set ${what} where id = ?`).bind(id).run();

describe('A character leaves every list and search at once, whoever writes it, when it', () => {
  const ways: [string, string, string][] = [
    ['is made private', "visibility = 'private'", "visibility = 'public'"],
    ['is made unlisted', "visibility = 'unlisted'", "visibility = 'public'"],
    ['is hidden by moderation', "moderation = 'hidden'", "moderation = 'shown'"],
    ['is removed by moderation', "moderation = 'removed'", "moderation = 'shown'"],
    ['goes into the trash', 'deleted_at = 1', 'deleted_at = null'],
  ];
  test.each(ways)('%s, and comes back with it', async (_, leave, back) => {
    const word = freshWord();
    const id = await addCharacter({ name: word, tags: ['rpg', 'anime'], chatCount: 900_000_000 });
    const queries = [
      '',
      q(word),
      `${q(word)}&tag=rpg`,
      `${q(word)}&sort=new`,
      'tag=anime',
      'sort=new',
      'tag=rpg&sort=new',
    ];
    for (const query of queries)
      expect({ query, found: await found(query) }).toMatchObject({ found: expect.arrayContaining([word]) });
    await set(id, leave);
    for (const query of queries)
      expect({ query, found: await found(query) }).toMatchObject({
        found: expect.not.arrayContaining([word]),
      });
    await set(id, back);
    for (const query of queries)
      expect({ query, found: await found(query) }).toMatchObject({ found: expect.arrayContaining([word]) });
    await env.DB.prepare('delete from characters where id = ?').bind(id).run();
    for (const query of queries)
      expect({ query, found: await found(query) }).toMatchObject({
        found: expect.not.arrayContaining([word]),
      });
    for (const table of ['character_listings', 'character_words'])
      expect(
        await env.DB.prepare(`select * from ${table} where character_id = ?`).bind(id).all(),
      ).toMatchObject({ results: [] });
  });

  test('becomes one for adults: only those with spicy mode on find it', async () => {
    const word = freshWord();
    const id = await addCharacter({ name: word, tags: ['fantasy'] });
    const reader = await createAccount();
    await env.DB.prepare('update users set spicy_mode = 1, age_confirmed = 1 where id = ?')
      .bind(reader.id)
      .run();
    await set(id, 'nsfw_allowed = 1');
    for (const query of [
      q(word),
      `${q(word)}&sort=new`,
      `${q(word)}&tag=fantasy`,
      `${q(word)}&sort=trending`,
    ]) {
      expect({ query, found: await found(query) }).toEqual({ query, found: [] });
      expect({ query, found: await found(query, reader) }).toEqual({ query, found: [word] });
    }
  });
});

describe('A search', () => {
  test('finds a character by its tags, by what other languages call them, and within a tag', async () => {
    const word = freshWord();
    const id = await addCharacter({ name: word, tags: ['fantasy', 'female'] });
    for (const typed of ['fantasy', 'Fantasía', 'фэнтези', 'ファンタジー', 'weiblich', '女性'])
      expect({ typed, found: await found(q(`${word} ${typed}`)) }).toEqual({ typed, found: [word] });
    expect(await found(q(`${word} rpg`))).toEqual([]);
    expect(await found(`${q(word)}&tag=rpg`)).toEqual([]);
    await env.DB.prepare("update character_tags set tag = 'rpg' where character_id = ? and tag = 'fantasy'")
      .bind(id)
      .run();
    expect(await found(`${q(word)}&tag=fantasy`)).toEqual([]);
    for (const query of [`${q(word)}&tag=rpg`, q(`${word} rpg`)]) expect(await found(query)).toEqual([word]);
    await env.DB.prepare("delete from character_tags where character_id = ? and tag = 'female'")
      .bind(id)
      .run();
    await env.DB.prepare("insert into character_tags (tag, character_id) values ('anime', ?)").bind(id).run();
    expect(await found(q(`${word} female`))).toEqual([]);
    expect(await found(`${q(word)}&tag=female`)).toEqual([]);
    expect(await found(`${q(word)}&tag=anime`)).toEqual([word]);
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
  ])('finds other forms of a word in %s', async (_, oneliner, typed) => {
    const word = freshWord();
    await addCharacter({ name: word, oneliner });
    for (const words of typed)
      expect({ words, found: await found(q(`${words} ${word}`)) }).toEqual({ words, found: [word] });
  });

  test('gives the name first, then what begins with it, then the rest, the most talked to of each first', async () => {
    const word = freshWord();
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
    expect(await found(q(word))).toEqual(order);
    const ids = await pages({ q: word, limit: 2 });
    const names = await Promise.all(
      ids.map((id) => env.DB.prepare('select name from characters where id = ?').bind(id).first('name')),
    );
    expect(names).toEqual(order);
    expect(await found(`${q(word)}&sort=new`)).toEqual(named.map(({ name }) => name).toReversed());
  });
});

describe('The lists', () => {
  test('order a character by its chats when housekeeping has counted them', async () => {
    const word = freshWord();
    const me = await signInGuest();
    const quiet = await addCharacter({ name: `${word} quiet` });
    const lively = await addCharacter({ name: `${word} lively` });
    await addCharacter({ name: `${word} newest` });
    const id = await startConversation(me, lively);
    await sendMessage(me, id);
    await me.ask(`/api/conversations/${id}`, { method: 'PATCH', json: { title: 'x' } });
    expect(await updateListings(db())).toBe(false);
    expect(await found(q(word))).toEqual([`${word} lively`, `${word} newest`, `${word} quiet`]);
    const days = await env.DB.prepare('select chats, fresh from character_days where character_id in (?, ?)')
      .bind(lively, quiet)
      .all();
    expect(days.results).toEqual([{ chats: 1, fresh: 0 }]);
    expect(
      await env.DB.prepare("select chat_count from character_listings where character_id = ? and tag = ''")
        .bind(lively)
        .first('chat_count'),
    ).toBe(1);
  });

  test('of what is trending weigh the last days more, keep to who may see what, and go on with the popular', async () => {
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
    const chat = (id: string, age: number, chats: number) =>
      env.DB.prepare('insert into character_days (day, character_id, chats) values (?, ?, ?)')
        .bind(today - age, id, chats)
        .run();
    // Ten days are five half-lives: a thousand then is 31 now.
    await chat(once, 10, 1000);
    await chat(lately, 0, 40);
    await chat(spicy, 1, 4000);
    await chat(gone, 0, 9000);
    await chat(popular, 15, 1_000_000);
    expect(await updateTrending(db(), env.KV, now)).toBe(true);
    expect(await updateTrending(db(), env.KV, now + 60_000)).toBe(false);
    await set(gone, "visibility = 'private'");
    const [mine, all] = [
      await pages({ sort: 'trending', tag: 'rpg', limit: 2 }),
      await pages({ sort: 'trending', tag: 'rpg', limit: 2 }, adult),
    ];
    expect(mine.slice(0, 3)).toEqual([lately, once, popular]);
    expect(all.slice(0, 4)).toEqual([spicy, lately, once, popular]);
    for (const list of [mine, all]) expect(new Set(list).size).toBe(list.length);
    expect(new Set(mine)).toEqual(new Set(await pages({ tag: 'rpg' })));

    // Whoever is on their way goes on in the list that they began with.
    const first = await listCharacters(db(), { sort: 'trending', tag: 'rpg', limit: 1 }, everybody, env.KV);
    await chat(popular, 0, 1_000_000);
    expect(await updateTrending(db(), env.KV, now + 3_600_000)).toBe(true);
    const known = await env.KV.get<TrendingList>(getTrendingKey({ spicy: false, tag: 'rpg' }), 'json');
    expect(known).toMatchObject({ version: String(now + 3_600_000), before: { version: String(now) } });
    expect(known?.ids[0]).toBe(popular);
    expect(first.items.map(({ id }) => id)).toEqual([lately]);
    const cursor = first.next_cursor ?? '';
    const second = await listCharacters(
      db(),
      { sort: 'trending', tag: 'rpg', limit: 1, cursor },
      everybody,
      env.KV,
    );
    expect(second.items.map(({ id }) => id)).toEqual([once]);
  });

  test('of what is trending leave out at once whom their maker took the tag from', async () => {
    const now = Date.UTC(2030, 2, 20, 12);
    const [stays, goes] = [await addCharacter({ tags: ['male'] }), await addCharacter({ tags: ['male'] })];
    for (const [id, chats] of [
      [stays, 10],
      [goes, 20],
    ] as const) {
      await env.DB.prepare('insert into character_days (day, character_id, chats) values (?, ?, ?)')
        .bind(toCharacterDay(now), id, chats)
        .run();
    }
    await updateTrending(db(), env.KV, now);
    const trending = () => pages({ sort: 'trending', tag: 'male' });
    expect((await trending()).slice(0, 2)).toEqual([goes, stays]);
    await env.DB.prepare('delete from character_tags where character_id = ?').bind(goes).run();
    const left = await trending();
    expect(left[0]).toBe(stays);
    expect(left).not.toContain(goes);
  });

  test('of what is trending tell as many as there are, whoever of them is gone since it was counted', async () => {
    const tag = 'fantasy' as const;
    const [gone, here, popular] = await Promise.all([
      Promise.all(Array.from({ length: 90 }, () => addCharacter({ tags: [tag] }))),
      Promise.all(Array.from({ length: 5 }, () => addCharacter({ tags: [tag] }))),
      addCharacter({ tags: [tag], chatCount: 700_000_000 }),
    ]);
    const kept = (ids: string[]) =>
      env.KV.put(
        getTrendingKey({ spicy: false, tag }),
        JSON.stringify({ version: '7', ids, before: null } satisfies TrendingList),
      );
    const trending = (limit: number, cursor?: string) =>
      listCharacters(
        db(),
        { sort: 'trending', tag, limit, ...(cursor ? { cursor } : {}) },
        everybody,
        env.KV,
      );
    await env.DB.prepare(
      "update characters set visibility = 'private' where id in (select value from json_each(?))",
    )
      .bind(JSON.stringify(gone))
      .run();

    await kept([...gone.slice(0, 80), ...here, ...gone.slice(80)]);
    const first = await trending(3);
    expect(first.items.map(({ id }) => id)).toEqual(here.slice(0, 3));
    const second = await trending(3, first.next_cursor ?? '');
    expect(second.items.map(({ id }) => id)).toEqual([...here.slice(3), popular]);

    await kept(gone);
    const fallen = await trending(10);
    expect(fallen).toMatchObject({
      items: (await listCharacters(db(), { sort: 'popular', tag, limit: 10 }, everybody)).items,
    });
    expect(fallen.items[0]?.id).toBe(popular);
    await env.KV.delete(getTrendingKey({ spicy: false, tag }));
  });

  test('of what is trending are made again soon where one of them could not be written', async () => {
    const now = Date.UTC(2030, 3, 20, 12);
    const away = {
      get: env.KV.get.bind(env.KV),
      put: (key: string, value: string) =>
        key.endsWith(':anime') ? Promise.reject(new Error('KV is away')) : env.KV.put(key, value),
    } as unknown as KVNamespace;
    await expect(updateTrending(db(), away, now)).rejects.toThrow('KV is away');
    expect(await updateTrending(db(), env.KV, now + 900_000)).toBe(true);
    expect(await updateTrending(db(), env.KV, now + 1_800_000)).toBe(false);
  });

  test('are what is popular while nobody has counted what is trending', async () => {
    const keys = (await env.KV.list({ prefix: 'trending:' })).keys;
    await Promise.all(keys.map(({ name }) => env.KV.delete(name)));
    expect(await pages({ sort: 'trending', tag: 'anime' })).toEqual(await pages({ tag: 'anime' }));
  });
});
