import type { ViewMessage } from '../../../features/conversation/messages/reply-view.ts';
import type { ReplyRating } from '../../../features/conversation/contract.ts';
import { replaceMacros } from '../../../features/conversation/macro-names.ts';
import type { ModelChoice } from '../../../features/model/contract.ts';
import { showToast } from '../../shared/toasts-state.ts';
import type { TranslateFn } from '../../shared/i18n.tsx';
import type { Chat } from '../chat.ts';
import { toEditKey, openEdit } from '../composer/edit-drafts.ts';
import { focusComposer, focusMessage, trackFocus, isRendered } from '../messages/message-focus.ts';
import {
  countMessagesAfter,
  findReplyAfter,
  getGreetingChoices,
  listAvailableActions,
  getSelectedVersion,
  getVersionPosition,
  type MessageAction,
  getUnavailableReason,
} from '../messages/available-actions.ts';
import { decideSwipe, type SwipeAction, type SwipeDirection } from '../gestures/swipe-rules.ts';
import { $copied, $laterMessagesNotice, $messageLayer, $announcement } from './messages-state.ts';
import { $undoable } from './undo-state.ts';

/** Milliseconds for which "copied" shows; an error shows three times as long. */
const COPIED_MS = 2000;

/** Version steps that were requested and not yet taken, by message key. */
const pendingSteps = new Map<string, number>();

/** Commands on messages, shared by buttons, menus and keyboard shortcuts. */
export interface MessageCommands {
  /** Runs an action if the message offers it now. */
  run(action: MessageAction, key: string): Promise<void>;
  /** Shows the previous or next version, or greeting if there are several to choose from. */
  moveVersion(key: string, step: -1 | 1): Promise<void>;
  /** After a swipe on a reply: shows another version, requests a new one after the last, or says that one has to wait. */
  swipe(key: string, direction: SwipeDirection): void;
  /**
   * Saves an edit of the user's message, and requests a new version of the reply to it, or a reply if it has none.
   * @returns whether the edit was saved; the reply is written afterwards
   */
  editAndRegenerate(messageId: string, content: string): Promise<boolean>;
  /**
   * Edits the user's last message.
   * @returns whether there is one
   */
  editLast(): boolean;
  /** Rates the shown version of a reply, or takes the same rating back. */
  rate(key: string, rating: ReplyRating): Promise<void>;
  /** Moves to the newest message. */
  goToNewest(): Promise<void>;
  /** Undoes the last action. */
  undo(): Promise<void>;
}

/**
 * @param model returns the selected model
 * @param words translates texts of toasts
 */
