import { describe, expect, test, vi } from 'vitest';
import { getLastEvent, EventReader, summarizeKinds, joinDeltas } from '../../../../support/event-reader.ts';
import {
  startTurn,
  startConversation,
  expectBalancedLedger,
  clearScenes,
  signInGuest,
  getLastMessage,
  listMessages,
  createTurnId,
  getPoints,
  postMessage,
  rejoinReply,
  sendMessage,
} from '../../../../support/factories.ts';
import { createScene } from '../../../../support/scripted-model.ts';

const buildWords = (count: number): string =>
  Array.from({ length: count }, (_, index) => `w${index}`).join(' ');

describe('Reply stream', () => {
  test('the joined deltas of a reply are the stored reply', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const events = await sendMessage(me, id, `Tell me a story. ${createScene('tokens n=60 ms=1').marker}`);
    expect(summarizeKinds(events)).toEqual(['accepted', 'delta', 'done']);
    expect(joinDeltas(events)).toBe(buildWords(60));
    const [greeting, mine, reply] = await listMessages(me, id);
    expect(greeting).toMatchObject({
      role: 'character',
      content: '*The lamp turns.* "You came back, Stranger," says Mira.',
    });
    expect(mine).toEqual(events[0]?.data.user_message);
    expect(reply).toMatchObject({ role: 'character', content: buildWords(60), status: 'complete' });
    expect(getLastEvent(events).data.reply).toEqual(reply);
    expect(getLastEvent(events).data.points).toEqual(await getPoints(me));
  });

  test('a reply is streamed in several deltas with rising numbers', async () => {
    const me = await signInGuest();
    const events = await sendMessage(me, await startConversation(me), createScene('tokens n=60 ms=3').marker);
    const numbers = events.map((event) => Number(event.id.split(':')[1]));
    expect(events.filter((event) => event.event === 'delta').length).toBeGreaterThan(2);
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
    expect(new Set(events.map((event) => event.id.split(':')[0])).size).toBe(1);
  });

  test('a reply that is being written is in the history and never shorter than what was streamed', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const gate = createScene('gate n=5');
    const reader = await startTurn(me, id, gate.marker);
    await gate.reached();
    const phoneEvents = joinDeltas(await reader.readUntilText((text) => text.endsWith('w4')));
    const reply = await getLastMessage(me, id);
    expect(reply).toMatchObject({ status: 'streaming', content: phoneEvents });
    await gate.open();
    await reader.readRest();
  });
});

describe('Rejoined replies', () => {
  test('rejoining a reply from any event streams the rest without gaps or repeats', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const turnId = createTurnId();
    const events = await sendMessage(me, id, createScene('tokens n=30 ms=2').marker, { turnId });
    const whole = joinDeltas(events);
    for (const [index, seen] of events.entries()) {
      const before = joinDeltas(events.slice(0, index + 1));
      const rest = await sendMessage(me, id, 'the same again', { turnId, lastEventId: seen.id });
      expect(before + joinDeltas(rest)).toBe(whole);
      expect(rest.map((event) => event.event)).not.toContain('accepted');
      expect(getLastEvent(rest)).toMatchObject({ event: 'done', data: { reply: { content: whole } } });
    }
  });

  test('a reply can be rejoined at any position while it is written', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const gate = createScene('gate n=40');
    const first = await startTurn(me, id, gate.marker);
    await first.readUntilText((text) => text.endsWith('w39'));
    const [turnId] = (first.receivedEvents[0]?.id ?? '').split(':');
    const received = joinDeltas(first.receivedEvents);
    const offsets = [
      0,
      1,
      received.length - 1,
      received.length,
      ...Array.from({ length: 12 }, () => Math.floor(Math.random() * received.length)),
    ];
    const readers = await Promise.all(offsets.map((offset) => rejoinReply(me, id, `${turnId}:${offset}`)));
    await gate.open();
    const whole = joinDeltas(await first.readRest());
    expect(whole).toBe(buildWords(80));
    for (const [index, reader] of readers.entries()) {
      const rest = await reader.readRest();
      expect(received.slice(0, offsets[index]) + joinDeltas(rest)).toBe(whole);
      expect(summarizeKinds(rest)).toEqual(['delta', 'done']);
    }
  });

  test('a reply full of emoji can be rejoined at any position', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const turnId = createTurnId();
    const whole = joinDeltas(await sendMessage(me, id, createScene('split-utf8').marker, { turnId }));
    expect((await getLastMessage(me, id)).content).toBe(whole);
    for (let offset = 0; offset <= whole.length; offset += 1) {
      const rest = await sendMessage(me, id, 'again', { turnId, lastEventId: `${turnId}:${offset}` });
      expect(whole.slice(0, offset) + joinDeltas(rest)).toBe(whole);
    }
  });

  test('rejoining a reply with an unknown event id streams all of it', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const gate = createScene('gate n=3');
    const first = await startTurn(me, id, gate.marker);
    await first.readUntilText((text) => text.endsWith('w2'));
    const invalid = [
      'nonsense',
      'other-turn:4',
      `${first.receivedEvents[0]?.id}9999999999`,
      ':3',
      '-1',
      'ü'.repeat(2000),
    ].map((last) => rejoinReply(me, id, encodeURI(last)));
    const readers = await Promise.all([...invalid, rejoinReply(me, id)]);
    await gate.open();
    for (const reader of readers) {
      const events = await reader.readRest();
      expect(summarizeKinds(events)).toEqual(['accepted', 'delta', 'done']);
      expect(joinDeltas(events)).toBe(buildWords(6));
    }
    expect(joinDeltas(await first.readRest())).toBe(buildWords(6));
  });

  test('there is no stream to rejoin when no reply is being written', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const stream = () => me.call(`/api/conversations/${id}/stream`);
    expect((await stream()).status).toBe(204);
    await sendMessage(me, id);
    const after = await stream();
    expect(after.status).toBe(204);
    expect(await after.text()).toBe('');
  });

  test('sending a finished message again streams the same reply without a second charge', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const turnId = createTurnId();
    const first = await sendMessage(me, id, 'Once.', { turnId });
    const again = await sendMessage(me, id, 'Once.', { turnId });
    expect(summarizeKinds(again)).toEqual(['accepted', 'delta', 'done']);
    expect(joinDeltas(again)).toBe(joinDeltas(first));
    expect(again[0]?.data).toEqual(first[0]?.data);
    expect(getLastEvent(again).data.reply).toEqual(await getLastMessage(me, id));
    expect(await listMessages(me, id)).toHaveLength(3);
    expect(await getPoints(me)).toMatchObject({ current_points: 49 });
    await expectBalancedLedger(me);
  });
});

