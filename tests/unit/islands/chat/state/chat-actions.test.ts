import { describe, expect, test } from 'vitest';
import type { Message } from '../../../../../src/features/conversation/contract.ts';
import {
  listShown,
  waitUntilIdle,
  queueReply,
  sendText,
  type OpenedChat,
} from '../../../../support/chat-actions.ts';
import {
  SAMPLE_CONVERSATION,
  GREETING,
  createMessage,
  NETWORK_ERROR,
  NONE_RUNNING,
  SAMPLE_POINTS,
  createFailure,
  createUserMessage,
  createChatFixture,
} from '../../../../support/chat-fixture.ts';

describe('Message actions', () => {
  const history: Message[] = [
    GREETING,
    createUserMessage('u1', 'Hello'),
    createMessage('r1', { content: 'Good evening' }),
  ];

  test('undoing an edit selects the earlier version again', async () => {
    const page = await createChatFixture({ history }).openChat();
    page.queueAnswers('editMessage', {
      ok: true,
      data: { ...createUserMessage('u1', 'Hello you'), edited: true, selected_version_id: 'u1-v2' },
    });
    expect(await page.chat.edit('u1', 'Hello you')).toBe(true);
    expect(listShown(page)[1]).toBe('Hello you (stored)');
    page.queueAnswers('selectVersion', { ok: true, data: createUserMessage('u1', 'Hello') });
    expect(page.undoable.at(-1)).toMatchObject({ kind: 'edited', count: 1 });
    expect(await page.undoable.at(-1)?.undo()).toBe(true);
    expect(page.made('selectVersion')).toEqual([['c1', 'u1', 'u1-v1']]);
    expect(listShown(page)[1]).toBe('Hello (stored)');
  });

  test('an edit that changes nothing offers no undo', async () => {
    const page = await createChatFixture({ history }).openChat();
    page.queueAnswers('editMessage', { ok: true, data: createUserMessage('u1', 'Hello') });
    await page.chat.edit('u1', 'Hello');
    expect(page.undoable).toEqual([]);
  });

  test('undoing a deletion restores the messages in their place and scrolls to them', async () => {
    const page = await createChatFixture({ history }).openChat();
    const trash = { id: 't1', deleted_at: '', expires_at: '', message_count: 2, first_message: {} };
    page.queueAnswers('deleteFrom', { ok: true, data: trash });
    expect(await page.chat.deleteFrom('u1')).toBe(true);
    expect(listShown(page)).toEqual(['The lamp is lit. (stored)']);
    page.queueAnswers('restore', { ok: true, data: { message_ids: ['u1', 'r1'] } });
    expect(page.undoable.at(-1)).toMatchObject({ kind: 'deleted', count: 2 });
    expect(await page.undoable.at(-1)?.undo()).toBe(true);
    expect(listShown(page)).toHaveLength(3);
    expect(page.state.scrollTarget).toEqual({ messageId: 'u1' });
  });

  test.each([
    ['edit', 'edit_failed', (page: OpenedChat) => page.chat.edit('u1', 'x')],
    ['deletion', 'delete_failed', (page: OpenedChat) => page.chat.deleteFrom('u1')],
    [
      'choice of a version',
      'select_version_failed',
      (page: OpenedChat) => page.chat.selectVersion('u1', 'u1-v1'),
    ],
    ['pin', 'pin_failed', (page: OpenedChat) => page.chat.pin('u1', true)],
    ['fork', 'branch_failed', (page: OpenedChat) => page.chat.fork('u1')],
    ['new name', 'rename_failed', (page: OpenedChat) => page.chat.rename('Lamps')],
    ['persona', 'persona_set_failed', (page: OpenedChat) => page.chat.setPersona('p1')],
    ['removal of the persona', 'persona_clear_failed', (page: OpenedChat) => page.chat.setPersona(null)],
    ['deletion of the conversation', 'conversation_delete_failed', (page: OpenedChat) => page.chat.remove()],
  ])('a failed %s shows a notice and changes nothing', async (_, code, act) => {
    const page = await createChatFixture({ history }).openChat();
    const before = listShown(page);
    expect(await act(page)).toBe(false);
    expect(page.state.notice).toEqual({ code, error: '' });
    expect(listShown(page)).toEqual(before);
    expect(page.state.phase).toBe('ready');
    expect(page.state.changing.size).toBe(0);
  });

  test('an edit refused by a rule shows the helplines given with it, and none without', async () => {
    const page = await createChatFixture({ history }).openChat();
    const helplines = [{ name: 'A friend', phone: '123', text: null, url: null, hours: 'always' as const }];
    page.queueAnswers('editMessage', { ...createFailure(422, 'text_refused'), rule: 'minors', helplines });
    expect(await page.chat.edit('u1', 'x')).toBe(false);
    expect(page.state).toMatchObject({
      notice: { code: 'text_refused', rule: 'minors', refusedText: 'x' },
      helplines,
      helpTurnId: 'u1',
    });
    page.queueAnswers('editMessage', { ...createFailure(422, 'text_refused'), rule: 'minors' });
    page.chat.dismissHelp();
    await page.chat.edit('u1', 'y');
    expect(page.state.helplines).toBeNull();
  });

  test('a refused edit shows what another tab changed', async () => {
    const page = await createChatFixture({ history }).openChat();
    page.queueAnswers('editMessage', createFailure(404, 'not_found'));
    page.setHistory([GREETING]);
    expect(await page.chat.edit('u1', 'x')).toBe(false);
    await waitUntilIdle();
    expect(listShown(page)).toEqual(['The lamp is lit. (stored)']);
  });
});

