import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/open.ts';
import { characters, conversations } from '../../src/db/schema/core.ts';
import { getPortraitUrl } from '../../src/features/character/portrait.ts';
import type { ChatList, TrashedChats } from '../../src/features/conversation/contract.ts';
import type { SearchResult } from '../../src/features/search/contract.ts';
import { createId } from '../../src/lib/ids.ts';
import {
  type ConversationClient,
  getMessageId,
  startConversationClient,
} from '../support/conversation-client.ts';
import { addCharacter, getConversationStub, signInGuest, type Visitor } from '../support/factories.ts';

const db = openDatabase(env.DB);
const [FIRST, SECOND] = ['1', '2'].map((digit) => `${digit.repeat(32)}.webp`) as [string, string];
const THEN = { name: 'Mira', picture: getPortraitUrl(FIRST) };
const NOW = { name: 'Hushword', picture: getPortraitUrl(SECOND) };

/** What its maker makes of it, as its next version. */
const change = (id: string, row: Partial<typeof characters.$inferSelect>) =>
  db
    .update(characters)
    .set({ ...row, version: sql`${characters.version} + 1` })
    .where(eq(characters.id, id));

const look = (one?: { character_name: string; avatar_url: string }) =>
  one && { name: one.character_name, picture: one.avatar_url };

/** How a story looks in each list that it stands in; in the end it lies in the trash. */
async function everyLook(chat: ConversationClient, word: string) {
  const { me, id } = chat;
  await getConversationStub(id).reindex(me.id);
  const { chats } = await me.ask<ChatList>('/api/chats');
  const { items } = await me.ask<SearchResult>(`/api/conversations/search?q=${word}`);
  const page = await chat.page();
  await chat.call('', { method: 'DELETE' });
  const trash = await me.ask<TrashedChats>('/api/conversations/trash');
  return [chats.find((one) => one.id === id), items[0], page.conversation, trash.items[0]].map(look);
}

describe('In every list, my story', () => {
  let me: Visitor;
  let id: string;
  let chat: ConversationClient;
  let word: string;
  beforeEach(async () => {
    me = await signInGuest();
    id = await addCharacter({ name: THEN.name, avatarKey: FIRST });
    chat = await startConversationClient(me, id);
    word = `theta${createId(Date.now())}`;
    await chat.insertMessages(`Tell me of the ${word}.`, 'So be it.');
  });

  test('has the name and the face that it began with, until I take its character’s new version', async () => {
    await change(id, { name: NOW.name, avatarKey: SECOND });
    const list = async () => look((await me.ask<ChatList>('/api/chats')).chats[0]);
    expect(await list()).toEqual(THEN);
    await chat.ask('/character-version', { method: 'PUT', json: { version: 2 } });
    await expect.poll(list).toEqual(NOW);
    expect(await everyLook(chat, word)).toEqual([NOW, NOW, NOW, NOW]);
  });

  test('tells me nothing of what its maker made of its character in private, nor does what I take along', async () => {
    await change(id, { name: NOW.name, avatarKey: SECOND, visibility: 'private' });
    const download = await me.call('/api/account/export?format=json');
    const told = await download.text();
    expect(told).toContain(THEN.name);
    expect(told).not.toContain(NOW.name);
    expect(await everyLook(chat, word)).toEqual([THEN, THEN, THEN, THEN]);
  });

  test('gives its fork its own look, and a chat that I bring gets that of today', async () => {
    await change(id, { name: NOW.name, avatarKey: SECOND });
    const { chat: fork } = await chat.fork(getMessageId(await chat.messages(), 0));
    const body = new FormData();
    body.set('character_id', id);
    body.set('file', new Blob(['{"user_name":"Tam","character_name":"Orla","chat_metadata":{}}\n']));
    const { conversation: brought } = await me.ask<{ conversation: { id: string } }>(
      '/api/conversations/import',
      { body, status: 201 },
    );
    const { chats } = await me.ask<ChatList>('/api/chats');
    const lookOf = (which: string) => look(chats.find((one) => one.id === which));
    expect([lookOf(fork.id), lookOf(brought.id)]).toEqual([THEN, NOW]);
  });

  test('has its character’s look of now where nobody wrote down its own, and loses nothing by its next message', async () => {
    await db
      .update(conversations)
      .set({ characterName: null, avatarUrl: null })
      .where(eq(conversations.id, chat.id));
    await change(id, { name: NOW.name, avatarKey: SECOND });
    const list = async () => look((await me.ask<ChatList>('/api/chats')).chats[0]);
    expect(await list()).toEqual(NOW);
    await chat.send('And then?');
    await runDurableObjectAlarm(getConversationStub(chat.id));
    expect(await list()).toEqual(THEN);
  });
});
