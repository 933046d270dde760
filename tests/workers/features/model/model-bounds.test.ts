// Over 400 lines: the limits of users, of the site and of moderation share one fixture and one clock.
import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { openDatabase } from '../../../../src/db/open.ts';
import { readEnvironment } from '../../../../src/env/read-environment.ts';
import { clearRuntimeConfigCache } from '../../../../src/features/runtime-config/runtime-config-gateway.ts';
import { CIRCUIT_LIMITS } from '../../../../src/features/model/circuit-breaker.ts';
import { type ChosenModel, chooseModel } from '../../../../src/features/model/choose-model.ts';
import type { ModelList } from '../../../../src/features/model/contract.ts';
import {
  streamCompletion,
  canAnswer,
  prefetchBudget,
  resetModelState,
} from '../../../../src/features/model/model-gateway.ts';
import { listDailyTokens } from '../../../../src/features/model/daily-spend-gateway.ts';
import { getLastEvent, EventReader, summarizeKinds, joinDeltas } from '../../../support/event-reader.ts';
import {
  addCharacter,
  startConversation,
  getConversationStub,
  expectBalancedLedger,
  signInGuest,
  getLastMessage,
  listLedger,
  listMessages,
  createTurnId,
  getPoints,
  postMessage,
  rejoinReply,
  sendMessage,
  createAccount,
  type Visitor,
} from '../../../support/factories.ts';
import { createScene } from '../../../support/scripted-model.ts';
import { changeConfig, endSittings, resetModelConfig } from '../../model-config.ts';

beforeAll(endSittings, 60_000);
beforeEach(resetModelConfig);
afterEach(resetModelConfig);

const times = <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

const listModels = async (): Promise<ModelList['items']> =>
  (await (await signInGuest()).ask<ModelList>('/api/models')).items;

/** Makes the model fail so often in a row that its calls are paused. */
async function pauseModel(model = 'loreloom', status = 503): Promise<void> {
  await times(CIRCUIT_LIMITS.failures, async () => {
    const me = await signInGuest();
    await sendMessage(me, await startConversation(me), createScene(`status code=${status}`).marker, {
      model,
    });
  });
}

/** Expects a reply that was not written: the message is kept, the reply has the error code, and nothing was charged. */
async function expectMessageKeptForFree(me: Visitor, id: string, words: string, code: string): Promise<void> {
  const [, mine, reply] = await listMessages(me, id);
  expect(mine).toMatchObject({ role: 'user', content: words });
  expect(reply).toMatchObject({ role: 'character', status: 'failed', error_code: code, content: '' });
  expect(await getPoints(me)).toMatchObject({ current_points: 50, daily_messages_used: 0 });
  await expectBalancedLedger(me);
}

