// Over 400 lines: what each kind of restart takes from a reply and leaves of it, over one set of interrupted turns.
import {
  abortAllDurableObjects,
  evictDurableObject,
  runDurableObjectAlarm,
  runInDurableObject,
} from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import type { ChatList } from '../../../../../src/features/conversation/contract.ts';
import { ConversationObject } from '../../../../../src/features/conversation/conversation-object.ts';
import {
  getLastEvent,
  type EventReader,
  summarizeKinds,
  joinDeltas,
} from '../../../../support/event-reader.ts';
import {
  startTurn,
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
  sendMessage,
  type Visitor,
  getWalletStub,
} from '../../../../support/factories.ts';
import { createScene, type ModelScene } from '../../../../support/scripted-model.ts';
import { buildTurnRequest } from '../../../../support/turn-requests.ts';

const FIRST_WORDS = 'w0 w1 w2 w3 w4';

/** Waits until the conversation's storage, not only its memory, contains part of the reply. */
async function waitForCheckpoint(id: string): Promise<void> {
  await vi.waitFor(
    () =>
      runInDurableObject(getConversationStub(id), (_, { storage }) => {
        const saved = storage.sql.exec("select 1 from messages where content like 'w0%'").toArray();
        expect(saved).toHaveLength(1);
      }),
    { timeout: 4000, interval: 50 },
  );
}

interface Interrupted {
  me: Visitor;
  id: string;
  turnId: string;
  gate: ModelScene;
  reader: EventReader;
}

/** Starts a turn and stops reading after part of the reply is stored. */
async function startPartialReply(): Promise<Interrupted> {
  const me = await signInGuest();
  const id = await startConversation(me);
  const gate = createScene('gate n=5');
  const turnId = createTurnId();
  const reader = await startTurn(me, id, `Go on. ${gate.marker}`, { turnId });
  await reader.readUntilText((text) => text === FIRST_WORDS);
  await waitForCheckpoint(id);
  return { me, id, turnId, gate, reader };
}

async function expectStoredAndFree({ me, id }: Interrupted): Promise<void> {
  const [, userMessage, reply] = await listMessages(me, id);
  expect(userMessage?.content).toMatch(/^Go on\./);
  expect(reply).toMatchObject({
    content: FIRST_WORDS,
    status: 'interrupted',
    error_code: 'reply_interrupted',
  });
  expect(await getPoints(me)).toMatchObject({ current_points: 50, daily_messages_used: 0 });
  await expectBalancedLedger(me);
  expect(await listLedger(me)).toContainEqual(
    expect.objectContaining({ kind: 'message_free', amount: 0, conversation_id: id, message_id: reply?.id }),
  );
}

