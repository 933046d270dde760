import { describe, expect, test, vi } from 'vitest';
import { endOf, EventReader, shapeOf, textOf } from '../support/event-reader.ts';
import {
  begin,
  conversation,
  expectBalancedLedger,
  forgetScenes,
  guest,
  lastMessage,
  messages,
  newTurnId,
  points,
  post,
  rejoin,
  send,
} from '../support/makers.ts';
import { scene } from '../support/scripted-model.ts';

const WORDS = (count: number): string => Array.from({ length: count }, (_, index) => `w${index}`).join(' ');

describe('What I read while a reply is written', () => {
  test('is, joined, the reply that is stored', async () => {
    const me = await guest();
    const id = await conversation(me);
    const events = await send(me, id, `Tell me a story. ${scene('tokens n=60 ms=1').marker}`);
    expect(shapeOf(events)).toEqual(['accepted', 'delta', 'done']);
    expect(textOf(events)).toBe(WORDS(60));
    const [greeting, mine, reply] = await messages(me, id);
    expect(greeting).toMatchObject({
      role: 'character',
      content: '*The lamp turns.* "You came back, Stranger," says Mira.',
    });
    expect(mine).toEqual(events[0]?.data.user_message);
    expect(reply).toMatchObject({ role: 'character', content: WORDS(60), status: 'complete' });
    expect(endOf(events).data.reply).toEqual(reply);
    expect(endOf(events).data.points).toEqual(await points(me));
  });

  test('comes in several bursts, each with a number of its own that grows', async () => {
    const me = await guest();
    const events = await send(me, await conversation(me), scene('tokens n=60 ms=3').marker);
    const numbers = events.map((event) => Number(event.id.split(':')[1]));
    expect(events.filter((event) => event.event === 'delta').length).toBeGreaterThan(2);
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
    expect(new Set(events.map((event) => event.id.split(':')[0])).size).toBe(1);
  });

  test('can be found in my history while it is written, and never runs behind what I have read', async () => {
    const me = await guest();
    const id = await conversation(me);
    const gate = scene('gate n=5');
    const reader = await begin(me, id, gate.marker);
    await gate.reached();
    const read = textOf(await reader.untilText((text) => text.endsWith('w4')));
    const reply = await lastMessage(me, id);
    expect(reply).toMatchObject({ status: 'streaming', content: read });
    await gate.open();
    await reader.rest();
  });
});