describe('Paused models', () => {
  test('a paused model is not called, and the message is kept, answered at once with an error and free', async () => {
    await pauseModel();
    const me = await signInGuest();
    const id = await startConversation(me);
    const asked = createScene('tokens n=3');
    const words = `Are you there? ${asked.marker}`;
    const events = await sendMessage(me, id, words);
    expect(summarizeKinds(events)).toEqual(['accepted', 'error']);
    expect(getLastEvent(events).data).toMatchObject({ code: 'model_paused' });
    expect(await asked.requests()).toHaveLength(0);
    await expectMessageKeptForFree(me, id, words, 'model_paused');
  });

  test('a paused model is listed as unavailable, and nothing switches to another model by itself', async () => {
    await pauseModel();
    const items = await listModels();
    expect(items.find(({ id }) => id === 'loreloom')).toMatchObject({
      available: false,
      passing: true,
      unavailable_reason: expect.any(String),
    });
    const other = items.find(({ id }) => id === 'chatgpt');
    expect(other).toMatchObject({ label: 'ChatGPT', available: true });
    expect(other).not.toHaveProperty('passing');
    expect(items.find(({ id }) => id === 'recommended')).toMatchObject({ available: true });
    expect(items.find(({ id }) => id === 'mistral')).not.toHaveProperty('passing');
    // A user of the recommended model is not answered by another model.
    const me = await signInGuest();
    const events = await sendMessage(me, await startConversation(me), 'Hello', { model: 'recommended' });
    expect(getLastEvent(events).data).toMatchObject({ code: 'model_paused' });
  });

  test('an isolate that never called the model learns from shared storage that it is paused', async () => {
    await pauseModel();
    resetModelState();
    expect((await listModels()).find(({ id }) => id === 'loreloom')).toMatchObject({ available: false });
  });

  test('texts that the provider refuses are free and never pause the model', async () => {
    const scenario = 'status code=403 flagged=1';
    await times(CIRCUIT_LIMITS.failures + 1, async () => {
      const me = await signInGuest();
      const id = await startConversation(me);
      const { marker } = createScene(scenario);
      const { data } = getLastEvent(await sendMessage(me, id, marker));
      expect(data).toMatchObject({ code: 'reply_refused' });
      await expectMessageKeptForFree(me, id, marker, 'reply_refused');
    });
    expect((await listModels()).find(({ id }) => id === 'loreloom')).toMatchObject({ available: true });
  });

  test('a provider that asks to wait is not called until then, and at most for a minute', async () => {
    const me = await signInGuest();
    const send = async (marker: string, model = 'loreloom') =>
      getLastEvent(await sendMessage(me, await startConversation(me), marker, { model }));
    const asked = createScene('tokens n=2');
    for (const marker of [createScene('status code=429 wait=3600').marker, asked.marker])
      expect((await send(marker)).data).toMatchObject({ code: 'model_busy' });
    expect(await asked.requests()).toHaveLength(0);
    expect((await send(createScene('tokens n=2').marker, 'chatgpt')).event).toBe('done');
    vi.useFakeTimers({ now: Date.now() + 61_000, toFake: ['Date'] });
    try {
      expect((await send(asked.marker)).event).toBe('done');
    } finally {
      vi.useRealTimers();
    }
    expect(await asked.requests()).toHaveLength(1);
  });

  test('a failed reply can be regenerated with another model', async () => {
    await pauseModel();
    const me = await signInGuest();
    const id = await startConversation(me);
    await sendMessage(me, id, `Hello ${createScene('tokens n=3').marker}`);
    const failed = await getLastMessage(me, id);
    const json = { client_message_id: createTurnId(), model: 'chatgpt' };
    const regenerated = await me.call(`/api/conversations/${id}/messages/${failed.id}/regenerate`, { json });
    expect(joinDeltas(await (await EventReader.fromResponse(regenerated)).readRest())).toBe('w0 w1 w2');
    const reply = await getLastMessage(me, id);
    expect(reply).toMatchObject({ id: failed.id, status: 'complete', content: 'w0 w1 w2' });
    expect(reply.versions.map(({ model }) => model)).toEqual(['chatgpt']);
    expect(await listMessages(me, id)).toHaveLength(3);
    expect(await getPoints(me)).toMatchObject({ current_points: 49 });
    await expectBalancedLedger(me);
  });

  test('a paused model is probed by one call and answers everyone after that succeeded', async () => {
    await pauseModel();
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(Date.now() + CIRCUIT_LIMITS.minPauseMs + 1);
    const probe = createScene('gate n=0');
    const [first, second] = [await signInGuest(), await signInGuest()];
    const [one, other] = [await startConversation(first), await startConversation(second)];
    const probing = await postMessage(first, one, probe.marker);
    await probe.reached();
    const waiting = createScene('tokens n=1');
    expect(getLastEvent(await sendMessage(second, other, waiting.marker)).data).toMatchObject({
      code: 'model_paused',
    });
    await probe.open();
    // The probe’s reply is empty, but the provider answered.
    expect(getLastEvent(await (await EventReader.fromResponse(probing)).readRest()).data).toMatchObject({
      code: 'reply_empty',
    });
    expect(summarizeKinds(await sendMessage(second, other, 'And now?'))).toEqual([
      'accepted',
      'delta',
      'done',
    ]);
    expect((await listModels()).find(({ id }) => id === 'loreloom')).toMatchObject({ available: true });
  });

  test.each([
    ['whose account is empty', 402],
    ['that does not know the model', 404],
    ['that timed out waiting for the request', 408],
  ])('a model is paused after repeated failures of a provider %s', async (_, status) => {
    await pauseModel('loreloom', status);
    expect((await listModels()).find(({ id }) => id === 'loreloom')).toMatchObject({ available: false });
  });

  test('a model is not paused after refused or empty texts, or replies that users stopped', async () => {
    for (const scenario of ['status code=400', 'filter n=0', 'no-text'])
      await times(CIRCUIT_LIMITS.failures, async () => {
        const me = await signInGuest();
        await sendMessage(me, await startConversation(me), createScene(scenario).marker);
      });
    await times(CIRCUIT_LIMITS.failures, async () => {
      const me = await signInGuest();
      const id = await startConversation(me);
      const waiting = createScene('gate n=1');
      const answer = await postMessage(me, id, waiting.marker);
      await waiting.reached();
      await me.ask(`/api/conversations/${id}/stop`, { method: 'POST' });
      await answer.text();
      await waiting.open();
    });
    expect((await listModels()).find(({ id }) => id === 'loreloom')).toMatchObject({ available: true });
  });

  test('a paused model writes no suggestions, and nothing is charged', async () => {
    await pauseModel();
    const me = await signInGuest();
    const json = { client_message_id: createTurnId() };
    const refused = await me.ask(`/api/conversations/${await startConversation(me)}/suggestions`, {
      json,
      status: 502,
    });
    expect(refused).toMatchObject({ code: 'assist_failed', reason: 'model_paused' });
    expect(await getPoints(me)).toMatchObject({ current_points: 50 });
  });
});

