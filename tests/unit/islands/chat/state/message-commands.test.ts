import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Message } from '../../../../../src/features/conversation/contract.ts';
import { createMessageCommands } from '../../../../../src/islands/chat/state/message-commands.ts';
import { $laterMessagesNotice, $announcement } from '../../../../../src/islands/chat/state/messages-state.ts';
import { $undoable } from '../../../../../src/islands/chat/state/undo-state.ts';
import { $toasts } from '../../../../../src/islands/shared/toasts-state.ts';
import {
  AT,
  GREETING,
  SAMPLE_CONVERSATION,
  createFailure,
  createMessage,
  createUserMessage,
  flushPromises,
  createChatFixture,
  streamResult,
} from '../../../../support/chat-fixture.ts';

const versions = ['one', 'two', 'three', 'four'].map((content) => ({
  id: content,
  content,
  model: 'loreloom',
  created_at: AT,
  edited: false,
}));
const at = (id: string): Message => createMessage('r1', { content: id, versions, selected_version_id: id });

async function openCommands(reply: Message = at('one'), later: Message[] = []) {
  const w = await createChatFixture({ history: [GREETING, reply, ...later] }).openChat();
  const commands = createMessageCommands(
    w.chat,
    () => 'recommended',
    (key) => key,
  );
  return { w, commands };
}

beforeEach(() => {
  $announcement.set(null);
  $laterMessagesNotice.set(null);
  $toasts.set([]);
});
afterEach(() => vi.unstubAllGlobals());

describe('Version switching', () => {
  test('switching versions announces the position among all versions', async () => {
    const { w, commands } = await openCommands();
    w.queueAnswers('selectVersion', { ok: true, data: at('two') });
    await commands.moveVersion('r1', 1);
    expect(w.made('selectVersion')).toEqual([['c1', 'r1', 'two']]);
    expect($announcement.get()).toEqual({ key: 'versionAt', values: { at: 2, count: 4 } });
  });

  test("switching a message's version shows a notice when later messages exist", async () => {
    const { w, commands } = await openCommands();
    w.queueAnswers('selectVersion', { ok: true, data: at('two') });
    await commands.moveVersion('r1', 1);
    expect($laterMessagesNotice.get()).toBeNull();
    const later = await openCommands(at('one'), [
      createMessage('u2', { role: 'user', content: 'And then?' }),
    ]);
    later.w.queueAnswers('selectVersion', { ok: true, data: at('two') });
    await later.commands.moveVersion('r1', 1);
    expect($laterMessagesNotice.get()).toBe('r1');
  });

  test('switching faster than the server answers ends at the version pressed last', async () => {
    const { w, commands } = await openCommands();
    w.queueAnswers('selectVersion', { ok: true, data: at('two') });
    w.queueAnswers('selectVersion', { ok: true, data: at('four') });
    void commands.moveVersion('r1', 1);
    void commands.moveVersion('r1', 1);
    void commands.moveVersion('r1', 1);
    await flushPromises();
    expect(w.made('selectVersion').map(([, , id]) => id)).toEqual(['two', 'four']);
  });

  test('switching stops at the first and last version', async () => {
    const { w, commands } = await openCommands();
    await commands.moveVersion('r1', -1);
    expect(w.made('selectVersion')).toEqual([]);
    expect($announcement.get()).toBeNull();
  });

  test('a refused version switch is not retried automatically and can be repeated by the user', async () => {
    const { w, commands } = await openCommands();
    const refused = { ok: false, status: 500, code: 'server_error', error: '' };
    w.queueAnswers('selectVersion', refused);
    await commands.moveVersion('r1', 1);
    expect(w.made('selectVersion')).toHaveLength(1);
    expect($announcement.get()).toBeNull();
    w.queueAnswers('selectVersion', { ok: true, data: at('two') });
    await commands.moveVersion('r1', 1);
    expect(w.made('selectVersion')).toHaveLength(2);
  });
});

