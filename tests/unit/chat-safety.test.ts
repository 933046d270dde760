import { describe, expect, test } from 'vitest';
import type { Message, ReplyEvent } from '../../src/features/conversation/contract.ts';
import type { Helpline } from '../../src/features/safety/helplines.ts';
import { heardReply } from '../../src/islands/chat/messages/reply-announcer.ts';
import { outbox, said, sent, untilQuiet, willAnswer, write, type World } from '../support/chat-hands.ts';
import { message, NONE_RUNNING, POINTS, refusal, streams, user, world } from '../support/chat-world.ts';

const HELPLINES: Helpline[] = [
  { name: 'Somebody to talk to', phone: '116 123', text: null, url: 'https://example.org', hours: 'always' },
];
const CRISIS: ReplyEvent = { event: 'safety', kind: 'crisis', helplines: HELPLINES };
const REFUSED: ReplyEvent = { event: 'safety', kind: 'refused', rule: 'minors' };
const TEXT_REFUSED: ReplyEvent = { event: 'error', code: 'text_refused', error: 'It cannot be sent.' };

/** The next send is answered by these events in place of `accepted`. */
function willRefuse(w: World, turnId: string, ...events: ReplyEvent[]): void {
  const line = w.connect();
  w.will('sendMessage', async () => {
    setImmediate(async () => {
      for (const [number, event] of events.entries()) await line.say(turnId, number, event);
      await line.drop();
    });
    return streams(line);
  });
}

/** A turn whose events the test says. */
function turn(w: World, turnId = 'turn-0001') {
  const line = w.connect();
  w.will('sendMessage', () => streams(line));
  return { line, say: (number: number, event: ReplyEvent) => line.say(turnId, number, event) };
}

const accepted = (mine: Partial<Message> = {}): ReplyEvent => ({
  event: 'accepted',
  user_message: { ...user('u1', 'Hello'), ...mine },
  reply: message('r1', { status: 'streaming' }),
});

describe('A text that a rule refuses', () => {
  test('is back in the box with the rule, is out of the outbox, and what I change about it is sent', async () => {
    const w = await world().opened();
    willRefuse(w, 'turn-0001', REFUSED, TEXT_REFUSED);
    await write(w, 'Something bad');
    await untilQuiet();
    expect(w.chat.$draft.get()).toBe('Something bad');
    expect(said(w)).toEqual(['The lamp is lit. (stored)']);
    expect(outbox(w)).toEqual([]);
    expect(w.state.activity).toBe('idle');
    expect(w.state.notice).toMatchObject({
      code: 'text_refused',
      rule: 'minors',
      refusedText: 'Something bad',
    });
    willAnswer(w, 'turn-0002', 'Something else', 2);
    await write(w, 'Something else');
    await untilQuiet();
    expect(said(w)).toEqual(['The lamp is lit. (stored)', 'Something else (stored)', 'Reply 2 (stored)']);
    expect(w.state.notice).toBeNull();
  });

  test('is not taken for one that arrived when the connection breaks before all is said', async () => {
    const w = await world().opened();
    willRefuse(w, 'turn-0001', REFUSED);
    willRefuse(w, 'turn-0001', REFUSED, TEXT_REFUSED);
    const sending = write(w, 'Something bad');
    await untilQuiet();
    await w.pass(10_000);
    await sending;
    expect(sent(w)).toEqual(['Something bad', 'Something bad']);
    expect(w.chat.$draft.get()).toBe('Something bad');
    expect(said(w)).toEqual(['The lamp is lit. (stored)']);
  });

  test('that waited for the network stops those behind it: they would arrive without it', async () => {
    const w = await world().opened();
    w.setOnline(false);
    await write(w, 'Something bad');
    await write(w, 'And then');
    w.setOnline(true);
    willRefuse(w, 'turn-0001', REFUSED, TEXT_REFUSED);
    w.chat.wake();
    await untilQuiet();
    expect(w.chat.$draft.get()).toBe('Something bad');
    expect(said(w)).toEqual(['The lamp is lit. (stored)', 'And then (unsent)']);
    expect(sent(w)).toEqual(['Something bad']);
  });

  test('of one who needs help shows where it is, until something is sent or it is put away', async () => {
    const w = await world().opened();
    willRefuse(w, 'turn-0001', CRISIS, REFUSED, TEXT_REFUSED);
    await write(w, 'Something dark');
    await untilQuiet();
    expect(w.state).toMatchObject({ helplines: HELPLINES, helped: 'turn-0001' });
    w.chat.dismissHelp();
    expect(w.state.helplines).toBeNull();
    w.will('sendMessage', refusal(402, 'points_exhausted', { points: POINTS, helplines: HELPLINES }));
    await write(w, 'Something dark');
    expect(w.state).toMatchObject({ helplines: HELPLINES, notice: { code: 'points_exhausted' } });
    willAnswer(w, 'turn-0003', 'Hello', 3);
    w.chat.setDraft('');
    await write(w, 'Hello');
    await untilQuiet();
    expect(w.state.helplines).toBeNull();
  });

  test('as an edit leaves the message as it is, and says by which rule', async () => {
    const w = world();
    w.setHistory([message('m0', { content: 'The lamp is lit.' }), user('u1', 'Hello')]);
    await w.opened();
    w.will('editMessage', refusal(422, 'text_refused', { rule: 'sexual' }));
    expect(await w.chat.edit('u1', 'Something bad')).toBe(false);
    expect(w.state.notice).toMatchObject({
      code: 'text_refused',
      rule: 'sexual',
      refusedText: 'Something bad',
    });
    expect(said(w as World)[1]).toBe('Hello (stored)');
  });
});