describe('When I rejoin a reply', () => {
  test('from any event that I saw, the rest follows without a gap and without a repeat', async () => {
    const me = await guest();
    const id = await conversation(me);
    const turnId = newTurnId();
    const events = await send(me, id, scene('tokens n=30 ms=2').marker, { turnId });
    const whole = textOf(events);
    for (const [index, seen] of events.entries()) {
      const before = textOf(events.slice(0, index + 1));
      const rest = await send(me, id, 'the same again', { turnId, lastEventId: seen.id });
      expect(before + textOf(rest)).toBe(whole);
      expect(rest.map((event) => event.event)).not.toContain('accepted');
      expect(endOf(rest)).toMatchObject({ event: 'done', data: { reply: { content: whole } } });
    }
  });

  test('while it is written, from any position, also in the middle of a character', async () => {
    const me = await guest();
    const id = await conversation(me);
    const gate = scene('gate n=40');
    const first = await begin(me, id, gate.marker);
    await first.untilText((text) => text.endsWith('w39'));
    const [turnId] = (first.seen[0]?.id ?? '').split(':');
    const told = textOf(first.seen);
    const offsets = [
      0,
      1,
      told.length - 1,
      told.length,
      ...Array.from({ length: 12 }, () => Math.floor(Math.random() * told.length)),
    ];
    const readers = await Promise.all(offsets.map((offset) => rejoin(me, id, `${turnId}:${offset}`)));
    await gate.open();
    const whole = textOf(await first.rest());
    expect(whole).toBe(WORDS(80));
    for (const [index, reader] of readers.entries()) {
      const rest = await reader.rest();
      expect(told.slice(0, offsets[index]) + textOf(rest)).toBe(whole);
      expect(shapeOf(rest)).toEqual(['delta', 'done']);
    }
  });

  test('and its text is full of emoji, no position breaks it', async () => {
    const me = await guest();
    const id = await conversation(me);
    const turnId = newTurnId();
    const whole = textOf(await send(me, id, scene('split-utf8').marker, { turnId }));
    expect((await lastMessage(me, id)).content).toBe(whole);
    for (let offset = 0; offset <= whole.length; offset += 1) {
      const rest = await send(me, id, 'again', { turnId, lastEventId: `${turnId}:${offset}` });
      expect(whole.slice(0, offset) + textOf(rest)).toBe(whole);
    }
  });

  test('with a number that is not of this reply, I get all of it', async () => {
    const me = await guest();
    const id = await conversation(me);
    const gate = scene('gate n=3');
    const first = await begin(me, id, gate.marker);
    await first.untilText((text) => text.endsWith('w2'));
    const strange = [
      'nonsense',
      'other-turn:4',
      `${first.seen[0]?.id}9999999999`,
      ':3',
      '-1',
      'ü'.repeat(2000),
    ].map((last) => rejoin(me, id, encodeURI(last)));
    const readers = await Promise.all([...strange, rejoin(me, id)]);
    await gate.open();
    for (const reader of readers) {
      const events = await reader.rest();
      expect(shapeOf(events)).toEqual(['accepted', 'delta', 'done']);
      expect(textOf(events)).toBe(WORDS(6));
    }
    expect(textOf(await first.rest())).toBe(WORDS(6));
  });

  test('that nobody writes any more, there is nothing to follow', async () => {
    const me = await guest();
    const id = await conversation(me);
    const stream = () => me.call(`/api/conversations/${id}/stream`);
    expect((await stream()).status).toBe(204);
    await send(me, id);
    const after = await stream();
    expect(after.status).toBe(204);
    expect(await after.text()).toBe('');
  });

  test('after its end by sending the same message again, I get all of it and nothing is sent or charged twice', async () => {
    const me = await guest();
    const id = await conversation(me);
    const turnId = newTurnId();
    const first = await send(me, id, 'Once.', { turnId });
    const again = await send(me, id, 'Once.', { turnId });
    expect(shapeOf(again)).toEqual(['accepted', 'delta', 'done']);
    expect(textOf(again)).toBe(textOf(first));
    expect(again[0]?.data).toEqual(first[0]?.data);
    expect(endOf(again).data.reply).toEqual(await lastMessage(me, id));
    expect(await messages(me, id)).toHaveLength(3);
    expect(await points(me)).toMatchObject({ current_points: 49 });
    await expectBalancedLedger(me);
  });
});

describe('On two devices', () => {
  test('both read the same reply at once', async () => {
    const me = await guest();
    const id = await conversation(me);
    const gate = scene('gate n=20 ms=1');
    const phone = await begin(me, id, gate.marker);
    await gate.reached();
    const laptop = await rejoin(me, id);
    await gate.open();
    const [read, alsoRead] = await Promise.all([phone.rest(), laptop.rest()]);
    expect(textOf(read)).toBe(WORDS(40));
    expect(textOf(alsoRead)).toBe(WORDS(40));
    expect(endOf(alsoRead)).toEqual(endOf(read));
    expect(alsoRead[0]).toEqual(read[0]);
  });

  test('closing one does not disturb the other', async () => {
    const me = await guest();
    const id = await conversation(me);
    // Slow enough for many bursts after one of the two has left.
    const gate = scene('gate n=40 ms=4');
    const phone = await begin(me, id, gate.marker);
    await gate.reached();
    const laptop = await rejoin(me, id);
    await phone.leave();
    await gate.open();
    expect(textOf(await laptop.rest())).toBe(WORDS(80));
  });
});

