import { describe, expect, test } from 'vitest';
import { createReplyView, type ViewMessage } from '../../src/features/conversation/messages/reply-view.ts';
import {
  countMessagesAfter,
  listAvailableActions,
  getVersionPosition,
  isAwaitingReply,
} from '../../src/islands/chat/messages/available-actions.ts';
import { AT, createMessage, createUserMessage } from '../support/chat-fixture.ts';

const shown = (part: Partial<ViewMessage> = {}): ViewMessage => ({
  ...createMessage('r1', { content: 'The lamp is lit.', ...part }),
  key: 'r1',
  delivery: 'stored',
  ...part,
});
const version = (id: string, model: string | null = 'loreloom') => ({
  id,
  content: id,
  model,
  created_at: AT,
  edited: false,
});
const deeds = (item: ViewMessage, idle = true) =>
  listAvailableActions(item, idle).map(({ action: deed }) => deed);
const waiting = (item: ViewMessage, idle: boolean) =>
  listAvailableActions(item, idle)
    .filter(({ disabled: waits }) => waits)
    .map(({ action: deed }) => deed);

test('a reply can be had for my own last message where it has none, and for no other', () => {
  const mine = createUserMessage('u1', 'Hello');
  const alone = { view: createReplyView([createMessage('m0'), mine]), laterCursor: null };
  expect(isAwaitingReply(alone, 'u1', true)).toBe(true);
  expect(isAwaitingReply(alone, 'm0', true)).toBe(false);
  expect(isAwaitingReply(alone, 'u1', false)).toBe(false);
  expect(isAwaitingReply({ ...alone, laterCursor: 'u1' }, 'u1', true)).toBe(false);
  expect(isAwaitingReply({ ...alone, view: createReplyView([mine, createMessage('r1')]) }, 'u1', true)).toBe(
    false,
  );
});

describe('What I can do', () => {
  test('with a reply: everything, wherever it stands', () => {
    expect(deeds(shown())).toEqual([
      'copy',
      'edit',
      'writeAnew',
      'goOn',
      'fork',
      'pin',
      'context',
      'deleteFrom',
    ]);
  });

  test('with my own message: all but what only a model can do', () => {
    expect(
      deeds(shown({ role: 'user', versions: [version('v1', null)], selected_version_id: 'v1' })),
    ).toEqual(['copy', 'edit', 'fork', 'pin', 'deleteFrom']);
  });

  test('with a greeting that no model wrote: have it go on, but not written anew', () => {
    const greeting = shown({ versions: [version('v1', null)], selected_version_id: 'v1' });
    expect(deeds(greeting)).toContain('goOn');
    expect(deeds(greeting)).not.toContain('writeAnew');
    expect(deeds(greeting)).not.toContain('context');
  });

  test('with a reply that holds no word: nothing that needs one', () => {
    expect(deeds(shown({ content: '', status: 'failed' }))).toEqual([
      'writeAnew',
      'fork',
      'pin',
      'context',
      'deleteFrom',
    ]);
  });

  test('with a pinned message: take the pin away', () => {
    expect(deeds(shown({ pinned: true }))).toContain('unpin');
    expect(deeds(shown({ pinned: true }))).not.toContain('pin');
  });

  test('with a message that is not stored: nothing yet', () => {
    for (const delivery of ['pending', 'waiting', 'unsent'] as const)
      expect(deeds(shown({ delivery }))).toEqual([]);
  });

  test('while another reply is being written: whatever needs no model and takes nothing away', () => {
    expect(waiting(shown(), false)).toEqual(['writeAnew', 'goOn', 'deleteFrom']);
  });

  test('with the reply that is being written: copy and pin it', () => {
    const writing = shown({ status: 'streaming' });
    expect(waiting(writing, false)).toEqual(['edit', 'writeAnew', 'goOn', 'fork', 'context', 'deleteFrom']);
  });
});

describe('The versions of a message', () => {
  const versions = [version('a'), version('b'), version('c')];

  test('are counted from one, and lead to their neighbours', () => {
    expect(getVersionPosition({ versions, selected_version_id: 'b' })).toEqual({
      at: 2,
      count: 3,
      before: 'a',
      after: 'c',
    });
    expect(getVersionPosition({ versions, selected_version_id: 'a' })).toMatchObject({ at: 1, before: null });
    expect(getVersionPosition({ versions, selected_version_id: 'c' })).toMatchObject({ at: 3, after: null });
  });

  test('are none to choose from where there is only one', () => {
    expect(getVersionPosition({ versions: [version('a')], selected_version_id: 'a' })).toBeNull();
  });
});

describe('How many messages go with one', () => {
  const view = createReplyView([
    createUserMessage('u1', 'one'),
    createMessage('r1'),
    createUserMessage('u2', 'two'),
    createMessage('r2'),
  ]);

  test('is counted where all of them are shown', () => {
    expect(countMessagesAfter(view, 'r1', false)).toBe(2);
    expect(countMessagesAfter(view, 'r2', false)).toBe(0);
  });

  test('is not known where the history goes on', () => {
    expect(countMessagesAfter(view, 'r1', true)).toBeNull();
  });

  test('leaves out what was never sent', () => {
    const unsent = { ...shown(), id: 'x', key: 'x', role: 'user', delivery: 'unsent' } as const;
    expect(countMessagesAfter({ ...view, messages: [...view.messages, unsent] }, 'u2', false)).toBe(1);
  });
});