describe('Conversation actions', () => {
  test('a deleted conversation can be restored on the same page, also after a failure', async () => {
    const page = await createChatFixture().openChat();
    page.queueAnswers('deleteConversation', NONE_RUNNING);
    expect(await page.chat.remove()).toBe(true);
    expect(page.state.phase).toBe('deleted');
    page.queueAnswers('restoreConversation', NETWORK_ERROR);
    expect(await page.chat.bringBack()).toBe(false);
    expect(page.state).toMatchObject({ phase: 'deleted', notice: { code: 'restore_failed' } });
    page.queueAnswers('restoreConversation', { ok: true, data: SAMPLE_CONVERSATION });
    expect(await page.chat.bringBack()).toBe(true);
    expect(page.state).toMatchObject({ phase: 'ready', notice: null });
    expect(listShown(page)).toEqual(['The lamp is lit. (stored)']);
  });

  test('a renamed conversation shows its new title at once', async () => {
    const page = await createChatFixture().openChat();
    page.queueAnswers('rename', { ok: true, data: { ...SAMPLE_CONVERSATION, title: 'Lamps' } });
    expect(await page.chat.rename('Lamps')).toBe(true);
    expect(page.state.conversation?.title).toBe('Lamps');
  });

  test('a fork opens the new conversation', async () => {
    const page = await createChatFixture().openChat();
    page.queueAnswers('fork', { ok: true, data: { conversation: { ...SAMPLE_CONVERSATION, id: 'c2' } } });
    page.queueAnswers('conversation', {
      ok: true,
      data: {
        conversation: { ...SAMPLE_CONVERSATION, id: 'c2' },
        messages: [GREETING],
        next_cursor: null,
        later_cursor: null,
      },
    });
    expect(await page.chat.fork('m0')).toBe(true);
    expect(page.state.conversation?.id).toBe('c2');
  });

  test('a second press during a fork sends no second request', async () => {
    const page = await createChatFixture().openChat();
    let answer: (answer: unknown) => void = () => {};
    page.queueAnswers('fork', () => new Promise((resolve) => (answer = resolve)));
    const first = page.chat.fork('m0');
    expect(await page.chat.fork('m0')).toBe(false);
    answer({ ok: true, data: { conversation: { ...SAMPLE_CONVERSATION, id: 'c2' } } });
    page.queueAnswers('conversation', () => new Promise((resolve) => (answer = resolve)));
    await waitUntilIdle();
    expect(await page.chat.fork('m0')).toBe(false);
    answer(NETWORK_ERROR);
    expect(await first).toBe(false);
    expect(page.made('fork')).toHaveLength(1);
  });

  test('a fork with a lost answer is repeated with the same id, and the next fork has a new one', async () => {
    const page = await createChatFixture().openChat();
    const created = { ok: true, data: { conversation: { ...SAMPLE_CONVERSATION, id: 'c2' } } };
    page.queueAnswers('fork', NETWORK_ERROR, created, created);
    page.queueAnswers('conversation', NETWORK_ERROR);
    expect([await page.chat.fork('m0'), await page.chat.fork('m0'), await page.chat.fork('m0')]).toEqual([
      false,
      false,
      true,
    ]);
    page.queueAnswers('fork', NETWORK_ERROR);
    await page.chat.fork('m0');
    const [first, second, third, next] = page.made('fork').map(([, , id]) => id);
    expect(new Set([first, second, third]).size).toBe(1);
    expect(next).not.toBe(first);
  });
});