describe('Model switch and daily budget', () => {
  test('no model is called while model calls are off; messages are kept free and answered after that', async () => {
    await changeConfig({ model_calls: 'off' });
    const me = await signInGuest();
    const id = await startConversation(me);
    const asked = createScene('tokens n=2');
    const words = `Anybody? ${asked.marker}`;
    expect(getLastEvent(await sendMessage(me, id, words)).data).toMatchObject({ code: 'model_calls_off' });
    await expectMessageKeptForFree(me, id, words, 'model_calls_off');
    const json = { client_message_id: createTurnId() };
    await me.ask(`/api/conversations/${id}/suggestions`, { json, status: 502 });
    expect(await asked.requests()).toHaveLength(0);
    for (const item of await listModels()) expect(item).toMatchObject({ available: false });
    await runDurableObjectAlarm(getConversationStub(id));
    expect(await listDailyTokens(openDatabase(env.DB), Date.now())).toEqual([
      { model: 'loreloom', promptTokens: 0, replyTokens: 0 },
    ]);
    await changeConfig({ model_calls: 'on' });
    const failed = await getLastMessage(me, id);
    const again = await me.call(`/api/conversations/${id}/messages/${failed.id}/regenerate`, {
      json: { client_message_id: createTurnId() },
    });
    expect(joinDeltas(await (await EventReader.fromResponse(again)).readRest())).toBe('w0 w1');
    expect(await getPoints(me)).toMatchObject({ current_points: 49 });
  });

  test.each(['were just read', 'have yet to be read'])(
    'of fifty calls that wait for the same usage total one is made, when the totals %s',
    async (how) => {
      await changeConfig({ model_budget_tokens_per_day: 1 });
      const model = chooseModel(readEnvironment(env).models, 'recommended', 'roleplay') as ChosenModel;
      if (how === 'were just read') expect(await canAnswer(env, model)).toBe(true);
      const slow = createScene('gate n=1');
      const request = {
        messages: [{ role: 'user' as const, content: slow.marker }],
        maxTokens: 10,
        temperature: 1,
      };
      const calls = await times(50, async () => {
        const parts = streamCompletion(env, model, request, { signal: new AbortController().signal });
        return { parts, first: (await parts.next()).value };
      });
      expect(calls.filter(({ first }) => first?.kind === 'text')).toHaveLength(1);
      const blocked = calls.filter(({ first }) => first?.kind === 'failure' && first.code === 'calls_off');
      expect(blocked).toHaveLength(49);
      expect(await slow.requests()).toHaveLength(1);
      await slow.open();
      for (const { parts } of calls) for await (const _ of parts);
    },
  );

  test('when the budget ends, one of fifty messages is answered, and the others are kept and free @all', async () => {
    await changeConfig({ model_budget_tokens_per_day: 1 });
    const characterId = await addCharacter();
    const people = await times(50, async () => {
      const me = await signInGuest();
      return { me, id: await startConversation(me, characterId) };
    });
    const slow = createScene('gate n=1');
    const answers = await times(50, (index) => {
      const { me, id } = people[index] as (typeof people)[number];
      return postMessage(me, id, `${index} ${slow.marker}`);
    });
    await slow.reached();
    await slow.open();
    const ends = await Promise.all(
      answers.map(async (answer) => getLastEvent(await (await EventReader.fromResponse(answer)).readRest())),
    );
    expect(ends.filter(({ event }) => event === 'done')).toHaveLength(1);
    expect(ends.filter(({ data }) => data.code === 'model_calls_off')).toHaveLength(49);
    expect(await slow.requests()).toHaveLength(1);
    await times(50, async (index) => {
      const { me, id } = people[index] as (typeof people)[number];
      if (ends[index]?.event === 'done') expect(await getPoints(me)).toMatchObject({ current_points: 49 });
      else await expectMessageKeptForFree(me, id, `${index} ${slow.marker}`, 'model_calls_off');
    });
    // The budget stays used up, also for an isolate that did not see it end.
    resetModelState();
    const laterUser = await signInGuest();
    expect(
      getLastEvent(await sendMessage(laterUser, await startConversation(laterUser), 'Hello')).data,
    ).toMatchObject({
      code: 'model_calls_off',
    });
  }, 60_000);

  test('the budget counts the operator’s prices where they are set and restarts each day in UTC', async () => {
    await changeConfig({ model_budget_cents_per_day: 1 });
    const me = await signInGuest();
    const id = await startConversation(me);
    // This model has no price, so its calls do not count in cents.
    await sendMessage(me, id, createScene('tokens n=1').marker);
    resetModelState();
    expect(summarizeKinds(await sendMessage(me, id, createScene('tokens n=1').marker))).toContain('done');
    await runDurableObjectAlarm(getConversationStub(id));
    resetModelState();
    await changeConfig({ model_budget_cents_per_day: null, model_budget_tokens_per_day: 1 });
    expect(getLastEvent(await sendMessage(me, id, 'Today?')).data).toMatchObject({ code: 'model_calls_off' });
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime((Math.floor(Date.now() / 86_400_000) + 1) * 86_400_000 + 1000);
    clearRuntimeConfigCache(env);
    expect(summarizeKinds(await sendMessage(me, id, createScene('tokens n=1').marker))).toContain('done');
  });

  test('the daily usage counts model calls other than replies', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const json = { client_message_id: createTurnId() };
    await me.ask(`/api/conversations/${id}/suggestions`, { json });
    await vi.waitFor(async () => {
      const [counted] = await listDailyTokens(openDatabase(env.DB), Date.now());
      expect(counted?.model).toBe('loreloom');
      expect(counted?.promptTokens).toBeGreaterThan(50);
      expect(counted?.replyTokens).toBeGreaterThan(0);
    });
  });

  test('the budget is known to other requests while one request’s database read never ends', async () => {
    await changeConfig({ model_budget_tokens_per_day: 1 });
    const me = await signInGuest();
    await sendMessage(me, await startConversation(me), createScene('tokens n=1').marker);
    await vi.waitFor(async () => {
      expect(await listDailyTokens(openDatabase(env.DB), Date.now())).not.toEqual([]);
    });
    resetModelState();
    const silent = { bind: () => silent, raw: () => new Promise(() => {}) };
    const model = chooseModel(readEnvironment(env).models, 'loreloom', 'roleplay', false) as ChosenModel;
    const abandoned = canAnswer({ ...env, DB: { prepare: () => silent } as unknown as D1Database }, model);
    expect(await canAnswer(env, model)).toBe(false);
    await abandoned;
  });

  test('the spend is read at the same time as the limits', async () => {
    resetModelState();
    const asked: string[] = [];
    const KV = new Proxy(env.KV, {
      get: (kv, name: keyof KVNamespace) =>
        name === 'get'
          ? () => {
              asked.push('KV');
              // It never answers.
              return new Promise(() => {});
            }
          : kv[name].bind(kv),
    });
    const DB = new Proxy(env.DB, {
      get: (db, name: keyof D1Database) => {
        if (name === 'prepare') asked.push('D1');
        return typeof db[name] === 'function' ? db[name].bind(db) : db[name];
      },
    });
    prefetchBudget({ ...env, KV, DB } as unknown as Env);
    // D1 has been asked when it answers another call.
    await env.DB.prepare('select 1').run();
    expect(asked.toSorted()).toEqual(['D1', 'KV']);
  });

  test('messages are answered while the daily usage cannot be read', async () => {
    await changeConfig({ model_budget_tokens_per_day: 1_000_000 });
    await env.DB.prepare('alter table hourly_model_usage rename to hourly_model_usage_away').run();
    try {
      const me = await signInGuest();
      expect(
        summarizeKinds(await sendMessage(me, await startConversation(me), createScene('tokens n=1').marker)),
      ).toContain('done');
    } finally {
      await env.DB.prepare('alter table hourly_model_usage_away rename to hourly_model_usage').run();
    }
  });
});