describe('Two devices', () => {
  test('two devices can read the same reply at once', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const gate = createScene('gate n=20 ms=1');
    const phone = await startTurn(me, id, gate.marker);
    await gate.reached();
    const laptop = await rejoinReply(me, id);
    await gate.open();
    const [phoneEvents, laptopEvents] = await Promise.all([phone.readRest(), laptop.readRest()]);
    expect(joinDeltas(phoneEvents)).toBe(buildWords(40));
    expect(joinDeltas(laptopEvents)).toBe(buildWords(40));
    expect(getLastEvent(laptopEvents)).toEqual(getLastEvent(phoneEvents));
    expect(laptopEvents[0]).toEqual(phoneEvents[0]);
  });

  test('closing one device does not disturb the other’s stream', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    // Slow enough for many deltas after one of the two has left.
    const gate = createScene('gate n=40 ms=4');
    const phone = await startTurn(me, id, gate.marker);
    await gate.reached();
    const laptop = await rejoinReply(me, id);
    await phone.disconnect();
    await gate.open();
    expect(joinDeltas(await laptop.readRest())).toBe(buildWords(80));
  });
});

describe('Closed tabs', () => {
  const expectStored = (me: Awaited<ReturnType<typeof signInGuest>>, id: string, text: string) =>
    vi.waitFor(
      async () => expect(await getLastMessage(me, id)).toMatchObject({ status: 'complete', content: text }),
      {
        timeout: 5000,
        interval: 20,
      },
    );

  test('a reply is completed when the tab closes before its first word', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const gate = createScene('gate n=10');
    const response = await postMessage(me, id, gate.marker);
    await response.body?.cancel();
    await gate.open();
    await gate.ended();
    await expectStored(me, id, buildWords(20));
    expect(await getPoints(me)).toMatchObject({ current_points: 49 });
  });

  test('a reply is completed when the tab closes in the middle of it', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const gate = createScene('gate n=30');
    const reader = await startTurn(me, id, gate.marker);
    await reader.readUntilText((text) => text.endsWith('w29'));
    await reader.disconnect();
    await gate.open();
    await gate.ended();
    await expectStored(me, id, buildWords(60));
    await expectBalancedLedger(me);
  });

  test('a reply is stored completely when the tab closes just before its end', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const turn = createScene('tokens n=100 ms=1');
    const reader = await startTurn(me, id, turn.marker);
    await reader.readUntilText((text) => text.split(' ').length >= 95);
    await reader.disconnect();
    await turn.ended();
    await expectStored(me, id, buildWords(100));
  });

  test('a reply continues when its request is aborted, and can be rejoined', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const gate = createScene('gate n=10');
    const tab = new AbortController();
    const turnId = createTurnId();
    const response = await me.call(`/api/conversations/${id}/messages`, {
      json: { content: gate.marker, client_message_id: turnId },
      signal: tab.signal,
    });
    const reader = await EventReader.fromResponse(response);
    await reader.readUntilText((text) => text.endsWith('w9'));
    tab.abort();
    await expect(reader.readRest()).rejects.toThrow();
    const rejoined = await rejoinReply(me, id, reader.receivedEvents.at(-1)?.id);
    await gate.open();
    expect(joinDeltas(reader.receivedEvents) + joinDeltas(await rejoined.readRest())).toBe(buildWords(20));
  });
});

