import {
  abortAllDurableObjects,
  evictDurableObject,
  runDurableObjectAlarm,
  runInDurableObject,
} from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { ConversationObject } from '../../src/features/conversation/conversation-object.ts';
import { getLastEvent, type EventReader, summarizeKinds, joinDeltas } from '../support/event-reader.ts';
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
} from '../support/factories.ts';
import { createScene, type ModelScene } from '../support/scripted-model.ts';

const FIRST_WORDS = 'w0 w1 w2 w3 w4';

/** Waits until the conversation's storage, and not its memory alone, holds some of the reply. */
async function checkpointed(id: string): Promise<void> {
  await vi.waitFor(
    () =>
      runInDurableObject(getConversationStub(id), (_, { storage }) => {
        const saved = storage.sql.exec("select 1 from versions where content like 'w0%'").toArray();
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

/** Somebody in the middle of a reply of which some is stored. */
async function inTheMiddle(): Promise<Interrupted> {
  const me = await signInGuest();
  const id = await startConversation(me);
  const gate = createScene('gate n=5');
  const turnId = createTurnId();
  const reader = await startTurn(me, id, `Go on. ${gate.marker}`, { turnId });
  await reader.readUntilText((text) => text === FIRST_WORDS);
  await checkpointed(id);
  return { me, id, turnId, gate, reader };
}

async function expectKeptAndFree({ me, id }: Interrupted): Promise<void> {
  const [, mine, reply] = await listMessages(me, id);
  expect(mine?.content).toMatch(/^Go on\./);
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

describe('When the server goes away in the middle of a reply', () => {
  test('my message and what was written stay, nothing is charged, and the next message works at once', async () => {
    const world = await inTheMiddle();
    await abortAllDurableObjects();
    await expectKeptAndFree(world);
    const events = await sendMessage(world.me, world.id, `And now? ${createScene('tokens n=3').marker}`);
    expect(joinDeltas(events)).toBe('w0 w1 w2');
    expect(await listMessages(world.me, world.id)).toHaveLength(5);
    expect(await getPoints(world.me)).toMatchObject({ current_points: 49 });
    await expectBalancedLedger(world.me);
  });

  test('my reader is not left waiting for ever', async () => {
    const { reader } = await inTheMiddle();
    await abortAllDurableObjects();
    // Either way of ending is one that a browser notices.
    await reader.readRest().catch(() => null);
    expect(joinDeltas(reader.receivedEvents)).toBe(FIRST_WORDS);
  });

  test('sending the same message again shows what was kept, and neither sends nor charges it', async () => {
    const world = await inTheMiddle();
    await abortAllDurableObjects();
    const events = await sendMessage(world.me, world.id, 'Go on.', { turnId: world.turnId });
    expect(summarizeKinds(events)).toEqual(['accepted', 'delta', 'error']);
    expect(joinDeltas(events)).toBe(FIRST_WORDS);
    expect(getLastEvent(events).data).toMatchObject({
      code: 'reply_interrupted',
      error: 'The reply was interrupted.',
      reply: { status: 'interrupted' },
    });
    expect(await listMessages(world.me, world.id)).toHaveLength(3);
    await expectKeptAndFree(world);
  });

  test('an interrupted reply can be written anew', async () => {
    const world = await inTheMiddle();
    await abortAllDurableObjects();
    const reply = await getLastMessage(world.me, world.id);
    await world.gate.open();
    const response = await world.me.call(`/api/conversations/${world.id}/messages/${reply.id}/regenerate`, {
      json: { client_message_id: createTurnId() },
    });
    expect(await response.text()).toContain('event: done');
    const after = await getLastMessage(world.me, world.id);
    expect(after).toMatchObject({
      id: reply.id,
      status: 'complete',
      content: `${FIRST_WORDS} w5 w6 w7 w8 w9`,
    });
    expect(after).not.toHaveProperty('error_code');
    expect(after.versions).toHaveLength(2);
  });

  test('the points come back by themselves, though nobody opens the conversation', async () => {
    const { me, id } = await inTheMiddle();
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

  test('an end that could not be stored does not keep the conversation busy, and comes to a good end later', async () => {
    const { me, id, gate, reader } = await inTheMiddle();
    const rename = (from: string, to: string) =>
      runInDurableObject(getConversationStub(id), (_, { storage }) => {
        storage.sql.exec(`alter table ${from} rename to ${to}`);
      });
    await rename('settlements', 'out_of_reach');
    await gate.open();
    await reader.readRest();
    await rename('out_of_reach', 'settlements');
    expect(await runDurableObjectAlarm(getConversationStub(id))).toBe(true);
    expect(await getLastMessage(me, id)).toMatchObject({ status: 'interrupted', content: FIRST_WORDS });
    expect(await getPoints(me)).toMatchObject({ current_points: 50 });
    await expectBalancedLedger(me);
    expect(summarizeKinds(await sendMessage(me, id))).toEqual(['accepted', 'delta', 'done']);
  });

  test('before the first word was stored, my message stays and the next one works', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const silence = createScene('hang');
    await startTurn(me, id, `Hello? ${silence.marker}`);
    await abortAllDurableObjects();
    const [, mine, reply] = await listMessages(me, id);
    expect(mine?.content).toMatch(/^Hello\?/);
    expect(reply).toMatchObject({ content: '', status: 'interrupted' });
    expect(await getPoints(me)).toMatchObject({ current_points: 50 });
    await expectBalancedLedger(me);
  });

  test('just after the reply was complete, it stays complete and is charged once', async () => {
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

describe('When a conversation is put to sleep', () => {
  test('everything said in it is there when I come back', async () => {
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

describe('When my wallet cannot be told how a reply ended', () => {
  test('it is told later, and only once', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    await sendMessage(me, id);
    const { id: replyId } = await getLastMessage(me, id);
    // As if the wallet's confirmation had been lost on its way back.
    await runInDurableObject(getConversationStub(id), (_, { storage }) => {
      storage.sql.exec(
        `insert into settlements (version_id, payer_id, reply_id, outcome, what)
         select version_id, payer_id, reply_id, 'settle', 'reply' from turns where reply_id = ?`,
        replyId,
      );
    });
    await listMessages(me, id);
    await runInDurableObject(getConversationStub(id), (_, { storage }) => {
      expect(storage.sql.exec('select * from settlements').toArray()).toEqual([]);
    });
    expect(await getPoints(me)).toMatchObject({ current_points: 49, daily_messages_used: 1 });
    await expectBalancedLedger(me);
  });
});

describe('When a message is refused', () => {
  test('a wallet that learns of it late holds no points for it', async () => {
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

describe('A stop', () => {
  test('is answered with how the reply ended, also when somebody has it written anew by then', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const gate = createScene('gate n=2');
    const { stopped, shows } = await runInDurableObject(getConversationStub(id), async (_, ctx) => {
      // The lists are told of the end late; until then the stop is not answered.
      let letGo = (): void => {};
      const held = new Promise<void>((resolve) => (letGo = resolve));
      const DB = new Proxy(env.DB, {
        get: (db, name: keyof D1Database) =>
          name === 'batch'
            ? (all: D1PreparedStatement[]) => held.then(() => db.batch(all))
            : db[name].bind(db),
      });
      const object = new ConversationObject(ctx, { ...env, DB } as unknown as Env);
      const command = {
        ...{ userId: me.id, model: 'recommended' as const, rating: 'general' as const },
        ...{ barred: null, lastEventId: null, tab: null, standing: { unlimited: false, timeZone: null } },
        whereabouts: { country: null, lang: 'en' as const },
      };
      const sent = await object.send({ ...command, turnId: createTurnId(), content: `Hello ${gate.marker}` });
      if (sent.ok) await sent.events.cancel();
      await gate.reached();
      const stopping = object.stop(me.id);
      const replyId = (await getLastMessage(me, id)).id;
      await vi.waitFor(async () => {
        const again = await object.regenerate({ ...command, turnId: createTurnId(), replyId });
        expect(again.ok).toBe(true);
        if (again.ok) await again.events.cancel();
      });
      letGo();
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
