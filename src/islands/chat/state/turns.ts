// Over 400 lines: sending, retrying and rewriting each depend on the progress of the others.
import { getRetryDelayMs } from '../../shared/outbox.ts';
import { withPending, removeUnsent } from '../../../features/conversation/messages/reply-view.ts';
import type { ModelChoice } from '../../../features/model/contract.ts';
import type { Failure, Result } from '../../shared/api.ts';
import type { ReplyStream } from '../../shared/sse.ts';
import type { Chat, ChatNotice } from '../chat.ts';
import { isOutcomeUnknown, isUnexplained, toRefusalState, type ChatCore } from './chat-core.ts';
import type { OutboxItem } from '../composer/drafts.ts';
import { syncOutboxView, withDelivery } from './outbox-view.ts';
import type { FollowResult } from './reply-follower.ts';
import { isUnavailableCode } from '../messages/available-actions.ts';

/** Milliseconds between checks whether another tab is still sending. */
const OUTBOX_POLL_MS = 5000;

/** Error code: the turn had arrived before, and its message was deleted since. */
const MESSAGE_DELETED = 'message_deleted';

const FAILURE_CODES = {
  regenerate: 'regenerate_failed',
  continue: 'continue_failed',
  answer: 'reply_failed',
} as const;

/** What sending needs of the chat. */
export interface TurnDeps {
  /** Follows a reply to its end. */
  followReply(open: (signal: AbortSignal) => Promise<Result<ReplyStream>>): Promise<FollowResult>;
  /**
   * Loads changes made elsewhere.
   * @returns whether a reply was followed to its end
   */
  resume(): Promise<boolean>;
  restoreToComposer(text: string): void;
  showNewest(): Promise<void>;
}

export interface Turns extends Pick<Chat, 'retry' | 'takeBack'> {
  /** Sends a text, or queues it behind messages that wait for the network. */
  send(text: string, model: ModelChoice): Promise<void>;
  /**
   * Regenerates or continues a reply, or requests one for the user's last message.
   * @param note instructions of the user for a regenerated reply
   */
  rewrite(
    kind: keyof typeof FAILURE_CODES,
    messageId: string,
    model: ModelChoice,
    note?: string,
  ): Promise<void>;
  /** Sends the queued messages in order, each after the reply to the one before. */
  flush(): Promise<void>;
  /** Shows what other tabs did with the outbox and sends the rest. */
  syncOutbox(): Promise<void>;
  /** The same after the current work, because a reply that is being written goes first. */
  scheduleOutboxSync(): void;
  dispose(): void;
  /** Called when the server has started to write this reply: the next request is a new one. */
  confirmRewrite(replyId: string): void;
}

