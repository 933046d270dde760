import type { ViewMessage } from '../../../features/conversation/messages/reply-view.ts';
import { replaceMacros } from '../../../features/conversation/macro-names.ts';
import type { ModelChoice } from '../../../features/model/contract.ts';
import { showToast } from '../../shared/toasts-state.ts';
import type { TranslateFn } from '../../shared/i18n.tsx';
import type { Chat } from '../chat.ts';
import { toEditKey, openEdit } from '../composer/edit-drafts.ts';
import { focusComposer, focusMessage, trackFocus, isRendered } from '../messages/message-focus.ts';
import {
  countMessagesAfter,
  getGreetingChoices,
  listAvailableActions,
  getVersionPosition,
  type MessageAction,
} from '../messages/available-actions.ts';
import { $copied, $laterMessagesNotice, $messageLayer, $announcement } from './messages-state.ts';
import { $undoable } from './undo-state.ts';
import { getUnavailableReason } from '../character-availability.ts';

/** So long it shows that a text was copied, and three times as long that it could not be. */
const COPIED_MS = 2000;

/** Steps through the versions of messages that are still to be taken, by message key. */
const pendingSteps = new Map<string, number>();

/** The ways to do something with a message, whoever asks: a button, a menu or a key. */
export interface MessageCommands {
  /** Does what the message offers; what it does not offer now is not done. */
  run(deed: MessageAction, key: string): Promise<void>;
  /** Shows the version before or after the one that shows, or the first message where there are some to choose from. */
  moveVersion(key: string, step: -1 | 1): Promise<void>;
  /** Edits the last message that the person wrote. @returns whether there is one */
  editLast(): boolean;
  /** Leads to the newest message. */
  goToNewest(): Promise<void>;
  /** Takes back what was done last. */
  undo(): Promise<void>;
}

/**
 * @param model the one that is chosen now
 * @param words for what is told in a toast
 */
export function createMessageCommands(
  chat: Chat,
  model: () => ModelChoice,
  words: TranslateFn<'chat'>,
): MessageCommands {
  const find = (key: string) => chat.$chat.get().view.messages.find((message) => message.key === key);
  const isAvailable = (message: ViewMessage, deed: MessageAction) =>
    listAvailableActions(
      message,
      chat.$chat.get().activity === 'idle',
      getUnavailableReason(chat.$chat.get().conversation) === null,
    ).some((offer) => offer.action === deed && !offer.disabled);

  const edit = (messageId: string) => openEdit(toEditKey(chat.$chat.get().conversation?.id ?? '', messageId));

  function focusNewest(): void {
    const newest = chat.$chat.get().view.messages.findLast(({ delivery }) => delivery === 'stored');
    if (!newest) return focusComposer();
    if (!isRendered(newest.key)) void chat.showMessage(newest.id);
    focusMessage(newest.key);
  }

  /** Takes the steps that were asked for meanwhile. @returns whether there were any to take */
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

  /** Has the story begin with another of its first messages; they come one after the other. */
  async function stepGreeting(message: ViewMessage, to: number | null): Promise<boolean> {
    if (to === null || message.status === 'streaming' || !(await chat.chooseGreeting(message.id, to)))
      return false;
    const { greeting } = chat.$chat.get().conversation ?? {};
    if (greeting)
      $announcement.set({ key: 'greetingAt', values: { at: greeting.at, count: greeting.count } });
    return true;
  }

  /** A message as it is read: with the names of the story in it. */
  function formatContent({ content }: ViewMessage): string {
    const { conversation } = chat.$chat.get();
    const char = conversation?.character_nickname ?? conversation?.character_name ?? '';
    return replaceMacros(content, { user: conversation?.user_name ?? words('nameless'), char });
  }

  async function pin(message: ViewMessage, pinned: boolean): Promise<void> {
    if (await chat.pin(message.id, pinned))
      $announcement.set({ key: pinned ? 'pinnedSaid' : 'unpinnedSaid' });
  }

  async function fork(message: ViewMessage): Promise<void> {
    if (!(await chat.fork(message.id))) return;
    showToast({ text: words('forked') });
    focusComposer();
  }

  const handlers: Record<MessageAction, (message: ViewMessage) => void | Promise<void>> = {
    copy: (message) => copy(message.key, formatContent(message)),
    edit: (message) => edit(message.id),
    writeAnew: (message) => chat.regenerate(message.id, model()),
    goOn: (message) => chat.continueReply(message.id, model()),
    fork,
    pin: (message) => pin(message, true),
    unpin: (message) => pin(message, false),
    context: (message) => $messageLayer.set({ kind: 'context', messageId: message.id }),
    async deleteFrom(message) {
      const here = trackFocus();
      if ((await chat.deleteFrom(message.id)) && !here()) focusNewest();
    },
  };

  return {
    async run(deed, key) {
      const message = find(key);
      if (message && isAvailable(message, deed)) await handlers[deed](message);
    },
    async moveVersion(key, step) {
      const before = pendingSteps.get(key);
      pendingSteps.set(key, (before ?? 0) + step);
      // Quick fingers are ahead of the server: their steps are taken together when it has answered.
      if (before !== undefined) return;
      while (await stepVersion(key));
      pendingSteps.delete(key);
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
