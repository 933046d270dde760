import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { COMPETITION } from '../../../../../src/features/competition/limits.ts';
import { MAX_COUNTED_TURNS } from '../../../../../src/features/conversation/limits.ts';
import { ConversationClient, startConversationClient } from '../../../../support/conversation-client.ts';
import { downloadDocument } from '../../../../support/data-export.ts';
import {
  addCharacter,
  getConversationStub,
  clearScenes,
  signInGuest,
  createTurnId,
  createAccount,
  type Visitor,
} from '../../../../support/factories.ts';

interface Row {
  turns: number;
  network: string | null;
}

const readRow = (id: string) =>
  env.DB.prepare('select turns, network from conversations where id = ?').bind(id).first<Row>();

/** Ends the sitting, after which the row has this number of answered messages. */
async function expectTurns(id: string, turns: number): Promise<void> {
  const chat = getConversationStub(id);
  await vi.waitFor(async () => {
    await runDurableObjectAlarm(chat);
    expect((await readRow(id))?.turns).toBe(turns);
  });
}

/** Starts a conversation from an IP address. */
async function startFrom(me: Visitor, address: string | null): Promise<string> {
  const { conversation } = await me.ask<{ conversation: { id: string } }>('/api/conversations', {
    json: { character_id: await addCharacter() },
    status: 201,
    ...(address === null ? {} : { headers: { 'cf-connecting-ip': address } }),
  });
  return conversation.id;
}

describe('Answered messages', () => {
  test('the number of turns counts each answered message once', async () => {
    const chat = await startConversationClient(await signInGuest());
    expect((await readRow(chat.id))?.turns).toBe(0);
    const turnId = createTurnId();
    await chat.send('Hello.', { turnId });
    await chat.send('Hello.', { turnId });
    await expectTurns(chat.id, 1);
    const reply = (await chat.messages()).at(-1);
    await chat.regenerate(reply?.id as string);
    await chat.continueReply(reply?.id as string);
    await chat.send('And again.');
    await expectTurns(chat.id, 2);
  });

  test('the number of turns does not count failed or refused messages', async () => {
    const chat = await startConversationClient(await signInGuest());
    await chat.send('Hello. [[scenario:status code=500]]');
    await clearScenes(chat.id);
    await chat.send('She is 15 years old. They have sex.');
    await chat.send('Hello.');
    await expectTurns(chat.id, 1);
  });

  test('the number of turns does not count imported or copied messages', async () => {
    const chat = await startConversationClient(await signInGuest());
    await chat.insertMessages('One.', 'Two.', 'Three.', 'Four.');
    await chat.send('Five.');
    await expectTurns(chat.id, 1);
    const { chat: fork } = await chat.fork((await chat.ids()).at(-1) as string);
    expect(await readRow(fork.id)).toMatchObject({ turns: 0 });
    await fork.send('Six.');
    await expectTurns(fork.id, 1);
  });

  test('the number of turns is counted as far as the competition asks, and written once more at the end of a sitting', async () => {
    expect(MAX_COUNTED_TURNS).toBe(COMPETITION.minMessages);
    const chat = await startConversationClient(await signInGuest());
    for (const text of ['One.', 'Two.', 'Three.']) await chat.send(text);
    // The first one is written with the chat's count; the others wait.
    expect((await readRow(chat.id))?.turns).toBe(1);
    await expectTurns(chat.id, 3);
    for (const text of ['Four.', 'Five.', 'Six.']) await chat.send(text);
    await expectTurns(chat.id, 5);
  });
});

describe('Network marks', () => {
  test('a conversation stores a hash of the network it was started from, equal for equal networks', async () => {
    const me = await signInGuest();
    const marks = await Promise.all(
      [
        '203.0.113.7',
        '203.0.113.7',
        '203.0.113.8',
        '2001:db8:1:2::1',
        '2001:db8:1:2:ffff::9',
        '2001:db8:1:3::1',
      ].map(async (address) => (await readRow(await startFrom(me, address)))?.network),
    );
    for (const mark of marks) expect(mark).toMatch(/^[0-9a-f]{16}$/);
    const [first, same, other, household, device, neighbour] = marks;
    expect(same).toBe(first);
    expect(device).toBe(household);
    expect(new Set([first, other, household, neighbour]).size).toBe(4);
  });

  test('the data export contains the network marks of the user’s conversations', async () => {
    const me = await createAccount();
    const id = await startFrom(me, '203.0.113.7');
    await startFrom(me, null);
    const { account } = await downloadDocument(me);
    expect(account).toMatchObject({
      competition: { networks: [{ conversation_id: id, network: (await readRow(id))?.network }] },
    });
  });

  test('a conversation without a client IP address has no network mark', async () => {
    expect((await readRow(await startFrom(await signInGuest(), null)))?.network).toBeNull();
  });

  test('a network mark stays unchanged when the user moves on, creates an account or reads the conversation', async () => {
    const me = await signInGuest();
    const id = await startFrom(me, '203.0.113.7');
    const before = (await readRow(id))?.network;
    await me
      .call(`/api/conversations/${id}/messages`, {
        json: { content: 'Hello.', client_message_id: createTurnId() },
        headers: { 'cf-connecting-ip': '198.51.100.1' },
      })
      .then((response) => response.text());
    await expectTurns(id, 1);
    await createAccount(undefined, me);
    expect((await readRow(id))?.network).toBe(before);
    expect(JSON.stringify(await new ConversationClient(me, id).page())).not.toContain(before);
  });
});