/** Creates the operations that send, retry and rewrite. */
export function createTurns(
  core: ChatCore,
  { followReply: run, resume, restoreToComposer: putInBox, showNewest }: TurnDeps,
): Turns {
  const { api, drafts } = core.deps;
  // One turn id per reply and kind of rewrite. Retries use the same id until the server has accepted it; with another note
  // it is another turn.
  const rewrites = new Map<string, { turnId: string; note: string | undefined }>();
  // Turns that this tab is sending, and turns that the device could not store. Other tabs do not know the latter.
  const sending = new Set<string>();
  const unsaved = new Set<string>();
  let flushing = false;
  let failedAttempts = 0;
  let cancelFlush = () => {};
  let cancelPoll = () => {};

  /** The first queued message, unless another tab is sending one before it. */
  function findFirstWaiting() {
    const next = core
      .view()
      .messages.find(({ delivery }) => delivery === 'waiting' || delivery === 'pending');
    return next?.delivery === 'waiting' ? next : undefined;
  }

  const isQueued = () => core.view().messages.some(({ delivery }) => delivery === 'waiting');

  /** Stores an outbox item, replacing the earlier one of the same turn. */
  function saveItem(id: string, item: OutboxItem): void {
    const before = drafts.outbox(id).find(({ turnId }) => turnId === item.turnId);
    const { model } = { ...before, ...item };
    const tried = before?.tried === true || item.tried === true;
    const kept = { ...item, ...(tried ? { tried } : {}), ...(model === undefined ? {} : { model }) };
    if (drafts.saveToOutbox(id, kept)) unsaved.delete(item.turnId);
    else unsaved.add(item.turnId);
  }

  /** Whether another tab has sent the message or taken it back. */
  const isHandledElsewhere = (id: string, turnId: string) =>
    !unsaved.has(turnId) && !drafts.outbox(id).some((item) => item.turnId === turnId);

  /**
   * Sends a text: first to the outbox, then to the server, with an id that makes retries safe.
   * @param waits whether it was queued for the network; a network failure queues it again
   * @returns the server's failure if the message had arrived before and was deleted since; `elsewhere` if another tab
   * handles or handled it; `arrived` if the server has it; else null
   */
  async function postTurn(
    turnId: string,
    text: string,
    model: ModelChoice,
    waits = false,
  ): Promise<ChatNotice | 'elsewhere' | 'arrived' | null> {
    const id = core.getConversationId();
    if (!id) return null;
    sending.add(turnId);
    saveItem(id, {
      turnId,
      text,
      tried: true,
      sendingSince: core.deps.clock.now(),
      model,
      ...(waits ? { waits } : {}),
    });
    core.change({ activity: 'sending' });
    if (core.state().laterCursor !== null) await showNewest();
    if (core.getConversationId() !== id) {
      sending.delete(turnId);
      return null;
    }
    core.draw(withPending(core.view(), turnId, text, new Date(core.deps.clock.now()).toISOString()));
    core.change({ unsent: omitKey(core.state().unsent, turnId) });
    if (core.state().laterCursor !== null) {
      // The newest messages could not be loaded, and the message would show after others that it does not follow.
      sending.delete(turnId);
      core.change({ activity: 'idle' });
      markUnsent(turnId, text, { code: 'network', error: '' }, 'waiting');
      return null;
    }
    const end = await drafts.withTurnLock(turnId, async () => {
      // Another tab may have sent it in the meantime.
      if (isHandledElsewhere(id, turnId)) return null;
      return run((signal) =>
        api.sendMessage(id, { content: text, client_message_id: turnId, model }, signal),
      );
    });
    sending.delete(turnId);
    if (core.getConversationId() !== id) return null;
    if (end === null) {
      core.change({ activity: 'idle' });
      void resume();
      return 'elsewhere';
    }
    if (end.kind === 'ended') return 'arrived';
    if (end.kind !== 'refused') return null;
    const failure = await resolveRefusal(end);
    if (failure === null) return postTurn(turnId, text, model, waits);
    if (failure.code === MESSAGE_DELETED) {
      // The message is in the trash with its text, so nothing is left to send.
      discardUnsent(id, turnId);
      core.change({ notice: failure });
      return failure;
    }
    await handleRefusal(id, { turnId, text, waits }, failure);
    return null;
  }

  /** The error of a refused turn; null when only the session had ended and the same user has signed in again. */
  async function resolveRefusal({ failure }: { failure: Failure }): Promise<Failure | null> {
    return failure.status === 401 ? core.signInAgain(failure) : failure;
  }

  /** Decides what to do with a text that was refused or may not have arrived. */
  async function handleRefusal(
    id: string,
    item: { turnId: string; text: string; waits: boolean },
    failure: Failure,
  ): Promise<void> {
    const { turnId, text, waits } = item;
    if (failure.status === 401) return markUnsent(turnId, text, failure);
    // Without a usable answer it is unknown whether it arrived. The same id makes a retry safe.
    if (failure.status === 0) return markUnsent(turnId, text, failure, 'waiting');
    if (waits && failure.code === 'reply_in_progress') {
      markUnsent(turnId, text, failure, 'waiting');
      await resume();
      return;
    }
    if (failure.status >= 500) return markUnsent(turnId, text, failure);
    if (failure.status === 404) {
      // A single 404 is not enough: only if the history is missing too, the conversation is.
      markUnsent(turnId, text, failure);
      return recheckConversation();
    }
    discardUnsent(id, turnId);
    putInBox(text);
    core.change(toRefusalState(failure, text, turnId));
    if (failure.code === 'reply_in_progress') await waitForReply();
    if (isUnavailableCode(failure.code)) await recheckConversation();
  }

  /** Follows the reply that blocked the request, then removes the notice about it. */
  async function waitForReply(): Promise<void> {
    const { notice } = core.state();
    if ((await resume()) && core.state().notice === notice) core.change({ notice: null });
  }

  /** Sends the queued messages in order, each after the reply to the one before. */
  async function flush(): Promise<void> {
    if (flushing || !core.deps.isOnline()) return;
    flushing = true;
    cancelFlush();
    const id = core.getConversationId();
    let deleted: ChatNotice | null = null;
    let elsewhere = false;
    try {
      for (;;) {
        const next = findFirstWaiting();
        if (!id || !next || core.state().activity !== 'idle' || !core.deps.isOnline()) return;
        elsewhere = isHandledElsewhere(id, next.key);
        const gone = elsewhere
          ? 'elsewhere'
          : await postTurn(next.key, next.content, core.deps.model(), true);
        if (core.getConversationId() !== id) return;
        if (gone === 'elsewhere') {
          elsewhere = true;
          return;
        }
        if (gone !== null && gone !== 'arrived') {
          deleted = gone;
          continue;
        }
        const now = core.view().messages.find(({ key }) => key === next.key)?.delivery;
        // A message that had arrived long ago may be outside the shown part.
        if (now === 'stored' || (now === undefined && gone === 'arrived')) {
          failedAttempts = 0;
          continue;
        }
        if (now !== 'waiting') markWaitingUnsent();
        return;
      }
    } finally {
      flushing = false;
      if (elsewhere) void syncOutbox();
      // Sending the next message removed the notice, so show it again.
      if (deleted && core.getConversationId() === id && core.state().notice === null)
        core.change({ notice: deleted });
    }
  }

  /** Stops the queue behind a refused message: the later ones may make no sense without it, so the user decides. */
  function markWaitingUnsent(): void {
    for (let next = findFirstWaiting(); next; next = findFirstWaiting())
      markUnsent(next.key, next.content, { code: 'send_failed', error: '' });
  }

  /** Regenerates or continues a reply, or requests one. */
  async function rewrite(
    kind: keyof typeof FAILURE_CODES,
    messageId: string,
    model: ModelChoice,
    note?: string,
  ): Promise<void> {
    const id = core.getConversationId();
    if (!id || core.state().activity !== 'idle') return;
    const key = `${kind}:${messageId}`;
    const known = rewrites.get(key);
    const turnId = known?.note === note ? (known?.turnId ?? core.deps.createId()) : core.deps.createId();
    rewrites.set(key, { turnId, note });
    const turn = { client_message_id: turnId, model };
    const end = await run((signal) => {
      if (kind === 'answer') return api.answer(id, turn, signal);
      if (kind === 'continue') return api.continueReply(id, messageId, turn, signal);
      return api.regenerate(id, messageId, note === undefined ? turn : { ...turn, note }, signal);
    });
    // The reply may be deleted later; requesting one again is a new turn.
    if (kind === 'answer' && end.kind !== 'refused') rewrites.delete(key);
    if (end.kind !== 'refused') return;
    const failure = await resolveRefusal(end);
    if (failure === null) return rewrite(kind, messageId, model, note);
    // The same id would be refused forever.
    if (failure.code === MESSAGE_DELETED) rewrites.delete(key);
    const inTheWay = failure.code === 'reply_in_progress';
    const code =
      isUnexplained(failure) || inTheWay
        ? FAILURE_CODES[kind]
        : failure.status === 404 || failure.code === MESSAGE_DELETED
          ? 'message_not_found'
          : null;
    const { helplines } = failure;
    core.change({
      notice: code === null ? failure : { code, error: '' },
      ...(helplines === undefined ? {} : { helplines, helpTurnId: turnId }),
    });
    if (inTheWay) await waitForReply();
    const isOutOfDate =
      failure.code === MESSAGE_DELETED ||
      failure.code === 'nothing_to_answer' ||
      isUnavailableCode(failure.code);
    if (isOutOfDate || failure.status === 404 || isOutcomeUnknown(failure)) await recheckConversation();
    // The reply may be in progress anyway, outside the newest page.
    if (isOutcomeUnknown(failure) && core.getConversationId() === id) await core.syncMessages([messageId]);
  }

  /** Checks whether the message, or the whole conversation, still exists. */
  async function recheckConversation(): Promise<void> {
    if ((await core.syncHistory()) === 'gone') await core.handleNotFound();
  }

  /** Removes a message that was never stored from the outbox and the view. */
  function discardUnsent(id: string, turnId: string): void {
    drafts.removeFromOutbox(id, turnId);
    core.draw(removeUnsent(core.view(), turnId));
    core.change({ unsent: omitKey(core.state().unsent, turnId) });
  }

  function markUnsent(
    turnId: string,
    text: string,
    failure: ChatNotice,
    delivery: 'unsent' | 'waiting' = 'unsent',
  ): void {
    const id = core.getConversationId();
    if (id) saveItem(id, { turnId, text, ...(delivery === 'waiting' ? { waits: true } : {}) });
    core.draw(withDelivery(core.view(), turnId, delivery));
    core.change({ unsent: { ...core.state().unsent, [turnId]: failure } });
    if (delivery === 'waiting' && core.deps.isOnline()) scheduleFlush();
  }

  function scheduleFlush(): void {
    cancelFlush();
    cancelFlush = core.deps.clock.after(getRetryDelayMs(failedAttempts), () => void flush());
    failedAttempts += 1;
  }

  async function syncOutbox(): Promise<void> {
    const id = core.getConversationId();
    cancelPoll();
    // Unsent messages come after the newest one.
    if (!id || core.state().laterCursor !== null) return;
    const { clock } = core.deps;
    const items = drafts.outbox(id);
    const isOwn = (turnId: string) => sending.has(turnId) || unsaved.has(turnId);
    const { view, gone } = syncOutboxView(core.view(), items, clock.now(), isOwn);
    core.draw(view);
    if (gone.length > 0 && core.state().activity === 'idle') await resume();
    for (const item of items) {
      if (item.sendingSince === undefined || isOwn(item.turnId)) continue;
      const underWay = await drafts.isSending(item);
      if (core.getConversationId() !== id) return;
      if (underWay) {
        cancelPoll();
        cancelPoll = clock.after(OUTBOX_POLL_MS, () => void syncOutbox());
      } else if (!isHandledElsewhere(id, item.turnId))
        core.draw(withDelivery(core.view(), item.turnId, 'waiting'));
    }
    await flush();
  }

  /** Takes a message back into the composer, unless the server has it: then shows it as sent. */
  async function withdrawMessage(turnId: string): Promise<void> {
    const id = core.getConversationId();
    const message = findUnsent(turnId);
    if (!message || !id || core.state().activity !== 'idle' || sending.has(turnId)) return;
    const item = drafts.outbox(id).find((one) => one.turnId === turnId);
    sending.add(turnId);
    const end = await drafts.withTurnLock(turnId, async () => {
      if (isHandledElsewhere(id, turnId)) return null;
      return item?.tried === true || unsaved.has(turnId) ? core.syncNewest() : 'settled';
    });
    sending.delete(turnId);
    if (core.getConversationId() !== id) return;
    if (end === null) return syncOutbox();
    if (end === 'gone') return core.handleNotFound();
    if (end === 'failed') return core.change({ notice: { code: 'network', error: '' } });
    if (findUnsent(turnId)) {
      discardUnsent(id, turnId);
      putInBox(message.content);
    } else core.change({ unsent: omitKey(core.state().unsent, turnId) });
  }

  function findUnsent(turnId: string) {
    return core
      .view()
      .messages.find(
        ({ key, delivery }) => key === turnId && (delivery === 'unsent' || delivery === 'waiting'),
      );
  }

  return {
    async send(text, model) {
      const turnId = core.deps.createId();
      if (core.deps.isOnline() && !isQueued()) {
        if ((await postTurn(turnId, text, model)) === 'elsewhere') await syncOutbox();
        return;
      }
      const id = core.getConversationId();
      if (!id) return;
      saveItem(id, { turnId, text, waits: true, model });
      core.draw(withPending(core.view(), turnId, text, new Date(core.deps.clock.now()).toISOString()));
      markUnsent(turnId, text, { code: 'network', error: '' }, 'waiting');
      await flush();
    },
    rewrite,
    flush,
    syncOutbox,
    scheduleOutboxSync() {
      cancelPoll();
      cancelPoll = core.deps.clock.after(0, () => void syncOutbox());
    },
    dispose() {
      cancelFlush();
      cancelPoll();
    },
    confirmRewrite(replyId) {
      for (const kind of ['regenerate', 'continue']) rewrites.delete(`${kind}:${replyId}`);
    },
    async retry(turnId, model) {
      const id = core.getConversationId();
      const message = findUnsent(turnId);
      if (!id || !message || core.state().activity !== 'idle' || sending.has(turnId)) return;
      const end = isHandledElsewhere(id, turnId)
        ? 'elsewhere'
        : await postTurn(turnId, message.content, model);
      if (end === 'elsewhere') await syncOutbox();
    },
    takeBack: (turnId) => void withdrawMessage(turnId),
  };
}

/** Returns a copy of a record without one key. */
export function omitKey<T>(record: Readonly<Record<string, T>>, key: string): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([other]) => other !== key));
}
