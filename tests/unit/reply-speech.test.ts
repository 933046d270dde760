import { describe, expect, test } from 'vitest';
import type { FollowedEvent } from '../../src/features/conversation/messages/reply-view.ts';
import { applyReplyEvent, createReplyView } from '../../src/features/conversation/messages/reply-view.ts';
import { createReplyAnnouncer, getCurrentReply } from '../../src/islands/chat/messages/reply-announcer.ts';
import { GREETING, createMessage, SAMPLE_POINTS } from '../support/chat-fixture.ts';

/** A listener to a conversation: what they hear of each event, in order. */
function listener(history = [GREETING]) {
  const speech = createReplyAnnouncer('en');
  let view = createReplyView(history);
  const heard: string[] = [];
  let ends = 0;
  const hear = (id: string, event: FollowedEvent['event']) => {
    view = applyReplyEvent(view, { id, event });
    const reply = getCurrentReply({ view });
    const said = reply ? speech(reply) : null;
    heard.push(...(said?.sentences ?? []));
    if (said?.isEnd) ends += 1;
    return said;
  };
  return {
    heard,
    get ends() {
      return ends;
    },
    accept: (turn = 't1', reply = createMessage('r1', { status: 'streaming' })) =>
      hear(`${turn}:0`, { event: 'accepted', reply }),
    delta: (number: number, text: string, turn = 't1') => hear(`${turn}:${number}`, { event: 'delta', text }),
    done: (content: string, turn = 't1', part = {}) =>
      hear(`${turn}:99`, {
        event: 'done',
        reply: createMessage('r1', { content, ...part }),
        points: SAMPLE_POINTS,
      }),
    fail: (content: string, part = {}, turn = 't1') =>
      hear(`${turn}:99`, {
        event: 'error',
        code: 'model_failed',
        error: '',
        reply: createMessage('r1', { content, ...part }),
      }),
  };
}

describe('A reply is read to me', () => {
  test('sentence by sentence while it is written, each once', () => {
    const l = listener();
    l.accept();
    l.delta(1, 'The lamp');
    expect(l.heard).toEqual([]);
    l.delta(2, ' is lit. Rain');
    expect(l.heard).toEqual(['The lamp is lit.']);
    l.delta(3, ' is near. And then');
    l.done('The lamp is lit. Rain is near. And then nothing.');
    expect(l.heard).toEqual(['The lamp is lit.', 'Rain is near.', 'And then nothing.']);
    expect(l.ends).toBe(1);
  });

  test('with the name of who speaks before its first sentence only', () => {
    const l = listener();
    l.accept();
    expect(l.delta(1, 'One is here. Two')?.isStart).toBe(true);
    expect(l.delta(2, ' came. Three')?.isStart).toBe(false);
  });

  test('without its marks', () => {
    const l = listener();
    l.accept();
    l.delta(1, '*He looks up.* "Good evening." So');
    l.done('*He looks up.* "Good evening." So it is.');
    expect(l.heard.join(' ')).not.toContain('*');
    expect(l.heard.join(' ')).toContain('He looks up.');
  });

  test('not again when a lost connection brings it once more', () => {
    const l = listener();
    l.accept();
    l.delta(1, 'The lamp is lit. Rain');
    l.accept();
    l.delta(1, 'The lamp is lit. Rain');
    l.done('The lamp is lit. Rain is near.');
    l.done('The lamp is lit. Rain is near.');
    expect(l.heard).toEqual(['The lamp is lit.', 'Rain is near.']);
    expect(l.ends).toBe(1);
  });

  test('only where it goes on, when I had it go on', () => {
    const base = 'The lamp is lit.';
    const l = listener([createMessage('r1', { content: base })]);
    l.accept('t2', createMessage('r1', { content: base, status: 'streaming', selected_version_id: 'r1-v2' }));
    l.delta(1, ' Rain is near. It', 't2');
    l.done(`${base} Rain is near. It falls.`, 't2', { selected_version_id: 'r1-v2' });
    expect(l.heard).toEqual(['Rain is near.', 'It falls.']);
  });

  test('not from before, when nothing new was written and the earlier text came back', () => {
    const old = createMessage('r1', { content: 'The lamp is lit.' });
    const l = listener([old]);
    l.accept('t2', createMessage('r1', { status: 'streaming', selected_version_id: 'r1-v2' }));
    l.fail('The lamp is lit.', { selected_version_id: 'r1-v1' }, 't2');
    expect(l.heard).toEqual([]);
    expect(l.ends).toBe(0);
  });

  test('to where it broke off, and that it did', () => {
    const l = listener();
    l.accept();
    l.delta(1, 'The lamp is lit. Rai');
    const end = l.fail('The lamp is lit. Rai', { status: 'interrupted', error_code: 'model_failed' });
    expect(l.heard).toEqual(['The lamp is lit.', 'Rai']);
    expect(end?.isEnd).toBe(true);
  });

  test('anew when it is written anew', () => {
    const l = listener();
    l.accept();
    l.done('The lamp is lit.');
    l.accept('t2', createMessage('r1', { status: 'streaming', selected_version_id: 'r1-v2' }));
    l.done('The lamp is out.', 't2', { selected_version_id: 'r1-v2' });
    expect(l.heard).toEqual(['The lamp is lit.', 'The lamp is out.']);
  });
});
