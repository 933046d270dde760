import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  applyReplyEvent,
  createReplyView,
  withEarlier,
  withNewest,
  withPending,
  withUnsent,
  type FollowedEvent,
  type ReplyView,
} from '../../../../../src/features/conversation/messages/reply-view.ts';
import { createMessage } from '../../../../support/chat-fixture.ts';

const AT = '2026-03-10T12:00:00.000Z';
const TURN = 'turn-0001';

const accepted: FollowedEvent = {
  id: `${TURN}:0`,
  event: {
    event: 'accepted',
    user_message: createMessage('u1', { role: 'user', content: 'Hello' }),
    reply: createMessage('r1', { status: 'streaming' }),
  },
};

/** The reply's events as the server numbers them: the number of a delta is the position at which it ends. */
function deltas(pieces: readonly string[]): FollowedEvent[] {
  let position = 0;
  return pieces.map((text) => {
    position += text.length;
    return { id: `${TURN}:${position}`, event: { event: 'delta', text } };
  });
}

function done(content: string): FollowedEvent {
  return {
    id: `${TURN}:${content.length + 1}`,
    event: { event: 'done', reply: createMessage('r1', { content }), points: null },
  };
}

const play = (view: ReplyView, events: readonly FollowedEvent[]) =>
  events.reduce((shownSoFar, event) => applyReplyEvent(shownSoFar, event), view);
const listMessages = (view: ReplyView) =>
  view.messages.map(({ role, content, status }) => [role, content, status]);
const replyText = (view: ReplyView) => view.messages.find(({ id }) => id === 'r1')?.content;

