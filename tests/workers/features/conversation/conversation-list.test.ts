import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import type { ChatList, ConversationList } from '../../../../src/features/conversation/contract.ts';
import { startConversationClient } from '../../../support/conversation-client.ts';
import { openLiveTab } from '../../../support/live-tab.ts';
import {
  addCharacter,
  createAccount,
  createEmail,
  signInGuest,
  type Visitor,
  startListedConversation,
} from '../../../support/factories.ts';

const listChats = async (me: Visitor) => (await me.ask<ChatList>('/api/chats')).chats;

/** Waits until the list has the conversation in this state. */
const expectListed = (me: Visitor, id: string, expected: Partial<ChatList['chats'][number]>) =>
  vi.waitFor(async () =>
    expect((await listChats(me)).find((chat) => chat.id === id)).toMatchObject(expected),
  );

describe('The list of conversations', () => {
  test('a branch at the greeting is listed at once with the greeting on one line', async () => {
    const me = await signInGuest();
    const greeting = `The lamp\n\n turns, {{user}}.${' And turns.'.repeat(20)}`;
    const chat = await startConversationClient(me, await addCharacter({ firstMessage: greeting }));
    const { chat: branch } = await chat.fork((await chat.ids())[0] as string);
    const [listed, ...others] = await listChats(me);
    expect(others).toEqual([]);
    expect(listed).toMatchObject({ id: branch.id, message_count: 1, branch_of: chat.id, unread: false });
    expect(listed?.last_line).toMatch(/^The lamp turns, \S.*\. And turns\./);
    expect(listed?.last_line).not.toContain('{{');
    expect(listed?.last_line.length).toBeLessThanOrEqual(80);
  });

  test('a reply that nobody saw is unread until its page is opened', async () => {
    const me = await signInGuest();
    const chat = await startConversationClient(me);
    await chat.send('Hello. [[scenario:tokens n=2 ms=0]]');
    await expectListed(me, chat.id, { unread: true, message_count: 3 });
    // A page that a browser loads in advance was not seen.
    await me.ask(`/api/conversations/${chat.id}`, { headers: { 'sec-purpose': 'prefetch' } });
    await expectListed(me, chat.id, { unread: true });
    const page = await chat.page();
    await expectListed(me, chat.id, { unread: false, last_line: page.messages.at(-1)?.content.trim() ?? '' });
  });

  test('a reply that ends in an open tab is not unread', async () => {
    const me = await signInGuest();
    const chat = await startConversationClient(me);
    const { socket } = await openLiveTab(me, chat.id);
    await chat.send('Hello. [[scenario:tokens n=2 ms=0]]');
    await expectListed(me, chat.id, { unread: false, message_count: 3 });
    socket.close();
  });

  test('an edit of the last message changes its line, and a branch names where it began', async () => {
    const me = await signInGuest();
    const chat = await startConversationClient(me);
    await chat.send('Hello. [[scenario:tokens n=2 ms=0]]');
    const last = (await chat.ids()).at(-1) as string;
    await chat.ask(`/messages/${last}`, { method: 'PATCH', json: { content: '*Another* **ending.**' } });
    await expectListed(me, chat.id, { last_line: 'Another ending.' });
    const { chat: branch } = await chat.fork(last);
    await expectListed(me, branch.id, { branch_of: chat.id, message_count: 3 });
    const { conversation } = await chat.page();
    const { items } = await me.ask<ConversationList>(
      `/api/characters/${conversation.character_id}/conversations`,
    );
    expect(items.map(({ id, branch_of }) => [id, branch_of])).toEqual([
      [branch.id, chat.id],
      [chat.id, null],
    ]);
  });

  test('the beginning of the first message is the title, until the user gives one', async () => {
    const me = await signInGuest();
    const chat = await startConversationClient(me);
    expect((await chat.page()).conversation.title).toBeNull();
    const first =
      '*waves* I walked along the river last night, and nobody was there. [[scenario:tokens n=2 ms=0]]';
    const title = 'waves I walked along the river last…';
    await chat.send(first);
    await expectListed(me, chat.id, { title });
    expect((await chat.page()).conversation.title).toBe(title);
    await chat.send('Something else. [[scenario:tokens n=2 ms=0]]');
    await expectListed(me, chat.id, { title, message_count: 5 });
    await chat.ask('', { method: 'PATCH', json: { title: 'The river' } });
    await chat.send('And more. [[scenario:tokens n=2 ms=0]]');
    await expectListed(me, chat.id, { title: 'The river', message_count: 7 });
  });

  test('the title follows an edit, a deletion and a restoration of the first message', async () => {
    const me = await signInGuest();
    const chat = await startConversationClient(me);
    await chat.send('The red door. [[scenario:tokens n=2 ms=0]]');
    const sent = (await chat.ids())[1] as string;
    await chat.ask(`/messages/${sent}`, { method: 'PATCH', json: { content: 'The green door.' } });
    await expectListed(me, chat.id, { title: 'The green door.' });
    const { id: branchId } = (await chat.fork((await chat.ids())[2] as string)).chat;
    await expectListed(me, branchId, { title: 'The green door.', branch_of: chat.id });
    await chat.call(`/messages/${sent}`, { method: 'DELETE' });
    await expectListed(me, chat.id, { title: null, message_count: 1 });
    const [trashed] = (await chat.trash()).items;
    await chat.call(`/trash/${trashed?.id}/restore`, { method: 'POST' });
    await expectListed(me, chat.id, { title: 'The green door.', message_count: 3 });
  });

  test('an imported conversation is titled by its first message of the user', async () => {
    const me = await signInGuest();
    const lines = [
      { user_name: 'Ann', character_name: 'Lumi' },
      { name: 'Lumi', is_user: false, mes: 'Good evening.' },
      { name: 'Ann', is_user: true, mes: 'Who keeps the light?' },
    ];
    const body = new FormData();
    body.set('character_id', await addCharacter());
    body.set('file', new File([lines.map((line) => JSON.stringify(line)).join('\n')], 'chat.jsonl'));
    const { conversation } = await me.ask<{ conversation: { id: string; title: string } }>(
      '/api/conversations/import',
      { body, method: 'POST', status: 201 },
    );
    expect(conversation.title).toBe('Who keeps the light?');
    await expectListed(me, conversation.id, { title: 'Who keeps the light?' });
  });

  test('a guest’s conversations are in the account’s list right after the guest signs in to it', async () => {
    const email = createEmail();
    const before = await createAccount(email);
    const own = await startListedConversation(before);
    const me = await signInGuest();
    const chats = [await startListedConversation(me), await startListedConversation(me)];
    await createAccount(email, me);
    expect((await listChats(me)).map(({ id }) => id)).toEqual([own, ...chats].toReversed());
  });

  test('a list is paged by time without gaps, also where a conversation is gone', async () => {
    const me = await signInGuest();
    const characterId = await addCharacter();
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.unshift(await startListedConversation(me, characterId));
    await env.DB.prepare('delete from conversations where id = ?').bind(ids[1]).run();
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: ConversationList = await me.ask(
        `/api/characters/${characterId}/conversations?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(ids.filter((id) => id !== ids[1]));
  });
});
