import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openDatabase } from '../../src/db/open.ts';
import { readEnvironment } from '../../src/env/read-environment.ts';
import { forgetBusiness } from '../../src/features/runtime-config/runtime-config-gateway.ts';
import { CIRCUIT } from '../../src/features/model/circuit.ts';
import { type ChosenModel, chooseModel } from '../../src/features/model/choice.ts';
import type { ModelList } from '../../src/features/model/contract.ts';
import { askModel, canAnswer, forgetModels } from '../../src/features/model/model-gateway.ts';
import { tokensOfDay } from '../../src/features/model/spend-store.ts';
import { endOf, EventReader, shapeOf, textOf } from '../support/event-reader.ts';
import {
  character,
  conversation,
  expectBalancedLedger,
  guest,
  lastMessage,
  ledger,
  messages,
  newTurnId,
  points,
  post,
  rejoin,
  send,
  signedIn,
  type Visitor,
} from '../support/makers.ts';
import { scene } from '../support/scripted-model.ts';
import { asItWas, set } from './model-books.ts';

beforeEach(asItWas);
afterEach(asItWas);

const times = <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

const modelsShown = async (): Promise<ModelList['items']> =>
  (await (await guest()).ask<ModelList>('/api/models')).items;

/** Has the model fail so often in a row that it is left alone. */
async function bringDown(model = 'loreloom', status = 503): Promise<void> {
  await times(CIRCUIT.failures, async () => {
    const me = await guest();
    await send(me, await conversation(me), scene(`status code=${status}`).marker, { model });
  });
}

/** What a reply that was not written looks like: the message is there, it says why, and nothing was paid. */
async function expectKeptAndFree(me: Visitor, id: string, words: string, code: string): Promise<void> {
  const [, mine, reply] = await messages(me, id);
  expect(mine).toMatchObject({ role: 'user', content: words });
  expect(reply).toMatchObject({ role: 'character', status: 'failed', error_code: code, content: '' });
  expect(await points(me)).toMatchObject({ current_points: 50, daily_messages_used: 0 });
  await expectBalancedLedger(me);
}

