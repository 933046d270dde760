// Over 400 lines: what is found and what is not, in twelve languages, over one set of chats.
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import type { SearchChange, SearchResult } from '../../src/features/search/contract.ts';
import { createId } from '../../src/lib/ids.ts';
import {
  addCharacter,
  startConversation,
  createEmail,
  signInGuest,
  listMessages,
  sendMessage,
  createAccount,
  type Visitor,
} from '../support/factories.ts';

const HOUR_MS = 3_600_000;

/** The index of somebody whom nobody else knows. */
const someone = () => env.SEARCHES.get(env.SEARCHES.idFromName(createId(Date.now())));
type Index = ReturnType<typeof someone>;

const said = (messageId: string, at: number, text: string | null, conversationId = 'c1'): SearchChange => ({
  conversationId,
  messageId,
  at,
  text,
});

/** The ids of what is found, newest first. */
async function found(index: Index, query: string): Promise<string[]> {
  return (await index.find(query, null, 50)).hits.map(({ messageId }) => messageId);
}

/** Makes everything in an index as if it had been told of an hour earlier. */
const toldLongAgo = (index: Index) =>
  runInDurableObject(index, (_, { storage }) => {
    storage.sql.exec('update entries set told_at = told_at - ?', HOUR_MS);
  });

const tables = (index: Index) =>
  runInDurableObject(
    index,
    (_, { storage }) => storage.sql.exec('select name from sqlite_master').toArray().length,
  );