describe('Jump to a message', () => {
  const oldPart = {
    ok: true,
    data: {
      conversation: SAMPLE_CONVERSATION,
      messages: [createUserMessage('u5', 'Long ago'), createMessage('r5', { content: 'Yes' })],
      next_cursor: 'a',
      later_cursor: 'b',
    },
  };

  test('a jump loads a message that is not shown with its neighbours, and the way back shows the newest', async () => {
    const page = await createChatFixture().openChat();
    page.queueAnswers('conversation', oldPart);
    await page.chat.showMessage('u5');
    expect(page.shown.map(([content]) => content)).toEqual(['Long ago', 'Yes']);
    expect(page.state).toMatchObject({
      scrollTarget: { messageId: 'u5' },
      earlierCursor: 'a',
      laterCursor: 'b',
    });
    await page.chat.showNewest();
    expect(page.shown.map(([content]) => content)).toEqual(['The lamp is lit.']);
    expect(page.state.laterCursor).toBeNull();
  });

  test('a jump keeps unsent messages', async () => {
    const page = await createChatFixture().openChat();
    await sendText(page, 'Not sent');
    page.queueAnswers('conversation', oldPart);
    await page.chat.showMessage('u5');
    await page.chat.showNewest();
    expect(listShown(page)).toEqual(['The lamp is lit. (stored)', 'Not sent (waiting)']);
    expect(page.state.unsent).toHaveProperty('turn-0001');
  });

  test('a jump to a shown message loads nothing', async () => {
    const page = await createChatFixture().openChat();
    const before = page.made('conversation').length;
    await page.chat.showMessage('m0');
    expect(page.made('conversation')).toHaveLength(before);
    expect(page.state.scrollTarget).toEqual({ messageId: 'm0' });
  });

  test('a jump to a missing message shows a notice', async () => {
    const page = await createChatFixture().openChat();
    page.queueAnswers('conversation', NETWORK_ERROR);
    await page.chat.showMessage('u5');
    expect(page.state.notice?.code).toBe('message_not_found');
    expect(listShown(page)).toEqual(['The lamp is lit. (stored)']);
  });

  test('sending after a jump shows the message at the end of the conversation', async () => {
    const page = await createChatFixture().openChat();
    page.queueAnswers('conversation', oldPart);
    await page.chat.showMessage('u5');
    queueReply(page, 'turn-0001', 'Now', 1);
    await sendText(page, 'Now');
    await waitUntilIdle();
    expect(listShown(page)).toEqual(['The lamp is lit. (stored)', 'Now (stored)', 'Reply 1 (stored)']);
  });
});