describe('Swiping the newest reply', () => {
  test('a swipe shows the next version, and after the last one requests a new version', async () => {
    const { w, commands } = await openCommands(at('three'));
    w.queueAnswers('selectVersion', { ok: true, data: at('four') });
    commands.swipe('r1', 'next');
    await flushPromises();
    expect(w.made('selectVersion')).toEqual([['c1', 'r1', 'four']]);
    expect(w.made('regenerate')).toEqual([]);
    commands.swipe('r1', 'next');
    await flushPromises();
    expect(w.made('regenerate')).toHaveLength(1);
  });

  test('a swipe back shows the previous version, and nothing before the first', async () => {
    const { w, commands } = await openCommands(at('two'));
    w.queueAnswers('selectVersion', { ok: true, data: at('one') });
    commands.swipe('r1', 'previous');
    await flushPromises();
    commands.swipe('r1', 'previous');
    await flushPromises();
    expect(w.made('selectVersion')).toEqual([['c1', 'r1', 'one']]);
  });

  test('a swipe while a reply is written says that it has to end first', async () => {
    const { w, commands } = await openCommands(at('two'));
    const connection = w.connect();
    w.queueAnswers('regenerate', streamResult(connection));
    void commands.run('regenerate', 'r1');
    await flushPromises();
    commands.swipe('r1', 'next');
    commands.swipe('r1', 'previous');
    await flushPromises();
    expect(w.made('regenerate')).toHaveLength(1);
    expect(w.made('selectVersion')).toEqual([]);
    expect($toasts.get().map(({ text }) => text)).toEqual(['afterReply']);
  });

  test('a swipe on a first message moves through the greetings', async () => {
    const page = createChatFixture({ history: [GREETING] });
    const greeting = { at: 1, count: 2, before: null, after: 1 };
    const conversation = { ...SAMPLE_CONVERSATION, greeting };
    page.queueAnswers('conversation', {
      ok: true,
      data: { conversation, messages: [GREETING], next_cursor: null, later_cursor: null, revision: 'r:0' },
    });
    await page.openChat();
    const commands = createMessageCommands(
      page.chat,
      () => 'recommended',
      (key) => key,
    );
    commands.swipe('m0', 'previous');
    commands.swipe('m0', 'next');
    await flushPromises();
    expect(page.made('chooseGreeting')).toEqual([['c1', 1]]);
  });
});

describe('Saving an edit and regenerating', () => {
  const sent = createUserMessage('u1', 'Where is the boat?');

  async function openEdit(...after: Message[]) {
    const w = await createChatFixture({ history: [GREETING, sent, ...after] }).openChat();
    const commands = createMessageCommands(
      w.chat,
      () => 'recommended',
      (key) => key,
    );
    const edited = { ...sent, content: 'Where is the lamp?' };
    return { w, commands, edited };
  }

  test('the edit is saved first, and then the reply after it is regenerated', async () => {
    const { w, commands, edited } = await openEdit(at('one'), createUserMessage('u2', 'And then?'));
    w.queueAnswers('editMessage', () => {
      expect(w.made('regenerate')).toEqual([]);
      return { ok: true, data: edited };
    });
    expect(await commands.editAndRegenerate('u1', edited.content)).toBe(true);
    expect(w.made('editMessage')).toEqual([['c1', 'u1', edited.content]]);
    expect(w.made('regenerate').map(([, messageId]) => messageId)).toEqual(['r1']);
    expect(w.made('answer')).toEqual([]);
  });

  test('a message without a reply gets one', async () => {
    const { w, commands, edited } = await openEdit();
    w.queueAnswers('editMessage', { ok: true, data: edited });
    await commands.editAndRegenerate('u1', edited.content);
    expect(w.made('answer')).toHaveLength(1);
    expect(w.made('regenerate')).toEqual([]);
  });

  test('nothing is regenerated when the edit was refused', async () => {
    const { w, commands } = await openEdit(at('one'));
    w.queueAnswers('editMessage', createFailure(422, 'text_refused'));
    expect(await commands.editAndRegenerate('u1', 'Refused.')).toBe(false);
    expect(w.made('regenerate')).toEqual([]);
  });

  test('an unchanged text is not saved again', async () => {
    const { w, commands } = await openEdit(at('one'));
    expect(await commands.editAndRegenerate('u1', sent.content)).toBe(true);
    expect(w.made('editMessage')).toEqual([]);
    expect(w.made('regenerate')).toHaveLength(1);
  });
});

describe('Unavailable actions', () => {
  test('a key runs no action that the message does not offer', async () => {
    const { w, commands } = await openCommands(createMessage('r1', { content: '', status: 'failed' }));
    await commands.run('continue', 'r1');
    await commands.run('edit', 'r1');
    await commands.run('deleteFrom', 'nowhere');
    expect(w.made('continueReply')).toEqual([]);
    expect(w.made('deleteFrom')).toEqual([]);
  });
});

describe('Copying', () => {
  test('copying announces a failure when the browser forbids it', async () => {
    const { commands } = await openCommands();
    vi.stubGlobal('navigator', { clipboard: { writeText: () => Promise.reject(new Error('denied')) } });
    await commands.run('copy', 'r1');
    expect($announcement.get()).toEqual({ key: 'copyFailed' });
  });
});

describe('Undo', () => {
  test('undo reverts the last action once', async () => {
    const { commands } = await openCommands();
    const undo = vi.fn(async () => true);
    $undoable.set({ kind: 'edited', count: 1, undo });
    await Promise.all([commands.undo(), commands.undo()]);
    expect(undo).toHaveBeenCalledTimes(1);
    expect($announcement.get()).toEqual({ key: 'undone' });
  });

  test('a failed undo is not announced as done', async () => {
    const { commands } = await openCommands();
    $undoable.set({ kind: 'deleted', count: 2, undo: async () => false });
    await commands.undo();
    expect($announcement.get()).toBeNull();
  });
});