describe('Stopped replies', () => {
  test('stopping a reply keeps its text, ends the model call and informs every reader', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const gate = createScene('gate n=5');
    const reader = await startTurn(me, id, gate.marker);
    await reader.readUntilText((text) => text.endsWith('w4'));
    const { reply } = await me.ask<{ reply: object }>(`/api/conversations/${id}/stop`, { method: 'POST' });
    expect(reply).toMatchObject({ content: buildWords(5), status: 'interrupted' });
    const events = await reader.readRest();
    expect(joinDeltas(events)).toBe(buildWords(5));
    expect(getLastEvent(events)).toMatchObject({ event: 'done', data: { reply } });
    await gate.ended();
    expect((await gate.requests())[0]).toMatchObject({ aborted: true });
    expect(await getLastMessage(me, id)).toEqual(reply);
    expect(await getPoints(me)).toMatchObject({ current_points: 49 });
    await expectBalancedLedger(me);
  });

  test('stopping a reply before its first word is free', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const silence = createScene('hang');
    const reader = await startTurn(me, id, silence.marker);
    await me.ask(`/api/conversations/${id}/stop`, { method: 'POST' });
    expect(joinDeltas(await reader.readRest())).toBe('');
    expect(await getPoints(me)).toMatchObject({ current_points: 50 });
    await expectBalancedLedger(me);
    await clearScenes(id);
    expect(summarizeKinds(await sendMessage(me, id))).toEqual(['accepted', 'delta', 'done']);
  });

  test('stopping without a running reply does nothing', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    expect(await me.ask(`/api/conversations/${id}/stop`, { method: 'POST' })).toEqual({ reply: null });
  });
});

describe('Regeneration', () => {
  test('a regenerated reply is a new version next to the old one', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const first = joinDeltas(await sendMessage(me, id, 'Tell me.'));
    const reply = await getLastMessage(me, id);
    const turnId = createTurnId();
    const regenerate = () =>
      me.call(`/api/conversations/${id}/messages/${reply.id}/regenerate`, {
        json: { client_message_id: turnId },
      });
    const events = await (await EventReader.fromResponse(await regenerate())).readRest();
    expect(summarizeKinds(events)).toEqual(['accepted', 'delta', 'done']);
    const after = await getLastMessage(me, id);
    expect(after).toMatchObject({ id: reply.id, content: joinDeltas(events), status: 'complete' });
    expect(after.versions.map((version) => version.content)).toEqual([first, joinDeltas(events)]);
    expect(joinDeltas(events)).not.toBe(first);
    expect(joinDeltas(await (await EventReader.fromResponse(await regenerate())).readRest())).toBe(
      joinDeltas(events),
    );
    expect(await listMessages(me, id)).toHaveLength(3);
    expect(await getPoints(me)).toMatchObject({ current_points: 48 });
    await expectBalancedLedger(me);
  });

  test('a failed regeneration keeps the old reply and is free', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const first = joinDeltas(await sendMessage(me, id, 'Tell me.'));
    const reply = await getLastMessage(me, id);
    const response = await me.call(`/api/conversations/${id}/messages/${reply.id}/regenerate`, {
      json: { client_message_id: createTurnId(), model: 'deepseek' },
    });
    const events = await (await EventReader.fromResponse(response)).readRest();
    expect(getLastEvent(events)).toMatchObject({ event: 'error', data: { code: 'model_unreachable' } });
    expect(await getLastMessage(me, id)).toMatchObject({ content: first, status: 'complete' });
    expect((await getLastMessage(me, id)).versions).toHaveLength(1);
    expect(await getPoints(me)).toMatchObject({ current_points: 49 });
  });

  test('a failed regeneration keeps the interrupted state of the old reply', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    await sendMessage(me, id, 'Tell me. [[scenario:cut n=5]]');
    const reply = await getLastMessage(me, id);
    expect(reply).toMatchObject({ status: 'interrupted', error_code: 'reply_cut_off' });
    const response = await me.call(`/api/conversations/${id}/messages/${reply.id}/regenerate`, {
      json: { client_message_id: createTurnId(), model: 'deepseek' },
    });
    await (await EventReader.fromResponse(response)).readRest();
    expect(await getLastMessage(me, id)).toEqual(reply);
  });

  test('the first message of a conversation can be regenerated', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const [first] = await listMessages(me, id);
    const response = await me.call(`/api/conversations/${id}/messages/${first?.id}/regenerate`, {
      json: { client_message_id: createTurnId() },
    });
    const events = await (await EventReader.fromResponse(response)).readRest();
    expect(getLastEvent(events)).toMatchObject({ event: 'done' });
    expect((await getLastMessage(me, id)).versions).toHaveLength(2);
  });

  test('regenerating an own message is refused, and an unknown one is not found', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    await sendMessage(me, id);
    const [, mine] = await listMessages(me, id);
    const regenerate = (mid: string | undefined) =>
      me.call(`/api/conversations/${id}/messages/${mid}/regenerate`, {
        json: { client_message_id: createTurnId() },
      });
    expect((await regenerate(mine?.id)).status).toBe(422);
    expect((await regenerate('unknown')).status).toBe(404);
    expect(await getPoints(me)).toMatchObject({ current_points: 49 });
  });
});
