import { describe, expect, test } from 'vitest';
import type { Message } from '../../src/features/conversation/contract.ts';
import { listShown, waitUntilIdle, queueReply, sendText, type OpenedChat } from '../support/chat-actions.ts';
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
} from '../support/chat-fixture.ts';

describe('What I did with a message', () => {
  const history: Message[] = [
    GREETING,
    createUserMessage('u1', 'Hello'),
    createMessage('r1', { content: 'Good evening' }),
  ];

  test('an edit can be taken back: the old version shows again', async () => {
    const w = await createChatFixture({ history }).openChat();
    w.queueAnswers('editMessage', {
      ok: true,
      data: { ...createUserMessage('u1', 'Hello you'), edited: true, selected_version_id: 'u1-v2' },
    });
    expect(await w.chat.edit('u1', 'Hello you')).toBe(true);
    expect(listShown(w)[1]).toBe('Hello you (stored)');
    w.queueAnswers('selectVersion', { ok: true, data: createUserMessage('u1', 'Hello') });
    expect(w.undoable.at(-1)).toMatchObject({ kind: 'edited', count: 1 });
    expect(await w.undoable.at(-1)?.undo()).toBe(true);
    expect(w.made('selectVersion')).toEqual([['c1', 'u1', 'u1-v1']]);
    expect(listShown(w)[1]).toBe('Hello (stored)');
  });

  test('an edit that changed nothing offers nothing to take back', async () => {
    const w = await createChatFixture({ history }).openChat();
    w.queueAnswers('editMessage', { ok: true, data: createUserMessage('u1', 'Hello') });
    await w.chat.edit('u1', 'Hello');
    expect(w.undoable).toEqual([]);
  });

  test('a deletion can be taken back: the messages stand where they stood, in sight', async () => {
    const w = await createChatFixture({ history }).openChat();
    const trash = { id: 't1', deleted_at: '', expires_at: '', message_count: 2, first_message: {} };
    w.queueAnswers('deleteFrom', { ok: true, data: trash });
    expect(await w.chat.deleteFrom('u1')).toBe(true);
    expect(listShown(w)).toEqual(['The lamp is lit. (stored)']);
    w.queueAnswers('restore', { ok: true, data: { message_ids: ['u1', 'r1'] } });
    expect(w.undoable.at(-1)).toMatchObject({ kind: 'deleted', count: 2 });
    expect(await w.undoable.at(-1)?.undo()).toBe(true);
    expect(listShown(w)).toHaveLength(3);
    expect(w.state.scrollTarget).toEqual({ messageId: 'u1' });
  });

  test.each([
    ['edit', 'edit_failed', (w: OpenedChat) => w.chat.edit('u1', 'x')],
    ['deletion', 'delete_failed', (w: OpenedChat) => w.chat.deleteFrom('u1')],
    ['choice of a version', 'select_version_failed', (w: OpenedChat) => w.chat.selectVersion('u1', 'u1-v1')],
    ['pin', 'pin_failed', (w: OpenedChat) => w.chat.pin('u1', true)],
    ['fork', 'fork_failed', (w: OpenedChat) => w.chat.fork('u1')],
    ['new name', 'rename_failed', (w: OpenedChat) => w.chat.rename('Lamps')],
    ['persona', 'persona_set_failed', (w: OpenedChat) => w.chat.setPersona('p1')],
    ['cleared persona', 'persona_clear_failed', (w: OpenedChat) => w.chat.setPersona(null)],
    ['deletion of it all', 'conversation_delete_failed', (w: OpenedChat) => w.chat.remove()],
  ])('without a network, a failed %s says so and changes nothing', async (_, code, act) => {
    const w = await createChatFixture({ history }).openChat();
    const before = listShown(w);
    expect(await act(w)).toBe(false);
    expect(w.state.notice).toEqual({ code, error: '' });
    expect(listShown(w)).toEqual(before);
    expect(w.state.phase).toBe('ready');
    expect(w.state.changing.size).toBe(0);
  });

  test('an edit that a rule refuses shows where help is, above the box, to somebody who needs it', async () => {
    const w = await createChatFixture({ history }).openChat();
    const helplines = [{ name: 'A friend', phone: '123', text: null, url: null, hours: 'always' as const }];
    w.queueAnswers('editMessage', { ...createFailure(422, 'text_refused'), rule: 'minors', helplines });
    expect(await w.chat.edit('u1', 'x')).toBe(false);
    expect(w.state).toMatchObject({
      notice: { code: 'text_refused', rule: 'minors', refusedText: 'x' },
      helplines,
      helpTurnId: 'u1',
    });
    w.queueAnswers('editMessage', { ...createFailure(422, 'text_refused'), rule: 'minors' });
    w.chat.dismissHelp();
    await w.chat.edit('u1', 'y');
    expect(w.state.helplines).toBeNull();
  });

  test('what another tab did first is shown when mine is refused', async () => {
    const w = await createChatFixture({ history }).openChat();
    w.queueAnswers('editMessage', createFailure(404, 'not_found'));
    w.setHistory([GREETING]);
    expect(await w.chat.edit('u1', 'x')).toBe(false);
    await waitUntilIdle();
    expect(listShown(w)).toEqual(['The lamp is lit. (stored)']);
  });
});

