import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ModelList } from '../../src/features/model/contract.ts';
import { resetModelState, PAUSED_KEY_PREFIX } from '../../src/features/model/model-gateway.ts';
import { EventReader } from '../support/event-reader.ts';
import {
  addCharacter,
  startConversation,
  getConversationStub,
  signInGuest,
  getLastMessage,
  listMessages,
  createTurnId,
  getPoints,
  postMessage,
  sendMessage,
  createAccount,
  Visitor,
} from '../support/factories.ts';
import { createScene } from '../support/scripted-model.ts';

describe('The list of models', () => {
  // What a file before this one had models do may stand in the place that all isolates read.
  beforeEach(async () => {
    const { keys } = await env.KV.list({ prefix: PAUSED_KEY_PREFIX });
    await Promise.all(keys.map(({ name }) => env.KV.delete(name)));
    resetModelState();
  });

  test('shows all of them, and says which are not set up here', async () => {
    expect(await new Visitor().ask<ModelList>('/api/models')).toEqual({
      items: [
        { id: 'recommended', label: 'Recommended', available: true },
        { id: 'loreloom', label: 'Roleplay', available: true },
        { id: 'chatgpt', label: 'ChatGPT', available: true },
        { id: 'deepseek', label: 'Deepseek V3 (685B)', available: true },
        {
          id: 'mistral',
          label: 'Mistral 3 (24B)',
          available: false,
          unavailable_reason: 'This model is not set up here.',
        },
      ],
    });
  });

  test('gives away neither addresses nor keys', async () => {
    const text = await (await new Visitor().call('/api/models')).text();
    expect(text).not.toMatch(/key-of|127\.0\.0\.1|http/);
  });
});

describe('A model that I choose', () => {
  test('and that is not set up is refused, and nothing is sent or charged', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const refused = await postMessage(me, id, 'Hello', { model: 'mistral' });
    expect(refused.status).toBe(422);
    expect(await refused.json()).toEqual({
      error: 'This model is not available here. Choose another one.',
      code: 'model_unavailable',
    });
    expect(await listMessages(me, id)).toHaveLength(1);
    expect(await getPoints(me)).toMatchObject({ current_points: 50 });
  });

  test('and that is not known is a mistake of mine', async () => {
    const me = await signInGuest();
    expect((await postMessage(me, await startConversation(me), 'Hello', { model: 'gpt-9' })).status).toBe(
      400,
    );
  });

  test('writes the reply, whatever the character’s creator chose', async () => {
    const me = await signInGuest();
    const id = await startConversation(me, await addCharacter({ modelType: 'chatgpt' }));
    const asked = createScene('tokens n=1');
    await sendMessage(me, id, asked.marker, { model: 'loreloom' });
    expect((await asked.requests())[0]?.body.model).toBe('roleplay-test');
    expect((await getLastMessage(me, id)).versions[0]?.model).toBe('loreloom');
  });

  test('for writing a reply anew is named in the new version', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    await sendMessage(me, id, 'Hello');
    const reply = await getLastMessage(me, id);
    const anew = await me.call(`/api/conversations/${id}/messages/${reply.id}/regenerate`, {
      json: { client_message_id: createTurnId(), model: 'chatgpt' },
    });
    await (await EventReader.fromResponse(anew)).readRest();
    expect((await getLastMessage(me, id)).versions.map((version) => version.model)).toEqual([
      'loreloom',
      'chatgpt',
    ]);
  });
});

describe('The recommended model', () => {
  test.each([
    ['roleplay', 'roleplay-test', 'loreloom'],
    ['chatgpt', 'chatgpt-test', 'chatgpt'],
  ] as const)('is what the character’s creator chose: %s', async (modelType, asked, told) => {
    const me = await signInGuest();
    const characterId = await addCharacter({ modelType });
    for (const model of [undefined, 'recommended']) {
      const id = await startConversation(me, characterId);
      const turn = createScene('tokens n=1');
      await sendMessage(me, id, turn.marker, { model });
      expect((await turn.requests())[0]?.body.model).toBe(asked);
      expect((await getLastMessage(me, id)).versions[0]?.model).toBe(told);
    }
  });
});