describe('A model whose provider is down', () => {
  test('is asked by nobody for a while: my message is kept, I am told at once, and pay nothing', async () => {
    await bringDown();
    const me = await guest();
    const id = await conversation(me);
    const asked = scene('tokens n=3');
    const words = `Are you there? ${asked.marker}`;
    const events = await send(me, id, words);
    expect(shapeOf(events)).toEqual(['accepted', 'error']);
    expect(endOf(events).data).toMatchObject({ code: 'model_paused' });
    expect(await asked.requests()).toHaveLength(0);
    await expectKeptAndFree(me, id, words, 'model_paused');
  });

  test('is shown as one that cannot answer now, and nothing else switches to another', async () => {
    await bringDown();
    const items = await modelsShown();
    expect(items.find(({ id }) => id === 'loreloom')).toMatchObject({
      available: false,
      passing: true,
      unavailable_reason: 'This model does not answer at the moment.',
    });
    expect(items.find(({ id }) => id === 'chatgpt')).toEqual({
      id: 'chatgpt',
      label: 'ChatGPT',
      available: true,
    });
    expect(items.find(({ id }) => id === 'recommended')).toMatchObject({ available: true });
    expect(items.find(({ id }) => id === 'mistral')).not.toHaveProperty('passing');
    // Whoever let the recommendation stand is not answered by somebody else.
    const me = await guest();
    const events = await send(me, await conversation(me), 'Hello', { model: 'recommended' });
    expect(endOf(events).data).toMatchObject({ code: 'model_paused' });
  });

  test('is told of to machines that have not asked it themselves', async () => {
    await bringDown();
    forgetModels();
    expect((await modelsShown()).find(({ id }) => id === 'loreloom')).toMatchObject({ available: false });
  });

  test('has the same reply written by another with one press', async () => {
    await bringDown();
    const me = await guest();
    const id = await conversation(me);
    await send(me, id, `Hello ${scene('tokens n=3').marker}`);
    const failed = await lastMessage(me, id);
    const json = { client_message_id: newTurnId(), model: 'chatgpt' };
    const anew = await me.call(`/api/conversations/${id}/messages/${failed.id}/regenerate`, { json });
    expect(textOf(await (await EventReader.of(anew)).rest())).toBe('w0 w1 w2');
    const reply = await lastMessage(me, id);
    expect(reply).toMatchObject({ id: failed.id, status: 'complete', content: 'w0 w1 w2' });
    expect(reply.versions.map(({ model }) => model)).toEqual(['chatgpt']);
    expect(await messages(me, id)).toHaveLength(3);
    expect(await points(me)).toMatchObject({ current_points: 49 });
    await expectBalancedLedger(me);
  });

  test('is looked at again by one call, and answers everybody once that was answered', async () => {
    await bringDown();
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(Date.now() + CIRCUIT.firstPauseMs + 1);
    const looks = scene('gate n=0');
    const [first, second] = [await guest(), await guest()];
    const [one, other] = [await conversation(first), await conversation(second)];
    const looking = await post(first, one, looks.marker);
    await looks.reached();
    const waits = scene('tokens n=1');
    expect(endOf(await send(second, other, waits.marker)).data).toMatchObject({ code: 'model_paused' });
    await looks.open();
    // Without a word, but it is there.
    expect(endOf(await (await EventReader.of(looking)).rest()).data).toMatchObject({ code: 'reply_empty' });
    expect(shapeOf(await send(second, other, 'And now?'))).toEqual(['accepted', 'delta', 'done']);
    expect((await modelsShown()).find(({ id }) => id === 'loreloom')).toMatchObject({ available: true });
  });

  test.each([
    ['whose account is empty', 402],
    ['that has no such model', 404],
    ['that waited too long for us', 408],
  ])('is one %s, too: another is offered', async (_, status) => {
    await bringDown('loreloom', status);
    expect((await modelsShown()).find(({ id }) => id === 'loreloom')).toMatchObject({ available: false });
  });

  test('is not taken for one for what is wrong with texts, or for replies that their readers stop', async () => {
    for (const scenario of ['status code=400', 'filter n=0', 'no-text'])
      await times(CIRCUIT.failures, async () => {
        const me = await guest();
        await send(me, await conversation(me), scene(scenario).marker);
      });
    await times(CIRCUIT.failures, async () => {
      const me = await guest();
      const id = await conversation(me);
      const waits = scene('gate n=1');
      const answer = await post(me, id, waits.marker);
      await waits.reached();
      await me.ask(`/api/conversations/${id}/stop`, { method: 'POST' });
      await answer.text();
      await waits.open();
    });
    expect((await modelsShown()).find(({ id }) => id === 'loreloom')).toMatchObject({ available: true });
  });

  test('comes up with no suggestions either, and nothing is charged', async () => {
    await bringDown();
    const me = await guest();
    const json = { client_message_id: newTurnId() };
    const refused = await me.ask(`/api/conversations/${await conversation(me)}/suggestions`, {
      json,
      status: 502,
    });
    expect(refused).toMatchObject({ code: 'ask_failed', reason: 'model_paused' });
    expect(await points(me)).toMatchObject({ current_points: 50 });
  });
});