describe('The conversation as a whole', () => {
  test('when I delete it the page says so, and taking it back brings it here again', async () => {
    const w = await createChatFixture().openChat();
    w.queueAnswers('deleteConversation', NONE_RUNNING);
    expect(await w.chat.remove()).toBe(true);
    expect(w.state.phase).toBe('deleted');
    w.queueAnswers('restoreConversation', NETWORK_ERROR);
    expect(await w.chat.bringBack()).toBe(false);
    expect(w.state).toMatchObject({ phase: 'deleted', notice: { code: 'restore_failed' } });
    w.queueAnswers('restoreConversation', { ok: true, data: SAMPLE_CONVERSATION });
    expect(await w.chat.bringBack()).toBe(true);
    expect(w.state).toMatchObject({ phase: 'ready', notice: null });
    expect(listShown(w)).toEqual(['The lamp is lit. (stored)']);
  });

  test('a new name shows at once', async () => {
    const w = await createChatFixture().openChat();
    w.queueAnswers('rename', { ok: true, data: { ...SAMPLE_CONVERSATION, title: 'Lamps' } });
    expect(await w.chat.rename('Lamps')).toBe(true);
    expect(w.state.conversation?.title).toBe('Lamps');
  });

  test('a fork is gone on with where it was made', async () => {
    const w = await createChatFixture().openChat();
    w.queueAnswers('fork', { ok: true, data: { conversation: { ...SAMPLE_CONVERSATION, id: 'c2' } } });
    w.queueAnswers('conversation', {
      ok: true,
      data: {
        conversation: { ...SAMPLE_CONVERSATION, id: 'c2' },
        messages: [GREETING],
        next_cursor: null,
        later_cursor: null,
      },
    });
    expect(await w.chat.fork('m0')).toBe(true);
    expect(w.state.conversation?.id).toBe('c2');
  });

  test('a fork is asked for once, however often I press', async () => {
    const w = await createChatFixture().openChat();
    let answer: (answer: unknown) => void = () => {};
    w.queueAnswers('fork', () => new Promise((resolve) => (answer = resolve)));
    const first = w.chat.fork('m0');
    expect(await w.chat.fork('m0')).toBe(false);
    answer({ ok: true, data: { conversation: { ...SAMPLE_CONVERSATION, id: 'c2' } } });
    w.queueAnswers('conversation', () => new Promise((resolve) => (answer = resolve)));
    await waitUntilIdle();
    expect(await w.chat.fork('m0')).toBe(false);
    answer(NETWORK_ERROR);
    expect(await first).toBe(false);
    expect(w.made('fork')).toHaveLength(1);
  });

  test('a fork whose answer or whose story was lost is the same one when I try again, and the next is another', async () => {
    const w = await createChatFixture().openChat();
    const made = { ok: true, data: { conversation: { ...SAMPLE_CONVERSATION, id: 'c2' } } };
    w.queueAnswers('fork', NETWORK_ERROR, made, made);
    w.queueAnswers('conversation', NETWORK_ERROR);
    expect([await w.chat.fork('m0'), await w.chat.fork('m0'), await w.chat.fork('m0')]).toEqual([
      false,
      false,
      true,
    ]);
    w.queueAnswers('fork', NETWORK_ERROR);
    await w.chat.fork('m0');
    const [first, second, third, next] = w.made('fork').map(([, , id]) => id);
    expect(new Set([first, second, third]).size).toBe(1);
    expect(next).not.toBe(first);
  });
});

describe('A jump to a message', () => {
  const around = {
    ok: true,
    data: {
      conversation: SAMPLE_CONVERSATION,
      messages: [createUserMessage('u5', 'Long ago'), createMessage('r5', { content: 'Yes' })],
      next_cursor: 'a',
      later_cursor: 'b',
    },
  };

  test('fetches it with its neighbours where it is not shown, and leads back to the newest', async () => {
    const w = await createChatFixture().openChat();
    w.queueAnswers('conversation', around);
    await w.chat.showMessage('u5');
    expect(w.shown.map(([content]) => content)).toEqual(['Long ago', 'Yes']);
    expect(w.state).toMatchObject({
      scrollTarget: { messageId: 'u5' },
      earlierCursor: 'a',
      laterCursor: 'b',
    });
    await w.chat.showNewest();
    expect(w.shown.map(([content]) => content)).toEqual(['The lamp is lit.']);
    expect(w.state.laterCursor).toBeNull();
  });

  test('loses nothing that I had not sent yet', async () => {
    const w = await createChatFixture().openChat();
    await sendText(w, 'Not sent');
    w.queueAnswers('conversation', around);
    await w.chat.showMessage('u5');
    await w.chat.showNewest();
    expect(listShown(w)).toEqual(['The lamp is lit. (stored)', 'Not sent (waiting)']);
    expect(w.state.unsent).toHaveProperty('turn-0001');
  });

  test('to one that is shown fetches nothing', async () => {
    const w = await createChatFixture().openChat();
    const before = w.made('conversation').length;
    await w.chat.showMessage('m0');
    expect(w.made('conversation')).toHaveLength(before);
    expect(w.state.scrollTarget).toEqual({ messageId: 'm0' });
  });

  test('to one that is gone says so', async () => {
    const w = await createChatFixture().openChat();
    w.queueAnswers('conversation', NETWORK_ERROR);
    await w.chat.showMessage('u5');
    expect(w.state.notice?.code).toBe('message_not_found');
    expect(listShown(w)).toEqual(['The lamp is lit. (stored)']);
  });

  test('does not keep what I send from standing at the end', async () => {
    const w = await createChatFixture().openChat();
    w.queueAnswers('conversation', around);
    await w.chat.showMessage('u5');
    queueReply(w, 'turn-0001', 'Now', 1);
    await sendText(w, 'Now');
    await waitUntilIdle();
    expect(listShown(w)).toEqual(['The lamp is lit. (stored)', 'Now (stored)', 'Reply 1 (stored)']);
  });
});