export function createMessageCommands(
  chat: Chat,
  model: () => ModelChoice,
  words: TranslateFn<'chat'>,
): MessageCommands {
  const find = (key: string) => chat.$chat.get().view.messages.find((message) => message.key === key);
  const isAvailable = (message: ViewMessage, action: MessageAction) =>
    listAvailableActions(
      message,
      chat.$chat.get().activity === 'idle',
      getUnavailableReason(chat.$chat.get().conversation) === null,
    ).some((offer) => offer.action === action && !offer.disabled);

  const edit = (messageId: string) => openEdit(toEditKey(chat.$chat.get().conversation?.id ?? '', messageId));

  function focusNewest(): void {
    const newest = chat.$chat.get().view.messages.findLast(({ delivery }) => delivery === 'stored');
    if (!newest) return focusComposer();
    if (!isRendered(newest.key)) void chat.showMessage(newest.id);
    focusMessage(newest.key);
  }

  /**
   * Takes the requested steps.
   * @returns whether a step was taken
   */
  async function stepVersion(key: string): Promise<boolean> {
    const message = find(key);
    const place = message ? getVersionPosition(message) : null;
    const wanted = pendingSteps.get(key) ?? 0;
    const greeting = message ? getGreetingChoices(chat.$chat.get(), message) : null;
    if (message && greeting && wanted !== 0) {
      pendingSteps.set(key, wanted - Math.sign(wanted));
      return stepGreeting(message, wanted < 0 ? greeting.before : greeting.after);
    }
    pendingSteps.set(key, 0);
    if (!message || !place || message.status === 'streaming') return false;
    const at = Math.min(Math.max(place.at + wanted, 1), place.count);
    const to = message.versions[at - 1]?.id;
    if (at === place.at || to === undefined || !(await chat.selectVersion(message.id, to))) return false;
    $announcement.set({ key: 'versionAt', values: { at, count: place.count } });
    const { view, laterCursor } = chat.$chat.get();
    $laterMessagesNotice.set(countMessagesAfter(view, message.id, laterCursor !== null) === 0 ? null : key);
    return true;
  }

  /** Replaces the greeting; greetings change one step at a time. */
  async function stepGreeting(message: ViewMessage, to: number | null): Promise<boolean> {
    if (to === null || message.status === 'streaming' || !(await chat.chooseGreeting(message.id, to)))
      return false;
    const { greeting } = chat.$chat.get().conversation ?? {};
    if (greeting)
      $announcement.set({ key: 'greetingAt', values: { at: greeting.at, count: greeting.count } });
    return true;
  }

  /** A message's text as it is displayed: macros replaced by names. */
  function formatContent({ content, created_at: at }: ViewMessage): string {
    const { conversation } = chat.$chat.get();
    const char = conversation?.character_nickname ?? conversation?.character_name ?? '';
    const user = conversation?.user_name ?? words('defaultName');
    return replaceMacros(content, { user, char, at: Date.parse(at) });
  }

  async function pin(message: ViewMessage, pinned: boolean): Promise<void> {
    if (await chat.pin(message.id, pinned))
      $announcement.set({ key: pinned ? 'messagePinned' : 'messageUnpinned' });
  }

  async function fork(message: ViewMessage): Promise<void> {
    if (!(await chat.fork(message.id))) return;
    showToast({ text: words('branched') });
    focusComposer();
  }

  const handlers: Record<MessageAction, (message: ViewMessage) => void | Promise<void>> = {
    copy: (message) => copy(message.key, formatContent(message)),
    edit: (message) => edit(message.id),
    regenerate: (message) => chat.regenerate(message.id, model()),
    regenerateWithNote: (message) => $messageLayer.set({ kind: 'regenerate', messageId: message.id }),
    continue: (message) => chat.continueReply(message.id, model()),
    branchFrom: fork,
    pin: (message) => pin(message, true),
    unpin: (message) => pin(message, false),
    context: (message) => $messageLayer.set({ kind: 'context', messageId: message.id }),
    async deleteFrom(message) {
      const here = trackFocus();
      if ((await chat.deleteFrom(message.id)) && !here()) focusNewest();
    },
  };

  async function moveVersion(key: string, step: -1 | 1): Promise<void> {
    const before = pendingSteps.get(key);
    pendingSteps.set(key, (before ?? 0) + step);
    // Clicks can be faster than the server: steps requested during a request are taken together afterwards.
    if (before !== undefined) return;
    while (await stepVersion(key));
    pendingSteps.delete(key);
  }

  async function run(action: MessageAction, key: string): Promise<void> {
    const message = find(key);
    if (message && isAvailable(message, action)) await handlers[action](message);
  }

  /** Decides what a swipe does now. A first message is swiped through the greetings, as long as there is a choice. */
  function decideSwipeNow(key: string, direction: SwipeDirection): SwipeAction {
    const message = find(key);
    if (!message) return 'nothing';
    const neighbours = getGreetingChoices(chat.$chat.get(), message) ?? getVersionPosition(message);
    return decideSwipe(direction, {
      hasPrevious: neighbours?.before != null,
      hasNext: neighbours?.after != null,
      canRegenerate: isAvailable(message, 'regenerate'),
      idle: chat.$chat.get().activity === 'idle',
    });
  }

  return {
    run,
    moveVersion,
    swipe(key, direction) {
      const action = decideSwipeNow(key, direction);
      if (action === 'regenerate') void run('regenerate', key);
      else if (action === 'wait') showToast({ text: words('afterReply') });
      else if (action !== 'nothing') void moveVersion(key, action === 'stepForward' ? 1 : -1);
    },
    async editAndRegenerate(messageId, content) {
      const replyId = findReplyAfter(chat.$chat.get(), messageId);
      const isChanged = find(messageId)?.content !== content;
      if (isChanged && !(await chat.edit(messageId, content))) return false;
      if (replyId === null) void chat.requestReply(messageId, model());
      else if (replyId !== undefined) void chat.regenerate(replyId, model());
      return true;
    },
    editLast() {
      const last = chat.$chat
        .get()
        .view.messages.findLast(({ role, delivery }) => role === 'user' && delivery === 'stored');
      if (!last) return false;
      edit(last.id);
      if (!isRendered(last.key)) void chat.showMessage(last.id);
      return true;
    },
    async rate(key, rating) {
      const message = find(key);
      const version = message && getSelectedVersion(message);
      if (!version || message.status === 'streaming') return;
      const next = version.rating === rating ? null : rating;
      if (!(await chat.rate(message.id, version.id, next))) return;
      $announcement.set({ key: next === null ? 'ratingRemoved' : 'ratingSaved' });
    },
    async goToNewest() {
      await chat.showNewest();
      focusNewest();
    },
    async undo() {
      const done = $undoable.get();
      if (!done) return;
      $undoable.set(null);
      if (await done.undo()) $announcement.set({ key: 'undone' });
    },
  };
}

async function copy(key: string, text: string): Promise<void> {
  const done = await navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
  const shown = { key, done };
  $copied.set(shown);
  $announcement.set({ key: done ? 'copied' : 'copyFailed' });
  setTimeout(
    () => {
      if ($copied.get() === shown) $copied.set(null);
    },
    done ? COPIED_MS : 3 * COPIED_MS,
  );
}