describe('Limits per user', () => {
  test('a user’s daily cost limit refuses the next message, which can be sent the next day', async () => {
    await changeConfig({ person_model_tokens_per_day: 1 });
    const me = await createAccount();
    await env.DB.prepare("update users set plan = 'storyteller' where id = ?").bind(me.id).run();
    const id = await startConversation(me);
    expect(summarizeKinds(await sendMessage(me, id, createScene('tokens n=1').marker))).toContain('done');
    const turnId = createTurnId();
    const refused = await postMessage(me, id, 'One more', { turnId });
    expect(refused.status).toBe(429);
    const { daily_resets_at } = await getPoints(me);
    expect(await refused.json()).toMatchObject({ code: 'daily_usage_limit', daily_resets_at });
    const seconds = Number(refused.headers.get('retry-after'));
    expect(Math.abs(Date.now() + seconds * 1000 - Date.parse(daily_resets_at))).toBeLessThan(5000);
    expect(await listMessages(me, id)).toHaveLength(3);
    // The limit does not apply to other users.
    const other = await signInGuest();
    expect(
      summarizeKinds(
        await sendMessage(other, await startConversation(other), createScene('tokens n=1').marker),
      ),
    ).toContain('done');
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(Date.now() + 86_400_000);
    clearRuntimeConfigCache(env);
    expect((await postMessage(me, id, 'One more', { turnId })).status).toBe(200);
  });

  test('fifty messages at once never exceed the daily cost limit by more than one reply @all', async () => {
    // Each reply reserves its maximum of 16,000 tokens, so five start before 70,000 are reserved.
    await changeConfig({ person_model_tokens_per_day: 70_000 });
    const me = await signInGuest();
    const characterId = await addCharacter();
    const ids = await times(50, () => startConversation(me, characterId));
    const slow = createScene('gate n=1');
    const answers = await times(50, (index) => postMessage(me, ids[index] as string, slow.marker));
    const [accepted, refused] = [200, 429].map((status) =>
      answers.filter((answer) => answer.status === status),
    );
    expect([accepted?.length, refused?.length]).toEqual([5, 45]);
    await slow.open();
    for (const answer of accepted ?? [])
      expect(summarizeKinds(await (await EventReader.fromResponse(answer)).readRest())).toContain('done');
    for (const answer of refused ?? [])
      expect(await answer.json()).toMatchObject({ code: 'daily_usage_limit' });
    // The unused part of the reservations is available again.
    expect(
      summarizeKinds(await sendMessage(me, ids[0] as string, createScene('tokens n=1').marker)),
    ).toContain('done');
    expect(await getPoints(me)).toMatchObject({ current_points: 44 });
    await expectBalancedLedger(me);
  }, 60_000);

  test('a user has at most the allowed number of replies at once, and refused messages leave no trace', async () => {
    await changeConfig({ replies_at_once: 3 });
    const me = await signInGuest();
    const characterId = await addCharacter();
    const ids = await times(50, () => startConversation(me, characterId));
    const slow = createScene('gate n=1');
    const answers = await times(50, (index) => postMessage(me, ids[index] as string, slow.marker));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    const refused = answers.findIndex(({ status }) => status === 429);
    expect(answers[refused]?.headers.get('retry-after')).toBe('10');
    expect(await answers[refused]?.json()).toMatchObject({ code: 'too_many_replies' });
    expect(await listMessages(me, ids[refused] as string)).toHaveLength(1);
    await slow.open();
    for (const answer of answers.filter(({ status }) => status === 200)) await answer.text();
    expect(
      summarizeKinds(await sendMessage(me, ids[refused] as string, createScene('tokens n=1').marker)),
    ).toContain('done');
    expect(await getPoints(me)).toMatchObject({ current_points: 46 });
    expect((await listLedger(me)).filter(({ kind }) => kind === 'message')).toHaveLength(4);
    await expectBalancedLedger(me);
  }, 60_000);
});

describe('Readers of a reply', () => {
  test('a reply is streamed to at most 32 readers at once, and to others once one has left', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const slow = createScene('gate n=1');
    const first = await postMessage(me, id, slow.marker);
    await slow.reached();
    const readers = await times(31, () => rejoinReply(me, id));
    const refused = await me.call(`/api/conversations/${id}/stream`);
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ code: 'too_many_subscribers' });
    await slow.open();
    expect(summarizeKinds(await (await EventReader.fromResponse(first)).readRest())).toContain('done');
    expect(readers).toHaveLength(31);
    expect(summarizeKinds(await sendMessage(me, id, createScene('tokens n=1').marker))).toContain('done');
  });
});