describe('A message that sounds as if I needed help', () => {
  test('has it beside it, and it is said once, also when the connection breaks and all is told again', async () => {
    const w = await world().opened();
    const help = { kind: 'crisis', helplines: HELPLINES } as const;
    const first = turn(w);
    const sending = write(w, 'Hello');
    await untilQuiet();
    const told: (string | null)[] = [];
    w.chat.$chat.listen(({ helped }) => void (helped !== told.at(-1) && told.push(helped)));
    await first.say(0, accepted({ safety: help }));
    await first.say(1, CRISIS);
    await first.say(5, { event: 'delta', text: 'I am' });
    w.drawFrame();
    expect(w.state.view.messages.find(({ id }) => id === 'u1')).toMatchObject({ safety: help });
    expect(w.state.helped).toBe('turn-0001');
    expect(w.state.view.lastEventId).toBe('turn-0001:5');
    const again = w.connect();
    w.will('rejoin', streams(again));
    await first.line.drop();
    await w.pass(1000);
    await again.say('turn-0001', 0, accepted({ safety: help }));
    await again.say('turn-0001', 1, CRISIS);
    await again.say('turn-0001', 11, { event: 'delta', text: 'I am here.' });
    await again.say('turn-0001', 12, {
      event: 'done',
      reply: message('r1', { content: 'I am here.' }),
      points: null,
    });
    await sending;
    expect(said(w).at(-1)).toBe('I am here. (stored)');
    expect(told.filter((turnId) => turnId !== null)).toEqual(['turn-0001']);
  });

  test('and was brought along has it beside it as soon as it is answered', async () => {
    const w = world();
    const help = { kind: 'crisis', helplines: HELPLINES } as const;
    w.setHistory([message('m0', { content: 'The lamp is lit.' }), user('u1', 'Hello')]);
    await w.opened();
    const line = w.connect();
    w.will('answer', streams(line));
    const writing = w.chat.answer('u1', 'recommended');
    await untilQuiet();
    await line.say('turn-0001', 0, {
      event: 'accepted',
      user_message: { ...user('u1', 'Hello'), safety: help },
      reply: message('r1', { status: 'streaming' }),
    });
    await line.say('turn-0001', 1, CRISIS);
    expect(w.state.view.messages.find(({ id }) => id === 'u1')).toMatchObject({ safety: help });
    expect(w.state.helped).toBe('turn-0001');
    await line.say('turn-0001', 9, {
      event: 'done',
      reply: message('r1', { content: 'I am here.' }),
      points: null,
    });
    await writing;
    expect(said(w)).toEqual(['The lamp is lit. (stored)', 'Hello (stored)', 'I am here. (stored)']);
  });

  test('is joined after its help was told, and nothing of the reply is lost', async () => {
    const w = await world().opened();
    const first = turn(w);
    const sending = write(w, 'Hello');
    await untilQuiet();
    await first.say(0, accepted());
    await first.say(1, CRISIS);
    const again = w.connect();
    w.will('rejoin', streams(again));
    await first.line.drop();
    await w.pass(1000);
    expect(w.made('rejoin')[0]?.[1]).toBe('turn-0001:1');
    await again.say('turn-0001', 11, { event: 'delta', text: 'I am here.' });
    await again.say('turn-0001', 12, {
      event: 'done',
      reply: message('r1', { content: 'I am here.' }),
      points: null,
    });
    await sending;
    expect(said(w).at(-1)).toBe('I am here. (stored)');
  });
});