describe('The index of one person', () => {
  test('finds the newest message first, whatever was told first', async () => {
    const index = someone();
    await index.apply([said('m2', 2000, 'The lamp turns'), said('m1', 1000, 'A lamp, far away')]);
    await index.apply([said('m3', 3000, '灯台の lamp', 'c2')]);
    expect(await found(index, 'lamp')).toEqual(['m3', 'm2', 'm1']);
    expect(await found(index, '灯台')).toEqual(['m3']);
    expect(await found(index, 'lamp far')).toEqual(['m1']);
    expect(await found(index, 'storm')).toEqual([]);
  });

  test('finds what a message says now, not what it said before', async () => {
    const index = someone();
    await index.apply([said('m1', 1000, 'The lamp turns'), said('m2', 2000, 'Another lamp')]);
    await index.apply([said('m1', 1000, 'The storm comes')]);
    expect(await found(index, 'lamp')).toEqual(['m2']);
    expect(await found(index, 'storm')).toEqual(['m1']);
    await index.apply([said('m1', 0, null), said('unknown', 0, null)]);
    expect(await found(index, 'storm')).toEqual([]);
    await index.apply([said('m1', 1000, 'The storm comes')]);
    expect(await found(index, 'storm')).toEqual(['m1']);
  });

  test('is told the same again without finding it twice', async () => {
    const index = someone();
    for (let time = 0; time < 3; time += 1) await index.apply([said('m1', 1000, 'The lamp turns')]);
    expect(await found(index, 'lamp')).toEqual(['m1']);
  });

  test('keeps the copies of a fork apart, and forgets one conversation alone', async () => {
    const index = someone();
    await index.apply([
      said('m1', 1000, 'The lamp turns'),
      said('m1', 1000, 'The lamp turns', 'c2'),
      said('m2', 1000, 'The lamp stands', 'c2'),
    ]);
    expect(await found(index, 'lamp')).toEqual(['m2', 'm1', 'm1']);
    await index.removeConversation('c2');
    expect((await index.find('lamp', null, 50)).hits).toEqual([{ conversationId: 'c1', messageId: 'm1' }]);
  });

  test('passes over the conversations that are left out, and fills the page behind them', async () => {
    const index = someone();
    await index.apply([
      said('old', 1000, 'The lamp turns'),
      said('older', 500, 'The lamp turns'),
      ...Array.from({ length: 120 }, (_, number) => said(`m${number}`, 2000 + number, 'lamp', 'c2')),
    ]);
    const { hits, next } = await index.find('lamp', null, 2, ['c2', 'c3']);
    expect(hits.map(({ messageId }) => messageId)).toEqual(['old', 'older']);
    expect(next).toBeNull();
  });

  test('gives all of it by pages, each message once, also of one moment', async () => {
    const index = someone();
    const all = Array.from({ length: 1250 }, (_, number) => said(`m${number}`, 1000, `lamp ${number}`));
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

  test('takes times that no message can have', async () => {
    const index = someone();
    const times = [Number.NaN, -5, 0, 1.5, Date.parse('9999-12-31'), Number.POSITIVE_INFINITY, 2 ** 60];
    await index.apply(times.map((at, number) => said(`m${number}`, at, 'lamp')));
    expect((await found(index, 'lamp')).toSorted()).toEqual(times.map((_, number) => `m${number}`));
  });

  test('answers anything that can be typed', async () => {
    const index = someone();
    await index.apply([said('m1', 1000, 'A secret lamp')]);
    for (const typed of [
      '" OR 1',
      'line:secret',
      'NEAR(a b)',
      '-',
      '*',
      '\u0000',
      '"'.repeat(99),
      '{line}: x',
    ])
      expect(await found(index, typed)).toEqual([]);
    expect((await index.find('lamp', 'not a number', 10)).hits).toHaveLength(0);
  });

  test('forgets what a conversation no longer has, but not what was told of since', async () => {
    const index = someone();
    await index.apply([said('m1', 1000, 'The lamp turns'), said('m2', 2000, 'The lamp falls')]);
    const { hits, queriedAt: askedAt } = await index.find('lamp', null, 10);
    await index.forget(hits, askedAt);
    expect(await found(index, 'lamp')).toEqual(['m2', 'm1']);
    await toldLongAgo(index);
    await index.apply([said('m2', 2000, 'The lamp falls')]);
    await index.forget(hits, askedAt);
    expect(await found(index, 'lamp')).toEqual(['m2']);
  });

  test('leaves nothing behind when it is only asked, and nothing when it is erased', async () => {
    const index = someone();
    await index.find('lamp', null, 10);
    await index.forget([{ conversationId: 'c1', messageId: 'm1' }], Date.now());
    await index.removeConversation('c1');
    expect(await tables(index)).toBe(0);
    await index.apply([said('m1', 1000, 'The lamp turns')]);
    await index.erase();
    expect(await tables(index)).toBe(0);
    expect(await found(index, 'lamp')).toEqual([]);
    await index.apply([said('m2', 1000, 'Another lamp')]);
    expect(await found(index, 'lamp')).toEqual(['m2']);
  });

  test('keeps no word of a conversation that was the last one', async () => {
    const index = someone();
    await index.apply([said('m1', 1000, 'The lamp turns'), said('m1', 1000, 'The lamp stands', 'c2')]);
    await index.removeConversation('c1');
    expect(await found(index, 'lamp')).toEqual(['m1']);
    await index.removeConversation('c2');
    expect(await tables(index)).toBe(0);
    await index.apply([said('m2', 1000, 'Another lamp')]);
    expect(await found(index, 'lamp')).toEqual(['m2']);
  });

  test('keeps words and no texts', async () => {
    const index = someone();
    await index.apply([said('m1', 1000, 'My secret: The Lamp turns')]);
    await runInDurableObject(index, (_, { storage }) => {
      expect(storage.sql.exec('select line from words').toArray()).toEqual([{ line: null }]);
    });
  });
});

/** The index of somebody. */
const indexOf = (visitor: Visitor) => env.SEARCHES.get(env.SEARCHES.idFromName(visitor.id));

function search(visitor: Visitor, query: string, more = ''): Promise<SearchResult> {
  return visitor.ask(`/api/conversations/search?${new URLSearchParams({ q: query })}${more}`);
}

/** What is found once the conversations have told of it: so many messages, newest first. */
function findsSoon(visitor: Visitor, query: string, count: number): Promise<SearchResult['items']> {
  return vi.waitFor(
    async () => {
      const { items } = await search(visitor, query);
      expect(items).toHaveLength(count);
      return items;
    },
    { timeout: 10_000, interval: 50 },
  );
}

/** Makes a persona and is that one in a chat from now on. */
async function beSomebody(visitor: Visitor, chat: string, name: string): Promise<void> {
  const { id } = await visitor.ask<{ id: string }>('/api/personas', {
    json: { name, description: 'A pilot.' },
    status: 201,
  });
  await visitor.ask(`/api/conversations/${chat}/persona`, { method: 'PUT', json: { persona_id: id } });
}

describe('A search over all of one’s chats', () => {
  test('finds what I and the characters said, with its place, its face and the words marked', async () => {
    const me = await signInGuest();
    const mira = await addCharacter({ name: 'Mira', firstMessage: '*The lantern turns.* "You came back."' });
    const kagari = await addCharacter({ name: '灯', firstMessage: '灯台の光は東京湾まで届く。' });
    const first = await startConversation(me, mira);
    const second = await startConversation(me, kagari);
    await sendMessage(me, first, 'I carried the lantern all the way from Łódź.');
    const [opening, mine] = await listMessages(me, first);
    const items = await findsSoon(me, 'LANTERN', 2);
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
      },
      expect.objectContaining({
        message_id: opening?.id,
        role: 'character',
        snippet: 'The lantern turns. "You came back."',
        marks: [[4, 11]],
      }),
    ]);
    const [found] = await findsSoon(me, '東京', 1);
    expect(found).toMatchObject({ conversation_id: second, character_name: '灯', marks: [[5, 7]] });
    expect(await findsSoon(me, 'lodz', 1)).toMatchObject([{ message_id: mine?.id }]);
    expect((await search(me, 'storm')).items).toEqual([]);
  });

  test('finds nothing of anybody else', async () => {
    const [me, other] = [await signInGuest(), await signInGuest()];
    const chat = await startConversation(me, await addCharacter({ firstMessage: 'The lantern turns.' }));
    await findsSoon(me, 'lantern', 1);
    expect((await search(other, 'lantern')).items).toEqual([]);
    // Even an index that says otherwise shows nothing.
    const [opening] = await listMessages(me, chat);
    await indexOf(other).apply([said(opening?.id ?? '', 1000, 'The lantern turns.', chat)]);
    expect(await search(other, 'lantern')).toEqual({ items: [], next_cursor: null });
  });

  test('goes by what a message says now', async () => {
    const me = await signInGuest();
    const chat = await startConversation(me);
    await sendMessage(me, chat, 'The lantern fell.');
    const [message] = await findsSoon(me, 'lantern', 1);
    const path = `/api/conversations/${chat}/messages/${message?.message_id}`;
    await me.ask(path, { method: 'PATCH', json: { content: 'The teapot fell.' } });
    expect((await search(me, 'lantern')).items).toEqual([]);
    await findsSoon(me, 'teapot', 1);
    const { id: trashed } = await me.ask<{ id: string }>(path, { method: 'DELETE' });
    expect((await search(me, 'teapot')).items).toEqual([]);
    await me.ask(`/api/conversations/${chat}/trash/${trashed}/restore`, { method: 'POST' });
    await findsSoon(me, 'teapot', 1);
  });

  test('leaves out what lies in the trash, and has it again when it comes back', async () => {
    const me = await signInGuest();
    const chat = await startConversation(me, await addCharacter({ firstMessage: 'The lantern turns.' }));
    await findsSoon(me, 'lantern', 1);
    await toldLongAgo(indexOf(me));
    await me.call(`/api/conversations/${chat}`, { method: 'DELETE' });
    expect((await search(me, 'lantern')).items).toEqual([]);
    await me.ask(`/api/conversations/${chat}/restore`, { method: 'POST' });
    await findsSoon(me, 'lantern', 1);
  });

  test('shows the older message at once where a long chat in the trash has the newer ones', async () => {
    const me = await signInGuest();
    const mira = await addCharacter({ firstMessage: 'The lantern turns.' });
    await startConversation(me, mira);
    const deleted = await startConversation(me, mira);
    await findsSoon(me, 'lantern', 2);
    const now = Date.now();
    await indexOf(me).apply(
      Array.from({ length: 400 }, (_, number) => said(`m${number}`, now + number, 'A lantern', deleted)),
    );
    await me.call(`/api/conversations/${deleted}`, { method: 'DELETE' });
    const { items, next_cursor } = await search(me, 'lantern');
    expect(items.map(({ snippet }) => snippet)).toEqual(['The lantern turns.']);
    expect(next_cursor).toBeNull();
  });

  test('finds the names of the story as they are drawn', async () => {
    const me = await signInGuest();
    const chat = await startConversation(
      me,
      await addCharacter({ name: 'Ottilie', firstMessage: 'A lamp.' }),
    );
    await sendMessage(me, chat, 'Hello.');
    await beSomebody(me, chat, 'Zephyrine');
    await sendMessage(me, chat, 'Quixotry binds {{User}} to {{char}}.');
    const [message] = await findsSoon(me, '"binds Zephyrine to Ottilie"', 1);
    expect(message?.snippet).toBe('Quixotry binds Zephyrine to Ottilie.');
    expect((await search(me, '"binds user"')).items).toEqual([]);
  });

  test('finds me in what was said before by the name that I have now', async () => {
    const me = await signInGuest();
    const chat = await startConversation(me);
    await sendMessage(me, chat, 'Quixotry binds {{user}}.');
    await beSomebody(me, chat, 'Zephyrine');
    await findsSoon(me, '"binds Zephyrine"', 1);
    await beSomebody(me, chat, 'Quillon');
    await findsSoon(me, '"binds Quillon"', 1);
    expect((await search(me, '"binds Zephyrine"')).items).toEqual([]);
  });

  test('finds a guest’s chats after the guest signed in to an account', async () => {
    const email = createEmail();
    const before = await createAccount(email);
    await startConversation(before, await addCharacter({ firstMessage: 'The old lantern.' }));
    await findsSoon(before, 'lantern', 1);
    const me = await signInGuest();
    const asGuest = indexOf(me);
    await startConversation(me, await addCharacter({ firstMessage: 'The new lantern.' }));
    await findsSoon(me, 'lantern', 1);
    await createAccount(email, me);
    expect(me.id).toBe(before.id);
    expect((await findsSoon(me, 'lantern', 2)).map(({ snippet }) => snippet)).toEqual([
      'The new lantern.',
      'The old lantern.',
    ]);
    await vi.waitFor(async () => expect(await tables(asGuest)).toBe(0), { timeout: 10_000 });
  });

  test('gives everything by pages, and fills them where something has gone', async () => {
    const me = await signInGuest();
    const chat = await startConversation(me, await addCharacter({ firstMessage: 'A lantern, first.' }));
    await sendMessage(me, chat, 'A lantern, second.');
    await sendMessage(me, chat, 'A lantern, third.');
    await findsSoon(me, 'lantern', 3);
    const now = Date.now();
    await indexOf(me).apply([
      ...Array.from({ length: 3 }, (_, number) =>
        said(`gone${number}`, now + number, 'A lantern, gone', chat),
      ),
      said('gone', now + 5000, 'A lantern, gone', createId(now)),
    ]);
    await toldLongAgo(indexOf(me));
    const snippets: string[] = [];
    let next: string | null = '';
    let pages = 0;
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
    expect(snippets).toEqual(['A lantern, third.', 'A lantern, second.', 'A lantern, first.']);
    expect(pages).toBe(2);
    // What had gone is not asked about again.
    await vi.waitFor(async () => expect((await indexOf(me).find('lantern', null, 50)).hits).toHaveLength(3));
  });

  test('finds a fork beside the chat it was made from', async () => {
    const me = await signInGuest();
    const chat = await startConversation(me, await addCharacter({ firstMessage: 'The lantern turns.' }));
    const [opening] = await findsSoon(me, 'lantern', 1);
    const forked = await me.ask<{ conversation: { id: string } }>(
      `/api/conversations/${chat}/messages/${opening?.message_id}/fork`,
      { method: 'POST', status: 201 },
    );
    const items = await findsSoon(me, 'lantern', 2);
    expect(items.map((item) => item.conversation_id).toSorted()).toEqual(
      [chat, forked.conversation.id].toSorted(),
    );
  });

  test('is refused where nothing is asked, too much, or by nobody', async () => {
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
