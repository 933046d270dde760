import { describe, expect, test } from 'vitest';
import type { FollowedEvent } from '../../../../../src/features/conversation/messages/reply-view.ts';
import {
  applyReplyEvent,
  createReplyView,
} from '../../../../../src/features/conversation/messages/reply-view.ts';
import {
  createReplyAnnouncer,
  getCurrentReply,
} from '../../../../../src/islands/chat/messages/reply-announcer.ts';
import { GREETING, createMessage, SAMPLE_POINTS } from '../../../../support/chat-fixture.ts';

/** A screen reader on a conversation, with what is announced for each event, in order. */
function createListener(history = [GREETING]) {
  const speech = createReplyAnnouncer('en');
  let view = createReplyView(history);
  const announced: string[] = [];
  let ends = 0;
  const receive = (id: string, event: FollowedEvent['event']) => {
    view = applyReplyEvent(view, { id, event });
    const reply = getCurrentReply({ view });
    const announcement = reply ? speech(reply) : null;
    announced.push(...(announcement?.sentences ?? []));
    if (announcement?.isEnd) ends += 1;
    return announcement;
  };
  return {
    announced,
    get ends() {
      return ends;
    },
    get reply() {
      return getCurrentReply({ view });
    },
    think: (text: string) => receive('t1:0', { event: 'thinking', text }),
    /** Begins the reply again. */
    begin: (number: number) =>
      receive(`t1:${number}`, { event: 'accepted', reply: createMessage('r1', { status: 'streaming' }) }),
    accept: (turn = 't1', reply = createMessage('r1', { status: 'streaming' })) =>
      receive(`${turn}:0`, { event: 'accepted', reply }),
    delta: (number: number, text: string, turn = 't1') =>
      receive(`${turn}:${number}`, { event: 'delta', text }),
    done: (content: string, turn = 't1', part = {}) =>
      receive(`${turn}:99`, {
        event: 'done',
        reply: createMessage('r1', { content, ...part }),
        points: SAMPLE_POINTS,
      }),
    fail: (content: string, part = {}, turn = 't1') =>
      receive(`${turn}:99`, {
        event: 'error',
        code: 'model_failed',
        error: '',
        reply: createMessage('r1', { content, ...part }),
      }),
  };
}

describe('Reply announcements', () => {
  test('a reply is announced sentence by sentence while it is written, each once', () => {
    const l = createListener();
    l.accept();
    l.delta(1, 'The lamp');
    expect(l.announced).toEqual([]);
    l.delta(2, ' is lit. Rain');
    expect(l.announced).toEqual(['The lamp is lit.']);
    l.delta(3, ' is near. And then');
    l.done('The lamp is lit. Rain is near. And then nothing.');
    expect(l.announced).toEqual(['The lamp is lit.', 'Rain is near.', 'And then nothing.']);
    expect(l.ends).toBe(1);
  });

  test("the speaker's name is announced before the first sentence only", () => {
    const l = createListener();
    l.accept();
    expect(l.delta(1, 'One is here. Two')?.isStart).toBe(true);
    expect(l.delta(2, ' came. Three')?.isStart).toBe(false);
  });

  test('a reply is announced without its markup', () => {
    const l = createListener();
    l.accept();
    l.delta(1, '*He looks up.* "Good evening." So');
    l.done('*He looks up.* "Good evening." So it is.');
    expect(l.announced.join(' ')).not.toContain('*');
    expect(l.announced.join(' ')).toContain('He looks up.');
  });

  test('a reply is not announced again when a lost connection repeats its events', () => {
    const l = createListener();
    l.accept();
    l.delta(1, 'The lamp is lit. Rain');
    l.accept();
    l.delta(1, 'The lamp is lit. Rain');
    l.done('The lamp is lit. Rain is near.');
    l.done('The lamp is lit. Rain is near.');
    expect(l.announced).toEqual(['The lamp is lit.', 'Rain is near.']);
    expect(l.ends).toBe(1);
  });

  test('a continued reply is announced from its continuation on', () => {
    const base = 'The lamp is lit.';
    const l = createListener([createMessage('r1', { content: base })]);
    l.accept('t2', createMessage('r1', { content: base, status: 'streaming', selected_version_id: 'r1-v2' }));
    l.delta(1, ' Rain is near. It', 't2');
    l.done(`${base} Rain is near. It falls.`, 't2', { selected_version_id: 'r1-v2' });
    expect(l.announced).toEqual(['Rain is near.', 'It falls.']);
  });

  test('an old text that returns after a failed regeneration is not announced', () => {
    const old = createMessage('r1', { content: 'The lamp is lit.' });
    const l = createListener([old]);
    l.accept('t2', createMessage('r1', { status: 'streaming', selected_version_id: 'r1-v2' }));
    l.fail('The lamp is lit.', { selected_version_id: 'r1-v1' }, 't2');
    expect(l.announced).toEqual([]);
    expect(l.ends).toBe(0);
  });

  test('an interrupted reply is announced up to where it ended', () => {
    const l = createListener();
    l.accept();
    l.delta(1, 'The lamp is lit. Rai');
    const end = l.fail('The lamp is lit. Rai', { status: 'interrupted', error_code: 'model_failed' });
    expect(l.announced).toEqual(['The lamp is lit.', 'Rai']);
    expect(end?.isEnd).toBe(true);
  });

  test('a regenerated reply is announced again', () => {
    const l = createListener();
    l.accept();
    l.done('The lamp is lit.');
    l.accept('t2', createMessage('r1', { status: 'streaming', selected_version_id: 'r1-v2' }));
    l.done('The lamp is out.', 't2', { selected_version_id: 'r1-v2' });
    expect(l.announced).toEqual(['The lamp is lit.', 'The lamp is out.']);
  });

  test('thinking is not announced, and a reply that begins again is announced from its beginning', () => {
    const l = createListener();
    l.accept();
    l.think('A secret plan. ');
    l.delta(9, 'The plan. It');
    l.begin(20);
    l.delta(30, 'Hello. It rains. And');
    expect(l.announced).toEqual(['The plan.', 'Hello.', 'It rains.']);
  });

  test('a reply that reached the limit of the model is announced as such', () => {
    const l = createListener();
    l.accept();
    l.done('Hello.', 't1', { length_reached: true });
    expect(l.reply?.isCut).toBe(true);
  });
});