describe('Restarts during a reply', () => {
  test('a turn sets an alarm although the clock was set back after the alarm of an earlier turn', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    await sendMessage(me, id, 'Hello [[scenario:tokens n=2 ms=0]]');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 150_000 });
    await runDurableObjectAlarm(getConversationStub(id));
    vi.useRealTimers();
    await runInDurableObject(getConversationStub(id), (_, { storage }) => storage.deleteAlarm());
    const reader = await startTurn(me, id, 'And again [[scenario:tokens n=500 ms=20]]');
    const alarm = await runInDurableObject(getConversationStub(id), (_, { storage }) => storage.getAlarm());
    expect(alarm).toBeGreaterThan(Date.now());
    await reader.disconnect();
  });

  test('a restart keeps the partial reply, charges nothing and allows the next message at once', async () => {
    const turn = await startPartialReply();
    await abortAllDurableObjects();
    await expectStoredAndFree(turn);
    const events = await sendMessage(turn.me, turn.id, `And now? ${createScene('tokens n=3').marker}`);
    expect(joinDeltas(events)).toBe('w0 w1 w2');
    expect(await listMessages(turn.me, turn.id)).toHaveLength(5);
    expect(await getPoints(turn.me)).toMatchObject({ current_points: 49 });
    await expectBalancedLedger(turn.me);
  });

  test("the reader's stream ends when the server restarts", async () => {
    const { reader } = await startPartialReply();
    await abortAllDurableObjects();
    // A browser notices either way of ending.
    await reader.readRest().catch(() => null);
    expect(joinDeltas(reader.receivedEvents)).toBe(FIRST_WORDS);
  });

  test('repeating the interrupted message returns the stored part without sending or charging it', async () => {
    const turn = await startPartialReply();
    await abortAllDurableObjects();
    const events = await sendMessage(turn.me, turn.id, 'Go on.', { turnId: turn.turnId });
    expect(summarizeKinds(events)).toEqual(['accepted', 'delta', 'error']);
    expect(joinDeltas(events)).toBe(FIRST_WORDS);
    expect(getLastEvent(events).data).toMatchObject({
      code: 'reply_interrupted',
      reply: { status: 'interrupted' },
    });
    expect(await listMessages(turn.me, turn.id)).toHaveLength(3);
    await expectStoredAndFree(turn);
  });

  test('an interrupted reply is unread until its conversation is opened', async () => {
    const { me, id } = await startPartialReply();
    await abortAllDurableObjects();
    expect(await runDurableObjectAlarm(getConversationStub(id))).toBe(true);
    const [listed] = (await me.ask<ChatList>('/api/chats')).chats;
    expect(listed).toMatchObject({ id, unread: true, message_count: 3 });
  });

  test('an interrupted reply can be regenerated', async () => {
    const turn = await startPartialReply();
    await abortAllDurableObjects();
    const reply = await getLastMessage(turn.me, turn.id);
    await turn.gate.open();
    const response = await turn.me.call(`/api/conversations/${turn.id}/messages/${reply.id}/regenerate`, {
      json: { client_message_id: createTurnId() },
    });
    expect(await response.text()).toContain('event: done');
    const after = await getLastMessage(turn.me, turn.id);
    expect(after).toMatchObject({
      id: reply.id,
      status: 'complete',
      content: `${FIRST_WORDS} w5 w6 w7 w8 w9`,
    });
    expect(after).not.toHaveProperty('error_code');
    expect(after.versions).toHaveLength(2);
  });

  test('the points of an interrupted reply are refunded without a visit to the conversation', async () => {
    const { me, id } = await startPartialReply();
    expect(await getPoints(me)).toMatchObject({ current_points: 49 });
    await abortAllDurableObjects();
    expect(await runDurableObjectAlarm(getConversationStub(id))).toBe(true);
    expect(await getPoints(me)).toMatchObject({ current_points: 50 });
    expect(await listLedger(me)).toContainEqual(
      expect.objectContaining({ kind: 'message_free', conversation_id: id }),
    );
    await expectBalancedLedger(me);
    expect(await getLastMessage(me, id)).toMatchObject({ status: 'interrupted', content: FIRST_WORDS });
  });

  test('a turn whose end could not be stored is settled later and does not block the conversation', async () => {
    const { me, id, gate, reader } = await startPartialReply();
    const run = (statement: string) =>
      runInDurableObject(getConversationStub(id), (_, { storage }) => {
        storage.sql.exec(statement);
      });
    await run(
      "create trigger failing before update of settlements on meta begin select raise(abort, 'cannot be stored'); end",
    );
    await gate.open();
    await reader.readRest();
    await run('drop trigger failing');
    expect(await runDurableObjectAlarm(getConversationStub(id))).toBe(true);
    expect(await getLastMessage(me, id)).toMatchObject({ status: 'interrupted', content: FIRST_WORDS });
    expect(await getPoints(me)).toMatchObject({ current_points: 50 });
    await expectBalancedLedger(me);
    expect(summarizeKinds(await sendMessage(me, id))).toEqual(['accepted', 'delta', 'done']);
  });

  test('a turn whose end could not be stored is ended before the next one, also without an alarm', async () => {
    const { me, id, turnId, gate, reader } = await startPartialReply();
    const run = (...statements: string[]) =>
      runInDurableObject(getConversationStub(id), (_, { storage }) => {
        for (const statement of statements) storage.sql.exec(statement);
      });
    await run(
      "create trigger failing before update on meta begin select raise(abort, 'cannot be stored'); end",
    );
    // Not even the alarm can be stored: the time of the turn's own has passed.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 180_000 });
    const stopping = me.call(`/api/conversations/${id}/stop`, { method: 'POST' });
    await reader.readRest();
    expect(await (await stopping).json()).toEqual({ reply: null });
    vi.useRealTimers();
    await run('drop trigger failing');
    await gate.open();
    const repeated = await sendMessage(me, id, 'Go on.', { turnId });
    expect(getLastEvent(repeated).data).toMatchObject({ code: 'reply_interrupted' });
    await sendMessage(me, id, 'And now?');
    expect((await listMessages(me, id)).map(({ status }) => status)).toEqual([
      'complete',
      'complete',
      'interrupted',
      'complete',
      'complete',
    ]);
    expect(await getPoints(me)).toMatchObject({ current_points: 49, daily_messages_used: 1 });
    await expectBalancedLedger(me);
  });

  test('a restart before the first stored text keeps the message and allows the next one', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const silence = createScene('hang');
    await startTurn(me, id, `Hello? ${silence.marker}`);
    await abortAllDurableObjects();
    const [, userMessage, reply] = await listMessages(me, id);
    expect(userMessage?.content).toMatch(/^Hello\?/);
    expect(reply).toMatchObject({ content: '', status: 'interrupted' });
    expect(await getPoints(me)).toMatchObject({ current_points: 50 });
    await expectBalancedLedger(me);
  });

  test('a restart after a complete reply keeps it complete and charged once', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    await sendMessage(me, id);
    await abortAllDurableObjects();
    expect(await getLastMessage(me, id)).toMatchObject({ status: 'complete' });
    await abortAllDurableObjects();
    await runDurableObjectAlarm(getConversationStub(id));
    expect(await getPoints(me)).toMatchObject({ current_points: 49 });
    await expectBalancedLedger(me);
  });
});