describe('When I close the tab', () => {
  const stored = (me: Awaited<ReturnType<typeof guest>>, id: string, text: string) =>
    vi.waitFor(
      async () => expect(await lastMessage(me, id)).toMatchObject({ status: 'complete', content: text }),
      {
        timeout: 5000,
        interval: 20,
      },
    );

  test('before the first word, the reply is still written to its end and stored whole', async () => {
    const me = await guest();
    const id = await conversation(me);
    const gate = scene('gate n=10');
    const response = await post(me, id, gate.marker);
    await response.body?.cancel();
    await gate.open();
    await gate.ended();
    await stored(me, id, WORDS(20));
    expect(await points(me)).toMatchObject({ current_points: 49 });
  });

  test('in the middle, the reply is still written to its end and stored whole', async () => {
    const me = await guest();
    const id = await conversation(me);
    const gate = scene('gate n=30');
    const reader = await begin(me, id, gate.marker);
    await reader.untilText((text) => text.endsWith('w29'));
    await reader.leave();
    await gate.open();
    await gate.ended();
    await stored(me, id, WORDS(60));
    await expectBalancedLedger(me);
  });

  test('just before its end, the reply is still stored whole', async () => {
    const me = await guest();
    const id = await conversation(me);
    const turn = scene('tokens n=100 ms=1');
    const reader = await begin(me, id, turn.marker);
    await reader.untilText((text) => text.split(' ').length >= 95);
    await reader.leave();
    await turn.ended();
    await stored(me, id, WORDS(100));
  });

  test('by aborting the request itself, the reply is still written, and I can rejoin it', async () => {
    const me = await guest();
    const id = await conversation(me);
    const gate = scene('gate n=10');
    const tab = new AbortController();
    const turnId = newTurnId();
    const response = await me.call(`/api/conversations/${id}/messages`, {
      json: { content: gate.marker, client_message_id: turnId },
      signal: tab.signal,
    });
    const reader = await EventReader.of(response);
    await reader.untilText((text) => text.endsWith('w9'));
    tab.abort();
    await expect(reader.rest()).rejects.toThrow();
    const back = await rejoin(me, id, reader.seen.at(-1)?.id);
    await gate.open();
    expect(textOf(reader.seen) + textOf(await back.rest())).toBe(WORDS(20));
  });
});

describe('When I stop a reply', () => {
  test('what was written stays, the model is told to stop, and everybody who reads is told the end', async () => {
    const me = await guest();
    const id = await conversation(me);
    const gate = scene('gate n=5');
    const reader = await begin(me, id, gate.marker);
    await reader.untilText((text) => text.endsWith('w4'));
    const { reply } = await me.ask<{ reply: object }>(`/api/conversations/${id}/stop`, { method: 'POST' });
    expect(reply).toMatchObject({ content: WORDS(5), status: 'interrupted' });
    const events = await reader.rest();
    expect(textOf(events)).toBe(WORDS(5));
    expect(endOf(events)).toMatchObject({ event: 'done', data: { reply } });
    await gate.ended();
    expect((await gate.requests())[0]).toMatchObject({ aborted: true });
    expect(await lastMessage(me, id)).toEqual(reply);
    expect(await points(me)).toMatchObject({ current_points: 49 });
    await expectBalancedLedger(me);
  });

  test('before its first word, it costs nothing', async () => {
    const me = await guest();
    const id = await conversation(me);
    const silence = scene('hang');
    const reader = await begin(me, id, silence.marker);
    await me.ask(`/api/conversations/${id}/stop`, { method: 'POST' });
    expect(textOf(await reader.rest())).toBe('');
    expect(await points(me)).toMatchObject({ current_points: 50 });
    await expectBalancedLedger(me);
    await forgetScenes(id);
    expect(shapeOf(await send(me, id))).toEqual(['accepted', 'delta', 'done']);
  });

  test('when none is written, nothing happens', async () => {
    const me = await guest();
    const id = await conversation(me);
    expect(await me.ask(`/api/conversations/${id}/stop`, { method: 'POST' })).toEqual({ reply: null });
  });
});

