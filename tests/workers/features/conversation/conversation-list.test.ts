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
    await chat.ask(`/messages/${last}`, { method: 'PATCH', json: { content: 'Another ending.' } });
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
