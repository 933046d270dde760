import { env } from 'cloudflare:workers';
import { eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../../../../src/db/open.ts';
import { characters, conversations } from '../../../../../src/db/schema/core.ts';
import { getPortraitUrl } from '../../../../../src/features/character/portrait.ts';
import type { ChatList, TrashedChats } from '../../../../../src/features/conversation/contract.ts';
import type { SearchResult } from '../../../../../src/features/search/contract.ts';
import { createId } from '../../../../../src/lib/ids.ts';
import {
  type ConversationClient,
  getMessageId,
  startConversationClient,
} from '../../../../support/conversation-client.ts';
import {
  addCharacter,
  getConversationStub,
  signInGuest,
  type Visitor,
} from '../../../../support/factories.ts';

const db = openDatabase(env.DB);
const [FIRST, SECOND] = ['1', '2'].map((digit) => `${digit.repeat(32)}.webp`) as [string, string];
const OLD_LOOK = { name: 'Mira', picture: getPortraitUrl(FIRST) };
const NEW_LOOK = { name: 'Hushword', picture: getPortraitUrl(SECOND) };

/** Saves the character’s next version, as its creator would. */
const saveNextVersion = (id: string, row: Partial<typeof characters.$inferSelect>) =>
  db
    .update(characters)
    .set({ ...row, version: sql`${characters.version} + 1` })
    .where(eq(characters.id, id));

const getLook = (one?: { character_name: string; avatar_url: string }) =>
  one && { name: one.character_name, picture: one.avatar_url };

/** The conversation’s name and picture in each list; ends with the conversation in the trash. */
async function listLooks(chat: ConversationClient, word: string) {
  const { me, id } = chat;
  await getConversationStub(id).reindex(me.id);
  const { chats } = await me.ask<ChatList>('/api/chats');
  const { items } = await me.ask<SearchResult>(`/api/conversations/search?q=${word}`);
  const page = await chat.page();
  await chat.call('', { method: 'DELETE' });
  const trash = await me.ask<TrashedChats>('/api/conversations/trash');
  return [chats.find((one) => one.id === id), items[0], page.conversation, trash.items[0]].map(getLook);
}

describe('Conversation names and pictures', () => {
  let me: Visitor;
  let id: string;
  let chat: ConversationClient;
  let word: string;
  beforeEach(async () => {
    me = await signInGuest();
    id = await addCharacter({ name: OLD_LOOK.name, avatarKey: FIRST });
    chat = await startConversationClient(me, id);
    word = `theta${createId(Date.now())}`;
    await chat.insertMessages(`Tell me of the ${word}.`, 'So be it.');
  });

  test('a conversation keeps its first name and picture in lists until the new version is taken', async () => {
    await saveNextVersion(id, { name: NEW_LOOK.name, avatarKey: SECOND });
    const list = async () => getLook((await me.ask<ChatList>('/api/chats')).chats[0]);
    expect(await list()).toEqual(OLD_LOOK);
    await chat.ask('/character-version', { method: 'PUT', json: { version: 2 } });
    await expect.poll(list).toEqual(NEW_LOOK);
    expect(await listLooks(chat, word)).toEqual([NEW_LOOK, NEW_LOOK, NEW_LOOK, NEW_LOOK]);
  });

  test('lists and the data export do not show a private version of the character', async () => {
    await saveNextVersion(id, { name: NEW_LOOK.name, avatarKey: SECOND, visibility: 'private' });
    const download = await me.call('/api/account/export?format=json');
    const exported = await download.text();
    expect(exported).toContain(OLD_LOOK.name);
    expect(exported).not.toContain(NEW_LOOK.name);
    expect(await listLooks(chat, word)).toEqual([OLD_LOOK, OLD_LOOK, OLD_LOOK, OLD_LOOK]);
  });

  test('a fork keeps the conversation’s name and picture, and an import gets the current ones', async () => {
    await saveNextVersion(id, { name: NEW_LOOK.name, avatarKey: SECOND });
    const { chat: fork } = await chat.fork(getMessageId(await chat.messages(), 0));
    const body = new FormData();
    body.set('character_id', id);
    body.set('file', new Blob(['{"user_name":"Tam","character_name":"Orla","chat_metadata":{}}\n']));
    const { conversation: imported } = await me.ask<{ conversation: { id: string } }>(
      '/api/conversations/import',
      { body, status: 201 },
    );
    const { chats } = await me.ask<ChatList>('/api/chats');
    const findLook = (which: string) => getLook(chats.find((one) => one.id === which));
    expect([findLook(fork.id), findLook(imported.id)]).toEqual([OLD_LOOK, NEW_LOOK]);
  });

  test('a conversation without a stored name shows the current one', async () => {
    await db
      .update(conversations)
      .set({ characterName: null, avatarUrl: null })
      .where(eq(conversations.id, chat.id));
    await saveNextVersion(id, { name: NEW_LOOK.name, avatarKey: SECOND });
    const list = async () => getLook((await me.ask<ChatList>('/api/chats')).chats[0]);
    expect(await list()).toEqual(NEW_LOOK);
  });
});
