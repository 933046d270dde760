// Over 400 lines: what the search finds in twelve languages, over one set of conversations.
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import type {
  ListedConversation,
  SearchChange,
  SearchResult,
} from '../../../../src/features/search/contract.ts';
import { createId } from '../../../../src/lib/ids.ts';
import {
  addCharacter,
  startConversation,
  createEmail,
  signInGuest,
  listMessages,
  sendMessage,
  createAccount,
  type Visitor,
  startListedConversation,
} from '../../../support/factories.ts';

const HOUR_MS = 3_600_000;

/** The search index of a new user. */
const createIndex = () => env.SEARCHES.get(env.SEARCHES.idFromName(createId(Date.now())));
type Index = ReturnType<typeof createIndex>;

const entry = (messageId: string, at: number, text: string | null, conversationId = 'c1'): SearchChange => ({
  conversationId,
  messageId,
  at,
  text,
});

const listedConversation = (id: string, changed: Partial<ListedConversation> = {}): ListedConversation => ({
  id,
  characterId: 'x',
  characterName: 'Mira',
  avatarUrl: '/media/mira.webp',
  title: null,
  lastLine: 'Hello.',
  createdAt: 1000,
  lastMessageAt: 2000,
  messageCount: 2,
  branchOf: null,
  isUnread: false,
  deletedAt: null,
  ...changed,
});

/** The ids of the found messages, newest first. */
async function findIds(index: Index, query: string): Promise<string[]> {
  return (await index.find(query, null, 50)).hits.map(({ messageId }) => messageId);
}

/** Runs something an hour later. */
async function runLater(run: () => Promise<void>): Promise<void> {
  const { now } = Date;
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + HOUR_MS);
  try {
    await run();
  } finally {
    clock.mockRestore();
  }
}

const countTables = (index: Index) =>
  runInDurableObject(
    index,
    (_, { storage }) => storage.sql.exec('select name from sqlite_master').toArray().length,
  );

