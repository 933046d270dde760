import { createPositionedId } from '../../../../src/lib/ids.ts';
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ModelList } from '../../../../src/features/model/contract.ts';
import { resetModelState, PAUSED_KEY_PREFIX } from '../../../../src/features/model/model-gateway.ts';
import { EventReader } from '../../../support/event-reader.ts';
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
} from '../../../support/factories.ts';
import { createScene } from '../../../support/scripted-model.ts';

describe('Model list', () => {
  // Earlier test files may have left paused models in the KV namespace.
  beforeEach(async () => {
    const { keys } = await env.KV.list({ prefix: PAUSED_KEY_PREFIX });
    await Promise.all(keys.map(({ name }) => env.KV.delete(name)));
    resetModelState();
  });

  test('the model list has all models and says which ones are not set up', async () => {
    const window = { context_tokens: 16_000, tokenizer: null };
    expect(await new Visitor().ask<ModelList>('/api/models')).toEqual({
      items: [
        { id: 'recommended', label: 'Recommended', available: true, ...window },
        { id: 'loreloom', label: 'Roleplay', available: true, ...window },
        { id: 'chatgpt', label: 'ChatGPT', available: true, ...window },
        { id: 'deepseek', label: 'Deepseek V3 (685B)', available: true, ...window },
        {
          id: 'mistral',
          label: 'Mistral 3 (24B)',
          available: false,
          unavailable_reason: 'This model is not set up here.',
        },
      ],
    });
  });

  test('the model list contains neither addresses nor keys', async () => {
    const text = await (await new Visitor().call('/api/models')).text();
    expect(text).not.toMatch(/key-of|127\.0\.0\.1|http/);
  });
});

describe('Chosen model', () => {
  test('choosing a model that is not set up is refused, and nothing is sent or charged', async () => {
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

  test('choosing an unknown model is refused as invalid input', async () => {
    const me = await signInGuest();
    expect((await postMessage(me, await startConversation(me), 'Hello', { model: 'gpt-9' })).status).toBe(
      400,
    );
  });

  test('the chosen model writes the reply, whatever the character’s creator chose', async () => {
    const me = await signInGuest();
    const id = await startConversation(me, await addCharacter({ modelType: 'chatgpt' }));
    const asked = createScene('tokens n=1');
    await sendMessage(me, id, asked.marker, { model: 'loreloom' });
    expect((await asked.requests())[0]?.body.model).toBe('roleplay-test');
    expect((await getLastMessage(me, id)).versions[0]?.model).toBe('loreloom');
  });

  test('a regenerated version names the model that was chosen for it', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    await sendMessage(me, id, 'Hello');
    const reply = await getLastMessage(me, id);
    const regenerated = await me.call(`/api/conversations/${id}/messages/${reply.id}/regenerate`, {
      json: { client_message_id: createTurnId(), model: 'chatgpt' },
    });
    await (await EventReader.fromResponse(regenerated)).readRest();
    expect((await getLastMessage(me, id)).versions.map((version) => version.model)).toEqual([
      'loreloom',
      'chatgpt',
    ]);
  });
});

describe('Recommended model', () => {
  test.each([
    ['roleplay', 'roleplay-test', 'loreloom'],
    ['chatgpt', 'chatgpt-test', 'chatgpt'],
  ] as const)(
    'the recommended model is the one that the character’s creator chose: %s',
    async (modelType, asked, sent) => {
      const me = await signInGuest();
      const characterId = await addCharacter({ modelType });
      for (const model of [undefined, 'recommended']) {
        const id = await startConversation(me, characterId);
        const turn = createScene('tokens n=1');
        await sendMessage(me, id, turn.marker, { model });
        expect((await turn.requests())[0]?.body.model).toBe(asked);
        expect((await getLastMessage(me, id)).versions[0]?.model).toBe(sent);
      }
    },
  );
});

describe('Priority queue', () => {
  /** The service tier of every request that one user’s calls made to the provider. */
  async function listServiceTiers(me: Visitor, model: 'loreloom' | 'chatgpt'): Promise<unknown[]> {
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

  test('every call that a member waits for asks for the priority tier, and no other call does', async () => {
    const me = await createAccount();
    expect(new Set(await listServiceTiers(me, 'loreloom'))).toEqual(new Set([undefined]));
    await env.DB.prepare("update users set plan = 'storyteller' where id = ?").bind(me.id).run();
    expect(new Set(await listServiceTiers(me, 'loreloom'))).toEqual(new Set(['priority']));
    // This provider has no priority tier configured; one that knows none would refuse the call.
    expect(new Set(await listServiceTiers(me, 'chatgpt'))).toEqual(new Set([undefined]));
  });

  test('memory notes of a member are written without the priority tier', async () => {
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

describe('Model request', () => {
  test('the model gets the character as of the conversation’s start, its point of view and the full history', async () => {
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
    const { messages: sent } = (await second.requests())[0]?.body ?? { messages: [] };
    expect(sent.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
    ]);
    expect(sent[0]?.content).toContain('Bramble fears Stranger a little.');
    expect(sent[0]?.content).toContain('Mode: rpg.');
    expect(sent.slice(2, 5).map(({ content }) => content)).toEqual([
      'Who goes there?',
      expect.stringMatching(/^First\./),
      'w0 w1',
    ]);
    expect(sent[5]?.content).toMatch(/^Second\./);
  });

  test('the model request for a regeneration does not contain the replaced reply', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const turn = createScene('tokens n=2');
    await sendMessage(me, id, turn.marker);
    const reply = await getLastMessage(me, id);
    const regenerated = await me.call(`/api/conversations/${id}/messages/${reply.id}/regenerate`, {
      json: { client_message_id: createTurnId() },
    });
    await (await EventReader.fromResponse(regenerated)).readRest();
    const [first, again] = await turn.requests();
    expect(again?.body.messages).toEqual(first?.body.messages);
  });

  test.each([
    ['many short messages', 450, 'Yes.'],
    ['a few long messages', 40, 'The rain fell on. '.repeat(150)],
  ])('the model request keeps the first message and the newest ones after %s', async (_, count, content) => {
    const me = await signInGuest();
    const id = await startConversation(
      me,
      await addCharacter({ firstMessage: 'The password is heliotrope.' }),
    );
    await runInDurableObject(getConversationStub(id), (_object, { storage }) => {
      for (let index = 0; index < count; index += 1) {
        storage.sql.exec(
          `insert into messages (position, id, role, character_id, created_at, version_id, version_number, version_created_at, content, status)
           values (?1, ?2, ?3, iif(?3 = 'user', null, 'mira'), 0, ?2, 1, 0, ?4, 'complete')`,
          index + 2,
          createPositionedId(0, index + 2),
          index % 2 === 0 ? 'user' : 'character',
          `${content} (${index})`,
        );
      }
    });
    const turn = createScene('tokens n=1');
    await sendMessage(me, id, `What was the password? ${turn.marker}`);
    const sent = (await turn.requests())[0]?.body.messages ?? [];
    expect(sent.map((message) => message.content).join('\n')).toContain('The password is heliotrope.');
    expect(sent.at(-1)?.content).toMatch(/^What was the password\?/);
    // The newest messages are sent in order and complete.
    expect(sent.at(-2)?.content).toBe(`${content} (${count - 1})`);
    expect(sent.at(-3)?.content).toBe(`${content} (${count - 2})`);
  });
});
