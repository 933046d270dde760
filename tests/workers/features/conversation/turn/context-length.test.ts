import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test } from 'vitest';
import { readEnvironment } from '../../../../../src/env/read-environment.ts';
import { chooseModel, type ChosenModel } from '../../../../../src/features/model/choose-model.ts';
import {
  readContextRatios,
  rememberContextRatio,
} from '../../../../../src/features/model/context-ratio-gateway.ts';
import { resetModelState, streamCompletion } from '../../../../../src/features/model/model-gateway.ts';
import type { ModelTokens } from '../../../../../src/features/model/spend.ts';
import type { ContextRecord } from '../../../../../src/features/conversation/memory/memory-contract.ts';
import { ConversationClient } from '../../../../support/conversation-client.ts';
import { getLastEvent, joinDeltas, summarizeKinds } from '../../../../support/event-reader.ts';
import {
  createTurnId,
  expectBalancedLedger,
  getPoints,
  listLedger,
  signInGuest,
  startConversation,
} from '../../../../support/factories.ts';
import { type RecordedRequest, SUGGESTIONS } from '../../../../support/model-server.mjs';
import { createScene, forgetContextRatios } from '../../../../support/scripted-model.ts';

const OLD_MESSAGES = 80;

afterEach(async () => {
  resetModelState();
  await forgetContextRatios();
});

const chooseLoreloom = () => chooseModel(readEnvironment(env).models, 'loreloom', 'roleplay') as ChosenModel;

interface RequestBody {
  messages: { role: string; content: string }[];
}
const readAllMessages = (request: RecordedRequest | undefined) =>
  (request?.body as RequestBody | undefined)?.messages ?? [];
const readMessages = (request: RecordedRequest | undefined) =>
  readAllMessages(request).filter(({ role }) => role !== 'system');
const countChars = (request: RecordedRequest | undefined): number =>
  readAllMessages(request).reduce((sum, { content }) => sum + content.length, 0);
/** What the model saw when it wrote the last reply. */
const readContext = async (chat: ConversationClient): Promise<ContextRecord> =>
  chat.ask(`/messages/${(await chat.messages()).at(-1)?.id}/context`);
const countHistory = ({ sections }: ContextRecord): number => {
  const history = sections.find((section) => section.kind === 'history');
  return history?.kind === 'history' ? history.messages.length : 0;
};

/** A long conversation, and the characters of its next prompt. */
async function startLongConversation(language: 'latin' | 'cyrillic' = 'latin') {
  const me = await signInGuest();
  const chat = new ConversationClient(me, await startConversation(me));
  const line =
    language === 'latin'
      ? 'The rain goes on, and the lamp turns over the water.'
      : 'Дождь всё идёт, и лампа поворачивается над водой.';
  await chat.insertMessages(...Array.from({ length: OLD_MESSAGES }, (_, index) => `${index}. ${line}`));
  const plain = createScene('tokens n=2');
  await chat.send(plain.marker);
  const [request] = await plain.requests();
  return { me, chat, chars: countChars(request), count: readMessages(request).length };
}

