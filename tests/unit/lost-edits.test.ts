import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Message } from '../../src/features/conversation/contract.ts';
import {
  $editing,
  $unsaved,
  $editTexts,
  closeEdit,
  toEditKey,
  handleStorageEvent,
  openEdit,
  saveEditText,
  getEditText,
} from '../../src/islands/chat/composer/edit-drafts.ts';
import {
  $orphanedEdits,
  closeOrphanedEdit,
  watchEdits,
} from '../../src/islands/chat/composer/orphaned-edits.ts';
import { waitUntilIdle } from '../support/chat-actions.ts';
import { clearUserStorage } from '../../src/islands/shared/user-storage.ts';
import {
  SAMPLE_CONVERSATION,
  GREETING,
  createMessage,
  createUserMessage,
  createChatFixture,
} from '../support/chat-fixture.ts';

const EDIT = toEditKey('c1', 'u1');
const STORED = 'draft:edit:c1:u1';
const history: Message[] = [
  GREETING,
  createUserMessage('u1', 'Hello'),
  createMessage('r1', { content: 'Good evening' }),
];
let stop = () => {};

let device: Map<string, string>;
beforeEach(() => {
  device = new Map();
  vi.stubGlobal('localStorage', {
    get length() {
      return device.size;
    },
    key: (index: number) => [...device.keys()][index] ?? null,
    getItem: (key: string) => device.get(key) ?? null,
    setItem: (key: string, value: string) => void device.set(key, value),
    removeItem: (key: string) => void device.delete(key),
  });
  for (const id of $editing.get()) closeOrphanedEdit(id);
});
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
});

/** Somebody who edits a message of a conversation, while others may delete. */
async function editing(text: string | null) {
  const w = await createChatFixture({ history }).openChat();
  const asked = vi.fn(async (_: string, id: string) => !now.some((one) => one.id === id));
  let now = history;
  stop = watchEdits(w.chat, asked);
  openEdit(EDIT);
  if (text !== null) saveEditText(EDIT, text);
  const elsewhere = async (messages: Message[], ...ids: string[]) => {
    now = messages;
    w.setHistory(messages);
    w.chat.handleHint({ type: 'changed', message_ids: ids });
    await waitUntilIdle();
  };
  return { w, asked, elsewhere };
}

test('what I wrote over a message that is deleted elsewhere is kept, until I give it up', async () => {
  const { elsewhere } = await editing('Hello there');
  await elsewhere([GREETING]);
  expect($orphanedEdits.get()).toEqual([EDIT]);
  expect(getEditText(EDIT)).toBe('Hello there');
  expect($unsaved.get()).toBe(true);
  closeOrphanedEdit(EDIT);
  expect($orphanedEdits.get()).toEqual([]);
  expect($unsaved.get()).toBe(false);
});

test('what I wrote stands in its place again when the message is had back', async () => {
  const { elsewhere } = await editing('Hello there');
  await elsewhere([GREETING]);
  await elsewhere(history, 'u1', 'r1');
  expect($orphanedEdits.get()).toEqual([]);
  expect($editing.get().has(EDIT)).toBe(true);
  expect(getEditText(EDIT)).toBe('Hello there');
});

test('an edit in which nothing was changed goes with its message, without a word', async () => {
  const { elsewhere } = await editing(null);
  await elsewhere([GREETING]);
  expect($orphanedEdits.get()).toEqual([]);
  expect($editing.get().has(EDIT)).toBe(false);
});

test('a message that only stands in another part of the history is not said to be deleted', async () => {
  const { w, asked } = await editing('Hello there');
  w.queueAnswers('conversation', {
    ok: true,
    data: {
      conversation: SAMPLE_CONVERSATION,
      messages: [createUserMessage('u5', 'Long ago')],
      next_cursor: null,
      later_cursor: 'u5',
    },
  });
  await w.chat.showMessage('u5');
  await waitUntilIdle();
  expect(asked).toHaveBeenCalledTimes(1);
  expect($orphanedEdits.get()).toEqual([]);
  expect(getEditText(EDIT)).toBe('Hello there');
});

test('a message of the chat that I was in before is not said to be deleted', async () => {
  const { w, asked } = await editing('Hello there');
  w.queueAnswers('createConversation', {
    ok: true,
    data: { conversation: { ...SAMPLE_CONVERSATION, id: 'c2' }, messages: [GREETING] },
  });
  await w.chat.startNew();
  await waitUntilIdle();
  expect(asked).not.toHaveBeenCalled();
  expect($orphanedEdits.get()).toEqual([]);
});

test('a text that is written back to what the message says is no reason to ask before I leave', async () => {
  await editing('Hello there');
  expect($unsaved.get()).toBe(true);
  saveEditText(EDIT, null);
  expect($unsaved.get()).toBe(false);
  closeEdit(EDIT);
});

/** The page is gone without a word, and opened again. */
async function opensAnew(messages: Message[] = history) {
  stop();
  $editing.set(new Set());
  $editTexts.set(new Map());
  const w = await createChatFixture({ history: messages }).openChat();
  stop = watchEdits(w.chat, async (_, id) => !messages.some((one) => one.id === id));
  await waitUntilIdle();
  return w;
}

test('what I wrote over a message is there again when my browser gave up the page', async () => {
  await editing('Hello there');
  await opensAnew();
  expect($editing.get().has(EDIT)).toBe(true);
  expect(getEditText(EDIT)).toBe('Hello there');
  closeEdit(EDIT);
  await opensAnew();
  expect($editing.get().size).toBe(0);
});

test('it is offered to me also where the message was deleted while the page was gone', async () => {
  await editing('Hello there');
  await opensAnew([GREETING]);
  expect($orphanedEdits.get()).toEqual([EDIT]);
  expect(getEditText(EDIT)).toBe('Hello there');
});

test('who signs out leaves nothing of it on the device', async () => {
  await editing('Hello there');
  expect(device.get(STORED)).toBe('Hello there');
  clearUserStorage(localStorage);
  expect(device.size).toBe(0);
});

test('what I wrote over a message stays in its chat when I go on in a fork of it', async () => {
  const { w } = await editing('Hello there');
  const fork = { ...SAMPLE_CONVERSATION, id: 'c2' };
  w.queueAnswers('fork', { ok: true, data: { conversation: fork } });
  w.queueAnswers('conversation', {
    ok: true,
    data: { conversation: fork, messages: history, next_cursor: null, later_cursor: null },
  });
  expect(await w.chat.fork('r1')).toBe(true);
  await waitUntilIdle();
  expect(w.chat.$chat.get().conversation?.id).toBe('c2');
  expect([...$editing.get()]).toEqual([EDIT]);
  expect(getEditText(toEditKey('c2', 'u1'))).toBeNull();
});

test('an edit that I save or give up in another tab is done with here, unless I wrote something else', async () => {
  await editing('Hello there');
  handleStorageEvent({ key: STORED, oldValue: 'Hello there', newValue: 'Hello there, you' });
  expect(getEditText(EDIT)).toBe('Hello there, you');
  handleStorageEvent({ key: STORED, oldValue: 'Something else', newValue: null });
  expect($editing.get().has(EDIT)).toBe(true);
  handleStorageEvent({ key: STORED, oldValue: 'Hello there, you', newValue: null });
  expect($editing.get().has(EDIT)).toBe(false);
});
