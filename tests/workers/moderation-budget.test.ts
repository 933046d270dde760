import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest';
import { openDatabase } from '../../src/db/open.ts';
import { readEnvironment } from '../../src/env/read-environment.ts';
import { type ChosenModel, chooseModel } from '../../src/features/model/choose-model.ts';
import { canAnswer, recordUsage, resetModelState } from '../../src/features/model/model-gateway.ts';
import { listDailyTokens } from '../../src/features/model/spend-store.ts';
import { ConfiguredVisitor } from '../support/configured-visitor.ts';
import { createAccount, type Visitor } from '../support/factories.ts';
import { asItWas, set } from './model-books.ts';

beforeEach(asItWas);
afterEach(asItWas);

const name = (of: Visitor, word: string): Promise<Response> =>
  new ConfiguredVisitor({ MODERATION_BASE_URL: inject('moderationUrl') }, of).call('/api/account', {
    method: 'PATCH',
    json: { nickname: word },
  });
const askedAbout = async (word: string): Promise<unknown[]> =>
  (await fetch(`${inject('moderationUrl')}/control/texts?with=${word}`)).json();
const spent = async (model: string, promptTokens: number): Promise<void> => {
  await recordUsage(env, { model, promptTokens, replyTokens: 0 });
  resetModelState();
};
const answers = (): Promise<boolean> =>
  canAnswer(env, chooseModel(readEnvironment(env).models, 'loreloom', 'roleplay', false) as ChosenModel);

test('What a moderation model is asked has a budget of its own: it outlasts the replies, and takes none from them', async () => {
  await set({ model_budget_tokens_per_day: 1000, model_budget_cents_per_day: null });
  const me = await createAccount();
  expect((await name(me, 'Adalind')).status).toBe(200);
  await vi.waitFor(async () => {
    expect(await listDailyTokens(openDatabase(env.DB), Date.now())).toMatchObject([
      { model: 'moderation', replyTokens: 30 },
    ]);
  });
  await spent('loreloom', 1500);
  expect(await answers()).toBe(false);
  expect((await name(me, 'Berengar')).status).toBe(200);
  expect(await askedAbout('Berengar')).toHaveLength(1);
  await spent('moderation', 1000);
  const answer = await name(me, 'Clothilde');
  expect([answer.status, await answer.json()]).toEqual([
    503,
    expect.objectContaining({ code: 'moderation_unavailable' }),
  ]);
  expect(await askedAbout('Clothilde')).toEqual([]);
});

test('However much a moderation model was asked, replies are written', async () => {
  await set({ model_budget_tokens_per_day: 1000, model_budget_cents_per_day: null });
  await spent('moderation', 5000);
  expect(await answers()).toBe(true);
});

test('Nobody has a moderation model read more on a day than their own bound', async () => {
  await set({ person_model_tokens_per_day: 1 });
  const me = await createAccount();
  expect((await name(me, 'Dagobert')).status).toBe(200);
  const answer = await name(me, 'Ekkehard');
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '3600']);
  expect(await askedAbout('Ekkehard')).toEqual([]);
  // What was not read does not count: here nothing answers.
  const other = await createAccount();
  const nobody = new ConfiguredVisitor({ MODERATION_BASE_URL: env.MODEL_DEEPSEEK_BASE_URL }, other);
  for (let tries = 0; tries < 2; tries += 1) {
    const unread = await nobody.call('/api/account', { method: 'PATCH', json: { nickname: 'Ekkehard' } });
    expect(unread.status).toBe(503);
  }
  expect((await name(other, 'Folkmar')).status).toBe(200);
  // Where no model is asked nothing is counted, and somebody else's day is their own.
  expect((await me.call('/api/account', { method: 'PATCH', json: { nickname: 'Ekkehard' } })).status).toBe(
    200,
  );
  expect((await name(await createAccount(), 'Ekkehard')).status).toBe(200);
});
