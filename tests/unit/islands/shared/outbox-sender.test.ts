import { describe, expect, test } from 'vitest';
import type { Result } from '../../../../src/islands/shared/api.ts';
import { createOutbox, type OutboxItem } from '../../../../src/islands/shared/outbox.ts';
import { createOutboxSender } from '../../../../src/islands/shared/outbox-sender.ts';
import type { ReplyStream } from '../../../../src/islands/shared/sse.ts';
import {
  createAcceptedEvent,
  createDoneEvent,
  NETWORK_ERROR,
  createFailure,
  flushPromises,
  streamResult,
  createChatFixture,
} from '../../../support/chat-fixture.ts';

/** A page that shows no chat, on a device with these messages waiting in the conversation c1. */
function page(...items: OutboxItem[]) {
  const memory = new Map([['outbox:c1', JSON.stringify(items)]]);
  let now = 1_000_000;
  let timers: { at: number; run: () => void }[] = [];
  const clock = {
    now: () => now,
    after(ms: number, run: () => void) {
      const timer = { at: now + ms, run };
      timers.push(timer);
      return () => void (timers = timers.filter((other) => other !== timer));
    },
  };
  const storage = {
    getItem: (key: string) => memory.get(key) ?? null,
    setItem: (key: string, text: string) => void memory.set(key, text),
    removeItem: (key: string) => void memory.delete(key),
  };
  const outbox = createOutbox(storage, null, clock.now);
  const answers: Result<ReplyStream>[] = [];
  const bodies: unknown[] = [];
  let online = true;
  const sender = createOutboxSender({
    outbox,
    listConversationIds: () => [...memory.keys()].map((key) => key.replace('outbox:', '')),
    send: async (id, body) => {
      bodies.push([id, body]);
      return answers.shift() ?? NETWORK_ERROR;
    },
    clock,
    isOnline: () => online,
    onSent: () => {},
  });
  return {
    sender,
    outbox,
    bodies,
    texts: () => bodies.map((call) => (call as [string, { content: string }])[1].content),
    left: () => outbox.outbox('c1').map(({ text, waits }) => [text, waits === true]),
    will: (...next: Result<ReplyStream>[]) => void answers.push(...next),
    setOnline: (yes: boolean) => void (online = yes),
    now: () => now,
    async pass(ms: number) {
      now += ms;
      const due = timers.filter(({ at }) => at <= now);
      timers = timers.filter(({ at }) => at > now);
      for (const { run } of due) run();
      for (let turn = 0; turn < 10; turn += 1) await flushPromises();
    },
  };
}

/** A complete reply to a message. */
function reply(text: string): Result<ReplyStream> {
  async function* events() {
    yield { id: 't:0', event: createAcceptedEvent(text) };
    yield { id: 't:9', event: createDoneEvent('Yes.') };
  }
  const stream: ReplyStream = Object.assign(events(), { quietForMs: () => 0, close: () => {} });
  return { ok: true, data: stream };
}

const one = { turnId: 't1', text: 'One', waits: true, model: 'mistral' as const };
const two = { turnId: 't2', text: 'Two', waits: true };

describe('Queued messages of other conversations', () => {
  test('queued messages are sent in order with their ids and models', async () => {
    const p = page(one, two);
    p.will(reply('One'), reply('Two'));
    await p.sender.sendQueuedMessages();
    expect(p.bodies).toEqual([
      ['c1', { content: 'One', client_message_id: 't1', model: 'mistral' }],
      ['c1', { content: 'Two', client_message_id: 't2' }],
    ]);
    expect(p.left()).toEqual([]);
  });

  test('a queued message waits while there is no network and is retried later', async () => {
    const p = page(one);
    p.will(NETWORK_ERROR);
    await p.sender.sendQueuedMessages();
    expect(p.left()).toEqual([['One', true]]);
    p.will(reply('One'));
    await p.pass(5000);
    expect(p.left()).toEqual([]);
    expect(p.texts()).toEqual(['One', 'One']);
  });

  test('a queued message is sent after the reply that is still being written', async () => {
    const p = page(one);
    p.will(createFailure(409, 'reply_in_progress'), reply('One'));
    await p.sender.sendQueuedMessages();
    expect(p.left()).toEqual([['One', true]]);
    await p.pass(5000);
    expect(p.left()).toEqual([]);
  });

  test('a refused queued message stays for the user together with those behind it', async () => {
    const p = page(one, two);
    p.will(createFailure(402, 'points_exhausted'));
    await p.sender.sendQueuedMessages();
    expect(p.left()).toEqual([
      ['One', false],
      ['Two', false],
    ]);
    await p.pass(60_000);
    expect(p.texts()).toEqual(['One']);
  });

  test('a queued message that was deleted meanwhile does not hold back the next one', async () => {
    const p = page(one, two);
    p.will(createFailure(409, 'message_deleted'), reply('Two'));
    await p.sender.sendQueuedMessages();
    expect(p.left()).toEqual([]);
  });

  test('a queued message waits without a retry while the user is logged out', async () => {
    const p = page(one);
    p.will(createFailure(401, 'unauthenticated'));
    await p.sender.sendQueuedMessages();
    await p.pass(60_000);
    expect(p.texts()).toEqual(['One']);
    expect(p.left()).toEqual([['One', true]]);
  });

  test('a queued message is left to the tab that is already sending it', async () => {
    const p = page();
    p.outbox.saveToOutbox('c1', { ...one, sendingSince: p.now() });
    await p.sender.sendQueuedMessages();
    expect(p.texts()).toEqual([]);
    p.will(reply('One'));
    await p.pass(60_000);
    expect(p.texts()).toEqual(['One']);
  });

  test("a message that failed once for another reason is not sent without the user's request", async () => {
    const p = page({ turnId: 't1', text: 'One', tried: true });
    await p.sender.sendQueuedMessages();
    expect(p.texts()).toEqual([]);
  });

  test('a queued message refused by a rule stays for the user with those behind it and is not sent again', async () => {
    const p = page(one, { ...one, turnId: 't2', text: 'Two' });
    const connection = createChatFixture().connect();
    await connection.emit('t1', 0, { event: 'safety', kind: 'refused', rule: 'minors' });
    await connection.emit('t1', 1, { event: 'error', code: 'text_refused', error: 'It cannot be sent.' });
    await connection.disconnect();
    p.will(streamResult(connection) as Result<ReplyStream>);
    await p.sender.sendQueuedMessages();
    await p.pass(60_000);
    expect(p.texts()).toEqual(['One']);
    expect(p.left()).toEqual([
      ['One', false],
      ['Two', false],
    ]);
  });
});
