import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, inject, test } from 'vitest';
import { ConversationObject } from '../../../../../src/features/conversation/conversation-object.ts';
import type { TurnRequest } from '../../../../../src/features/conversation/turn/turn-port.ts';
import { createId } from '../../../../../src/lib/ids.ts';
import { type ConversationClient, startConversationClient } from '../../../../support/conversation-client.ts';
import {
  getLastEvent,
  EventReader,
  type ReceivedEvent,
  summarizeKinds,
  joinDeltas,
} from '../../../../support/event-reader.ts';
import { getConversationStub, signInGuest, getPoints } from '../../../../support/factories.ts';
import { buildReplyScript } from '../../../../support/reply-script.ts';
import { allowAdultReplies, buildTurnRequest } from '../../../../support/turn-requests.ts';

/** A site with a moderation model, and one whose model does not answer. */
const ANSWERING = () => ({ MODERATION_BASE_URL: inject('moderationUrl') });
const DOWN = () => ({ MODERATION_BASE_URL: env.MODEL_DEEPSEEK_BASE_URL });
/** A moderation model that accepts the request and never answers. */
const HANGING = () => ({ MODERATION_BASE_URL: `${inject('moderationUrl')}/hanging` });
const UNCONFIGURED = () => ({});

type Site = () => object;

type RunTurn = (object: ConversationObject, request: TurnRequest) => ReturnType<ConversationObject['answer']>;

/** Runs a turn in the conversation’s object as configured at this site, and reads its events to the end. */
async function runTurnAt(site: Site, chat: ConversationClient, act: RunTurn): Promise<ReceivedEvent[]> {
  const request = await buildTurnRequest(chat.me, chat.id);
  const text = await runInDurableObject(getConversationStub(chat.id), async (_, ctx) => {
    const object = new ConversationObject(ctx, { ...env, ...site() } as Env);
    const result = await act(object, request);
    if (!result.ok) return JSON.stringify(result);
    return new Response(result.events).text();
  });
  const headers = { 'content-type': 'text/event-stream' };
  return (await EventReader.fromResponse(new Response(text, { headers }))).readRest();
}

const sendAt = (site: Site, chat: ConversationClient, content: string) =>
  runTurnAt(site, chat, (object, request) => object.send({ ...request, content }));

/** Starts a conversation with a character for adults. */
async function startAdultConversation(): Promise<ConversationClient> {
  const chat = await startConversationClient(await signInGuest());
  await allowAdultReplies(chat.me, chat.id);
  return chat;
}

/** The texts with this word that the moderation model was asked about. */
async function listCheckedTexts(word: string): Promise<string[]> {
  const answer = await fetch(`${inject('moderationUrl')}/control/texts?with=${word}`);
  return (await answer.json<{ text: string }[]>()).map(({ text }) => text);
}

const getRefusal = (events: ReceivedEvent[]) => [
  getLastEvent(events).data.code,
  events.findLast(({ event }) => event === 'safety')?.data.rule,
];

describe('Moderated messages', () => {
  test('a message that the moderation model finds sexual is refused and not stored', async () => {
    const chat = await startConversationClient(await signInGuest());
    const events = await sendAt(ANSWERING, chat, 'Something. [[finds:sexual]]');
    expect(getRefusal(events)).toEqual(['text_refused', 'sexual']);
    expect(await chat.messages()).toHaveLength(1);
    expect(await getPoints(chat.me)).toMatchObject({ current_points: 50 });
  });

  test('a sexual message is allowed in an adult conversation, except about minors', async () => {
    const chat = await startAdultConversation();
    expect(summarizeKinds(await sendAt(ANSWERING, chat, 'Something. [[finds:sexual]]'))).toEqual([
      'accepted',
      'delta',
      'done',
    ]);
    const refused = await sendAt(ANSWERING, chat, 'Something. [[finds:sexual/minors]]');
    expect(getRefusal(refused)).toEqual(['text_refused', 'minors']);
  });

  test('a message shows the crisis notice when the moderation model finds self-harm', async () => {
    const chat = await startConversationClient(await signInGuest());
    const events = await sendAt(ANSWERING, chat, 'The river is deep tonight. [[finds:self-harm/intent]]');
    expect(summarizeKinds(events)).toEqual(['accepted', 'safety', 'delta', 'done']);
    expect(events[1]?.data.kind).toBe('crisis');
  });
});

