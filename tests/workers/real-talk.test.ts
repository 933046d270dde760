import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { ConversationClient, startConversationClient } from '../support/conversation-client.ts';
import { downloadDocument } from '../support/data-export.ts';
import {
  addCharacter,
  clearScenes,
  signInGuest,
  createTurnId,
  createAccount,
  type Visitor,
} from '../support/factories.ts';

interface Row {
  turns: number;
  network: string | null;
  message_count: number;
}

const rowOf = (id: string) =>
  env.DB.prepare('select turns, network, message_count from conversations where id = ?')
    .bind(id)
    .first<Row>();

/** How many answered messages the list row comes to tell. */
const turnsOf = (id: string, turns: number) =>
  vi.waitFor(async () => expect((await rowOf(id))?.turns).toBe(turns));

/** Begins a conversation from an address. */
async function beginFrom(me: Visitor, address: string | null): Promise<string> {
  const { conversation } = await me.ask<{ conversation: { id: string } }>('/api/conversations', {
    json: { character_id: await addCharacter() },
    status: 201,
    ...(address === null ? {} : { headers: { 'cf-connecting-ip': address } }),
  });
  return conversation.id;
}

describe('What is known of how much somebody really talked', () => {
  test('are the messages of theirs that were answered, each once', async () => {
    const chat = await startConversationClient(await signInGuest());
    expect((await rowOf(chat.id))?.turns).toBe(0);
    const turnId = createTurnId();
    await chat.send('Hello.', { turnId });
    await chat.send('Hello.', { turnId });
    await turnsOf(chat.id, 1);
    const reply = (await chat.messages()).at(-1);
    await chat.regenerate(reply?.id as string);
    await chat.continueReply(reply?.id as string);
    await chat.send('And again.');
    await turnsOf(chat.id, 2);
  });

  test('is nothing that came to nothing: what failed, was refused, or was stopped before a word was said', async () => {
    const chat = await startConversationClient(await signInGuest());
    await chat.send('Hello. [[scenario:status code=500]]');
    await clearScenes(chat.id);
    await chat.send('She is 15 years old. They have sex.');
    await chat.send('Hello.');
    await turnsOf(chat.id, 1);
  });

  test('is nothing that was brought along or copied', async () => {
    const chat = await startConversationClient(await signInGuest());
    await chat.insertMessages('One.', 'Two.', 'Three.', 'Four.');
    await chat.send('Five.');
    await turnsOf(chat.id, 1);
    const { chat: fork } = await chat.fork((await chat.ids()).at(-1) as string);
    expect(await rowOf(fork.id)).toMatchObject({ turns: 0, message_count: 7 });
    await fork.send('Six.');
    await turnsOf(fork.id, 1);
  });
});

describe('Where somebody began to talk from', () => {
  test('is a mark of their network, which says nothing of it and is the same for the same one', async () => {
    const me = await signInGuest();
    const marks = await Promise.all(
      [
        '203.0.113.7',
        '203.0.113.7',
        '203.0.113.8',
        '2001:db8:1:2::1',
        '2001:db8:1:2:ffff::9',
        '2001:db8:1:3::1',
      ].map(async (address) => (await rowOf(await beginFrom(me, address)))?.network),
    );
    for (const mark of marks) expect(mark).toMatch(/^[0-9a-f]{16}$/);
    const [first, same, other, household, device, neighbour] = marks;
    expect(same).toBe(first);
    expect(device).toBe(household);
    expect(new Set([first, other, household, neighbour]).size).toBe(4);
  });

  test('is in the copy of everything that is kept about me', async () => {
    const me = await createAccount();
    const id = await beginFrom(me, '203.0.113.7');
    await beginFrom(me, null);
    const { account } = await downloadDocument(me);
    expect(account).toMatchObject({
      competition: { networks: [{ conversation_id: id, network: (await rowOf(id))?.network }] },
    });
  });

  test('is not known where the network says nothing of itself', async () => {
    expect((await rowOf(await beginFrom(await signInGuest(), null)))?.network).toBeNull();
  });

  test('stays what it was, wherever they go on, and goes along with their account', async () => {
    const me = await signInGuest();
    const id = await beginFrom(me, '203.0.113.7');
    const before = (await rowOf(id))?.network;
    await me
      .call(`/api/conversations/${id}/messages`, {
        json: { content: 'Hello.', client_message_id: createTurnId() },
        headers: { 'cf-connecting-ip': '198.51.100.1' },
      })
      .then((response) => response.text());
    await turnsOf(id, 1);
    await createAccount(undefined, me);
    expect((await rowOf(id))?.network).toBe(before);
    expect(JSON.stringify(await new ConversationClient(me, id).page())).not.toContain(before);
  });
});