describe('Faster answers', () => {
  /** In which of the provider's queues everything stood that I had written. */
  async function tiersOf(me: Visitor, model: 'loreloom' | 'chatgpt'): Promise<unknown[]> {
    const id = await startConversation(me);
    const asked = createScene('tokens n=2');
    const drafted = createScene('draft');
    await sendMessage(me, id, `${asked.marker} ${drafted.marker.replace('scenario:', 'draft:')}`, { model });
    const reply = await getLastMessage(me, id);
    for (const path of [`messages/${reply.id}/regenerate`, `messages/${reply.id}/continue`]) {
      const json = { client_message_id: createTurnId(), model };
      await (
        await EventReader.fromResponse(await me.call(`/api/conversations/${id}/${path}`, { json }))
      ).readRest();
    }
    const json = { client_message_id: createTurnId(), model };
    await (await me.call(`/api/conversations/${id}/impersonate`, { json })).text();
    const requests = [...(await asked.requests()), ...(await drafted.requests())];
    expect(requests).toHaveLength(4);
    return requests.map(({ body }) => body.service_tier);
  }

  test('are asked of the provider for everything that a member waits for, and for nobody else', async () => {
    const me = await createAccount();
    expect(new Set(await tiersOf(me, 'loreloom'))).toEqual(new Set([undefined]));
    await env.DB.prepare("update users set plan = 'storyteller' where id = ?").bind(me.id).run();
    expect(new Set(await tiersOf(me, 'loreloom'))).toEqual(new Set(['priority']));
    // No such queue is named for this provider, and one that knows none would refuse the call.
    expect(new Set(await tiersOf(me, 'chatgpt'))).toEqual(new Set([undefined]));
  });

  test('are not asked for what nobody waits for: a story is remembered in the usual queue', async () => {
    const me = await createAccount();
    await env.DB.prepare("update users set plan = 'storyteller' where id = ?").bind(me.id).run();
    const id = await startConversation(me);
    const noted = createScene('notes');
    const filler = 'a '.repeat(3900);
    for (let turn = 0; turn < 8; turn += 1)
      await sendMessage(me, id, `${noted.marker.replace('scenario:', 'notes:')} ${filler}`);
    await noted.ended();
    const [request] = await noted.requests();
    expect(request?.body).toMatchObject({ model: 'roleplay-test' });
    expect(request?.body.service_tier).toBeUndefined();
  });
});

describe('What the model is told', () => {
  test('is the character as it was when the conversation began, its point of view, and all that was said', async () => {
    const me = await signInGuest();
    const characterId = await addCharacter({
      name: 'Bramble',
      oneliner: 'A hedge witch',
      characterTraits: '{{char}} fears {{user}} a little.',
      firstMessage: 'Who goes there?',
      pointOfView: 'rpg',
    });
    const id = await startConversation(me, characterId);
    await sendMessage(me, id, `First. ${createScene('tokens n=2').marker}`);
    const second = createScene('tokens n=1');
    await sendMessage(me, id, `Second. ${second.marker}`);
    const { messages: told } = (await second.requests())[0]?.body ?? { messages: [] };
    expect(told.map(({ role }) => role)).toEqual(['system', 'assistant', 'user', 'assistant', 'user']);
    expect(told[0]?.content).toContain('Bramble fears Stranger a little.');
    expect(told[0]?.content).toContain('Mode: rpg.');
    expect(told[1]?.content).toBe('Who goes there?');
    expect(told[2]?.content).toMatch(/^First\./);
    expect(told[3]?.content).toBe('w0 w1');
    expect(told[4]?.content).toMatch(/^Second\./);
  });

  test('does not hold the text of a reply that is written anew', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const turn = createScene('tokens n=2');
    await sendMessage(me, id, turn.marker);
    const reply = await getLastMessage(me, id);
    const anew = await me.call(`/api/conversations/${id}/messages/${reply.id}/regenerate`, {
      json: { client_message_id: createTurnId() },
    });
    await (await EventReader.fromResponse(anew)).readRest();
    const [first, again] = await turn.requests();
    expect(again?.body.messages).toEqual(first?.body.messages);
  });

  test.each([
    ['many short messages', 450, 'Yes.'],
    ['a few long messages', 40, 'The rain fell on. '.repeat(150)],
  ])('holds the facts of the first message and my newest one, also after %s', async (_, count, content) => {
    const me = await signInGuest();
    const id = await startConversation(
      me,
      await addCharacter({ firstMessage: 'The password is heliotrope.' }),
    );
    await runInDurableObject(getConversationStub(id), (_object, { storage }) => {
      for (let index = 0; index < count; index += 1) {
        storage.sql.exec(
          "insert into messages (position, id, role, selected_version_id, created_at) values (?1, 'm' || ?1, ?2, 'v' || ?1, 0)",
          index + 2,
          index % 2 === 0 ? 'user' : 'character',
        );
        storage.sql.exec(
          "insert into versions (id, message_id, content, status, created_at) values ('v' || ?1, 'm' || ?1, ?2, 'complete', 0)",
          index + 2,
          `${content} (${index})`,
        );
      }
    });
    const turn = createScene('tokens n=1');
    await sendMessage(me, id, `What was the password? ${turn.marker}`);
    const told = (await turn.requests())[0]?.body.messages ?? [];
    expect(told.map((message) => message.content).join('\n')).toContain('The password is heliotrope.');
    expect(told.at(-1)?.content).toMatch(/^What was the password\?/);
    // The newest are there, in their order and whole.
    expect(told.at(-2)?.content).toBe(`${content} (${count - 1})`);
    expect(told.at(-3)?.content).toBe(`${content} (${count - 2})`);
  });
});
