import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Message } from '../../../../../src/features/conversation/contract.ts';
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
  $orphanedEdits,
  closeOrphanedEdit,
  watchEdits,
} from '../../../../../src/islands/chat/composer/edit-drafts.ts';
import { waitUntilIdle } from '../../../../support/chat-actions.ts';
import { clearUserStorage } from '../../../../../src/islands/shared/user-storage.ts';
import {
  SAMPLE_CONVERSATION,
  GREETING,
  createMessage,
  createUserMessage,
  createChatFixture,
} from '../../../../support/chat-fixture.ts';

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

/** Opens a conversation with an edit in progress, which other clients may change. */
async function startEdit(text: string | null) {
  const page = await createChatFixture({ history }).openChat();
  const isDeleted = vi.fn(async (_: string, id: string) => !now.some((one) => one.id === id));
  let now = history;
  stop = watchEdits(page.chat, isDeleted);
  openEdit(EDIT);
  if (text !== null) saveEditText(EDIT, text);
  const changeElsewhere = async (messages: Message[], ...ids: string[]) => {
    now = messages;
    page.setHistory(messages);
    page.chat.handleHint({ type: 'changed', message_ids: ids });
    await waitUntilIdle();
  };
  return { page, isDeleted, changeElsewhere };
}

test('the text of an edit is kept after its message was deleted elsewhere, until the user closes it', async () => {
  const { changeElsewhere } = await startEdit('Hello there');
  await changeElsewhere([GREETING]);
  expect($orphanedEdits.get()).toEqual([EDIT]);
  expect(getEditText(EDIT)).toBe('Hello there');
  expect($unsaved.get()).toBe(true);
  closeOrphanedEdit(EDIT);
  expect($orphanedEdits.get()).toEqual([]);
  expect($unsaved.get()).toBe(false);
});

test('the text of an edit returns to its message when that is restored', async () => {
  const { changeElsewhere } = await startEdit('Hello there');
  await changeElsewhere([GREETING]);
  await changeElsewhere(history, 'u1', 'r1');
  expect($orphanedEdits.get()).toEqual([]);
  expect($editing.get().has(EDIT)).toBe(true);
  expect(getEditText(EDIT)).toBe('Hello there');
});

test('an unchanged edit is closed when its message is deleted', async () => {
  const { changeElsewhere } = await startEdit(null);
  await changeElsewhere([GREETING]);
  expect($orphanedEdits.get()).toEqual([]);
  expect($editing.get().has(EDIT)).toBe(false);
});

test('an edit outside of the loaded part of the history does not count as orphaned', async () => {
  const { page, isDeleted } = await startEdit('Hello there');
  page.queueAnswers('conversation', {
    ok: true,
    data: {
      conversation: SAMPLE_CONVERSATION,
      messages: [createUserMessage('u5', 'Long ago')],
      next_cursor: null,
      later_cursor: 'u5',
    },
  });
  await page.chat.showMessage('u5');
  await waitUntilIdle();
  expect(isDeleted).toHaveBeenCalledTimes(1);
  expect($orphanedEdits.get()).toEqual([]);
  expect(getEditText(EDIT)).toBe('Hello there');
});

test('an edit in the previous conversation does not count as orphaned', async () => {
  const { page, isDeleted } = await startEdit('Hello there');
  page.queueAnswers('createConversation', {
    ok: true,
    data: { conversation: { ...SAMPLE_CONVERSATION, id: 'c2' }, messages: [GREETING] },
  });
  await page.chat.startNew();
  await waitUntilIdle();
  expect(isDeleted).not.toHaveBeenCalled();
  expect($orphanedEdits.get()).toEqual([]);
});

test('an edit changed back to the text of its message does not count as unsaved', async () => {
  await startEdit('Hello there');
  expect($unsaved.get()).toBe(true);
  saveEditText(EDIT, null);
  expect($unsaved.get()).toBe(false);
  closeEdit(EDIT);
});

/** The page was discarded by the browser and is opened again. */
async function reopenPage(messages: Message[] = history) {
  stop();
  $editing.set(new Set());
  $editTexts.set(new Map());
  const page = await createChatFixture({ history: messages }).openChat();
  stop = watchEdits(page.chat, async (_, id) => !messages.some((one) => one.id === id));
  await waitUntilIdle();
  return page;
}

test('an edit is restored after the browser discarded the page', async () => {
  await startEdit('Hello there');
  await reopenPage();
  expect($editing.get().has(EDIT)).toBe(true);
  expect(getEditText(EDIT)).toBe('Hello there');
  closeEdit(EDIT);
  await reopenPage();
  expect($editing.get().size).toBe(0);
});

test('an edit is offered as orphaned when its message was deleted while the page was closed', async () => {
  await startEdit('Hello there');
  await reopenPage([GREETING]);
  expect($orphanedEdits.get()).toEqual([EDIT]);
  expect(getEditText(EDIT)).toBe('Hello there');
});

test('signing out removes edits from the device', async () => {
  await startEdit('Hello there');
  expect(device.get(STORED)).toBe('Hello there');
  clearUserStorage(localStorage);
  expect(device.size).toBe(0);
});

test('an edit stays in its conversation when the user continues in a fork', async () => {
  const { page } = await startEdit('Hello there');
  const fork = { ...SAMPLE_CONVERSATION, id: 'c2' };
  page.queueAnswers('fork', { ok: true, data: { conversation: fork } });
  page.queueAnswers('conversation', {
    ok: true,
    data: { conversation: fork, messages: history, next_cursor: null, later_cursor: null },
  });
  expect(await page.chat.fork('r1')).toBe(true);
  await waitUntilIdle();
  expect(page.chat.$chat.get().conversation?.id).toBe('c2');
  expect([...$editing.get()]).toEqual([EDIT]);
  expect(getEditText(toEditKey('c2', 'u1'))).toBeNull();
});

test('an edit saved or closed in another tab is closed here, unless the texts differ', async () => {
  await startEdit('Hello there');
  handleStorageEvent({ key: STORED, oldValue: 'Hello there', newValue: 'Hello there, you' });
  expect(getEditText(EDIT)).toBe('Hello there, you');
  handleStorageEvent({ key: STORED, oldValue: 'Something else', newValue: null });
  expect($editing.get().has(EDIT)).toBe(true);
  handleStorageEvent({ key: STORED, oldValue: 'Hello there, you', newValue: null });
  expect($editing.get().has(EDIT)).toBe(false);
});