describe('Search index', () => {
  test('the search index returns the newest messages first, whatever order they were added in', async () => {
    const index = createIndex();
    await index.apply([entry('m2', 2000, 'The lamp turns'), entry('m1', 1000, 'A lamp, far away')]);
    await index.apply([entry('m3', 3000, '灯台の lamp', 'c2')]);
    expect(await findIds(index, 'lamp')).toEqual(['m3', 'm2', 'm1']);
    expect(await findIds(index, '灯台')).toEqual(['m3']);
    expect(await findIds(index, 'lamp far')).toEqual(['m1']);
    expect(await findIds(index, 'storm')).toEqual([]);
  });

  test('the search index finds the current text of a message only', async () => {
    const index = createIndex();
    await index.apply([entry('m1', 1000, 'The lamp turns'), entry('m2', 2000, 'Another lamp')]);
    await index.apply([entry('m1', 1000, 'The storm comes')]);
    expect(await findIds(index, 'lamp')).toEqual(['m2']);
    expect(await findIds(index, 'storm')).toEqual(['m1']);
    await index.apply([entry('m1', 0, null), entry('unknown', 0, null)]);
    expect(await findIds(index, 'storm')).toEqual([]);
    await index.apply([entry('m1', 1000, 'The storm comes')]);
    expect(await findIds(index, 'storm')).toEqual(['m1']);
  });

  test('adding the same message again does not find it twice', async () => {
    const index = createIndex();
    for (let time = 0; time < 3; time += 1) await index.apply([entry('m1', 1000, 'The lamp turns')]);
    expect(await findIds(index, 'lamp')).toEqual(['m1']);
  });

  test('the search index keeps a fork’s copies apart and can remove one conversation alone', async () => {
    const index = createIndex();
    await index.apply([
      entry('m1', 1000, 'The lamp turns'),
      entry('m1', 1000, 'The lamp turns', 'c2'),
      entry('m2', 1000, 'The lamp stands', 'c2'),
    ]);
    expect(await findIds(index, 'lamp')).toEqual(['m2', 'm1', 'm1']);
    await index.removeConversation('c2');
    expect((await index.find('lamp', null, 50)).hits).toEqual([{ conversationId: 'c1', messageId: 'm1' }]);
  });

  test('the search index skips conversations in the trash and still fills the page', async () => {
    const index = createIndex();
    await index.apply([], listedConversation('c2', { deletedAt: 1 }));
    await index.apply([], listedConversation('c1'));
    await index.apply([
      entry('old', 1000, 'The lamp turns'),
      entry('older', 500, 'The lamp turns'),
      ...Array.from({ length: 120 }, (_, number) => entry(`m${number}`, 2000 + number, 'lamp', 'c2')),
    ]);
    const { hits, next } = await index.find('lamp', null, 2);
    expect(hits.map(({ messageId }) => messageId)).toEqual(['old', 'older']);
    expect(next).toBeNull();
  });

  test('the search index returns every message once across pages, even at the same time', async () => {
    const index = createIndex();
    const all = Array.from({ length: 1250 }, (_, number) => entry(`m${number}`, 1000, `lamp ${number}`));
    await index.apply(all);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<Index['find']>> = await index.find('lamp', cursor, 100);
      seen.push(...page.hits.map(({ messageId }) => messageId));
      cursor = page.next;
    } while (cursor !== null);
    expect(seen).toEqual(all.map(({ messageId }) => messageId).toReversed());
  });

  test('the search index accepts any timestamp', async () => {
    const index = createIndex();
    const times = [Number.NaN, -5, 0, 1.5, Date.parse('9999-12-31'), Number.POSITIVE_INFINITY, 2 ** 60];
    await index.apply(times.map((at, number) => entry(`m${number}`, at, 'lamp')));
    expect((await findIds(index, 'lamp')).toSorted()).toEqual(times.map((_, number) => `m${number}`));
  });

  test('the search index accepts any query text', async () => {
    const index = createIndex();
    await index.apply([entry('m1', 1000, 'A secret lamp')]);
    for (const query of [
      '" OR 1',
      'line:secret',
      'NEAR(a b)',
      '-',
      '*',
      '\u0000',
      '"'.repeat(99),
      '{line}: x',
    ])
      expect(await findIds(index, query)).toEqual([]);
    expect((await index.find('lamp', 'not a number', 10)).hits).toHaveLength(0);
  });

  test('the search index forgets missing messages unless they were added again since the query', async () => {
    const index = createIndex();
    await index.apply([entry('m1', 1000, 'The lamp turns'), entry('m2', 2000, 'The lamp falls')]);
    const { hits, queriedAt: askedAt } = await index.find('lamp', null, 10);
    await index.forget(hits, askedAt);
    expect(await findIds(index, 'lamp')).toEqual(['m2', 'm1']);
    await runLater(async () => index.apply([entry('m2', 2000, 'The lamp falls')]));
    await index.forget(hits, askedAt + HOUR_MS);
    expect(await findIds(index, 'lamp')).toEqual(['m2']);
  });

  test('the search index creates no tables when it is only queried and has none after its erasure', async () => {
    const index = createIndex();
    await index.find('lamp', null, 10);
    await index.forget([{ conversationId: 'c1', messageId: 'm1' }], Date.now());
    await index.removeConversation('c1');
    expect(await countTables(index)).toBe(0);
    await index.apply([entry('m1', 1000, 'The lamp turns')]);
    await index.erase();
    expect(await countTables(index)).toBe(0);
    expect(await findIds(index, 'lamp')).toEqual([]);
    await index.apply([entry('m2', 1000, 'Another lamp')]);
    expect(await findIds(index, 'lamp')).toEqual(['m2']);
  });

  test('the search index drops its tables with the last conversation', async () => {
    const index = createIndex();
    await index.apply([entry('m1', 1000, 'The lamp turns'), entry('m1', 1000, 'The lamp stands', 'c2')]);
    await index.removeConversation('c1');
    expect(await findIds(index, 'lamp')).toEqual(['m1']);
    await index.removeConversation('c2');
    expect(await countTables(index)).toBe(0);
    await index.apply([entry('m2', 1000, 'Another lamp')]);
    expect(await findIds(index, 'lamp')).toEqual(['m2']);
  });

  test('the search index stores words and no texts', async () => {
    const index = createIndex();
    await index.apply([entry('m1', 1000, 'My secret: The Lamp turns')]);
    await runInDurableObject(index, (_, { storage }) => {
      expect(storage.sql.exec('select line from words').toArray()).toEqual([{ line: null }]);
    });
  });
});

/** The search index of a user. */
const getIndex = (visitor: Visitor) => env.SEARCHES.get(env.SEARCHES.idFromName(visitor.id));

function search(visitor: Visitor, query: string, more = ''): Promise<SearchResult> {
  return visitor.ask(`/api/conversations/search?${new URLSearchParams({ q: query })}${more}`);
}

/** Searches until this number of messages is found, because conversations update the index later; newest first. */
function waitForResults(visitor: Visitor, query: string, count: number): Promise<SearchResult['items']> {
  return vi.waitFor(
    async () => {
      const { items } = await search(visitor, query);
      expect(items).toHaveLength(count);
      return items;
    },
    { timeout: 10_000, interval: 50 },
  );
}

/** Creates a persona and chooses it in a conversation. */
async function usePersona(visitor: Visitor, chat: string, name: string): Promise<void> {
  const { id } = await visitor.ask<{ id: string }>('/api/personas', {
    json: { name, description: 'A pilot.' },
    status: 201,
  });
  await visitor.ask(`/api/conversations/${chat}/persona`, { method: 'PUT', json: { persona_id: id } });
}

