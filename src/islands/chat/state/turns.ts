// Over 400 lines: sending, sending again and rewriting are one matter, since each has to know what the others are in the
// middle of.
import { getRetryDelayMs } from '../../shared/outbox.ts';
import { withPending, removeUnsent } from '../../../features/conversation/messages/reply-view.ts';
import type { ModelChoice } from '../../../features/model/contract.ts';
import type { Failure, Result } from '../../shared/api.ts';
import type { ReplyStream } from '../../shared/sse.ts';
import type { Chat, ChatNotice } from '../chat.ts';
import { isOutcomeUnknown, toRefusalState, type ChatCore } from './chat-core.ts';
import type { OutboxItem } from '../composer/drafts.ts';
import { syncOutboxView, withDelivery } from './outbox-view.ts';
import type { FollowResult } from './reply-follower.ts';
import { isUnavailableCode } from '../character-availability.ts';

/** In milliseconds: so often it is looked whether another tab is still sending. */
const OUTBOX_POLL_MS = 5000;

/** What was to be sent or rewritten had arrived before and was deleted since. */
const MESSAGE_DELETED = 'message_deleted';

const FAILURE_CODES = {
  regenerate: 'regenerate_failed',
  continue: 'continue_failed',
  answer: 'reply_failed',
} as const;

/** What sending needs of the chat around it. */
export interface TurnDeps {
  /** Follows a reply and says how that ended. */
  followReply(open: (signal: AbortSignal) => Promise<Result<ReplyStream>>): Promise<FollowResult>;
  /** Catches up with what happened elsewhere. @returns whether a reply was followed to its end */
  resume(): Promise<boolean>;
  restoreToComposer(text: string): void;
  showNewest(): Promise<void>;
}

export interface Turns extends Pick<Chat, 'retry' | 'takeBack'> {
  /** Sends a text, or lets it wait behind those that wait for the network. */
  send(text: string, model: ModelChoice): Promise<void>;
  /** Has a reply written anew, has it go on, or has the person's last message answered that has no reply. */
  rewrite(kind: keyof typeof FAILURE_CODES, messageId: string, model: ModelChoice): Promise<void>;
  /** Sends what waited for the network, in its order, one after the other's reply. */
  flush(): Promise<void>;
  /** Shows what other tabs do with what is to be sent here, and sends what is left. */
  syncOutbox(): Promise<void>;
  /** The same once what is at hand is done: a reply that is being written comes first. */
  scheduleOutboxSync(): void;
  dispose(): void;
  /** The server has begun to write this reply: asking again is a new wish. */
  confirmRewrite(replyId: string): void;
}