describe('Writing assistance', () => {
  const listTurnIds = (page: OpenedChat) =>
    page.made('suggest').map(([, body]) => (body as { client_message_id: string }).client_message_id);
  const LINES = ['I ask.', 'I wait.', 'I go.'];

  test('three suggestions are shown until a message is sent', async () => {
    const page = await createChatFixture().openChat();
    page.queueAnswers('suggest', { ok: true, data: { items: LINES, points: SAMPLE_POINTS } });
    const asking = page.chat.suggest('recommended');
    expect(page.state.assisting).toBe('suggestions');
    await asking;
    expect(page.state).toMatchObject({ assisting: null, suggestions: LINES, points: SAMPLE_POINTS });
    page.chat.insertIntoComposer('I wait.');
    expect(page.chat.$draft.get()).toBe('I wait.');
    queueReply(page, 'turn-0002', 'I wait.', 1);
    await page.chat.send('recommended');
    await waitUntilIdle();
    expect(page.state).toMatchObject({ suggestions: [], boxed: null });
  });

  test('a suggestion replaces an unedited one and is added after the user’s own text', async () => {
    const page = await createChatFixture().openChat();
    page.chat.setDraft('My own words');
    page.chat.insertIntoComposer('I wait.');
    expect(page.chat.$draft.get()).toBe('My own words\nI wait.');
    page.chat.insertIntoComposer('I go.');
    expect(page.chat.$draft.get()).toBe('My own words\nI go.');
    expect(page.state.boxed).toEqual({ before: 'My own words', after: 'My own words\nI go.', from: 13 });
    page.chat.setDraft('My own words\nI go home.');
    page.chat.insertIntoComposer('I ask.');
    expect(page.chat.$draft.get()).toBe('My own words\nI go home.\nI ask.');
  });

  test('a generated draft is added after the written text and saved for the next visit', async () => {
    const page = await createChatFixture().openChat();
    page.chat.setDraft('Half a thought');
    page.queueAnswers('draft', { ok: true, data: { draft: '*I take the lamp.*', points: SAMPLE_POINTS } });
    await page.chat.draftMessage('recommended');
    expect(page.chat.$draft.get()).toBe('Half a thought\n*I take the lamp.*');
    expect(page.memory.get('draft:c1')).toBe('Half a thought\n*I take the lamp.*');
    expect(page.made('sendMessage')).toHaveLength(0);
  });

  test('suggestions with a lost answer are requested again with the same id', async () => {
    const page = await createChatFixture().openChat();
    await page.chat.suggest('recommended');
    expect(page.state.notice).toEqual({ code: 'suggestions_lost', error: '' });
    page.queueAnswers('suggest', { ok: true, data: { items: LINES, points: SAMPLE_POINTS } });
    await page.chat.suggest('recommended');
    const ids = listTurnIds(page);
    expect(ids[0]).toBe(ids[1]);
    page.queueAnswers('suggest', { ok: true, data: { items: LINES, points: SAMPLE_POINTS } });
    await page.chat.suggest('recommended');
    expect(listTurnIds(page)[2]).not.toBe(ids[0]);
  });

  test('a failed draft leaves the written text and shows a notice', async () => {
    const page = await createChatFixture().openChat();
    page.queueAnswers('draft', createFailure(502, 'assist_failed'));
    page.chat.setDraft('Mine');
    await page.chat.draftMessage('recommended');
    expect(page.state.notice).toEqual({ code: 'draft_failed', error: '' });
    expect(page.chat.$draft.get()).toBe('Mine');
  });

  test('a suggestion without enough points shows the points', async () => {
    const page = await createChatFixture().openChat();
    page.queueAnswers('suggest', createFailure(402, 'points_exhausted', { points: SAMPLE_POINTS }));
    await page.chat.suggest('recommended');
    expect(page.state.notice).toMatchObject({ code: 'points_exhausted', points: SAMPLE_POINTS });
  });
});