describe('Eviction of a conversation', () => {
  test('a conversation has all its messages after it was evicted', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    await sendMessage(me, id, 'Remember this.');
    const before = await listMessages(me, id);
    await evictDurableObject(getConversationStub(id));
    await evictDurableObject(getWalletStub(me.id));
    expect(await listMessages(me, id)).toEqual(before);
    expect(await getPoints(me)).toMatchObject({ current_points: 49 });
    expect(summarizeKinds(await sendMessage(me, id))).toEqual(['accepted', 'delta', 'done']);
  });
});

describe('Lost settlement confirmations', () => {
  test('a settlement is sent to the wallet again and counts once', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    await sendMessage(me, id);
    const { id: replyId } = await getLastMessage(me, id);
    // Simulates a confirmation of the wallet that was lost.
    await runInDurableObject(getConversationStub(id), (_, { storage }) => {
      storage.sql.exec(
        `update meta set settlements = (
           select json_array(json_object('versionId', version_id, 'payerId', payer_id, 'replyId', reply_id,
             'outcome', 'settle', 'what', 'reply')) from turns where reply_id = ?)`,
        replyId,
      );
    });
    await evictDurableObject(getConversationStub(id));
    await listMessages(me, id);
    await runInDurableObject(getConversationStub(id), (_, { storage }) => {
      expect(storage.sql.exec('select settlements from meta').one()).toEqual({ settlements: '[]' });
    });
    expect(await getPoints(me)).toMatchObject({ current_points: 49, daily_messages_used: 1 });
    await expectBalancedLedger(me);
  });
});

describe('Refused reservations', () => {
  test('a reservation that arrives after its release holds no points', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const wallet = getWalletStub(me.id);
    const reservation = createTurnId();
    await wallet.release(reservation, id, null, 'reply');
    expect(await wallet.reserve(reservation, id)).toMatchObject({ ok: false, code: 'reservation_closed' });
    expect(await getPoints(me)).toMatchObject({ current_points: 50 });
    expect((await postMessage(me, id, 'Hello')).status).toBe(200);
  });
});

