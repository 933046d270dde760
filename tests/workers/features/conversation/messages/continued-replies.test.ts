import { describe, expect, test } from 'vitest';
import type { Message } from '../../../../../src/features/conversation/contract.ts';
import {
  getMessageId,
  startConversationClient,
  startWithTwoExchanges,
  describeVersions,
} from '../../../../support/conversation-client.ts';
import { getLastEvent, EventReader, summarizeKinds, joinDeltas } from '../../../../support/event-reader.ts';
import {
  expectBalancedLedger,
  signInGuest,
  createTurnId,
  getPoints,
  rejoinReply,
} from '../../../../support/factories.ts';
import { createScene } from '../../../../support/scripted-model.ts';

const UNKNOWN = '0'.repeat(26);

describe('Continued replies', () => {
  /** A conversation whose reply is «w0 … w5» and is continued with « x0 … x5». */
  async function startContinuable() {
    const chat = await startConversationClient(await signInGuest());
    const scene = createScene('tokens n=6');
    await chat.send(`Tell me. ${scene.marker}`);
    const reply = (await chat.messages()).at(-1) as Message;
    return { chat, scene, reply, base: reply.content };
  }

  test('continuing a reply streams the added text and stores the longer text as a version', async () => {
    const { chat, reply, base, scene } = await startContinuable();
    const events = await chat.continueReply(reply.id);
    expect(summarizeKinds(events)).toEqual(['accepted', 'delta', 'done']);
    expect(events[0]?.data).toEqual({
      reply: expect.objectContaining({ id: reply.id, content: base, status: 'streaming' }),
      newest: true,
    });
    expect(joinDeltas(events)).toBe(' x0 x1 x2 x3 x4 x5');
    const after = (await chat.messages()).at(-1) as Message;
    expect(after).toEqual(getLastEvent(events).data.reply);
    expect(after).toMatchObject({ id: reply.id, status: 'complete', edited: false });
    expect(describeVersions(after)).toEqual([base, base + joinDeltas(events)]);
    expect(after.content).toBe(base + joinDeltas(events));
    expect(await chat.count()).toBe(3);
    expect(await getPoints(chat.me)).toMatchObject({ current_points: 48 });
    const asked = (await scene.requests()).at(-1)?.body as { messages: { role: string; content: string }[] };
    expect(asked.messages.at(-2)).toMatchObject({
      role: 'assistant',
      content: expect.stringContaining(base),
    });
    await expectBalancedLedger(chat.me);
  });

  test('a continued reply can be rejoined at any point, during and after it', async () => {
    const { chat, reply, base } = await startContinuable();
    await chat.edit(reply.id, `${base} …`);
    const turnId = createTurnId();
    const slow = createScene('gate n=6');
    await chat.edit((await chat.ids())[1] as string, `Tell me. ${slow.marker}`);
    const first = await EventReader.fromResponse(await chat.rewrite('continue', reply.id, { turnId }));
    await first.readUntilText((text) => text.endsWith('x5'));
    const shownText = joinDeltas(first.receivedEvents);
    const offsets = [0, 1, 7, shownText.length];
    const readers = await Promise.all([
      ...offsets.map((offset) => rejoinReply(chat.me, chat.id, `${turnId}:${offset}`)),
      EventReader.fromResponse(
        await chat.rewrite('continue', reply.id, { turnId, lastEventId: `${turnId}:3` }),
      ),
    ]);
    const whole = await rejoinReply(chat.me, chat.id);
    const shown = (await chat.messages()).at(-1) as Message;
    expect(shown).toMatchObject({ status: 'streaming', content: `${base} …${shownText}` });
    await slow.open();
    const added = joinDeltas(await first.readRest());
    const stored = (await chat.messages()).at(-1) as Message;
    expect(stored.content).toBe(`${base} …${added}`);
    for (const [index, reader] of readers.entries()) {
      expect(shownText.slice(0, offsets[index] ?? 3) + joinDeltas(await reader.readRest())).toBe(added);
    }
    const all = await whole.readRest();
    expect(all[0]?.data.reply?.content).toBe(`${base} …`);
    expect(joinDeltas(all)).toBe(added);
    const again = await chat.continueReply(reply.id, { turnId });
    expect(again[0]?.data.reply?.content).toBe(`${base} …`);
    expect(joinDeltas(again)).toBe(added);
    for (const { id } of again) {
      const rest = await chat.continueReply(reply.id, { turnId, lastEventId: id });
      expect(added.slice(0, Number(id.split(':')[1])) + joinDeltas(rest)).toBe(added);
    }
    expect((await chat.messages()).at(-1)).toEqual(stored);
    expect(await getPoints(chat.me)).toMatchObject({ current_points: 48 });
  });

  test('any reply can be continued, and the messages after it stay', async () => {
    const { chat, said: original } = await startWithTwoExchanges();
    const events = await chat.continueReply(getMessageId(original, 2));
    expect(await chat.messages()).toEqual(original.with(2, getLastEvent(events).data.reply as Message));
    const opening = await chat.continueReply(getMessageId(original, 0));
    expect((await chat.messages())[0]?.content).toBe((original[0]?.content ?? '') + joinDeltas(opening));
  });

  test('a continuation without text keeps the old text and is free', async () => {
    const { chat, reply } = await startContinuable();
    for (const scenario of ['no-text', 'cut n=0', 'status code=500']) {
      await chat.edit((await chat.ids())[1] as string, `Tell me. [[scenario:${scenario}]]`);
      const events = await chat.continueReply(reply.id);
      expect(joinDeltas(events)).toBe('');
      expect(getLastEvent(events)).toMatchObject({ event: 'error', data: { reply } });
      expect((await chat.messages()).at(-1)).toEqual(reply);
    }
    const unreachable = await chat.continueReply(reply.id, { model: 'deepseek' });
    expect(getLastEvent(unreachable)).toMatchObject({
      event: 'error',
      data: { code: 'model_unreachable', reply },
    });
    expect((await chat.messages()).at(-1)).toEqual(reply);
    expect(await getPoints(chat.me)).toMatchObject({ current_points: 49 });
    await expectBalancedLedger(chat.me);
  });

  test('a continuation that breaks off keeps its text and is free', async () => {
    const { chat, reply, base } = await startContinuable();
    await chat.edit((await chat.ids())[1] as string, 'Tell me. [[scenario:cut n=2]]');
    await chat.continueReply(reply.id);
    const after = (await chat.messages()).at(-1) as Message;
    expect(after).toMatchObject({ content: `${base} x0 x1`, status: 'interrupted' });
    expect(describeVersions(after)).toEqual([base, `${base} x0 x1`]);
    expect(await getPoints(chat.me)).toMatchObject({ current_points: 49 });
  });

  test('stopping a continuation keeps its text, or the old text before the first word', async () => {
    const { chat, reply, base } = await startContinuable();
    const slow = createScene('gate n=2');
    const mine = (await chat.ids())[1] as string;
    await chat.edit(mine, `Tell me. ${slow.marker}`);
    const reader = await EventReader.fromResponse(await chat.rewrite('continue', reply.id));
    await reader.readUntilText((text) => text === ' x0 x1');
    await chat.ask('/stop', { method: 'POST' });
    expect((await chat.messages()).at(-1)).toMatchObject({
      content: `${base} x0 x1`,
      status: 'interrupted',
    });
    await chat.edit(mine, 'Tell me. [[scenario:hang]]');
    const stopped = (await chat.messages()).at(-1);
    await EventReader.fromResponse(await chat.rewrite('continue', reply.id));
    await chat.ask('/stop', { method: 'POST' });
    expect((await chat.messages()).at(-1)).toEqual(stopped);
    expect(await getPoints(chat.me)).toMatchObject({ current_points: 48 });
  });

  test('only a reply with text can be continued', async () => {
    const chat = await startConversationClient(await signInGuest());
    await chat.send('Hello.', { model: 'deepseek' });
    const [, mine, reply] = await chat.messages();
    const code = async (id: string | undefined) => {
      const response = await chat.rewrite('continue', id as string);
      return [response.status, (await response.json<{ code: string }>()).code];
    };
    expect(await code(mine?.id)).toEqual([422, 'not_a_reply']);
    expect(reply).toMatchObject({ content: '', status: 'failed' });
    expect(await code(reply?.id)).toEqual([422, 'nothing_to_continue']);
    expect(await code(UNKNOWN)).toEqual([404, 'not_found']);
    expect(await getPoints(chat.me)).toMatchObject({ current_points: 50 });
  });
});