describe('A prompt that is too long for the provider', () => {
  test.each([
    ['says by how much', 'figures=1'],
    ['only says so', 'figures=0'],
  ])('it is sent once more with half of the messages when the provider %s', async (_, figures) => {
    const { me, chat, chars, count } = await startLongConversation();
    const before = await getPoints(me);
    const scene = createScene(`window chars=${chars - 200} ${figures}`);
    const events = await chat.send(`And now? ${scene.marker}`);

    expect(summarizeKinds(events)).toEqual(['accepted', 'delta', 'done']);
    expect(getLastEvent(events).data).toMatchObject({ context_shortened: true });
    const requests = await scene.requests();
    expect(requests).toHaveLength(2);
    const [first, second] = requests.map(readMessages);
    expect(first?.length).toBeGreaterThan(count);
    expect(second?.length).toBeLessThanOrEqual((first?.length ?? 0) / 2 + 2);
    expect(second?.length).toBeGreaterThan((first?.length ?? 0) / 3);
    expect(second?.at(-1)).toEqual(first?.at(-1));

    // What the model saw is what it was really sent.
    const context = await readContext(chat);
    expect(context).toMatchObject({ shortened: true });
    expect(countHistory(context)).toBe(second?.length);

    // One reply, one point, one entry.
    const after = await getPoints(me);
    expect(after.current_points).toBe(before.current_points - 1);
    const reply = (await chat.messages()).at(-1);
    expect((await listLedger(me)).filter((entry) => entry.message_id === reply?.id)).toHaveLength(1);
    await expectBalancedLedger(me);

    // The next turn is right at once.
    const next = createScene(`window chars=${chars - 200} ${figures}`);
    const nextEvents = await chat.send(`And then? ${next.marker}`);
    expect(getLastEvent(nextEvents).data).not.toHaveProperty('context_shortened');
    expect(await next.requests()).toHaveLength(1);
    expect(await readContext(chat)).not.toHaveProperty('shortened');
  });

  test('a history that was halved grows from there if the provider said by how much it was too long', async () => {
    const readLengths = async (figures: 0 | 1) => {
      const { chat, chars } = await startLongConversation();
      const scene = createScene(`window chars=${chars - 200} figures=${figures}`);
      await chat.send(`And now? ${scene.marker}`);
      await chat.send(`And then? ${scene.marker}`);
      resetModelState();
      await forgetContextRatios();
      return (await scene.requests()).map((request) => readMessages(request).length);
    };
    const [, half, next, ...others] = await readLengths(1);
    expect(next).toBe((half ?? 0) + 2);
    expect(others).toEqual([]);
    // Without numbers the half is all that is known to fit, so it is cut like every history that has no room left.
    const [, otherHalf, cut, ...more] = await readLengths(0);
    expect(cut).toBeLessThan(otherHalf ?? 0);
    expect(more).toEqual([]);
  });

  test('the window of one script says nothing about another, and is known after a restart', async () => {
    const latin = await startLongConversation();
    const scene = () => createScene(`window chars=${latin.chars - 200} figures=0`);
    await latin.chat.send(scene().marker);
    const russian = await startLongConversation('cyrillic');
    expect(russian.count).toBe(latin.count);
    // Only KV knows it now.
    resetModelState();
    const known = scene();
    await latin.chat.send(known.marker);
    expect(await known.requests()).toHaveLength(1);
  });

  test('what refusals have taught is bounded, and forgotten when the operator changes a setting', async () => {
    const model = chooseLoreloom();
    rememberContextRatio(env, model, 'latin', 1000);
    rememberContextRatio(env, model, 'cyrillic', 0.5);
    expect(await readContextRatios(env, model)).toEqual({ latin: 16, cyrillic: 1 });
    for (const corrected of [{ contextTokens: model.contextTokens / 2 }, { tokenizer: 'tekken' } as const])
      expect(await readContextRatios(env, { ...model, ...corrected })).toEqual({});
  });

  test('a server that refuses every length is asked twice, costs nothing, and is sent less the next time', async () => {
    const { me, chat } = await startLongConversation();
    const before = await getPoints(me);
    const scene = createScene('window chars=10 figures=0');
    const events = await chat.send(`Anyone? ${scene.marker}`);
    expect(joinDeltas(events)).toBe('');
    expect(getLastEvent(events).data).toMatchObject({ code: 'context_too_long' });
    expect(await getPoints(me)).toMatchObject({ current_points: before.current_points });
    await expectBalancedLedger(me);
    const reply = (await chat.messages()).at(-1);
    await chat.regenerate(reply?.id as string);
    const lengths = (await scene.requests()).map((request) => readMessages(request).length);
    expect(lengths).toHaveLength(4);
    expect(lengths[2]).toBeLessThan(lengths[1] as number);
  });

  test('a request that is refused for its length is not counted in budgets and figures', async () => {
    const model = chooseLoreloom();
    const ask = async (scenario: string) => {
      const spent: ModelTokens[] = [];
      const messages = [{ role: 'user' as const, content: createScene(scenario).marker }];
      const request = { messages, maxTokens: 100, temperature: 1 };
      const { signal } = new AbortController();
      const parts = streamCompletion(env, model, request, {
        signal,
        spent: (tokens) => void spent.push(tokens),
      });
      const last = (await Array.fromAsync(parts)).at(-1);
      return { last, spent };
    };
    expect(await ask('window chars=1')).toMatchObject({ last: { code: 'too_long' }, spent: [] });
    expect(await ask('window chars=9000')).toMatchObject({
      last: { kind: 'finish' },
      spent: [{ model: 'loreloom' }],
    });
  });

  test('suggestions are asked for once more with less, too', async () => {
    const { chat, chars } = await startLongConversation();
    const scene = createScene(`window chars=${chars - 1500} then=suggestions`);
    await chat.insertMessages(`Where to? ${scene.marker.replace('scenario:', 'suggestions:')}`, 'North.');
    const answer = await chat.ask<{ items: string[] }>('/suggestions', {
      json: { client_message_id: createTurnId() },
    });
    expect(answer.items).toEqual(SUGGESTIONS);
    const [first, second, ...others] = (await scene.requests()).map((one) => readMessages(one).length);
    expect(second).toBeLessThan((first ?? 0) / 2 + 2);
    expect(others).toEqual([]);
    await expectBalancedLedger(chat.me);
  });
});