describe('What the model helps me write', () => {
  const idsOf = (w: OpenedChat) =>
    w.made('suggest').map(([, body]) => (body as { client_message_id: string }).client_message_id);
  const LINES = ['I ask.', 'I wait.', 'I go.'];

  test('three lines stand over the box until I send something', async () => {
    const w = await createChatFixture().openChat();
    w.queueAnswers('suggest', { ok: true, data: { items: LINES, points: SAMPLE_POINTS } });
    const asking = w.chat.suggest('recommended');
    expect(w.state.assisting).toBe('suggestions');
    await asking;
    expect(w.state).toMatchObject({ assisting: null, suggestions: LINES, points: SAMPLE_POINTS });
    w.chat.insertIntoComposer('I wait.');
    expect(w.chat.$draft.get()).toBe('I wait.');
    queueReply(w, 'turn-0002', 'I wait.', 1);
    await w.chat.send('recommended');
    await waitUntilIdle();
    expect(w.state).toMatchObject({ suggestions: [], boxed: null });
  });

  test('another line takes the place of the one nobody touched, and none takes mine', async () => {
    const w = await createChatFixture().openChat();
    w.chat.setDraft('My own words');
    w.chat.insertIntoComposer('I wait.');
    expect(w.chat.$draft.get()).toBe('My own words\nI wait.');
    w.chat.insertIntoComposer('I go.');
    expect(w.chat.$draft.get()).toBe('My own words\nI go.');
    expect(w.state.boxed).toEqual({ before: 'My own words', after: 'My own words\nI go.', from: 13 });
    w.chat.setDraft('My own words\nI go home.');
    w.chat.insertIntoComposer('I ask.');
    expect(w.chat.$draft.get()).toBe('My own words\nI go home.\nI ask.');
  });

  test('a draft goes under what I had written, and is kept for the next visit', async () => {
    const w = await createChatFixture().openChat();
    w.chat.setDraft('Half a thought');
    w.queueAnswers('draft', { ok: true, data: { draft: '*I take the lamp.*', points: SAMPLE_POINTS } });
    await w.chat.draftMessage('recommended');
    expect(w.chat.$draft.get()).toBe('Half a thought\n*I take the lamp.*');
    expect(w.memory.get('draft:c1')).toBe('Half a thought\n*I take the lamp.*');
    expect(w.made('sendMessage')).toHaveLength(0);
  });

  test('an answer that was lost is asked for again under the same id, and paid for once', async () => {
    const w = await createChatFixture().openChat();
    await w.chat.suggest('recommended');
    expect(w.state.notice).toEqual({ code: 'suggestions_lost', error: '' });
    w.queueAnswers('suggest', { ok: true, data: { items: LINES, points: SAMPLE_POINTS } });
    await w.chat.suggest('recommended');
    const ids = idsOf(w);
    expect(ids[0]).toBe(ids[1]);
    w.queueAnswers('suggest', { ok: true, data: { items: LINES, points: SAMPLE_POINTS } });
    await w.chat.suggest('recommended');
    expect(idsOf(w)[2]).not.toBe(ids[0]);
  });

  test('a model that fails costs nothing and says so', async () => {
    const w = await createChatFixture().openChat();
    w.queueAnswers('draft', createFailure(502, 'ask_failed'));
    w.chat.setDraft('Mine');
    await w.chat.draftMessage('recommended');
    expect(w.state.notice).toEqual({ code: 'draft_failed', error: '' });
    expect(w.chat.$draft.get()).toBe('Mine');
  });

  test('without points for it I am told what is missing', async () => {
    const w = await createChatFixture().openChat();
    w.queueAnswers('suggest', createFailure(402, 'points_exhausted', { points: SAMPLE_POINTS }));
    await w.chat.suggest('recommended');
    expect(w.state.notice).toMatchObject({ code: 'points_exhausted', points: SAMPLE_POINTS });
  });
});
