import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, inject, test } from 'vitest';
import { ConversationObject } from '../../src/features/conversation/conversation-object.ts';
import type { Rating } from '../../src/features/conversation/character/content-rating.ts';
import type { TurnResult } from '../../src/features/conversation/turn/turn-port.ts';
import { createId } from '../../src/lib/ids.ts';
import { type ConversationClient, startConversationClient } from '../support/conversation-client.ts';
import {
  getLastEvent,
  EventReader,
  type ReceivedEvent,
  summarizeKinds,
  joinDeltas,
} from '../support/event-reader.ts';
import { getConversationStub, signInGuest, createTurnId, getPoints } from '../support/factories.ts';
import { buildReplyScript } from '../support/reply-script.ts';

/** A site with a moderation model, and one whose model does not answer. */
const ANSWERING = () => ({ MODERATION_BASE_URL: inject('moderationUrl') });
const DOWN = () => ({ MODERATION_BASE_URL: env.MODEL_DEEPSEEK_BASE_URL });
/** One that takes what it is asked and never says a word. */
const HANGING = () => ({ MODERATION_BASE_URL: `${inject('moderationUrl')}/hanging` });
const ALONE = () => ({});

type Site = () => object;

/** Does something in a conversation as its object would do it at that site, and reads what is told to its end. */
async function at(
  site: Site,
  chat: ConversationClient,
  act: (
    object: ConversationObject,
    command: Parameters<ConversationObject['answer']>[0],
  ) => Promise<TurnResult>,
  rating: Rating = 'general',
): Promise<ReceivedEvent[]> {
  const told = await runInDurableObject(getConversationStub(chat.id), async (_, ctx) => {
    const object = new ConversationObject(ctx, { ...env, ...site() } as Env);
    const result = await act(object, {
      userId: chat.me.id,
      turnId: createTurnId(),
      model: 'recommended',
      standing: { unlimited: false, timeZone: null },
      rating,
      barred: null,
      lastEventId: null,
      tab: null,
      whereabouts: { country: null, lang: 'en' },
    });
    if (!result.ok) return JSON.stringify(result);
    return new Response(result.events).text();
  });
  const headers = { 'content-type': 'text/event-stream' };
  return (await EventReader.fromResponse(new Response(told, { headers }))).readRest();
}

const sendAt = (site: Site, chat: ConversationClient, content: string, rating?: Rating) =>
  at(site, chat, (object, command) => object.send({ ...command, content }), rating);

/** What the moderation model was asked about that holds a word. */
async function askedAbout(word: string): Promise<string[]> {
  const answer = await fetch(`${inject('moderationUrl')}/control/texts?with=${word}`);
  return (await answer.json<{ text: string }[]>()).map(({ text }) => text);
}

const refusedBy = (events: ReceivedEvent[]) => [
  getLastEvent(events).data.code,
  events.findLast(({ event }) => event === 'safety')?.data.rule,
];

describe('What I write, where a moderation model looks at it', () => {
  test('is refused by what the model finds, and kept nowhere', async () => {
    const chat = await startConversationClient(await signInGuest());
    const events = await sendAt(ANSWERING, chat, 'Something. [[finds:sexual]]');
    expect(refusedBy(events)).toEqual(['text_refused', 'sexual']);
    expect(await chat.messages()).toHaveLength(1);
    expect(await getPoints(chat.me)).toMatchObject({ current_points: 50 });
  });

  test('may be said in a story for adults, but for what may be said nowhere', async () => {
    const chat = await startConversationClient(await signInGuest());
    expect(summarizeKinds(await sendAt(ANSWERING, chat, 'Something. [[finds:sexual]]', 'adult'))).toEqual([
      'accepted',
      'delta',
      'done',
    ]);
    const refused = await sendAt(ANSWERING, chat, 'Something. [[finds:sexual/minors]]', 'adult');
    expect(refusedBy(refused)).toEqual(['text_refused', 'minors']);
  });

  test('shows that I need help where the model sees it and no rule does', async () => {
    const chat = await startConversationClient(await signInGuest());
    const events = await sendAt(ANSWERING, chat, 'The river is deep tonight. [[finds:self-harm/intent]]');
    expect(summarizeKinds(events)).toEqual(['accepted', 'safety', 'delta', 'done']);
    expect(events[1]?.data.kind).toBe('crisis');
  });
});

