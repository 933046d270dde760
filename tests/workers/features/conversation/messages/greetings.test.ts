import { abortAllDurableObjects, runInDurableObject } from 'cloudflare:test';
import { beforeEach, describe, expect, test } from 'vitest';
import type {
  ConversationCreated,
  GreetingChosen,
} from '../../../../../src/features/conversation/contract.ts';
import {
  getConversation,
  readRequestFor,
  saveExtras,
  saveNextVersion,
  takeVersion,
} from '../../../../support/character-versions.ts';
import {
  ConversationClient,
  getMessageId,
  startConversationClient,
} from '../../../../support/conversation-client.ts';
import {
  addCharacter,
  createAccount,
  getConversationStub,
  signInGuest,
  type Visitor,
} from '../../../../support/factories.ts';

const choose = (chat: ConversationClient, index: number, status = 200) =>
  chat.ask<GreetingChosen & { code?: string }>('/greeting', { json: { index }, status });

describe('Alternate greetings', () => {
  const SECOND = '"You again, {{user}}?"';
  const begin = (me: Visitor, id: string, greeting?: number, status = 201) =>
    me.ask<ConversationCreated & { fields?: object }>('/api/conversations', {
      json: { character_id: id, ...(greeting === undefined ? {} : { greeting }) },
      status,
    });
  let me: Visitor;
  let id: string;
  beforeEach(async () => {
    me = await createAccount();
    id = await addCharacter({ firstMessage: 'The first.' });
    await saveExtras(id, { alternateGreetings: [SECOND, 'The third.'] });
  });

  test('a conversation begins with the requested greeting', async () => {
    expect((await begin(me, id)).messages).toMatchObject([{ content: 'The first.' }]);
    expect((await begin(me, id, 0)).messages).toMatchObject([{ content: 'The first.' }]);
    const { messages, conversation } = await begin(me, id, 2);
    expect(messages).toMatchObject([{ content: 'The third.' }]);
    expect(conversation.greeting).toEqual({ at: 3, count: 3, before: 1, after: null });
    expect(await begin(me, id, 3, 400)).toMatchObject({ fields: { greeting: [expect.any(String)] } });
    await begin(me, id, -1, 400);
  });

  test('another greeting can be chosen before the first message', async () => {
    const chat = new ConversationClient(me, (await begin(me, id)).conversation.id);
    expect(await getConversation(chat)).toMatchObject({
      greeting: { at: 1, count: 3, before: null, after: 1 },
    });
    const chosen = await choose(chat, 1);
    expect(chosen.message).toMatchObject({
      role: 'character',
      content: expect.stringMatching(/^"You again, \w/),
    });
    expect(chosen.message.versions).toHaveLength(1);
    expect(chosen.conversation).toMatchObject({ greeting: { at: 2, count: 3, before: 0, after: 2 } });
    await abortAllDurableObjects();
    expect(await chat.messages()).toEqual([chosen.message]);
    expect(await choose(chat, 1)).toEqual(chosen);
    for (const index of [3, 30]) await choose(chat, index, 400);
    await choose(new ConversationClient(await signInGuest(), chat.id), 0, 404);
    expect(await readRequestFor(chat, 'Yes, me.')).toContain('You again,');
    expect((await getConversation(chat)).greeting).toBeUndefined();
    expect(await choose(chat, 0, 409)).toMatchObject({ code: 'conversation_started' });
  });

  test('the row that each turn writes does not contain further greetings, and a fork copies them', async () => {
    const chat = new ConversationClient(me, (await begin(me, id)).conversation.id);
    const { chat: fork } = await chat.fork(getMessageId(await chat.messages(), 0));
    for (const one of [chat, fork]) {
      await runInDurableObject(getConversationStub(one.id), (_, { storage: { sql } }) => {
        const { character } = sql.exec<{ character: string }>('select character from meta').one();
        expect(JSON.parse(character)).toMatchObject({ first_message: 'The first.' });
        expect(character).not.toContain('The third.');
      });
      expect((await choose(one, 2)).message.content).toBe('The third.');
    }
  });

  test('taking a new version before the first message replaces the greeting', async () => {
    const [started, other, edited, withMessage] = await Promise.all(
      [0, 2, 0, 0].map(
        async (greeting) => new ConversationClient(me, (await begin(me, id, greeting)).conversation.id),
      ),
    );
    if (!started || !other || !edited || !withMessage) throw new Error('not begun');
    await edited.edit(getMessageId(await edited.messages(), 0), 'My own beginning.');
    await withMessage.send('Hello.');
    await saveNextVersion(id, { firstMessage: '{{char}} waits.', name: 'Mira the Elder' });
    await saveExtras(id, { alternateGreetings: ['A new second.'] });
    for (const chat of [started, other, edited, withMessage]) await takeVersion(chat, 2);
    expect(await started.texts()).toEqual(['Mira the Elder waits.']);
    const [message] = await started.messages();
    expect(message?.versions).toHaveLength(1);
    expect(await getConversation(started)).toMatchObject({
      greeting: { at: 1, count: 2, before: null, after: 1 },
    });
    expect((await choose(started, 1)).message.content).toBe('A new second.');
    // The new version has no third greeting.
    expect(await other.texts()).toEqual(['Mira the Elder waits.']);
    expect(await edited.texts()).toEqual(['My own beginning.']);
    expect((await withMessage.texts())[0]).toBe('The first.');
  });

  test('taking a renamed version changes the name in the greeting', async () => {
    const named = await addCharacter({ firstMessage: '{{char}} waves.' });
    const chat = await startConversationClient(me, named);
    await saveNextVersion(named, { name: 'Orla' });
    await takeVersion(chat, 2);
    expect(await chat.texts()).toEqual(['Orla waves.']);
  });

  test('choosing another greeting keeps an edited one as a version', async () => {
    const chat = new ConversationClient(me, (await begin(me, id)).conversation.id);
    await chat.edit(getMessageId(await chat.messages(), 0), 'My own beginning.');
    expect((await getConversation(chat)).greeting).toBeUndefined();
    const { message } = await choose(chat, 2);
    expect(message.versions.map(({ content }) => content)).toEqual([
      'The first.',
      'My own beginning.',
      'The third.',
    ]);
    expect(message.content).toBe('The third.');
  });

  test('the search finds the words of the chosen greeting only', async () => {
    const chat = new ConversationClient(me, (await begin(me, id, 2)).conversation.id);
    await choose(chat, 0);
    await chat.send('Hello.');
    const found = async (q: string) =>
      (await me.ask<{ items: object[] }>(`/api/conversations/search?q=${q}`)).items.length;
    await expect.poll(() => found('first')).toBe(1);
    expect(await found('third')).toBe(0);
  });

  test('a character with a single greeting offers no choice', async () => {
    const chat = await startConversationClient(me, await addCharacter());
    expect((await getConversation(chat)).greeting).toBeUndefined();
  });
});
