import { abortAllDurableObjects, runDurableObjectAlarm } from 'cloudflare:test';
import { describe, expect, test } from 'vitest';
import type { PointsStatus } from '../../src/features/wallet/contract.ts';
import { ConversationClient, startConversationClient } from '../support/conversation-client.ts';
import {
  getConversationStub,
  expectBalancedLedger,
  signInGuest,
  listLedger,
  createTurnId,
  getPoints,
  setPoints,
} from '../support/factories.ts';
import { createScene, type ModelScene } from '../support/scripted-model.ts';

const SUGGESTIONS = [
  'I ask who lit the lamp.',
  '*I step closer to the window.*',
  'Let us wait for the tide.',
];
const DRAFT = '*I take the lamp.* "I will go first."';

interface Answer {
  items?: string[];
  draft?: string;
  points: PointsStatus;
  code?: string;
  error?: string;
}

/** The two things that can be asked for beside messages: their routes, and what the scripted model writes. */
const KINDS = [
  { kind: 'suggestions', path: '/suggestions', gives: { items: SUGGESTIONS } },
  { kind: 'draft', path: '/impersonate', gives: { draft: DRAFT } },
] as const;

const asking = (chat: ConversationClient, path: string, askId = createTurnId(), model?: string) =>
  chat.call(path, { json: { client_message_id: askId, ...(model === undefined ? {} : { model }) } });

const ask = (chat: ConversationClient, path: string, askId?: string, status = 200) =>
  chat.ask<Answer>(path, { json: { client_message_id: askId ?? createTurnId() }, status });

/** A conversation in which what is asked beside messages is answered by a scenario. */
async function chatWhere(
  kind: string,
  scenario: string,
): Promise<{ chat: ConversationClient; told: ModelScene }> {
  const chat = await startConversationClient(await signInGuest());
  const told = createScene(scenario);
  await chat.insertMessages(`Hello. ${told.marker.replace('scenario:', `${kind}:`)}`, 'Good evening.');
  return { chat, told };
}