const sent = withPending(createReplyView([createMessage('m0', { content: 'Welcome.' })]), TURN, 'Hello', AT);
const pieces = fc.array(fc.string({ minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 12 });

describe('Reply view', () => {
  test('a sent message appears at once and becomes the stored one in the same place', () => {
    expect(sent.messages.at(-1)).toMatchObject({ key: TURN, delivery: 'pending', content: 'Hello' });
    const view = applyReplyEvent(sent, accepted);
    expect(view.messages.map(({ key, id, delivery }) => [key, id, delivery])).toEqual([
      ['m0', 'm0', 'stored'],
      [TURN, 'u1', 'stored'],
      [`${TURN}:reply`, 'r1', 'stored'],
    ]);
  });

  test('a reply has the same text however it is split into deltas', () => {
    fc.assert(
      fc.property(pieces, (parts) => {
        const view = play(sent, [accepted, ...deltas(parts)]);
        expect(replyText(view)).toBe(parts.join(''));
        expect(view.messages.at(-1)?.status).toBe('streaming');
      }),
    );
  });

  test('rejoining after any event gives the same text', () => {
    fc.assert(
      fc.property(pieces, fc.nat(), (parts, cut) => {
        const events = deltas(parts);
        const at = cut % (events.length + 1);
        const text = parts.join('');
        const seen = parts.slice(0, at).join('').length;
        // The server sends everything that is missing as one delta.
        const rest: FollowedEvent[] =
          seen < text.length
            ? [{ id: `${TURN}:${text.length}`, event: { event: 'delta', text: text.slice(seen) } }]
            : [];
        expect(replyText(play(sent, [accepted, ...events.slice(0, at), ...rest]))).toBe(text);
      }),
    );
  });

  test('a replay in other pieces gives the same text and never shortens it meanwhile', () => {
    fc.assert(
      fc.property(pieces, fc.nat(), fc.nat(), (parts, cut, otherCut) => {
        const text = parts.join('');
        const events = deltas(parts);
        const half = otherCut % (text.length + 1);
        const replayed = deltas([text.slice(0, half), text.slice(half)].filter((part) => part !== ''));
        let view = play(sent, [accepted, ...events.slice(0, cut % (events.length + 1))]);
        let longest = replyText(view)?.length ?? 0;
        for (const event of [accepted, ...replayed]) {
          view = applyReplyEvent(view, event);
          const length = replyText(view)?.length ?? 0;
          expect(length).toBeGreaterThanOrEqual(longest);
          longest = length;
        }
        expect(replyText(view)).toBe(text);
        expect(view.messages).toHaveLength(3);
      }),
    );
  });

  test('an event that arrives twice counts once', () => {
    fc.assert(
      fc.property(pieces, fc.array(fc.nat(), { maxLength: 6 }), (parts, again) => {
        const events = deltas(parts);
        const doubled = events.flatMap((event, index) =>
          again.map((n) => n % events.length).includes(index)
            ? [event, event, events[0] as FollowedEvent]
            : [event],
        );
        expect(replyText(play(sent, [accepted, ...doubled]))).toBe(parts.join(''));
      }),
    );
  });

  test('a complete replay after the end changes nothing', () => {
    fc.assert(
      fc.property(pieces, (parts) => {
        const all = [accepted, ...deltas(parts), done(parts.join(''))];
        const once = play(sent, all);
        for (const event of all) expect(applyReplyEvent(once, event)).toBe(once);
        expect(once.messages.at(-1)).toMatchObject({ status: 'complete', content: parts.join('') });
      }),
    );
  });

  test('the text of the history stays until a replay has passed it', () => {
    const history = createReplyView([
      createMessage('u1', { role: 'user', content: 'Hello' }),
      createMessage('r1', { status: 'streaming', content: 'Good ev' }),
    ]);
    const rejoined = applyReplyEvent(history, accepted);
    expect(replyText(rejoined)).toBe('Good ev');
    expect(replyText(play(rejoined, deltas(['Good evening'])))).toBe('Good evening');
    expect(rejoined.messages).toHaveLength(2);
  });

  test('events of a reply that was not accepted are ignored', () => {
    expect(play(sent, deltas(['stray']))).toBe(sent);
  });
});

describe('Failed reply view', () => {
  test('an interrupted reply keeps its text and its error', () => {
    const failed = createMessage('r1', {
      status: 'interrupted',
      content: 'Half a',
      error_code: 'reply_cut_off',
    });
    const view = play(sent, [
      accepted,
      ...deltas(['Half a']),
      {
        id: `${TURN}:7`,
        event: { event: 'error', error: 'The reply broke off.', code: 'reply_cut_off', reply: failed },
      },
    ]);
    expect(view.messages.at(-1)).toMatchObject({
      content: 'Half a',
      status: 'interrupted',
      error_code: 'reply_cut_off',
    });
  });

  test('an error without a reply keeps the text received so far', () => {
    const view = play(sent, [
      accepted,
      ...deltas(['Half a']),
      { id: `${TURN}:7`, event: { event: 'error', error: 'Gone.', code: 'model_failed' } },
    ]);
    expect(view.messages.at(-1)).toMatchObject({
      content: 'Half a',
      status: 'failed',
      error_code: 'model_failed',
    });
  });

  test('a retried reply starts empty in its place', () => {
    const view = createReplyView([
      createMessage('u1', { role: 'user', content: 'Hello' }),
      createMessage('r1', { status: 'failed', content: 'Half', error_code: 'reply_cut_off' }),
      createMessage('u2', { role: 'user', content: 'Later' }),
    ]);
    const begun = applyReplyEvent(view, {
      id: 'turn-0002:0',
      event: {
        event: 'accepted',
        reply: createMessage('r1', { status: 'streaming', selected_version_id: 'r1-v2' }),
      },
    });
    expect(begun.messages[1]).toMatchObject({ content: '', status: 'streaming' });
    const again = applyReplyEvent(begun, { id: 'turn-0002:3', event: { event: 'delta', text: 'New' } });
    expect(listMessages(again)).toEqual([
      ['user', 'Hello', 'complete'],
      ['character', 'New', 'streaming'],
      ['user', 'Later', 'complete'],
    ]);
    expect(again.messages[1]?.error_code).toBeUndefined();
  });
});

describe('Unsent message view', () => {
  test('a retried unsent message appears once, at the end', () => {
    const later = withPending(withUnsent(sent, TURN), 'turn-0002', 'Something else', AT);
    const retried = withPending(later, TURN, 'Hello', AT);
    expect(retried.messages.map(({ key, delivery }) => [key, delivery])).toEqual([
      ['m0', 'stored'],
      ['turn-0002', 'pending'],
      [TURN, 'pending'],
    ]);
  });

  test('an unsent message that had arrived is not shown twice when it is sent again', () => {
    const { view } = withNewest(withUnsent(sent, TURN), [
      createMessage('m0', { content: 'Welcome.' }),
      createMessage('u1', { role: 'user', content: 'Hello' }),
      createMessage('r1', { content: 'Hi' }),
    ]);
    const settled = play(withPending(view, TURN, 'Hello', AT), [accepted, ...deltas(['Hi']), done('Hi')]);
    expect(listMessages(settled)).toEqual([
      ['character', 'Welcome.', 'complete'],
      ['user', 'Hello', 'complete'],
      ['character', 'Hi', 'complete'],
    ]);
  });
});

describe('History view', () => {
  test('earlier messages are inserted before the others without duplicates', () => {
    const view = withEarlier(createReplyView([createMessage('m2'), createMessage('m3')]), [
      createMessage('m1'),
      createMessage('m2'),
    ]);
    expect(view.messages.map(({ id }) => id)).toEqual(['m1', 'm2', 'm3']);
  });

  test('a reload keeps the earlier pages that are open', () => {
    const view = withEarlier(createReplyView([createMessage('m3'), createMessage('m4')]), [
      createMessage('m1'),
      createMessage('m2'),
    ]);
    const { view: fresh, isContiguous: joined } = withNewest(view, [
      createMessage('m3'),
      createMessage('m4', { content: 'edited' }),
      createMessage('m5'),
    ]);
    expect(fresh.messages.map(({ id }) => id)).toEqual(['m1', 'm2', 'm3', 'm4', 'm5']);
    expect(fresh.messages[3]?.content).toBe('edited');
    expect(joined).toBe(true);
  });

  test('a reload that does not reach the shown messages replaces them', () => {
    const { view, isContiguous: joined } = withNewest(
      createReplyView([createMessage('m1'), createMessage('m2')]),
      [createMessage('m8'), createMessage('m9')],
    );
    expect(view.messages.map(({ id }) => id)).toEqual(['m8', 'm9']);
    expect(joined).toBe(false);
  });
});

describe('Thinking in the view', () => {
  const think = (number: number, text: string): FollowedEvent => ({
    id: `${TURN}:${number}`,
    event: { event: 'thinking', text },
  });
  const reply = (view: ReplyView) => view.messages.find(({ id }) => id === 'r1');

  test('thinking is kept apart from the text, also after the reply has ended', () => {
    const view = play(sent, [accepted, think(0, 'A '), think(0, 'plan.'), ...deltas(['Hello.'])]);
    expect(reply(view)).toMatchObject({ content: 'Hello.', thinking: 'A plan.', status: 'streaming' });
    expect(view.lastEventId).toBe(`${TURN}:6`);
    expect(reply(play(view, [done('Hello.')]))).toMatchObject({ thinking: 'A plan.', status: 'complete' });
  });

  test('a reply that begins again loses its text at once', () => {
    const again = { ...accepted, id: `${TURN}:10` };
    const view = play(sent, [accepted, ...deltas(['The plan']), again]);
    expect(reply(view)).toMatchObject({ content: '', status: 'streaming' });
    const after = play(view, [
      think(10, 'The plan.'),
      { id: `${TURN}:13`, event: { event: 'delta', text: 'The' } },
    ]);
    expect(reply(after)).toMatchObject({ content: 'The', thinking: 'The plan.' });
  });

  test('a reader who rejoins before the text has the thinking once', () => {
    const view = play(sent, [accepted, think(0, 'A plan.'), accepted, think(0, 'A plan. More.')]);
    expect(reply(view)).toMatchObject({ thinking: 'A plan. More.' });
  });
});