describe('When I have a reply written anew', () => {
  test('it becomes a new version, the old one stays, and the deltas are the new text', async () => {
    const me = await guest();
    const id = await conversation(me);
    const first = textOf(await send(me, id, 'Tell me.'));
    const reply = await lastMessage(me, id);
    const turnId = newTurnId();
    const anew = () =>
      me.call(`/api/conversations/${id}/messages/${reply.id}/regenerate`, {
        json: { client_message_id: turnId },
      });
    const events = await (await EventReader.of(await anew())).rest();
    expect(shapeOf(events)).toEqual(['accepted', 'delta', 'done']);
    const after = await lastMessage(me, id);
    expect(after).toMatchObject({ id: reply.id, content: textOf(events), status: 'complete' });
    expect(after.versions.map((version) => version.content)).toEqual([first, textOf(events)]);
    expect(textOf(events)).not.toBe(first);
    expect(textOf(await (await EventReader.of(await anew())).rest())).toBe(textOf(events));
    expect(await messages(me, id)).toHaveLength(3);
    expect(await points(me)).toMatchObject({ current_points: 48 });
    await expectBalancedLedger(me);
  });

  test('and the model fails, the old text stays and nothing is charged', async () => {
    const me = await guest();
    const id = await conversation(me);
    const first = textOf(await send(me, id, 'Tell me.'));
    const reply = await lastMessage(me, id);
    const response = await me.call(`/api/conversations/${id}/messages/${reply.id}/regenerate`, {
      json: { client_message_id: newTurnId(), model: 'deepseek' },
    });
    const events = await (await EventReader.of(response)).rest();
    expect(endOf(events)).toMatchObject({ event: 'error', data: { code: 'model_unreachable' } });
    expect(await lastMessage(me, id)).toMatchObject({ content: first, status: 'complete' });
    expect((await lastMessage(me, id)).versions).toHaveLength(1);
    expect(await points(me)).toMatchObject({ current_points: 49 });
  });

  test('and the model fails, a reply that had broken off stays marked as broken off', async () => {
    const me = await guest();
    const id = await conversation(me);
    await send(me, id, 'Tell me. [[scenario:cut n=5]]');
    const reply = await lastMessage(me, id);
    expect(reply).toMatchObject({ status: 'interrupted', error_code: 'reply_cut_off' });
    const response = await me.call(`/api/conversations/${id}/messages/${reply.id}/regenerate`, {
      json: { client_message_id: newTurnId(), model: 'deepseek' },
    });
    await (await EventReader.of(response)).rest();
    expect(await lastMessage(me, id)).toEqual(reply);
  });

  test('the first message of the story can be written anew too', async () => {
    const me = await guest();
    const id = await conversation(me);
    const [first] = await messages(me, id);
    const response = await me.call(`/api/conversations/${id}/messages/${first?.id}/regenerate`, {
      json: { client_message_id: newTurnId() },
    });
    const events = await (await EventReader.of(response)).rest();
    expect(endOf(events)).toMatchObject({ event: 'done' });
    expect((await lastMessage(me, id)).versions).toHaveLength(2);
  });

  test('my own message is refused, and an unknown one is not found', async () => {
    const me = await guest();
    const id = await conversation(me);
    await send(me, id);
    const [, mine] = await messages(me, id);
    const anew = (mid: string | undefined) =>
      me.call(`/api/conversations/${id}/messages/${mid}/regenerate`, {
        json: { client_message_id: newTurnId() },
      });
    expect((await anew(mine?.id)).status).toBe(422);
    expect((await anew('unknown')).status).toBe(404);
    expect(await points(me)).toMatchObject({ current_points: 49 });
  });
});
