import { describe, expect, test } from 'vitest';
import type { Message } from '../../../../../src/features/conversation/contract.ts';
import {
  createReplyView,
  type ViewMessage,
} from '../../../../../src/features/conversation/messages/reply-view.ts';
import {
  countMessagesAfter,
  findReplyAfter,
  listAvailableActions,
  getVersionPosition,
  isAwaitingReply,
} from '../../../../../src/islands/chat/messages/available-actions.ts';
import {
  AT,
  createMessage,
  createUserMessage,
  SAMPLE_CONVERSATION,
} from '../../../../support/chat-fixture.ts';

const createViewMessage = (part: Partial<ViewMessage> = {}): ViewMessage => ({
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
const listActions = (item: ViewMessage, idle = true) =>
  listAvailableActions(item, idle).map(({ action }) => action);
const listDisabledActions = (item: ViewMessage, idle: boolean) =>
  listAvailableActions(item, idle)
    .filter(({ disabled }) => disabled)
    .map(({ action }) => action);

test("a reply is offered only for the user's own last message without one", () => {
  const own = createUserMessage('u1', 'Hello');
  const alone = { view: createReplyView([createMessage('m0'), own]), laterCursor: null };
  expect(isAwaitingReply(alone, 'u1', true)).toBe(true);
  expect(isAwaitingReply(alone, 'm0', true)).toBe(false);
  expect(isAwaitingReply(alone, 'u1', false)).toBe(false);
  expect(isAwaitingReply({ ...alone, laterCursor: 'u1' }, 'u1', true)).toBe(false);
  expect(isAwaitingReply({ ...alone, view: createReplyView([own, createMessage('r1')]) }, 'u1', true)).toBe(
    false,
  );
});

describe('The reply after a message', () => {
  const own = createUserMessage('u1', 'Hello');
  const open = (...messages: Message[]) => ({
    conversation: SAMPLE_CONVERSATION,
    view: createReplyView(messages),
    laterCursor: null,
  });

  test('the reply that follows directly can be regenerated', () => {
    const later = [createMessage('r1'), createUserMessage('u2', 'And?'), createMessage('r2')];
    expect(findReplyAfter(open(own, ...later), 'u1')).toBe('r1');
  });

  test('a reply can be requested for the newest message only', () => {
    expect(findReplyAfter(open(createMessage('m0'), own), 'u1')).toBeNull();
    expect(findReplyAfter({ ...open(own), laterCursor: 'u1' }, 'u1')).toBeUndefined();
    expect(findReplyAfter(open(own, createUserMessage('u2', 'And?')), 'u1')).toBeUndefined();
  });

  test('there is none for a reply, an unknown message, and a character that cannot reply', () => {
    const state = open(own, createMessage('r1'));
    expect(findReplyAfter(state, 'r1')).toBeUndefined();
    expect(findReplyAfter(state, 'nowhere')).toBeUndefined();
    const conversation = { ...SAMPLE_CONVERSATION, character_state: 'removed' as const };
    expect(findReplyAfter({ ...state, conversation }, 'u1')).toBeUndefined();
  });
});

describe('Message actions', () => {
  test('a reply offers every action', () => {
    expect(listActions(createViewMessage())).toEqual([
      'copy',
      'edit',
      'regenerate',
      'regenerateWithNote',
      'continue',
      'branchFrom',
      'pin',
      'context',
      'deleteFrom',
    ]);
  });

  test("a user's own message offers everything that needs no model", () => {
    expect(
      listActions(
        createViewMessage({ role: 'user', versions: [version('v1', null)], selected_version_id: 'v1' }),
      ),
    ).toEqual(['copy', 'edit', 'branchFrom', 'pin', 'deleteFrom']);
  });

  test('a greeting that no model wrote can be continued but not regenerated', () => {
    const greeting = createViewMessage({ versions: [version('v1', null)], selected_version_id: 'v1' });
    expect(listActions(greeting)).toContain('continue');
    expect(listActions(greeting)).not.toContain('regenerate');
    expect(listActions(greeting)).not.toContain('context');
  });

  test('a reply without text offers nothing that needs text', () => {
    expect(listActions(createViewMessage({ content: '', status: 'failed' }))).toEqual([
      'regenerate',
      'regenerateWithNote',
      'branchFrom',
      'pin',
      'context',
      'deleteFrom',
    ]);
  });

  test('a pinned message can be unpinned', () => {
    expect(listActions(createViewMessage({ pinned: true }))).toContain('unpin');
    expect(listActions(createViewMessage({ pinned: true }))).not.toContain('pin');
  });

  test('a message that is not stored offers no action', () => {
    for (const delivery of ['pending', 'waiting', 'unsent'] as const)
      expect(listActions(createViewMessage({ delivery }))).toEqual([]);
  });

  test('actions that need the model or delete messages wait while another reply is written', () => {
    expect(listDisabledActions(createViewMessage(), false)).toEqual([
      'regenerate',
      'regenerateWithNote',
      'continue',
      'deleteFrom',
    ]);
  });

  test('a reply that is being written can only be copied and pinned', () => {
    const writing = createViewMessage({ status: 'streaming' });
    expect(listDisabledActions(writing, false)).toEqual([
      'edit',
      'regenerate',
      'regenerateWithNote',
      'continue',
      'branchFrom',
      'context',
      'deleteFrom',
    ]);
  });
});

describe('Version position', () => {
  const versions = [version('a'), version('b'), version('c')];

  test('versions are counted from one and name their neighbours', () => {
    expect(getVersionPosition({ versions, selected_version_id: 'b' })).toEqual({
      at: 2,
      count: 3,
      before: 'a',
      after: 'c',
    });
    expect(getVersionPosition({ versions, selected_version_id: 'a' })).toMatchObject({ at: 1, before: null });
    expect(getVersionPosition({ versions, selected_version_id: 'c' })).toMatchObject({ at: 3, after: null });
  });

  test('a single version has no position', () => {
    expect(getVersionPosition({ versions: [version('a')], selected_version_id: 'a' })).toBeNull();
  });
});

describe('Later message count', () => {
  const view = createReplyView([
    createUserMessage('u1', 'one'),
    createMessage('r1'),
    createUserMessage('u2', 'two'),
    createMessage('r2'),
  ]);

  test('the number of later messages is counted when all are loaded', () => {
    expect(countMessagesAfter(view, 'r1', false)).toBe(2);
    expect(countMessagesAfter(view, 'r2', false)).toBe(0);
  });

  test('the number of later messages is unknown while more history exists', () => {
    expect(countMessagesAfter(view, 'r1', true)).toBeNull();
  });

  test('messages that were never sent are not counted as later messages', () => {
    const unsent = { ...createViewMessage(), id: 'x', key: 'x', role: 'user', delivery: 'unsent' } as const;
    expect(countMessagesAfter({ ...view, messages: [...view.messages, unsent] }, 'u2', false)).toBe(1);
  });
});