describe('The switch and the budget of the day', () => {
  test('switched off, no model is asked for anything; what I wrote is kept and free, and goes on once it is on', async () => {
    await set({ model_calls: 'off' });
    const me = await guest();
    const id = await conversation(me);
    const asked = scene('tokens n=2');
    const words = `Anybody? ${asked.marker}`;
    expect(endOf(await send(me, id, words)).data).toMatchObject({ code: 'model_calls_off' });
    await expectKeptAndFree(me, id, words, 'model_calls_off');
    const json = { client_message_id: newTurnId() };
    await me.ask(`/api/conversations/${id}/suggestions`, { json, status: 502 });
    expect(await asked.requests()).toHaveLength(0);
    for (const item of await modelsShown()) expect(item).toMatchObject({ available: false });
    expect(await tokensOfDay(openDatabase(env.DB), Date.now())).toEqual([
      { model: 'loreloom', promptTokens: 0, replyTokens: 0 },
    ]);
    await set({ model_calls: 'on' });
    const failed = await lastMessage(me, id);
    const again = await me.call(`/api/conversations/${id}/messages/${failed.id}/regenerate`, {
      json: { client_message_id: newTurnId() },
    });
    expect(textOf(await (await EventReader.of(again)).rest())).toBe('w0 w1');
    expect(await points(me)).toMatchObject({ current_points: 49 });
  });

  test.each(['were just read', 'have yet to be read'])(
    'of fifty calls that wait for the same books one is made, whether they %s',
    async (how) => {
      await set({ model_budget_tokens_per_day: 1 });
      const model = chooseModel(readEnvironment(env).models, 'recommended', 'roleplay') as ChosenModel;
      if (how === 'were just read') expect(await canAnswer(env, model)).toBe(true);
      const slow = scene('gate n=1');
      const request = {
        messages: [{ role: 'user' as const, content: slow.marker }],
        maxTokens: 10,
        temperature: 1,
      };
      const calls = await times(50, async () => {
        const parts = askModel(env, model, request, { signal: new AbortController().signal });
        return { parts, first: (await parts.next()).value };
      });
      expect(calls.filter(({ first }) => first?.kind === 'text')).toHaveLength(1);
      const held = calls.filter(({ first }) => first?.kind === 'failure' && first.code === 'calls_off');
      expect(held).toHaveLength(49);
      expect(await slow.requests()).toHaveLength(1);
      await slow.open();
      for (const { parts } of calls) for await (const _ of parts);
    },
  );

  test('of fifty people who write at the moment at which the budget ends, one is answered, and none loses a word or a point', async () => {
    await set({ model_budget_tokens_per_day: 1 });
    const characterId = await character();
    const people = await times(50, async () => {
      const me = await guest();
      return { me, id: await conversation(me, characterId) };
    });
    const slow = scene('gate n=1');
    const answers = await times(50, (index) => {
      const { me, id } = people[index] as (typeof people)[number];
      return post(me, id, `${index} ${slow.marker}`);
    });
    await slow.reached();
    await slow.open();
    const ends = await Promise.all(
      answers.map(async (answer) => endOf(await (await EventReader.of(answer)).rest())),
    );
    expect(ends.filter(({ event }) => event === 'done')).toHaveLength(1);
    expect(ends.filter(({ data }) => data.code === 'model_calls_off')).toHaveLength(49);
    expect(await slow.requests()).toHaveLength(1);
    await times(50, async (index) => {
      const { me, id } = people[index] as (typeof people)[number];
      if (ends[index]?.event === 'done') expect(await points(me)).toMatchObject({ current_points: 49 });
      else await expectKeptAndFree(me, id, `${index} ${slow.marker}`, 'model_calls_off');
    });
    // And so it stays, also for whoever did not see it end.
    forgetModels();
    const late = await guest();
    expect(endOf(await send(late, await conversation(late), 'Hello')).data).toMatchObject({
      code: 'model_calls_off',
    });
  }, 60_000);

  test('counts by the operator’s prices where they are set, and begins anew with the day in UTC', async () => {
    await set({ model_budget_cents_per_day: 1 });
    const me = await guest();
    const id = await conversation(me);
    // No price is set for this model: in cents nothing is known of it.
    await send(me, id, scene('tokens n=1').marker);
    forgetModels();
    expect(shapeOf(await send(me, id, scene('tokens n=1').marker))).toContain('done');
    await set({ model_budget_cents_per_day: null, model_budget_tokens_per_day: 1 });
    expect(endOf(await send(me, id, 'Today?')).data).toMatchObject({ code: 'model_calls_off' });
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime((Math.floor(Date.now() / 86_400_000) + 1) * 86_400_000 + 1000);
    forgetBusiness(env);
    expect(shapeOf(await send(me, id, scene('tokens n=1').marker))).toContain('done');
  });

  test('counts what models are asked beside replies', async () => {
    const me = await guest();
    const id = await conversation(me);
    const json = { client_message_id: newTurnId() };
    await me.ask(`/api/conversations/${id}/suggestions`, { json });
    await vi.waitFor(async () => {
      const [counted] = await tokensOfDay(openDatabase(env.DB), Date.now());
      expect(counted?.model).toBe('loreloom');
      expect(counted?.promptTokens).toBeGreaterThan(50);
      expect(counted?.replyTokens).toBeGreaterThan(0);
    });
  });

  test('is known to everybody who asks, also while the books never answer somebody who has left', async () => {
    await set({ model_budget_tokens_per_day: 1 });
    const me = await guest();
    await send(me, await conversation(me), scene('tokens n=1').marker);
    await vi.waitFor(async () => {
      expect(await tokensOfDay(openDatabase(env.DB), Date.now())).not.toEqual([]);
    });
    forgetModels();
    const silent = { bind: () => silent, raw: () => new Promise(() => {}) };
    const model = chooseModel(readEnvironment(env).models, 'loreloom', 'roleplay', false) as ChosenModel;
    const left = canAnswer({ ...env, DB: { prepare: () => silent } as unknown as D1Database }, model);
    expect(await canAnswer(env, model)).toBe(false);
    await left;
  });

  test('lets people write on while nobody can tell what was spent', async () => {
    await set({ model_budget_tokens_per_day: 1_000_000 });
    await env.DB.prepare('alter table turn_hours rename to turn_hours_away').run();
    try {
      const me = await guest();
      expect(shapeOf(await send(me, await conversation(me), scene('tokens n=1').marker))).toContain('done');
    } finally {
      await env.DB.prepare('alter table turn_hours_away rename to turn_hours').run();
    }
  });
});

