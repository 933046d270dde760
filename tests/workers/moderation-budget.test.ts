import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest';
import { openDatabase } from '../../src/db/open.ts';
import { readEnvironment } from '../../src/environment.ts';
import { type ChosenModel, chooseModel } from '../../src/features/model/choice.ts';
import { canAnswer, countBeside, forgetModels } from '../../src/features/model/model-ports.ts';
import { tokensOfDay } from '../../src/features/model/spend-store.ts';
import { ElsewhereVisitor } from '../support/elsewhere.ts';
import { signedIn, type Visitor } from '../support/makers.ts';
import { asItWas, set } from './model-books.ts';

beforeEach(asItWas);
afterEach(asItWas);

test('What a moderation model is asked counts in the books of models, outlasts the replies, and ends at twice the budget', async () => {
  const name = (of: Visitor, word: string) =>
    new ElsewhereVisitor({ MODERATION_BASE_URL: inject('moderationUrl') }, of).call('/api/account', {
      method: 'PATCH',
      json: { nickname: word },
    });
  const askedAbout = async (word: string): Promise<unknown[]> =>
    (await fetch(`${inject('moderationUrl')}/control/texts?with=${word}`)).json();
  const model = chooseModel(readEnvironment(env).models, 'loreloom', 'roleplay', false) as ChosenModel;
  const books = () => tokensOfDay(openDatabase(env.DB), Date.now());
  const spent = async (promptTokens: number): Promise<void> => {
    await countBeside(env, { model: 'loreloom', promptTokens, replyTokens: 0 });
    forgetModels();
  };
  await set({ model_budget_tokens_per_day: 1000, model_budget_cents_per_day: null });
  const me = await signedIn();
  expect((await name(me, 'Adalind')).status).toBe(200);
  await vi.waitFor(async () => {
    expect(await books()).toMatchObject([{ model: 'moderation', replyTokens: 30 }]);
  });
  await spent(1500);
  expect(await canAnswer(env, model)).toBe(false);
  expect((await name(me, 'Berengar')).status).toBe(200);
  expect(await askedAbout('Berengar')).toHaveLength(1);
  await spent(500);
  const answer = await name(me, 'Clothilde');
  expect([answer.status, await answer.json()]).toEqual([
    503,
    expect.objectContaining({ code: 'moderation_unavailable' }),
  ]);
  expect(await askedAbout('Clothilde')).toEqual([]);
});