describe('The notice that an AI answers', () => {
  test('is said once when it comes with what I send, and not again when all is told again', async () => {
    const w = await world().opened();
    expect(w.state.noticed).toBeNull();
    const first = turn(w);
    const sending = write(w, 'Hello');
    await untilQuiet();
    const told: (string | null)[] = [];
    w.chat.$chat.listen(({ noticed }) => void (noticed !== told.at(-1) && told.push(noticed)));
    await first.say(0, accepted({ notice: true }));
    expect(w.state.noticed).toBe('turn-0001');
    const again = w.connect();
    w.will('rejoin', streams(again));
    await first.line.drop();
    await w.pass(1000);
    await again.say('turn-0001', 0, accepted({ notice: true }));
    await again.say('turn-0001', 1, {
      event: 'done',
      reply: message('r1', { content: 'Yes?' }),
      points: null,
    });
    await sending;
    expect(told.filter((turnId) => turnId !== null)).toEqual(['turn-0001']);
    willAnswer(w, 'turn-0002', 'And you?', 2);
    await write(w, 'And you?');
    await untilQuiet();
    expect(w.state.noticed).toBe('turn-0001');
  });

  test('is not said again with a message that bears it already', async () => {
    const w = world();
    const before = message('r1', { content: 'As it was.', notice: true });
    w.setHistory([message('m0', { content: 'The lamp is lit.' }), user('u1', 'Hello'), before]);
    await w.opened();
    const line = w.connect();
    w.will('regenerate', streams(line));
    const writing = w.chat.regenerate('r1', 'recommended');
    await untilQuiet();
    await line.say('turn-0001', 0, {
      event: 'accepted',
      reply: { ...before, status: 'streaming', content: '' },
    });
    await line.say('turn-0001', 1, { event: 'done', reply: before, points: null });
    await writing;
    expect(w.state.noticed).toBeNull();
  });
});

describe('A reply that a rule ended', () => {
  test('keeps what was told and is said as that: no model declined it', async () => {
    const w = await world().opened();
    const first = turn(w);
    const sending = write(w, 'Hello');
    await untilQuiet();
    await first.say(0, accepted());
    await first.say(4, { event: 'delta', text: 'Once' });
    await first.say(5, REFUSED);
    const reply = message('r1', {
      content: 'Once',
      status: 'interrupted',
      error_code: 'reply_refused',
      safety: { kind: 'refused', rule: 'minors' },
    });
    await first.say(6, { event: 'error', code: 'reply_refused', error: 'A rule ended it.', reply });
    await sending;
    expect(said(w).at(-1)).toBe('Once (stored)');
    expect(heardReply(w.state)).toMatchObject({ ended: true, errorCode: 'reply_ended_by_rule' });
    expect(w.state.notice).toBeNull();
  });

  test('and had said something before says in a notice what became of the new one', async () => {
    const w = world();
    const before = message('r1', { content: 'As it was.' });
    w.setHistory([message('m0', { content: 'The lamp is lit.' }), user('u1', 'Hello'), before]);
    await w.opened();
    const line = w.connect();
    w.will('regenerate', streams(line));
    w.will('rejoin', NONE_RUNNING);
    const writing = w.chat.regenerate('r1', 'recommended');
    await untilQuiet();
    await line.say('turn-0001', 0, {
      event: 'accepted',
      reply: { ...before, status: 'streaming', content: '' },
    });
    await line.say('turn-0001', 1, REFUSED);
    await line.say('turn-0001', 2, {
      event: 'error',
      code: 'reply_refused',
      error: 'A rule ended it.',
      reply: before,
    });
    await writing;
    expect(w.state.notice).toMatchObject({ code: 'reply_ended_by_rule', rule: 'minors' });
  });
});