describe('What is answered, where a moderation model looks at it', () => {
  test('is told sentence by sentence, up to what the model refuses', async () => {
    const chat = await startConversationClient(await signInGuest());
    const said = 'The rain falls. She waits. Then it is done [[finds:hate/threatening]] at last. And more.';
    const events = await sendAt(ANSWERING, chat, `Tell me. ${buildReplyScript(said, 5)}`);
    expect(refusedBy(events)).toEqual(['reply_refused', 'hate']);
    expect(joinDeltas(events)).toBe('The rain falls. She waits.');
    expect((await chat.messages()).at(-1)).toMatchObject({
      content: 'The rain falls. She waits.',
      status: 'interrupted',
      safety: { kind: 'refused', rule: 'hate' },
    });
    expect(await getPoints(chat.me)).toMatchObject({ current_points: 50 });
  });

  test('is told whole where nothing is found, word for word', async () => {
    const chat = await startConversationClient(await signInGuest());
    const said = 'The rain falls. «She waits!» Why… nobody knows\nNot even she, and there is no end to it';
    const events = await sendAt(ANSWERING, chat, `Tell me. ${buildReplyScript(said, 3)}`);
    expect([joinDeltas(events), getLastEvent(events).event]).toEqual([said, 'done']);
    expect((await chat.messages()).at(-1)?.content).toBe(said);
  });
});

describe('While the moderation model does not answer', () => {
  test('a plain chat goes on, and the rules hold', async () => {
    const chat = await startConversationClient(await signInGuest());
    expect(summarizeKinds(await sendAt(DOWN, chat, 'Hello.'))).toEqual(['accepted', 'delta', 'done']);
    const refused = await sendAt(DOWN, chat, 'She is 15 years old. They have sex.');
    expect(refusedBy(refused)).toEqual(['text_refused', 'minors']);
    const reply = await sendAt(
      DOWN,
      chat,
      `Tell me. ${buildReplyScript('Lena is 15 years old. They have sex.', 100)}`,
    );
    expect(refusedBy(reply)).toEqual(['reply_refused', 'minors']);
  });

  test('in a story for adults nothing is said and nothing is charged: what I wrote comes back, and so does a reply', async () => {
    const chat = await startConversationClient(await signInGuest());
    expect(refusedBy(await sendAt(DOWN, chat, 'Hello.', 'adult'))).toEqual([
      'moderation_unavailable',
      'unavailable',
    ]);
    await chat.send('Hello.');
    const reply = (await chat.messages()).at(-1);
    const before = await getPoints(chat.me);
    const again = await at(
      DOWN,
      chat,
      (object, command) => object.regenerate({ ...command, replyId: reply?.id ?? '' }),
      'adult',
    );
    expect(refusedBy(again)).toEqual(['reply_refused', 'unavailable']);
    expect((await chat.messages()).at(-1)?.content).toBe(reply?.content);
    expect(await getPoints(chat.me)).toEqual(before);
  });

  test('a plain chat waits for it once and not for every sentence, and the rules hold', async () => {
    const chat = await startConversationClient(await signInGuest());
    const told = 'The rain falls. She waits. Nobody comes. The lamp goes out. It is morning.';
    const begun = Date.now();
    const events = await sendAt(HANGING, chat, `Tell me. ${buildReplyScript(told, 5)}`);
    expect(Date.now() - begun).toBeLessThan(10_000);
    expect(summarizeKinds(events)).toEqual(['accepted', 'delta', 'done']);
    expect(joinDeltas(events)).toBe(told);
    const refused = await sendAt(HANGING, chat, 'She is 15 years old. They have sex.');
    expect(refusedBy(refused)).toEqual(['text_refused', 'minors']);
  });

  test('I am still told where help is', async () => {
    const chat = await startConversationClient(await signInGuest());
    for (const rating of ['general', 'adult'] as const) {
      const events = await sendAt(DOWN, chat, 'I want to kill myself.', rating);
      expect(events.find(({ event }) => event === 'safety')?.data.kind).toBe('crisis');
    }
  });
});

test('Where no moderation model is configured, nobody is asked', async () => {
  const chat = await startConversationClient(await signInGuest());
  const word = createId(Date.now());
  expect(
    summarizeKinds(
      await sendAt(ALONE, chat, `${word} [[finds:sexual/minors]] ${buildReplyScript(`${word}.`)}`),
    ),
  ).toEqual(['accepted', 'delta', 'done']);
  expect(await askedAbout(word)).toEqual([]);
});