describe.each(KINDS)('When I ask for $kind', ({ kind, path, gives }) => {
  test('it comes, costs one message, and nothing is said in the conversation', async () => {
    const chat = await startConversationClient(await signInGuest());
    await chat.send('Hello.');
    const before = await chat.page();
    const answer = await ask(chat, path);
    expect(answer).toEqual({ ...gives, points: await getPoints(chat.me) });
    expect(answer.points).toMatchObject({ current_points: 48, daily_messages_used: 2 });
    expect(await chat.page()).toEqual(before);
    expect(await listLedger(chat.me)).toContainEqual(
      expect.objectContaining({ kind: 'message', amount: -1, conversation_id: chat.id }),
    );
    await expectBalancedLedger(chat.me);
  });

  test('before I have said anything, it comes too', async () => {
    expect(await ask(await startConversationClient(await signInGuest()), path)).toMatchObject(gives);
  });

  test('again under the same id, the same comes, and I am neither charged nor the model asked again', async () => {
    const { chat, told } = await chatWhere(kind, kind);
    const askId = createTurnId();
    const first = await ask(chat, path, askId);
    expect(first).toMatchObject(gives);
    expect(await ask(chat, path, askId)).toEqual(first);
    await abortAllDurableObjects();
    expect(await ask(chat, path, askId)).toEqual(first);
    expect(await told.requests()).toHaveLength(1);
    expect(await getPoints(chat.me)).toMatchObject({ current_points: 49 });
  });

  test('twice at once under the same id, the model is asked once and I am charged once', async () => {
    const { chat, told } = await chatWhere(kind, kind);
    const askId = createTurnId();
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask(chat, path, askId)));
    for (const answer of answers) expect(answer).toMatchObject(gives);
    expect(await told.requests()).toHaveLength(1);
    expect(await getPoints(chat.me)).toMatchObject({ current_points: 49 });
    await expectBalancedLedger(chat.me);
  });

  test('while a reply is being written, both come', async () => {
    const chat = await startConversationClient(await signInGuest());
    const slow = createScene('gate n=2');
    const reply = chat.send(slow.marker);
    await slow.reached();
    expect(await ask(chat, path)).toMatchObject(gives);
    await slow.open();
    await reply;
    expect(await getPoints(chat.me)).toMatchObject({ current_points: 48 });
    await expectBalancedLedger(chat.me);
  });

  test.each(['no-text', 'status code=500', 'cut n=3', 'filter n=2'])(
    'and the model fails (%s), I am told so and nothing is charged, and I can ask again',
    async (scenario) => {
      const { chat } = await chatWhere(kind, scenario);
      const askId = createTurnId();
      const refused = await ask(chat, path, askId, 502);
      expect(refused).toMatchObject({ code: 'ask_failed', error: expect.any(String) });
      expect(await getPoints(chat.me)).toMatchObject({ current_points: 50, daily_messages_used: 0 });
      await chat.edit((await chat.ids())[1] as string, 'Hello.');
      expect(await ask(chat, path, askId)).toMatchObject(gives);
      expect(await getPoints(chat.me)).toMatchObject({ current_points: 49 });
      await expectBalancedLedger(chat.me);
    },
  );

  test('of a model that is not there, I am told so and nothing is charged', async () => {
    const chat = await startConversationClient(await signInGuest());
    const missing = await asking(chat, path, createTurnId(), 'mistral');
    expect([missing.status, await missing.json()]).toEqual([
      422,
      expect.objectContaining({ code: 'model_unavailable' }),
    ]);
    const silent = await asking(chat, path, createTurnId(), 'deepseek');
    expect([silent.status, await silent.json()]).toEqual([
      502,
      expect.objectContaining({ code: 'ask_failed', reason: 'model_unreachable' }),
    ]);
    expect(await getPoints(chat.me)).toMatchObject({ current_points: 50 });
  });

  test('without points, I am told when there will be some again, and the model is not asked', async () => {
    const { chat, told } = await chatWhere(kind, kind);
    await setPoints(chat.me, 0);
    expect(await ask(chat, path, undefined, 402)).toMatchObject({
      code: 'points_exhausted',
      points: { current_points: 0, refills_at: expect.any(String) },
    });
    expect(await told.requests()).toEqual([]);
    await expectBalancedLedger(chat.me);
  });

  test('and the server goes away long after I asked, the points come back by themselves all the same', async () => {
    const { chat, told } = await chatWhere(kind, 'gate n=1');
    const lost = asking(chat, path, createTurnId()).catch(() => null);
    await told.reached();
    // The conversation woke once while the model was writing.
    expect(await runDurableObjectAlarm(getConversationStub(chat.id))).toBe(true);
    await abortAllDurableObjects();
    await lost;
    expect(await runDurableObjectAlarm(getConversationStub(chat.id))).toBe(true);
    expect(await getPoints(chat.me)).toMatchObject({ current_points: 50, daily_messages_used: 0 });
    await expectBalancedLedger(chat.me);
  });

  test('and the server goes away in the middle, the points come back and I can ask again', async () => {
    const { chat, told } = await chatWhere(kind, 'gate n=1');
    const askId = createTurnId();
    const lost = asking(chat, path, askId).catch(() => null);
    await told.reached();
    expect(await getPoints(chat.me)).toMatchObject({ current_points: 49 });
    await abortAllDurableObjects();
    await lost;
    expect(await runDurableObjectAlarm(getConversationStub(chat.id))).toBe(true);
    expect(await getPoints(chat.me)).toMatchObject({ current_points: 50, daily_messages_used: 0 });
    await expectBalancedLedger(chat.me);
    await chat.edit((await chat.ids())[1] as string, 'Hello.');
    expect(await ask(chat, path, askId)).toMatchObject(gives);
    expect(await getPoints(chat.me)).toMatchObject({ current_points: 49 });
  });

  test('and delete the conversation meanwhile, it is gone and nothing is charged', async () => {
    const { chat, told } = await chatWhere(kind, 'gate n=1');
    const lost = asking(chat, path).catch(() => null);
    await told.reached();
    expect((await chat.call('?forever=true', { method: 'DELETE' })).status).toBe(204);
    expect((await lost)?.ok).not.toBe(true);
    await told.ended();
    expect((await chat.call('')).status).toBe(404);
    expect(await getPoints(chat.me)).toMatchObject({ current_points: 50, daily_messages_used: 0 });
    await expectBalancedLedger(chat.me);
  });
});

test('What I asked for as a suggestion is not given to me as a draft, though the id be the same', async () => {
  const chat = await startConversationClient(await signInGuest());
  const askId = createTurnId();
  expect(await ask(chat, '/suggestions', askId)).toMatchObject({ items: SUGGESTIONS });
  expect(await ask(chat, '/impersonate', askId)).toMatchObject({ draft: DRAFT });
  expect(await ask(chat, '/suggestions', askId)).toMatchObject({ items: SUGGESTIONS });
});