/** Sending, sending again, and having replies rewritten. */
export function createTurns(
  core: ChatCore,
  { followReply: run, resume, restoreToComposer: putInBox, showNewest }: TurnDeps,
): Turns {
  const { api, drafts } = core.deps;
  // One id a reply and way of rewriting it, for trying it again, kept until the server has taken it.
  const rewrites = new Map<string, string>();
  // What this tab is sending, and what the device could not keep for it: no other tab knows of these.
  const sending = new Set<string>();
  const unsaved = new Set<string>();
  let flushing = false;
  let failedAttempts = 0;
  let cancelFlush = () => {};
  let cancelPoll = () => {};

  /** The first that waits, unless another tab is sending one that stands before it. */
  function findFirstWaiting() {
    const next = core
      .view()
      .messages.find(({ delivery }) => delivery === 'waiting' || delivery === 'pending');
    return next?.delivery === 'waiting' ? next : undefined;
  }

  const isQueued = () => core.view().messages.some(({ delivery }) => delivery === 'waiting');

  /** Puts an item into the outbox, in place of what it said of this turn. */
  function saveItem(id: string, item: OutboxItem): void {
    const before = drafts.outbox(id).find(({ turnId }) => turnId === item.turnId);
    const { model } = { ...before, ...item };
    const tried = before?.tried === true || item.tried === true;
    const kept = { ...item, ...(tried ? { tried } : {}), ...(model === undefined ? {} : { model }) };
    if (drafts.saveToOutbox(id, kept)) unsaved.delete(item.turnId);
    else unsaved.add(item.turnId);
  }

  /** Whether another tab has sent it or taken it back. */
  const isHandledElsewhere = (id: string, turnId: string) =>
    !unsaved.has(turnId) && !drafts.outbox(id).some((item) => item.turnId === turnId);

  /**
   * Hands a text over: to the outbox first, then to the server, under an id that makes repeating safe.
   * @param waits whether it waited for the network: then it goes on to wait until the network is really there
   * @returns the server's words where it had arrived before and was deleted since; `elsewhere` where another tab is at
   * it or was; `arrived` where the server has it; else null
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
      // It would stand among messages that it does not follow.
      sending.delete(turnId);
      core.change({ activity: 'idle' });
      markUnsent(turnId, text, { code: 'network', error: '' }, 'waiting');
      return null;
    }
    const end = await drafts.withTurnLock(turnId, async () => {
      // Another tab may have had it in the meantime.
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
      // It lies in the trash with its text: nothing of it is left to send.
      discardUnsent(id, turnId);
      core.change({ notice: failure });
      return failure;
    }
    await handleRefusal(id, { turnId, text, waits }, failure);
    return null;
  }

  /** Why a turn was refused; null where only the session was missing, and the same person has signed in again. */
  async function resolveRefusal({ failure }: { failure: Failure }): Promise<Failure | null> {
    return failure.status === 401 ? core.signInAgain(failure) : failure;
  }

  /** What becomes of a text that the server did not take, or may not have. */
  async function handleRefusal(
    id: string,
    item: { turnId: string; text: string; waits: boolean },
    failure: Failure,
  ): Promise<void> {
    const { turnId, text, waits } = item;
    if (failure.status === 401) return markUnsent(turnId, text, failure);
    // Without an answer, or with a broken one, nobody knows whether it arrived: the same id makes trying again safe.
    if (failure.status === 0) return markUnsent(turnId, text, failure, 'waiting');
    if (waits && failure.code === 'reply_in_progress') {
      markUnsent(turnId, text, failure, 'waiting');
      await resume();
      return;
    }
    if (failure.status >= 500) return markUnsent(turnId, text, failure);
    if (failure.status === 404) {
      // One answer says little: only where the history is gone, too, is the conversation.
      markUnsent(turnId, text, failure);
      return recheckConversation();
    }
    discardUnsent(id, turnId);
    putInBox(text);
    core.change(toRefusalState(failure, text, turnId));
    if (failure.code === 'reply_in_progress') await waitForReply();
    if (isUnavailableCode(failure.code)) await recheckConversation();
  }

  /** Follows the reply that was in the way. What was said of it is true only as long as it is written. */
  async function waitForReply(): Promise<void> {
    const { notice } = core.state();
    if ((await resume()) && core.state().notice === notice) core.change({ notice: null });
  }

  /** Sends what waited for the network, in its order, one after the other's reply. */
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
        // What had arrived long ago may stand where it is not shown.
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
      // Sending the next one took the sentence away.
      if (deleted && core.getConversationId() === id && core.state().notice === null)
        core.change({ notice: deleted });
    }
  }

  /** What waited behind a message that was refused would arrive without it: it is for the person to say. */
  function markWaitingUnsent(): void {
    for (let next = findFirstWaiting(); next; next = findFirstWaiting())
      markUnsent(next.key, next.content, { code: 'send_failed', error: '' });
  }

  /** Has a reply written anew, or has it go on. */
  async function rewrite(
    kind: keyof typeof FAILURE_CODES,
    messageId: string,
    model: ModelChoice,
  ): Promise<void> {
    const id = core.getConversationId();
    if (!id || core.state().activity !== 'idle') return;
    const key = `${kind}:${messageId}`;
    const turnId = rewrites.get(key) ?? core.deps.createId();
    rewrites.set(key, turnId);
    const turn = { client_message_id: turnId, model };
    const end = await run((signal) => {
      if (kind === 'answer') return api.answer(id, turn, signal);
      return (kind === 'regenerate' ? api.regenerate : api.continueReply)(id, messageId, turn, signal);
    });
    // Its reply may be deleted: having it answered again is a new wish.
    if (kind === 'answer' && end.kind !== 'refused') rewrites.delete(key);
    if (end.kind !== 'refused') return;
    const failure = await resolveRefusal(end);
    if (failure === null) return rewrite(kind, messageId, model);
    // The same id would be refused for good.
    if (failure.code === MESSAGE_DELETED) rewrites.delete(key);
    const inTheWay = failure.code === 'reply_in_progress';
    const code =
      failure.status === 0 || inTheWay
        ? FAILURE_CODES[kind]
        : failure.status === 404
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
    // It may be being written all the same, far from the newest.
    if (isOutcomeUnknown(failure) && core.getConversationId() === id) await core.syncMessages([messageId]);
  }

  /** What was to be rewritten may be gone by now, alone or with everything. */
  async function recheckConversation(): Promise<void> {
    if ((await core.syncHistory()) === 'gone') await core.handleNotFound();
  }

  /** Takes a message that was never stored out of the outbox and out of sight. */
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
    // What waits to be sent stands after the newest messages.
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

  /** Gives a text back, unless the server has it: then it is shown as sent. */
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

/** A record without one of its keys. */
export function omitKey<T>(record: Readonly<Record<string, T>>, key: string): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([other]) => other !== key));
}