describe('What one person may have written', () => {
  test('is bounded by what their day costs, membership or not; a refused message is not kept, and can be sent tomorrow', async () => {
    await set({ person_model_tokens_per_day: 1 });
    const me = await signedIn();
    await env.DB.prepare("update users set plan = 'storyteller' where id = ?").bind(me.id).run();
    const id = await conversation(me);
    expect(shapeOf(await send(me, id, scene('tokens n=1').marker))).toContain('done');
    const turnId = newTurnId();
    const refused = await post(me, id, 'One more', { turnId });
    expect(refused.status).toBe(429);
    const { daily_resets_at } = await points(me);
    expect(await refused.json()).toMatchObject({ code: 'daily_cost_reached', daily_resets_at });
    const seconds = Number(refused.headers.get('retry-after'));
    expect(Math.abs(Date.now() + seconds * 1000 - Date.parse(daily_resets_at))).toBeLessThan(5000);
    expect(await messages(me, id)).toHaveLength(3);
    // Nobody else is bounded by it.
    const other = await guest();
    expect(shapeOf(await send(other, await conversation(other), scene('tokens n=1').marker))).toContain(
      'done',
    );
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(Date.now() + 86_400_000);
    forgetBusiness(env);
    expect((await post(me, id, 'One more', { turnId })).status).toBe(200);
  });

  test('never comes to more than the bound and one reply, of fifty messages at once', async () => {
    // A reply holds the most that it may come to, 16,000 tokens: five are begun before 70,000 are held.
    await set({ person_model_tokens_per_day: 70_000 });
    const me = await guest();
    const characterId = await character();
    const ids = await times(50, () => conversation(me, characterId));
    const slow = scene('gate n=1');
    const answers = await times(50, (index) => post(me, ids[index] as string, slow.marker));
    const [begun, refused] = [200, 429].map((status) => answers.filter((answer) => answer.status === status));
    expect([begun?.length, refused?.length]).toEqual([5, 45]);
    await slow.open();
    for (const answer of begun ?? [])
      expect(shapeOf(await (await EventReader.of(answer)).rest())).toContain('done');
    for (const answer of refused ?? [])
      expect(await answer.json()).toMatchObject({ code: 'daily_cost_reached' });
    // What they held and did not come to is there again.
    expect(shapeOf(await send(me, ids[0] as string, scene('tokens n=1').marker))).toContain('done');
    expect(await points(me)).toMatchObject({ current_points: 44 });
    await expectBalancedLedger(me);
  }, 60_000);

  test('is so many replies at once, of fifty messages; the others leave nothing behind', async () => {
    await set({ replies_at_once: 3 });
    const me = await guest();
    const characterId = await character();
    const ids = await times(50, () => conversation(me, characterId));
    const slow = scene('gate n=1');
    const answers = await times(50, (index) => post(me, ids[index] as string, slow.marker));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    const refused = answers.findIndex(({ status }) => status === 429);
    expect(answers[refused]?.headers.get('retry-after')).toBe('10');
    expect(await answers[refused]?.json()).toMatchObject({ code: 'too_many_replies' });
    expect(await messages(me, ids[refused] as string)).toHaveLength(1);
    await slow.open();
    for (const answer of answers.filter(({ status }) => status === 200)) await answer.text();
    expect(shapeOf(await send(me, ids[refused] as string, scene('tokens n=1').marker))).toContain('done');
    expect(await points(me)).toMatchObject({ current_points: 46 });
    expect((await ledger(me)).filter(({ kind }) => kind === 'message')).toHaveLength(4);
    await expectBalancedLedger(me);
  }, 60_000);
});

describe('One reply', () => {
  test('is read in so many places at once, and by others once somebody has left', async () => {
    const me = await guest();
    const id = await conversation(me);
    const slow = scene('gate n=1');
    const first = await post(me, id, slow.marker);
    await slow.reached();
    const readers = await times(31, () => rejoin(me, id));
    const refused = await me.call(`/api/conversations/${id}/stream`);
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ code: 'too_many_readers' });
    await slow.open();
    expect(shapeOf(await (await EventReader.of(first)).rest())).toContain('done');
    expect(readers).toHaveLength(31);
    expect(shapeOf(await send(me, id, scene('tokens n=1').marker))).toContain('done');
  });
});