describe('Reservations and rows', () => {
  /** Sends a message. @param onReserve is called right before the wallet */
  const sendWatched = async (
    me: Visitor,
    id: string,
    content: string,
    onReserve: (sql: SqlStorage) => void,
  ) => {
    const request = { ...(await buildTurnRequest(me, id)), content };
    return runInDurableObject(getConversationStub(id), async (_, ctx) => {
      const WALLETS = new Proxy(env.WALLETS, {
        get: (wallets, name: keyof typeof env.WALLETS) => {
          if (name !== 'get') return wallets[name].bind(wallets);
          return (key: DurableObjectId) => {
            const wallet = wallets.get(key);
            return {
              settle: (...call: Parameters<typeof wallet.settle>) => wallet.settle(...call),
              release: (...call: Parameters<typeof wallet.release>) => wallet.release(...call),
              reserve: (...call: Parameters<typeof wallet.reserve>) => {
                onReserve(ctx.storage.sql);
                return wallet.reserve(...call);
              },
            };
          };
        },
      });
      const object = new ConversationObject(ctx, { ...env, WALLETS } as unknown as Env);
      const sent = await object.send(request);
      if (sent.ok) await new Response(sent.events).text();
      return sent.ok;
    });
  };

  test('the wallet is called before anything of the turn is written, so no write holds the call back', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    let written: unknown = null;
    const isSent = await sendWatched(me, id, createScene('tokens n=2').marker, (sql) => {
      written = {
        ...sql.exec('select count(*) as messages from messages').one(),
        ...sql.exec('select count(*) as turns from turns').one(),
      };
    });
    expect(isSent).toBe(true);
    expect(written).toEqual({ messages: 1, turns: 0 });
    expect(await getPoints(me)).toMatchObject({ current_points: 49 });
  });

  test('points for a turn whose rows could not be written are held for an hour and then free again', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    await expect(
      sendWatched(me, id, createScene('tokens n=2').marker, (sql) => sql.exec('drop table turns')),
    ).rejects.toThrow('turns');
    await vi.waitFor(async () => expect(await getPoints(me)).toMatchObject({ current_points: 49 }));
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61 * 60_000 });
    expect(await getPoints(me)).toMatchObject({ current_points: 50, daily_messages_used: 0 });
    expect(await listLedger(me)).toHaveLength(1);
    vi.useRealTimers();
  });
});

describe('Stopping a reply', () => {
  test('a stop answers with the version it ended, also when a regeneration has already started', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const gate = createScene('gate n=2');
    const request = await buildTurnRequest(me, id);
    const { stopped, shows } = await runInDurableObject(getConversationStub(id), async (_, ctx) => {
      // The list update is delayed; the stop is not answered before it.
      let release = (): void => {};
      const delay = new Promise<void>((resolve) => (release = resolve));
      const DB = new Proxy(env.DB, {
        get: (db, name: keyof D1Database) =>
          name === 'batch'
            ? (all: D1PreparedStatement[]) => delay.then(() => db.batch(all))
            : db[name].bind(db),
      });
      const object = new ConversationObject(ctx, { ...env, DB } as unknown as Env);
      const sent = await object.send({ ...request, content: `Hello ${gate.marker}` });
      if (sent.ok) await sent.events.cancel();
      await gate.reached();
      const stopping = object.stop(me.id);
      const replyId = (await getLastMessage(me, id)).id;
      await vi.waitFor(async () => {
        const regenerated = await object.regenerate({ ...request, turnId: createTurnId(), replyId });
        expect(regenerated.ok).toBe(true);
        if (regenerated.ok) await regenerated.events.cancel();
      });
      release();
      const answer = await stopping;
      const page = await object.page(me.id, null, 10);
      await gate.open();
      await object.stop(me.id);
      return {
        stopped: answer.ok ? answer.reply : null,
        shows: page.ok ? page.page.messages.at(-1) : undefined,
      };
    });
    expect(shows?.status).toBe('streaming');
    expect(stopped).toMatchObject({ id: shows?.id, status: 'interrupted' });
    expect(stopped?.selected_version_id).not.toBe(shows?.selected_version_id);
  });
});
