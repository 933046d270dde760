import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Message } from '../../src/features/conversation/contract.ts';
import { createMessageCommands } from '../../src/islands/chat/state/message-commands.ts';
import { $laterMessagesNotice, $announcement } from '../../src/islands/chat/state/messages-state.ts';
import { $undoable } from '../../src/islands/chat/state/undo-state.ts';
import { AT, GREETING, createMessage, flushPromises, createChatFixture } from '../support/chat-fixture.ts';

const versions = ['one', 'two', 'three', 'four'].map((content) => ({
  id: content,
  content,
  model: 'loreloom',
  created_at: AT,
  edited: false,
}));
const at = (id: string): Message => createMessage('r1', { content: id, versions, selected_version_id: id });

async function opened(reply: Message = at('one'), later: Message[] = []) {
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
});
afterEach(() => vi.unstubAllGlobals());

describe('Going through versions', () => {
  test('says which of how many it is', async () => {
    const { w, commands } = await opened();
    w.queueAnswers('selectVersion', { ok: true, data: at('two') });
    await commands.moveVersion('r1', 1);
    expect(w.made('selectVersion')).toEqual([['c1', 'r1', 'two']]);
    expect($announcement.get()).toEqual({ key: 'versionAt', values: { at: 2, count: 4 } });
  });

  test('of a message says that later ones stay, where there are any', async () => {
    const { w, commands } = await opened();
    w.queueAnswers('selectVersion', { ok: true, data: at('two') });
    await commands.moveVersion('r1', 1);
    expect($laterMessagesNotice.get()).toBeNull();
    const later = await opened(at('one'), [createMessage('u2', { role: 'user', content: 'And then?' })]);
    later.w.queueAnswers('selectVersion', { ok: true, data: at('two') });
    await later.commands.moveVersion('r1', 1);
    expect($laterMessagesNotice.get()).toBe('r1');
  });

  test('faster than the server answers ends where I pressed to', async () => {
    const { w, commands } = await opened();
    w.queueAnswers('selectVersion', { ok: true, data: at('two') });
    w.queueAnswers('selectVersion', { ok: true, data: at('four') });
    void commands.moveVersion('r1', 1);
    void commands.moveVersion('r1', 1);
    void commands.moveVersion('r1', 1);
    await flushPromises();
    expect(w.made('selectVersion').map(([, , id]) => id)).toEqual(['two', 'four']);
  });

  test('ends at the first and at the last', async () => {
    const { w, commands } = await opened();
    await commands.moveVersion('r1', -1);
    expect(w.made('selectVersion')).toEqual([]);
    expect($announcement.get()).toBeNull();
  });

  test('that the server refuses is not tried again by itself, and can be tried again by me', async () => {
    const { w, commands } = await opened();
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

describe('What a message does not offer', () => {
  test('is not done by a key either', async () => {
    const { w, commands } = await opened(createMessage('r1', { content: '', status: 'failed' }));
    await commands.run('goOn', 'r1');
    await commands.run('edit', 'r1');
    await commands.run('deleteFrom', 'nowhere');
    expect(w.made('continueReply')).toEqual([]);
    expect(w.made('deleteFrom')).toEqual([]);
  });
});

describe('Copying', () => {
  test('says that it could not be done where the browser forbids it', async () => {
    const { commands } = await opened();
    vi.stubGlobal('navigator', { clipboard: { writeText: () => Promise.reject(new Error('denied')) } });
    await commands.run('copy', 'r1');
    expect($announcement.get()).toEqual({ key: 'copyFailed' });
  });
});

describe('Undo', () => {
  test('takes back what was done last, once', async () => {
    const { commands } = await opened();
    const undo = vi.fn(async () => true);
    $undoable.set({ kind: 'edited', count: 1, undo });
    await Promise.all([commands.undo(), commands.undo()]);
    expect(undo).toHaveBeenCalledTimes(1);
    expect($announcement.get()).toEqual({ key: 'undone' });
  });

  test('that fails is not told as done', async () => {
    const { commands } = await opened();
    $undoable.set({ kind: 'deleted', count: 2, undo: async () => false });
    await commands.undo();
    expect($announcement.get()).toBeNull();
  });
});