describe('Moderated replies', () => {
  test('a reply is streamed by sentence up to the one that the moderation model refuses', async () => {
    const chat = await startConversationClient(await signInGuest());
    const script = 'The rain falls. She waits. Then it is done [[finds:hate/threatening]] at last. And more.';
    const events = await sendAt(ANSWERING, chat, `Tell me. ${buildReplyScript(script, 5)}`);
    expect(getRefusal(events)).toEqual(['reply_refused', 'hate']);
    expect(joinDeltas(events)).toBe('The rain falls. She waits.');
    expect((await chat.messages()).at(-1)).toMatchObject({
      content: 'The rain falls. She waits.',
      status: 'interrupted',
      safety: { kind: 'refused', rule: 'hate' },
    });
    expect(await getPoints(chat.me)).toMatchObject({ current_points: 50 });
  });

  test('a reply without findings is streamed completely and unchanged', async () => {
    const chat = await startConversationClient(await signInGuest());
    const script = 'The rain falls. «She waits!» Why… nobody knows\nNot even she, and there is no end to it';
    const events = await sendAt(ANSWERING, chat, `Tell me. ${buildReplyScript(script, 3)}`);
    expect([joinDeltas(events), getLastEvent(events).event]).toEqual([script, 'done']);
    expect((await chat.messages()).at(-1)?.content).toBe(script);
  });
});

describe('Unanswering moderation model', () => {
  test('a general conversation continues under the local rules while moderation does not answer', async () => {
    const chat = await startConversationClient(await signInGuest());
    expect(summarizeKinds(await sendAt(DOWN, chat, 'Hello.'))).toEqual(['accepted', 'delta', 'done']);
    const refused = await sendAt(DOWN, chat, 'She is 15 years old. They have sex.');
    expect(getRefusal(refused)).toEqual(['text_refused', 'minors']);
    const reply = await sendAt(
      DOWN,
      chat,
      `Tell me. ${buildReplyScript('Lena is 15 years old. They have sex.', 100)}`,
    );
    expect(getRefusal(reply)).toEqual(['reply_refused', 'minors']);
  });

  test('an adult conversation is refused for free while moderation does not answer, and keeps its reply', async () => {
    const chat = await startAdultConversation();
    expect(getRefusal(await sendAt(DOWN, chat, 'Hello.'))).toEqual(['moderation_unavailable', 'unavailable']);
    await chat.send('Hello.');
    const reply = (await chat.messages()).at(-1);
    const before = await getPoints(chat.me);
    const again = await runTurnAt(DOWN, chat, (object, request) =>
      object.regenerate({ ...request, replyId: reply?.id ?? '' }),
    );
    expect(getRefusal(again)).toEqual(['reply_refused', 'unavailable']);
    expect((await chat.messages()).at(-1)?.content).toBe(reply?.content);
    expect(await getPoints(chat.me)).toEqual(before);
  });

  test('a hanging moderation model delays a general reply once and not for every sentence', async () => {
    const chat = await startConversationClient(await signInGuest());
    const text = 'The rain falls. She waits. Nobody comes. The lamp goes out. It is morning.';
    const start = Date.now();
    const events = await sendAt(HANGING, chat, `Tell me. ${buildReplyScript(text, 5)}`);
    expect(Date.now() - start).toBeLessThan(10_000);
    expect(summarizeKinds(events)).toEqual(['accepted', 'delta', 'done']);
    expect(joinDeltas(events)).toBe(text);
    const refused = await sendAt(HANGING, chat, 'She is 15 years old. They have sex.');
    expect(getRefusal(refused)).toEqual(['text_refused', 'minors']);
  });

  test('a crisis message still shows the crisis notice while moderation does not answer', async () => {
    for (const chat of [await startConversationClient(await signInGuest()), await startAdultConversation()]) {
      const events = await sendAt(DOWN, chat, 'I want to kill myself.');
      expect(events.find(({ event }) => event === 'safety')?.data.kind).toBe('crisis');
    }
  });
});

test('no moderation model is asked where none is configured', async () => {
  const chat = await startConversationClient(await signInGuest());
  const word = createId(Date.now());
  expect(
    summarizeKinds(
      await sendAt(UNCONFIGURED, chat, `${word} [[finds:sexual/minors]] ${buildReplyScript(`${word}.`)}`),
    ),
  ).toEqual(['accepted', 'delta', 'done']);
  expect(await listCheckedTexts(word)).toEqual([]);
});
