import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest';
import { openDatabase } from '../../../../src/db/open.ts';
import { readEnvironment } from '../../../../src/env/read-environment.ts';
import { type ChosenModel, chooseModel } from '../../../../src/features/model/choose-model.ts';
import { canAnswer, recordUsage, resetModelState } from '../../../../src/features/model/model-gateway.ts';
import { listDailyTokens } from '../../../../src/features/model/daily-spend-gateway.ts';
import { ConfiguredVisitor } from '../../../support/configured-visitor.ts';
import { createAccount, type Visitor } from '../../../support/factories.ts';
import { resetModelConfig, changeConfig } from '../../model-config.ts';

beforeEach(resetModelConfig);
afterEach(resetModelConfig);

const setNickname = (of: Visitor, word: string): Promise<Response> =>
  new ConfiguredVisitor({ MODERATION_BASE_URL: inject('moderationUrl') }, of).call('/api/account', {
    method: 'PATCH',
    json: { nickname: word },
  });
const listCheckedTexts = async (word: string): Promise<unknown[]> =>
  (await fetch(`${inject('moderationUrl')}/control/texts?with=${word}`)).json();
const spendTokens = async (model: string, promptTokens: number): Promise<void> => {
  await recordUsage(env, { model, promptTokens, replyTokens: 0 });
  resetModelState();
};
const canReply = (): Promise<boolean> =>
  canAnswer(env, chooseModel(readEnvironment(env).models, 'loreloom', 'roleplay', false) as ChosenModel);

test('the moderation model has its own daily budget, separate from the one for replies', async () => {
  await changeConfig({ model_budget_tokens_per_day: 1000, model_budget_cents_per_day: null });
  const me = await createAccount();
  expect((await setNickname(me, 'Adalind')).status).toBe(200);
  // A reply of another test may still be recorded.
  await vi.waitFor(async () => {
    expect(await listDailyTokens(openDatabase(env.DB), Date.now())).toContainEqual(
      expect.objectContaining({ model: 'moderation', replyTokens: 30 }),
    );
  });
  await spendTokens('loreloom', 1500);
  expect(await canReply()).toBe(false);
  expect((await setNickname(me, 'Berengar')).status).toBe(200);
  expect(await listCheckedTexts('Berengar')).toHaveLength(1);
  await spendTokens('moderation', 1000);
  const answer = await setNickname(me, 'Clothilde');
  expect([answer.status, await answer.json()]).toEqual([
    503,
    expect.objectContaining({ code: 'moderation_unavailable' }),
  ]);
  expect(await listCheckedTexts('Clothilde')).toEqual([]);
});

test('replies are written however much the moderation model was asked', async () => {
  await changeConfig({ model_budget_tokens_per_day: 1000, model_budget_cents_per_day: null });
  await spendTokens('moderation', 5000);
  expect(await canReply()).toBe(true);
});

test('a user’s moderation requests are limited per day', async () => {
  await changeConfig({ person_model_tokens_per_day: 1 });
  const me = await createAccount();
  expect((await setNickname(me, 'Dagobert')).status).toBe(200);
  const answer = await setNickname(me, 'Ekkehard');
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '3600']);
  expect(await listCheckedTexts('Ekkehard')).toEqual([]);
  // A request that the moderation model did not answer does not count.
  const other = await createAccount();
  const unmoderated = new ConfiguredVisitor({ MODERATION_BASE_URL: env.MODEL_DEEPSEEK_BASE_URL }, other);
  for (let tries = 0; tries < 2; tries += 1) {
    const unanswered = await unmoderated.call('/api/account', {
      method: 'PATCH',
      json: { nickname: 'Ekkehard' },
    });
    expect(unanswered.status).toBe(503);
  }
  expect((await setNickname(other, 'Folkmar')).status).toBe(200);
  // Nothing is counted where no model is asked, and the limit is per user.
  expect((await me.call('/api/account', { method: 'PATCH', json: { nickname: 'Ekkehard' } })).status).toBe(
    200,
  );
  expect((await setNickname(await createAccount(), 'Ekkehard')).status).toBe(200);
});
