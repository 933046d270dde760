import { describe, expect, test } from 'vitest';
import type { Conversation, ConversationCreated } from '../../../../src/features/conversation/contract.ts';
import { ConversationClient, startConversationClient } from '../../../support/conversation-client.ts';
import { addCharacter, signInGuest, type Visitor } from '../../../support/factories.ts';
import { createScene } from '../../../support/scripted-model.ts';

const UNKNOWN = '0'.repeat(26);

describe('Persona of a conversation', () => {
  interface Persona {
    id: string;
    name: string;
  }
  const WREN = { name: 'Wren', description: 'Maps coasts. Has never learned to swim.' };
  const createPersona = (me: Visitor, fields: object = WREN) =>
    me.ask<Persona>('/api/personas', { json: fields, status: 201 });
  const choose = (chat: ConversationClient, personaId: string | null, status = 200) =>
    chat.ask<Conversation & { code?: string; error?: string }>('/persona', {
      method: 'PUT',
      json: { persona_id: personaId },
      status,
    });
  /** The whole prompt of the next turn. */
  async function readNextPrompt(chat: ConversationClient): Promise<string> {
    const scene = createScene('tokens n=1');
    await chat.send(`Go on. ${scene.marker}`);
    const [request] = await scene.requests();
    const { messages } = (request as { body: unknown }).body as { messages: { content: string }[] };
    return messages.map(({ content }) => content).join('\n');
  }

  test('a persona can be chosen after the first message, and not before', async () => {
    const me = await signInGuest();
    const { id } = await createPersona(me);
    const chat = await startConversationClient(me);
    for (const choice of [id, null]) {
      expect(await choose(chat, choice, 409)).toMatchObject({
        code: 'conversation_not_started',
        error: 'Start the conversation before selecting a persona.',
      });
    }
    await chat.send('Hello.');
    expect(await choose(chat, id)).toMatchObject({ persona: { id, name: 'Wren' }, user_name: 'Wren' });
    expect((await chat.page()).conversation.persona).toEqual({ id, name: 'Wren' });
    expect(await choose(chat, null)).toMatchObject({ persona: null, user_name: 'Stranger' });
  });

  test('a persona can be removed after the first message, even when all messages were deleted', async () => {
    const me = await signInGuest();
    const { id } = await createPersona(me);
    const chat = await startConversationClient(me);
    await chat.send('Hello.');
    await choose(chat, id);
    await chat.discard((await chat.ids())[0] as string);
    expect((await chat.page()).conversation.persona).toEqual({ id, name: 'Wren' });
    expect(await choose(chat, null)).toMatchObject({ persona: null, user_name: 'Stranger' });
    expect(await choose(chat, null, 409)).toMatchObject({ code: 'conversation_not_started' });
    const started = await me.ask<ConversationCreated>('/api/conversations', {
      json: { character_id: await addCharacter(), persona_id: id },
      status: 201,
    });
    const fresh = new ConversationClient(me, started.conversation.id);
    expect(await choose(fresh, null, 409)).toMatchObject({ code: 'conversation_not_started' });
    expect((await fresh.page()).conversation.persona).toEqual({ id, name: 'Wren' });
    expect((await fresh.messages())[0]?.content).toContain('Wren');
    await fresh.send('Hello.');
    expect((await choose(fresh, null)).persona).toBeNull();
    expect((await fresh.messages())[0]?.content).toContain('Stranger');
  });

  test('a conversation keeps the user’s own name along with the persona’s', async () => {
    const me = await signInGuest();
    const { id } = await createPersona(me);
    const chat = await startConversationClient(me);
    await chat.send('Hello.');
    expect(await choose(chat, id)).toMatchObject({ user_name: 'Wren', own_name: 'Stranger' });
    expect(await choose(chat, null)).toMatchObject({ user_name: 'Stranger', own_name: 'Stranger' });
  });

  test('the model gets the persona’s name and description from the next turn on', async () => {
    const me = await signInGuest();
    const { id } = await createPersona(me);
    const chat = await startConversationClient(me);
    await chat.send('Hello.');
    await choose(chat, id);
    const prompt = await readNextPrompt(chat);
    expect(prompt).toContain('Name: Wren');
    expect(prompt).toContain(WREN.description);
    expect(prompt).not.toContain('Stranger');
    expect(prompt).not.toMatch(/\{\{(?:user|char)\}\}/i);
  });

  test('choosing a persona renames the user in the opening and keeps the name of earlier messages', async () => {
    const me = await signInGuest();
    const chat = await startConversationClient(me);
    await chat.send('Hello.');
    const { id } = await createPersona(me);
    const [opening, mine] = await chat.messages();
    expect(opening?.content).toBe('*The lamp turns.* "You came back, Stranger," says Mira.');
    expect(mine?.name).toBe('Stranger');
    await choose(chat, id);
    const [after, same] = await chat.messages();
    expect(after?.content).toBe('*The lamp turns.* "You came back, Wren," says Mira.');
    expect(after?.edited).toBe(false);
    expect(same).toEqual(mine);
    await chat.send('It is me.');
    expect((await chat.messages()).at(-2)?.name).toBe('Wren');
    await choose(chat, null);
    expect((await chat.messages())[0]).toEqual(opening);
  });

  test('choosing a persona leaves an edited opening unchanged', async () => {
    const me = await signInGuest();
    const chat = await startConversationClient(me);
    await chat.send('Hello.');
    const [opening] = (await chat.ids()) as [string];
    await chat.edit(opening, 'I came back.');
    await choose(chat, (await createPersona(me)).id);
    const [after] = await chat.messages();
    expect(after?.content).toBe('I came back.');
    expect(after?.versions[0]?.content).toContain('Wren');
  });

  test('an edited persona is used from the next turn on, and a deleted one is removed', async () => {
    const me = await signInGuest();
    const { id } = await createPersona(me);
    const chat = await startConversationClient(me);
    await chat.send('Hello.');
    await choose(chat, id);
    await me.ask(`/api/personas/${id}`, {
      method: 'PATCH',
      json: { name: 'Robin', description: 'Sings in the rain.' },
    });
    const prompt = await readNextPrompt(chat);
    expect(prompt).toContain('Sings in the rain.');
    expect(prompt).not.toContain('Wren');
    expect(await chat.page()).toMatchObject({
      conversation: { persona: { id, name: 'Robin' }, user_name: 'Robin' },
    });
    expect((await chat.messages())[0]?.content).toContain('Robin');
    expect((await me.call(`/api/personas/${id}`, { method: 'DELETE' })).status).toBe(204);
    expect(await readNextPrompt(chat)).not.toContain('Sings in the rain.');
    expect(await chat.page()).toMatchObject({ conversation: { persona: null, user_name: 'Stranger' } });
    expect((await chat.messages())[0]?.content).toContain('Stranger');
  });

  test('a persona of another user or an unknown one cannot be chosen', async () => {
    const me = await signInGuest();
    const { id: foreignId } = await createPersona(await signInGuest());
    const chat = await startConversationClient(me);
    await chat.send('Hello.');
    for (const id of [foreignId, UNKNOWN]) {
      await choose(chat, id, 404);
      await me.ask('/api/conversations', {
        json: { character_id: await addCharacter(), persona_id: id },
        status: 404,
      });
    }
    expect((await chat.page()).conversation.persona).toBeNull();
  });

  test('the default persona is used in new conversations unless another one is named', async () => {
    const me = await signInGuest();
    const older = await startConversationClient(me);
    const wren = await createPersona(me);
    const ash = await createPersona(me, { name: 'Ash', description: 'Nobody knows.' });
    await me.ask(`/api/personas/${wren.id}/default`, { method: 'PUT' });
    const create = (fields: object) =>
      me.ask<ConversationCreated>('/api/conversations', { json: fields, status: 201 });
    const characterId = await addCharacter();
    const started = await create({ character_id: characterId });
    expect(started.conversation.persona).toEqual({ id: wren.id, name: 'Wren' });
    expect(started.messages[0]?.content).toContain('Wren');
    const named = await create({ character_id: characterId, persona_id: ash.id });
    expect(named.conversation).toMatchObject({ persona: { id: ash.id }, user_name: 'Ash' });
    expect((await older.page()).conversation.persona).toBeNull();
  });

  test('a fork takes the persona along', async () => {
    const me = await signInGuest();
    const { id } = await createPersona(me);
    const chat = await startConversationClient(me);
    await chat.send('Hello.');
    await choose(chat, id);
    const { chat: fork, conversation } = await chat.fork((await chat.ids()).at(-1) as string);
    expect(conversation).toMatchObject({ persona: { id, name: 'Wren' }, user_name: 'Wren' });
    await choose(fork, null);
    expect((await chat.page()).conversation.persona).toEqual({ id, name: 'Wren' });
    expect((await fork.messages())[0]?.content).toContain('Stranger');
  });
});