describe('Conversation search', () => {
  test('the search finds the messages of user and character, with their conversation, picture and marked words', async () => {
    const me = await signInGuest();
    const mira = await addCharacter({ name: 'Mira', firstMessage: '*The lantern turns.* "You came back."' });
    const kagari = await addCharacter({ name: '灯', firstMessage: '灯台の光は東京湾まで届く。' });
    const first = await startConversation(me, mira);
    const second = await startListedConversation(me, kagari);
    await sendMessage(me, first, 'I carried the lantern all the way from Łódź.');
    const [opening, mine] = await listMessages(me, first);
    const items = await waitForResults(me, 'LANTERN', 2);
    expect(items).toEqual([
      {
        conversation_id: first,
        message_id: mine?.id,
        role: 'user',
        character_id: mira,
        character_name: 'Mira',
        avatar_url: expect.stringMatching(/^\/media\//),
        snippet: 'I carried the lantern all the way from Łódź.',
        marks: [[14, 21]],
        created_at: mine?.created_at,
        title: 'I carried the lantern all the way from…',
        branch_of: null,
      },
      expect.objectContaining({
        message_id: opening?.id,
        role: 'character',
        snippet: 'The lantern turns. "You came back."',
        marks: [[4, 11]],
      }),
    ]);
    const [findIds] = await waitForResults(me, '東京', 1);
    expect(findIds).toMatchObject({ conversation_id: second, character_name: '灯', marks: [[5, 7]] });
    expect(await waitForResults(me, 'lodz', 1)).toMatchObject([{ message_id: mine?.id }]);
    expect((await search(me, 'storm')).items).toEqual([]);
  });

  test('the search finds no messages of other users', async () => {
    const [me, other] = [await signInGuest(), await signInGuest()];
    const chat = await startListedConversation(
      me,
      await addCharacter({ firstMessage: 'The lantern turns.' }),
    );
    await waitForResults(me, 'lantern', 1);
    expect((await search(other, 'lantern')).items).toEqual([]);
    // A wrong entry in the index is not shown either.
    const [opening] = await listMessages(me, chat);
    await getIndex(other).apply([entry(opening?.id ?? '', 1000, 'The lantern turns.', chat)]);
    expect(await search(other, 'lantern')).toEqual({ items: [], next_cursor: null });
  });

  test('the search follows edits, deletions and restorations of a message', async () => {
    const me = await signInGuest();
    const chat = await startConversation(me);
    await sendMessage(me, chat, 'The lantern fell.');
    const [message] = await waitForResults(me, 'lantern', 1);
    const path = `/api/conversations/${chat}/messages/${message?.message_id}`;
    await me.ask(path, { method: 'PATCH', json: { content: 'The teapot fell.' } });
    expect((await search(me, 'lantern')).items).toEqual([]);
    await waitForResults(me, 'teapot', 1);
    const { id: trashed } = await me.ask<{ id: string }>(path, { method: 'DELETE' });
    expect((await search(me, 'teapot')).items).toEqual([]);
    await me.ask(`/api/conversations/${chat}/trash/${trashed}/restore`, { method: 'POST' });
    await waitForResults(me, 'teapot', 1);
  });

  test('the search leaves out conversations in the trash until they are restored', async () => {
    const me = await signInGuest();
    const chat = await startListedConversation(
      me,
      await addCharacter({ firstMessage: 'The lantern turns.' }),
    );
    await waitForResults(me, 'lantern', 1);
    await runLater(async () => {
      await me.call(`/api/conversations/${chat}`, { method: 'DELETE' });
      expect((await search(me, 'lantern')).items).toEqual([]);
    });
    await me.ask(`/api/conversations/${chat}/restore`, { method: 'POST' });
    await waitForResults(me, 'lantern', 1);
  });

  test('the search finds an older message behind a long conversation in the trash', async () => {
    const me = await signInGuest();
    const mira = await addCharacter({ firstMessage: 'The lantern turns.' });
    await startListedConversation(me, mira);
    const deleted = await startListedConversation(me, mira);
    await waitForResults(me, 'lantern', 2);
    const now = Date.now();
    await getIndex(me).apply(
      Array.from({ length: 400 }, (_, number) => entry(`m${number}`, now + number, 'A lantern', deleted)),
    );
    await me.call(`/api/conversations/${deleted}`, { method: 'DELETE' });
    const { items, next_cursor } = await search(me, 'lantern');
    expect(items.map(({ snippet }) => snippet)).toEqual(['The lantern turns.']);
    expect(next_cursor).toBeNull();
  });

  test('the search finds names where placeholders are shown as names', async () => {
    const me = await signInGuest();
    const chat = await startConversation(
      me,
      await addCharacter({ name: 'Ottilie', firstMessage: 'A lamp.' }),
    );
    await sendMessage(me, chat, 'Hello.');
    await usePersona(me, chat, 'Zephyrine');
    await sendMessage(me, chat, 'Quixotry binds {{User}} to {{char}}.');
    const [message] = await waitForResults(me, '"binds Zephyrine to Ottilie"', 1);
    expect(message?.snippet).toBe('Quixotry binds Zephyrine to Ottilie.');
    expect((await search(me, '"binds user"')).items).toEqual([]);
  });

  test('the search finds earlier messages by the user’s current persona name', async () => {
    const me = await signInGuest();
    const chat = await startConversation(me);
    await sendMessage(me, chat, 'Quixotry binds {{user}}.');
    await usePersona(me, chat, 'Zephyrine');
    await waitForResults(me, '"binds Zephyrine"', 1);
    await usePersona(me, chat, 'Quillon');
    await waitForResults(me, '"binds Quillon"', 1);
    expect((await search(me, '"binds Zephyrine"')).items).toEqual([]);
  });

  test('the search finds a guest’s conversations after the guest signs in to an account', async () => {
    const email = createEmail();
    const before = await createAccount(email);
    await startListedConversation(before, await addCharacter({ firstMessage: 'The old lantern.' }));
    await waitForResults(before, 'lantern', 1);
    const me = await signInGuest();
    const guestIndex = getIndex(me);
    await startListedConversation(me, await addCharacter({ firstMessage: 'The new lantern.' }));
    await waitForResults(me, 'lantern', 1);
    await createAccount(email, me);
    expect(me.id).toBe(before.id);
    expect((await waitForResults(me, 'lantern', 2)).map(({ snippet }) => snippet)).toEqual([
      'The new lantern.',
      'The old lantern.',
    ]);
    await vi.waitFor(async () => expect(await countTables(guestIndex)).toBe(0), { timeout: 10_000 });
  });

  test('the search returns everything in pages and fills them when entries are outdated', async () => {
    const me = await signInGuest();
    const chat = await startConversation(me, await addCharacter({ firstMessage: 'A lantern, first.' }));
    await sendMessage(me, chat, 'A lantern, second.');
    await sendMessage(me, chat, 'A lantern, third.');
    await waitForResults(me, 'lantern', 3);
    const now = Date.now();
    await getIndex(me).apply([
      ...Array.from({ length: 3 }, (_, number) =>
        entry(`gone${number}`, now + number, 'A lantern, gone', chat),
      ),
      entry('gone', now + 5000, 'A lantern, gone', createId(now)),
    ]);
    const snippets: string[] = [];
    let next: string | null = '';
    let pages = 0;
    await runLater(async () => {
      while (next !== null) {
        const page: SearchResult = await search(
          me,
          'lantern',
          `&limit=2${next === '' ? '' : `&cursor=${next}`}`,
        );
        snippets.push(...page.items.map(({ snippet }) => snippet));
        next = page.next_cursor;
        pages += 1;
      }
    });
    expect(snippets).toEqual(['A lantern, third.', 'A lantern, second.', 'A lantern, first.']);
    expect(pages).toBe(2);
    // The outdated entries were removed from the index.
    await vi.waitFor(async () => expect((await getIndex(me).find('lantern', null, 50)).hits).toHaveLength(3));
  });

  test('the search finds a fork and its original', async () => {
    const me = await signInGuest();
    const chat = await startListedConversation(
      me,
      await addCharacter({ firstMessage: 'The lantern turns.' }),
    );
    const [opening] = await waitForResults(me, 'lantern', 1);
    const forked = await me.ask<{ conversation: { id: string } }>(
      `/api/conversations/${chat}/messages/${opening?.message_id}/fork`,
      { method: 'POST', status: 201 },
    );
    const items = await waitForResults(me, 'lantern', 2);
    expect(items.map((item) => item.conversation_id).toSorted()).toEqual(
      [chat, forked.conversation.id].toSorted(),
    );
  });

  test('the search refuses an empty, overlong or malformed query and a call without a session', async () => {
    const me = await signInGuest();
    for (const query of [
      '',
      '?q=',
      '?q=%20',
      `?q=${'x'.repeat(101)}`,
      '?q=lamp&cursor=nonsense',
      '?q=lamp&limit=0',
    ]) {
      expect((await me.call(`/api/conversations/search${query}`)).status).toBe(400);
    }
    expect(await search(me, '…')).toEqual({ items: [], next_cursor: null });
    me.cookie = '';
    for (const query of ['?q=lamp', '']) {
      expect((await me.call(`/api/conversations/search${query}`)).status).toBe(401);
    }
  });
});
