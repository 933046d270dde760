import { abortAllDurableObjects, runDurableObjectAlarm } from 'cloudflare:test';
import { describe, expect, test } from 'vitest';
import type { PointsStatus } from '../../../../../src/features/wallet/contract.ts';
import { ConversationClient, startConversationClient } from '../../../../support/conversation-client.ts';
import {
  getConversationStub,
  expectBalancedLedger,
  signInGuest,
  listLedger,
  createTurnId,
  getPoints,
  setPoints,
} from '../../../../support/factories.ts';
import { createScene, type ModelScene } from '../../../../support/scripted-model.ts';

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

/** The two kinds of request that add no message: their routes, and what the scripted model writes. */
const KINDS = [
  { kind: 'suggestions', path: '/suggestions', gives: { items: SUGGESTIONS } },
  { kind: 'draft', path: '/impersonate', gives: { draft: DRAFT } },
] as const;

const asking = (chat: ConversationClient, path: string, askId = createTurnId(), model?: string) =>
  chat.call(path, { json: { client_message_id: askId, ...(model === undefined ? {} : { model }) } });

const ask = (chat: ConversationClient, path: string, askId?: string, status = 200) =>
  chat.ask<Answer>(path, { json: { client_message_id: askId ?? createTurnId() }, status });

/** Starts a conversation in which a scenario answers the suggestion or draft request. */
async function startWithScene(
  kind: string,
  scenario: string,
): Promise<{ chat: ConversationClient; told: ModelScene }> {
  const chat = await startConversationClient(await signInGuest());
  const scene = createScene(scenario);
  await chat.insertMessages(`Hello. ${scene.marker.replace('scenario:', `${kind}:`)}`, 'Good evening.');
  return { chat, told: scene };
}

describe.each(KINDS)('$kind request', ({ kind, path, gives }) => {
  test('a suggestion or draft request costs one message and adds nothing to the conversation', async () => {
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

  test('a suggestion or draft request before the first user message is answered', async () => {
    expect(await ask(await startConversationClient(await signInGuest()), path)).toMatchObject(gives);
  });

  test('repeating a suggestion or draft request under the same id costs nothing and calls no model', async () => {
    const { chat, told } = await startWithScene(kind, kind);
    const askId = createTurnId();
    const first = await ask(chat, path, askId);
    expect(first).toMatchObject(gives);
    expect(await ask(chat, path, askId)).toEqual(first);
    await abortAllDurableObjects();
    expect(await ask(chat, path, askId)).toEqual(first);
    expect(await told.requests()).toHaveLength(1);
    expect(await getPoints(chat.me)).toMatchObject({ current_points: 49 });
  });

  test('simultaneous suggestion or draft requests under one id call the model once and cost one message', async () => {
    const { chat, told } = await startWithScene(kind, kind);
    const askId = createTurnId();
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask(chat, path, askId)));
    for (const answer of answers) expect(answer).toMatchObject(gives);
    expect(await told.requests()).toHaveLength(1);
    expect(await getPoints(chat.me)).toMatchObject({ current_points: 49 });
    await expectBalancedLedger(chat.me);
  });

  test('a suggestion or draft request during a running reply is answered, and both are charged', async () => {
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
    'a suggestion or draft request whose model call fails (%s) costs nothing and can be repeated',
    async (scenario) => {
      const { chat } = await startWithScene(kind, scenario);
      const askId = createTurnId();
      const refused = await ask(chat, path, askId, 502);
      expect(refused).toMatchObject({ code: 'assist_failed', error: expect.any(String) });
      expect(await getPoints(chat.me)).toMatchObject({ current_points: 50, daily_messages_used: 0 });
      await chat.edit((await chat.ids())[1] as string, 'Hello.');
      expect(await ask(chat, path, askId)).toMatchObject(gives);
      expect(await getPoints(chat.me)).toMatchObject({ current_points: 49 });
      await expectBalancedLedger(chat.me);
    },
  );

  test('a suggestion or draft request to an unavailable model reports it and costs nothing', async () => {
    const chat = await startConversationClient(await signInGuest());
    const missing = await asking(chat, path, createTurnId(), 'mistral');
    expect([missing.status, await missing.json()]).toEqual([
      422,
      expect.objectContaining({ code: 'model_unavailable' }),
    ]);
    const silent = await asking(chat, path, createTurnId(), 'deepseek');
    expect([silent.status, await silent.json()]).toEqual([
      502,
      expect.objectContaining({ code: 'assist_failed', reason: 'model_unreachable' }),
    ]);
    expect(await getPoints(chat.me)).toMatchObject({ current_points: 50 });
  });

  test('a suggestion or draft request without points reports the refill time and calls no model', async () => {
    const { chat, told } = await startWithScene(kind, kind);
    await setPoints(chat.me, 0);
    expect(await ask(chat, path, undefined, 402)).toMatchObject({
      code: 'points_exhausted',
      points: { current_points: 0, refills_at: expect.any(String) },
    });
    expect(await told.requests()).toEqual([]);
    await expectBalancedLedger(chat.me);
  });

  test('a suggestion or draft request that a restart interrupts is refunded by a later alarm', async () => {
    const { chat, told } = await startWithScene(kind, 'gate n=1');
    const lost = asking(chat, path, createTurnId()).catch(() => null);
    await told.reached();
    // The first alarm runs while the model is still writing.
    expect(await runDurableObjectAlarm(getConversationStub(chat.id))).toBe(true);
    await abortAllDurableObjects();
    await lost;
    expect(await runDurableObjectAlarm(getConversationStub(chat.id))).toBe(true);
    expect(await getPoints(chat.me)).toMatchObject({ current_points: 50, daily_messages_used: 0 });
    await expectBalancedLedger(chat.me);
  });

  test('a suggestion or draft request that a restart interrupts is refunded and can be repeated', async () => {
    const { chat, told } = await startWithScene(kind, 'gate n=1');
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

  test('deleting the conversation during a suggestion or draft request charges nothing', async () => {
    const { chat, told } = await startWithScene(kind, 'gate n=1');
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

test('a suggestion request and a draft request under the same id get separate answers', async () => {
  const chat = await startConversationClient(await signInGuest());
  const askId = createTurnId();
  expect(await ask(chat, '/suggestions', askId)).toMatchObject({ items: SUGGESTIONS });
  expect(await ask(chat, '/impersonate', askId)).toMatchObject({ draft: DRAFT });
  expect(await ask(chat, '/suggestions', askId)).toMatchObject({ items: SUGGESTIONS });
});
