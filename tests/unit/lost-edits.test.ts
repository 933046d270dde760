import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Message } from '../../src/features/conversation/contract.ts';
import {
  $editing,
  $unsaved,
  $written,
  closeEdit,
  editKey,
  heardInStorage,
  openEdit,
  writeOver,
  writtenOver,
} from '../../src/islands/chat/composer/edit-drafts.ts';
import { $lostEdits, closeLostEdit, watchEdits } from '../../src/islands/chat/composer/orphaned-edits.ts';
import { untilQuiet } from '../support/chat-hands.ts';
import { forgetWritings } from '../../src/islands/shared/user-storage.ts';
import { conversation, greeting, message, user, world } from '../support/chat-world.ts';

const EDIT = editKey('c1', 'u1');
const STORED = 'draft:edit:c1:u1';
const history: Message[] = [greeting, user('u1', 'Hello'), message('r1', { content: 'Good evening' })];
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
  for (const id of $editing.get()) closeLostEdit(id);
});
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
});

/** Somebody who edits a message of a conversation, while others may delete. */
async function editing(text: string | null) {
  const w = await world({ history }).opened();
  const asked = vi.fn(async (_: string, id: string) => !now.some((one) => one.id === id));
  let now = history;
  stop = watchEdits(w.chat, asked);
  openEdit(EDIT);
  if (text !== null) writeOver(EDIT, text);
  const elsewhere = async (messages: Message[], ...ids: string[]) => {
    now = messages;
    w.setHistory(messages);
    w.chat.hear({ type: 'changed', message_ids: ids });
    await untilQuiet();
  };
  return { w, asked, elsewhere };
}

test('what I wrote over a message that is deleted elsewhere is kept, until I give it up', async () => {
  const { elsewhere } = await editing('Hello there');
  await elsewhere([greeting]);
  expect($lostEdits.get()).toEqual([EDIT]);
  expect(writtenOver(EDIT)).toBe('Hello there');
  expect($unsaved.get()).toBe(true);
  closeLostEdit(EDIT);
  expect($lostEdits.get()).toEqual([]);
  expect($unsaved.get()).toBe(false);
});

test('what I wrote stands in its place again when the message is had back', async () => {
  const { elsewhere } = await editing('Hello there');
  await elsewhere([greeting]);
  await elsewhere(history, 'u1', 'r1');
  expect($lostEdits.get()).toEqual([]);
  expect($editing.get().has(EDIT)).toBe(true);
  expect(writtenOver(EDIT)).toBe('Hello there');
});

test('an edit in which nothing was changed goes with its message, without a word', async () => {
  const { elsewhere } = await editing(null);
  await elsewhere([greeting]);
  expect($lostEdits.get()).toEqual([]);
  expect($editing.get().has(EDIT)).toBe(false);
});

test('a message that only stands in another part of the history is not said to be deleted', async () => {
  const { w, asked } = await editing('Hello there');
  w.will('conversation', {
    ok: true,
    data: { conversation, messages: [user('u5', 'Long ago')], next_cursor: null, later_cursor: 'u5' },
  });
  await w.chat.showMessage('u5');
  await untilQuiet();
  expect(asked).toHaveBeenCalledTimes(1);
  expect($lostEdits.get()).toEqual([]);
  expect(writtenOver(EDIT)).toBe('Hello there');
});

test('a message of the chat that I was in before is not said to be deleted', async () => {
  const { w, asked } = await editing('Hello there');
  w.will('createConversation', {
    ok: true,
    data: { conversation: { ...conversation, id: 'c2' }, messages: [greeting] },
  });
  await w.chat.startNew();
  await untilQuiet();
  expect(asked).not.toHaveBeenCalled();
  expect($lostEdits.get()).toEqual([]);
});

test('a text that is written back to what the message says is no reason to ask before I leave', async () => {
  await editing('Hello there');
  expect($unsaved.get()).toBe(true);
  writeOver(EDIT, null);
  expect($unsaved.get()).toBe(false);
  closeEdit(EDIT);
});

/** The page is gone without a word, and opened again. */
async function opensAnew(messages: Message[] = history) {
  stop();
  $editing.set(new Set());
  $written.set(new Map());
  const w = await world({ history: messages }).opened();
  stop = watchEdits(w.chat, async (_, id) => !messages.some((one) => one.id === id));
  await untilQuiet();
  return w;
}

test('what I wrote over a message is there again when my browser gave up the page', async () => {
  await editing('Hello there');
  await opensAnew();
  expect($editing.get().has(EDIT)).toBe(true);
  expect(writtenOver(EDIT)).toBe('Hello there');
  closeEdit(EDIT);
  await opensAnew();
  expect($editing.get().size).toBe(0);
});

test('it is offered to me also where the message was deleted while the page was gone', async () => {
  await editing('Hello there');
  await opensAnew([greeting]);
  expect($lostEdits.get()).toEqual([EDIT]);
  expect(writtenOver(EDIT)).toBe('Hello there');
});

test('who signs out leaves nothing of it on the device', async () => {
  await editing('Hello there');
  expect(device.get(STORED)).toBe('Hello there');
  forgetWritings(localStorage);
  expect(device.size).toBe(0);
});

test('what I wrote over a message stays in its chat when I go on in a fork of it', async () => {
  const { w } = await editing('Hello there');
  const fork = { ...conversation, id: 'c2' };
  w.will('fork', { ok: true, data: { conversation: fork } });
  w.will('conversation', {
    ok: true,
    data: { conversation: fork, messages: history, next_cursor: null, later_cursor: null },
  });
  expect(await w.chat.fork('r1')).toBe(true);
  await untilQuiet();
  expect(w.chat.$chat.get().conversation?.id).toBe('c2');
  expect([...$editing.get()]).toEqual([EDIT]);
  expect(writtenOver(editKey('c2', 'u1'))).toBeNull();
});

test('an edit that I save or give up in another tab is done with here, unless I wrote something else', async () => {
  await editing('Hello there');
  heardInStorage({ key: STORED, oldValue: 'Hello there', newValue: 'Hello there, you' });
  expect(writtenOver(EDIT)).toBe('Hello there, you');
  heardInStorage({ key: STORED, oldValue: 'Something else', newValue: null });
  expect($editing.get().has(EDIT)).toBe(true);
  heardInStorage({ key: STORED, oldValue: 'Hello there, you', newValue: null });
  expect($editing.get().has(EDIT)).toBe(false);
});
