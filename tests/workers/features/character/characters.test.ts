import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../../../src/db/open.ts';
import {
  countConversations,
  findConversationsByIds,
} from '../../../../src/features/conversation/found-conversations-store.ts';
import type {
  CharacterCard,
  CharacterDetail,
  CharacterList,
  ListCharactersQuery,
} from '../../../../src/features/character/contract.ts';
import { listFeaturedCharacters, getCharacter } from '../../../../src/features/character/character-store.ts';
import { listCharacters } from '../../../../src/features/character/discovery/listing-store.ts';
import { getCharacterWithSimilar } from '../../../../src/features/character/discovery/similar-store.ts';
import { getCreatorProfile } from '../../../../src/features/character/creator-store.ts';
import { getOwnCharacter } from '../../../../src/features/character/own-character-store.ts';
import { createId } from '../../../../src/lib/ids.ts';
import {
  addCharacter,
  startConversation,
  signInGuest,
  listMessages,
  sendMessage,
  createAccount,
  Visitor,
} from '../../../support/factories.ts';

/** Returns a word that no other test's characters contain. */
const createWord = (): string => `zeta${createId(Date.now())}`;

async function searchNames(q: string, visitor = new Visitor()): Promise<string[]> {
  const { items } = await visitor.ask<CharacterList>(`/api/characters?limit=100&q=${encodeURIComponent(q)}`);
  return items.map((item) => item.name);
}

async function listAllPages(query: string, visitor = new Visitor()): Promise<CharacterCard[]> {
  const items: CharacterCard[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: CharacterList = await visitor.ask(
      `/api/characters?${query}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    items.push(...page.items);
    cursor = page.next_cursor;
  }
  return items;
}

/** Creates an adult user with spicy mode on. */
async function createSpicyReader(): Promise<Visitor> {
  const visitor = await createAccount();
  await env.DB.prepare('update users set spicy_mode = 1, age_confirmed = 1 where id = ?')
    .bind(visitor.id)
    .run();
  return visitor;
}

describe('Character visibility', () => {
  test('a public character is listed and opens with all its texts', async () => {
    const word = createWord();
    const id = await addCharacter({
      name: `Public ${word}`,
      tags: ['anime', 'female'],
      chatCount: 3,
      summary: 'A keeper.',
    });
    const [card] = (await new Visitor().ask<CharacterList>(`/api/characters?q=${word}`)).items;
    expect(card).toEqual({
      id,
      name: `Public ${word}`,
      oneliner: 'Keeper of the last lighthouse',
      avatar_url: `/media/${'0'.repeat(32)}.webp`,
      tags: expect.arrayContaining(['anime', 'female']),
      chat_count: 3,
      likes: 0,
      featured: false,
      nsfw_allowed: false,
      language: null,
      creator: { id: expect.any(String), name: expect.stringMatching(/^maker-/) },
    });
    expect(await new Visitor().ask<CharacterDetail>(`/api/characters/${id}`)).toEqual({
      ...card,
      summary: 'A keeper.',
      summary_generated: false,
      character_traits: 'Patient, dry humour, afraid of the open sea.',
      first_message: '*The lamp turns.* "You came back, {{user}}," says {{char}}.',
      model_type: 'roleplay',
      visibility: 'public',
      point_of_view: 'normal',
      suggested_replies: ['Who are you?'],
      free_tags: [],
      about: '',
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
  });

  test('a private character can be opened, chatted with and found by its owner alone', async () => {
    const word = createWord();
    const owner = await createAccount();
    const id = await addCharacter({ name: word, visibility: 'private', creatorId: owner.id });
    expect(await owner.ask(`/api/characters/${id}`)).toMatchObject({ id, visibility: 'private' });
    for (const stranger of [new Visitor(), await signInGuest(), await createSpicyReader()]) {
      expect((await stranger.call(`/api/characters/${id}`)).status).toBe(404);
      expect(await searchNames(word, stranger)).toEqual([]);
      if (stranger.id !== '') {
        expect((await stranger.call('/api/conversations', { json: { character_id: id } })).status).toBe(404);
      }
    }
    expect(await searchNames(word, owner)).toEqual([]);
    expect(await listMessages(owner, await startConversation(owner, id))).toHaveLength(1);
  });

  test('an unlisted character opens and chats by its link and appears in no list', async () => {
    const word = createWord();
    const id = await addCharacter({
      name: word,
      visibility: 'unlisted',
      tags: ['rpg'],
      featured: true,
      chatCount: 1_000_000,
    });
    expect(await new Visitor().ask(`/api/characters/${id}`)).toMatchObject({ id, visibility: 'unlisted' });
    expect(await searchNames(word)).toEqual([]);
    for (const query of ['limit=100', 'limit=100&sort=new', 'limit=100&sort=trending', 'limit=100&tag=rpg']) {
      expect((await listAllPages(query)).map((item) => item.id)).not.toContain(id);
    }
    expect((await listFeaturedCharacters(openDatabase(env.DB), 100)).map((item) => item.id)).not.toContain(
      id,
    );
    const me = await signInGuest();
    expect(await listMessages(me, await startConversation(me, id))).toHaveLength(1);
  });

  test('an adult character is visible only to logged-in adults with spicy mode on', async () => {
    const word = createWord();
    const id = await addCharacter({ name: word, nsfwAllowed: true, featured: true });
    const unconfirmed = await createAccount();
    await env.DB.prepare('update users set spicy_mode = 1 where id = ?').bind(unconfirmed.id).run();
    const spicyGuest = await signInGuest();
    await env.DB.prepare('update users set spicy_mode = 1, age_confirmed = 1 where id = ?')
      .bind(spicyGuest.id)
      .run();
    for (const visitor of [
      new Visitor(),
      await signInGuest(),
      await createAccount(),
      unconfirmed,
      spicyGuest,
    ]) {
      expect((await visitor.call(`/api/characters/${id}`)).status).toBe(404);
      expect(await searchNames(word, visitor)).toEqual([]);
      if (visitor.id !== '') {
        expect((await visitor.call('/api/conversations', { json: { character_id: id } })).status).toBe(404);
      }
    }
    const reader = await createSpicyReader();
    expect(await reader.ask(`/api/characters/${id}`)).toMatchObject({ nsfw_allowed: true });
    expect(await searchNames(word, reader)).toEqual([word]);
    expect((await listFeaturedCharacters(openDatabase(env.DB), 100)).map((item) => item.id)).not.toContain(
      id,
    );
    expect(await listMessages(reader, await startConversation(reader, id))).toHaveLength(1);
  });
});

describe('Character list', () => {
  test('the character list can be sorted by popularity or by age', async () => {
    const tag = 'male';
    const now = Date.now();
    const ids = [
      await addCharacter({ tags: [tag], chatCount: 5, createdAt: now + 1 }),
      await addCharacter({ tags: [tag], chatCount: 9, createdAt: now + 2 }),
      await addCharacter({ tags: [tag], chatCount: 7, createdAt: now + 3 }),
    ] as [string, string, string];
    const listIds = async (query: string) =>
      (await listAllPages(`tag=${tag}&${query}`)).map((item) => item.id).filter((id) => ids.includes(id));
    expect(await listIds('limit=100')).toEqual([ids[1], ids[2], ids[0]]);
    expect(await listIds('limit=100&sort=popular')).toEqual([ids[1], ids[2], ids[0]]);
    expect(await listIds('limit=100&sort=new')).toEqual([ids[2], ids[1], ids[0]]);
  });

  test('the tag filter lists exactly the characters with that tag', async () => {
    const id = await addCharacter({ tags: ['fantasy', 'anime'] });
    const other = await addCharacter({ tags: ['rpg'] });
    const ids = (await listAllPages('tag=fantasy&limit=100')).map((item) => item.id);
    expect(ids).toContain(id);
    expect(ids).not.toContain(other);
    for (const item of await listAllPages('tag=fantasy&limit=100')) expect(item.tags).toContain('fantasy');
  });

  test('character list pages of any size have neither gaps nor repeats, with and without spicy mode', async () => {
    const word = createWord();
    for (let index = 0; index < 25; index += 1) {
      await addCharacter({
        name: `${word} ${index}`,
        chatCount: index % 4,
        createdAt: 1_700_000_000_000 + (index % 3),
        nsfwAllowed: index % 5 === 0,
      });
    }
    const reader = await createSpicyReader();
    for (const [visitor, count] of [
      [new Visitor(), 20],
      [reader, 25],
    ] as const) {
      for (const sort of ['popular', 'liked', 'new', 'trending']) {
        const allIds = (await listAllPages(`q=${word}&sort=${sort}&limit=100`, visitor)).map(
          (item) => item.id,
        );
        expect(new Set(allIds).size).toBe(count);
        for (const limit of [1, 4, 7, 20]) {
          expect(
            (await listAllPages(`q=${word}&sort=${sort}&limit=${limit}`, visitor)).map((item) => item.id),
          ).toEqual(allIds);
        }
      }
    }
  });

  test('a conversation counts once for its character, with the first completed reply', async () => {
    const characterId = await addCharacter();
    const readChatCount = async () =>
      (await new Visitor().ask<CharacterCard>(`/api/characters/${characterId}`)).chat_count;
    const me = await signInGuest();
    const id = await startConversation(me, characterId);
    expect(await readChatCount()).toBe(0);
    await sendMessage(me, id);
    await sendMessage(me, id);
    // The list is updated after the reply; renaming the conversation waits for that update.
    await me.ask(`/api/conversations/${id}`, { method: 'PATCH', json: { title: 'x' } });
    expect(await readChatCount()).toBe(1);
    expect(await me.ask('/api/chats')).toMatchObject({
      chats: [{ id, character_id: characterId, message_count: 5 }],
    });
  });
});

describe('Query plans of the lists', () => {
  /** D1 that records its queries. */
  function recordQueries(): { db: D1Database; asked: { sql: string; values: unknown[] }[] } {
    const asked: { sql: string; values: unknown[] }[] = [];
    const db = {
      prepare: (sql: string) => {
        const statement = env.DB.prepare(sql);
        return {
          bind: (...values: unknown[]) => {
            asked.push({ sql, values });
            return statement.bind(...values);
          },
        };
      },
      batch: (statements: D1PreparedStatement[]) => env.DB.batch(statements),
    };
    return { db: db as unknown as D1Database, asked };
  }

  async function explainPlans(
    work: (db: ReturnType<typeof openDatabase>) => Promise<unknown>,
  ): Promise<string[]> {
    const { db, asked } = recordQueries();
    await work(openDatabase(db));
    expect(asked.length).toBeGreaterThan(0);
    const plans = await Promise.all(
      asked.map(({ sql, values }) =>
        env.DB.prepare(`explain query plan ${sql}`)
          .bind(...values)
          .all<{ detail: string }>(),
      ),
    );
    return plans.flatMap(({ results }) => results.map(({ detail }) => detail));
  }

  const viewers = [
    { userId: null, spicy: false },
    { userId: 'me', spicy: true },
  ];
  const base: ListCharactersQuery = { sort: 'popular', limit: 24 };
  const cursor = '5.abc';
  const lists: [string, (db: ReturnType<typeof openDatabase>) => Promise<unknown>][] = [
    ...viewers.flatMap((viewer): [string, (db: ReturnType<typeof openDatabase>) => Promise<unknown>][] =>
      (
        [
          ['popular', base],
          ['popular, next page', { ...base, cursor }],
          ['most liked', { ...base, sort: 'liked' }],
          ['most liked, next page', { ...base, sort: 'liked', cursor }],
          ['most liked with filters', { ...base, sort: 'liked', language: 'de' }],
          ['new', { ...base, sort: 'new' }],
          ['new, next page', { ...base, sort: 'new', cursor }],
          ['trending', { ...base, sort: 'trending' }],
          ['by tag', { ...base, tag: 'anime' }],
          ['by tag, next page', { ...base, tag: 'anime', cursor }],
          ['by words', { ...base, q: 'mira' }],
          ['by words and tag', { ...base, q: 'mira light', tag: 'anime', cursor }],
        ] satisfies [string, ListCharactersQuery][]
      ).map(([name, query]) => [
        `characters: ${name}, spicy ${viewer.spicy}`,
        (db) => listCharacters(db, query, viewer),
      ]),
    ),
    ['featured characters', (db) => listFeaturedCharacters(db, 12)],
    [
      'a character with similar ones',
      (db) => getCharacterWithSimilar(db, 'x', { userId: null, spicy: true }, 6),
    ],
    ['one character', (db) => getCharacter(db, 'x', { userId: null, spicy: false })],
    ['a creator', (db) => getCreatorProfile(db, 'x', { userId: null, spicy: false }, { cursor, limit: 24 })],
    ['an own character', (db) => getOwnCharacter(db, { id: 'x', ownerId: 'me', now: 1 })],
    ['own conversations', (db) => findConversationsByIds(db, 'me', ['x', 'y'])],
    ['the number of own conversations', (db) => countConversations(db, 'me')],
  ];

  test.each(lists)('a list query uses an index: %s', async (_, work) => {
    const plans = await explainPlans(work);
    for (const detail of plans)
      expect(detail).not.toMatch(
        /^SCAN (characters|conversations|users|character_tags|sessions|login_codes)\b/,
      );
    expect(
      plans.some((detail) =>
        /^SEARCH .* USING (INTEGER PRIMARY KEY|(COVERING )?INDEX)|^SCAN character_search VIRTUAL/.test(
          detail,
        ),
      ),
    ).toBe(true);
  });

  test.each(['popular', 'liked', 'new', 'trending'] as const)(
    'the default list is read in index order, without sorting: %s',
    async (sort) => {
      const [anonymous] = viewers as [(typeof viewers)[0]];
      const plans = await explainPlans((db) => listCharacters(db, { ...base, sort, cursor }, anonymous));
      expect(plans.join('\n')).not.toContain('USE TEMP B-TREE');
    },
  );
});
