// Over 400 lines: this state machine orders the operations of a chat. Its parts are in the files of this folder and are
// created below; the code that is left shares the state that each of them changes.
import { atom } from 'nanostores';
import type { ConversationPage, LiveEvent, Message } from '../../../features/conversation/contract.ts';
import { resolveMacros } from '../../../features/conversation/macro-names.ts';
import {
  applyReplyEvent,
  createReplyView,
  hasSentMessage,
  type FollowedEvent,
  type ReplyView,
} from '../../../features/conversation/messages/reply-view.ts';
import type { RefusalRule } from '../../../features/safety/moderation.ts';
import type { Result } from '../../shared/api.ts';
import { getBusyUntil, toRetryAfter } from '../../shared/retry-wait.ts';
import type { ReplyStream } from '../../shared/sse.ts';
import { reauthenticate } from '../../sign-in/reauthenticate.ts';
import { EMPTY_CHAT, type Chat, type ChatDeps, type ChatState, type ChatTarget } from '../chat.ts';
import { createResync } from './resync.ts';
import { createRequestOrder, isUnexplained, type ChatCore } from './chat-core.ts';
import { createConversationOpener } from './open-conversation.ts';
import { createConversationAvailability, isUnavailable } from './conversation-availability.ts';
import { createHistoryNavigation } from '../scroll/history-navigation.ts';
import { createHistorySync, isStreaming } from './history-sync.ts';
import { createMessageOperations } from '../messages/message-actions.ts';
import { createWritingAssist } from '../composer/writing-assist.ts';
import { RULE_ENDED } from '../messages/reply-announcer.ts';
import { createReplyFollower, type FollowResult } from './reply-follower.ts';
import { createComposerDraft } from '../composer/drafts.ts';
import { createTurns, omitKey } from './turns.ts';

/**
 * Milliseconds away from the page after which the history is loaded again, because another window may have added
 * messages.
 */
const STALE_AFTER_MS = 30_000;

/**
 * Creates a chat as a state machine. React and the browser come in only as dependencies.
 * @param opened the conversation that the page already shows; the chat starts with it instead of loading one
 */
export function createChat(deps: ChatDeps, opened: ConversationPage | null = null): Chat {
  const { api, drafts } = deps;
  const $chat = atom<ChatState>(opened === null ? EMPTY_CHAT : toOpenedState(opened));
  let target: ChatTarget = { characterId: null, conversationId: null };
  // Between two frames the view is ahead of the store.
  let { view } = $chat.get();
  let isFrameScheduled = false;
  let stopWanted = false;
  let syncedAt = 0;
  // The server's revision of the conversation when it was opened here.
  let revision = '';
  let isDisposed = false;
  // The rule that stopped the followed reply, if any.
  let rule: RefusalRule | undefined;
  let following: Promise<FollowResult> | null = null;
  // The user who opened the conversation. Nothing may be requested for a different user who signs in later.
  let readerId: string | null = null;

  const change = (part: Partial<ChatState>) => {
    if (isDisposed) return;
    const { laterCursor } = $chat.get();
    $chat.set({ ...$chat.get(), ...part });
    // Unsent messages come after the newest one and were out of view until now.
    if (laterCursor !== null && part.laterCursor === null) turns.scheduleOutboxSync();
  };
  const composer = createComposerDraft(drafts, () => $chat.get(), change);
  const order = createRequestOrder();
  const draw = (next: ReplyView) => {
    view = next;
    order.markDrawn();
    change({ view });
  };
  const getConversationId = () => $chat.get().conversation?.id ?? null;
  const setNotice = (code: string) => change({ notice: { code, error: '' } });

  const follower = createReplyFollower({
    clock: deps.clock,
    rejoin: async (signal) => {
      const id = getConversationId();
      return id ? api.rejoin(id, view.lastEventId, signal) : { ok: true, data: null };
    },
    apply,
    reload: (signal) => history.syncFor(signal),
    signIn: (refusal) => core.signInAgain(refusal),
    onConnectionChange: (connected) => change({ connected }),
  });

  function apply(followed: FollowedEvent): void {
    const before = view;
    const next = applyReplyEvent(view, followed, $chat.get().laterCursor === null);
    if (next === before) return;
    const { event } = followed;
    const isShown = (messageId: string) => next.messages.some(({ id }) => id === messageId);
    if (event.event === 'delta' || event.event === 'thinking') {
      view = next;
      if (isFrameScheduled) return;
      isFrameScheduled = true;
      deps.beforeNextFrame(() => {
        isFrameScheduled = false;
        change({ view });
      });
      return;
    }
    if (event.event === 'error') change({ busyUntil: getBusyUntil(event.retry_after, deps.clock.now()) });
    draw(next);
    if (event.event === 'safety') {
      if (event.kind === 'crisis') change({ helpTurnId: next.turn?.id ?? null });
      else rule = event.rule;
      return;
    }
    if (event.event === 'accepted') {
      const { user_message: sent } = event;
      /** Whether the message has just received the AI notice. */
      const isNoticedNow = (message: Message | undefined) =>
        message?.notice === true &&
        !before.messages.some(({ id, notice }) => id === message.id && notice === true);
      rule = undefined;
      // The message was stored long ago and has later ones, so load the history for its position.
      if (sent && !isShown(sent.id) && $chat.get().laterCursor === null) resync.markMissed();
      const id = getConversationId();
      const turnId = next.turn?.id ?? '';
      if (id) drafts.removeFromOutbox(id, turnId);
      turns.confirmRewrite(event.reply.id);
      change({
        activity: stopWanted ? 'stopping' : 'replying',
        unsent: omitKey($chat.get().unsent, turnId),
        suggestions: EMPTY_CHAT.suggestions,
        boxed: null,
        wasShortened: false,
        busyUntil: null,
        helplines: null,
        ...([sent, event.reply].some(isNoticedNow) ? { noticeTurnId: turnId } : {}),
      });
      if (stopWanted) void requestStop();
      // The user's first message brings the conversation into the list.
      if (sent && !hasSentMessage(before)) deps.chatsChanged();
      return;
    }
    if (event.event === 'done') {
      const { conversation, points } = $chat.get();
      const { context_start_id: start } = event;
      change({
        ...(isShown(event.reply.id) ? { finishedReply: event.reply } : {}),
        points: event.points ?? points,
        wasShortened: event.context_shortened === true,
        ...(conversation && start !== undefined && start !== conversation.context_start_id
          ? { conversation: { ...conversation, context_start_id: start } }
          : {}),
      });
      return;
    }
    if (event.reply && isShown(event.reply.id)) change({ finishedReply: event.reply });
    // A failed regeneration leaves the earlier text in place, so report the failure in the notice.
    if (!event.reply || event.reply.status === 'complete')
      change({
        notice: rule
          ? { code: RULE_ENDED, error: '', rule }
          : { code: event.code, error: event.error, ...toRetryAfter(event.retry_after) },
      });
  }

  function stopFollowing(): void {
    follower.stop();
    following = null;
  }

  async function load(): Promise<void> {
    stopFollowing();
    const requested = target;
    // Show the stored draft before the user can type.
    if (requested.conversationId !== null) composer.load(requested.conversationId);
    change({
      phase: 'starting',
      problem: null,
      notice: null,
      activity: 'idle',
      connected: true,
      isSignInOpen: false,
    });
    const answer = await opener.find(requested);
    if (isDisposed || requested !== target) return;
    if (answer.ok) return show(answer.data);
    if (answer.status === 401) {
      change({ isSignInOpen: true });
      if ((await deps.signIn('entry')) !== null) return load();
      return change({ phase: 'signed-out' });
    }
    if (answer.status === 404) return availability.handleNotFound();
    const { code, error } = answer;
    change({
      phase: 'failed',
      problem: code === 'chat_not_specified' ? { code, error } : { code: 'chat_history_failed', error },
    });
  }

  function show(page: ConversationPage): void {
    const { conversation, messages, next_cursor, later_cursor } = page;
    stopFollowing();
    resync.reset();
    revision = page.revision;
    const { messageId } = target;
    const isFound = messages.some(({ id }) => id === messageId);
    const before = getConversationId();
    target = { characterId: conversation.character_id, conversationId: conversation.id };
    syncedAt = deps.clock.now();
    stopWanted = false;
    const shown = history.withOutbox(createReplyView(messages), conversation.id, messages);
    view = shown.view;
    order.markDrawn();
    readerId = deps.getUserId();
    composer.load(conversation.id);
    change({
      ...EMPTY_CHAT,
      phase: 'ready',
      conversation,
      view,
      unsent: shown.unsent,
      earlierCursor: next_cursor,
      laterCursor: later_cursor,
      scrollTarget: isFound ? { messageId: messageId ?? '' } : null,
      notice: messageId && !isFound ? { code: 'message_not_found', error: '' } : null,
      points: $chat.get().points,
    });
    if (before !== null && before !== conversation.id) deps.onConversationLeft?.();
    deps.updateAddress(conversation);
    followShown();
    void turns.syncOutbox();
  }

  /** Follows a reply to its end and updates the state. */
  function followReply(
    open: ((signal: AbortSignal) => Promise<Result<ReplyStream>>) | null,
  ): Promise<FollowResult> {
    change({ activity: open ? 'sending' : 'replying', connected: true, ...(open ? { notice: null } : {}) });
    order.markDrawn();
    readerId = deps.getUserId() ?? readerId;
    const followed = follower.follow(open).then(async (end) => {
      if (end.kind === 'left' || following !== followed) return end;
      following = null;
      order.markDrawn();
      stopWanted = false;
      change({ activity: 'idle', connected: true, view });
      if (end.kind === 'gone') await availability.handleNotFound();
      if (end.kind === 'signed-out') setNotice(end.failure.code);
      if (end.kind === 'ended') deps.chatsChanged();
      void finishReply(end.kind === 'ended');
      return end;
    });
    following = followed;
    return followed;
  }

  /** Runs the work that waited for the reply's end. */
  async function finishReply(ended: boolean): Promise<void> {
    if ($chat.get().phase !== 'ready') return;
    // Another reply than the followed one ended here: load the history, which has both.
    if (ended && isStreaming(view.messages)) resync.markMissed();
    if (resync.hasMissed()) await resync.resume();
    if (ended) await turns.flush();
  }

  /** Follows an unfinished reply that is shown. Null when there is none or something else is running. */
  function followShown(): Promise<FollowResult> | null {
    if (following !== null) return following;
    const { phase, activity } = $chat.get();
    if (phase !== 'ready' || activity !== 'idle' || !isStreaming(view.messages)) return null;
    return followReply(null);
  }

  async function requestStop(): Promise<void> {
    const id = getConversationId();
    if (!id) return;
    const answer = await api.stop(id);
    if (answer.ok || answer.status === 404 || $chat.get().activity !== 'stopping') return;
    stopWanted = false;
    change({ activity: 'replying', notice: { code: 'stop_failed', error: answer.error } });
  }

  /** Loads a change made in another tab or on another device. */
  async function applyHint(hint: LiveEvent): Promise<void> {
    const { phase, activity, laterCursor } = $chat.get();
    // Any event of a missing conversation may mean that it was restored.
    if (isUnavailable({ phase }) && hint.type !== 'gone') return void (await availability.checkAgain());
    if (phase !== 'ready') return;
    if (hint.type === 'gone') {
      stopFollowing();
      return availability.markDeleted();
    }
    if (hint.type === 'opened') {
      // The page may be older than the socket, and changes in between sent no event.
      if (hint.revision !== revision) await resync.followIfStreaming(history.sync(true));
      return;
    }
    if (hint.type === 'changed') return core.syncMessages(hint.message_ids);
    if (activity !== 'idle') resync.markMissed();
    // Do not move the user away from an older part of the history.
    else if (laterCursor === null || view.messages.some(({ id }) => id === hint.reply_id)) {
      const { kind } = await followReply(null);
      // The reply of the event was over already, and another one was followed.
      const isOther = kind === 'ended' && view.turn !== null && view.turn.replyId !== hint.reply_id;
      if (isOther) await resync.followIfStreaming(history.sync(true));
    }
    // Discard a history request under way: it may reach to the end without including the new reply.
    else order.markDrawn();
  }

  const core: ChatCore = {
    deps,
    state: () => $chat.get(),
    change,
    view: () => view,
    draw,
    order,
    getConversationId,
    signInAgain: (refusal) =>
      // The page may have shown the conversation before it knew its session.
      reauthenticate(refusal, () => deps.signIn('again'), readerId ?? deps.getUserId()),
    getTargetId: () => target.conversationId,
    async syncHistory() {
      const end = await history.sync();
      void followShown();
      return end;
    },
    async syncMessages(messageIds) {
      await resync.followIfStreaming(history.applyChanges(messageIds));
    },
    async syncNewest() {
      const end = await history.syncNewest();
      void followShown();
      return end;
    },
    followShown: () => void followShown(),
    show,
    handleNotFound: () => availability.handleNotFound(),
  };
  const opener = createConversationOpener(deps);
  const availability = createConversationAvailability(core);
  const history = createHistorySync(core, {
    isFollowing: () => following !== null,
    onMissed: () => resync.scheduleRetry(),
    onSynced: () => void (syncedAt = deps.clock.now()),
  });
  const resync = createResync(core, {
    sync: (whole) => history.sync(whole),
    isFollowing: () => following !== null || isDisposed,
    followShown,
  });
  const navigation = createHistoryNavigation(core);
  const operations = createMessageOperations(core, navigation);
  const assist = createWritingAssist(core, composer.insertBelow);
  const turns = createTurns(core, {
    followReply,
    resume: resync.resume,
    restoreToComposer: composer.prependText,
    showNewest: navigation.showNewest,
  });

  let stopListening = () => {};

  return {
    $chat,
    $draft: composer.$draft,
    ...navigation,
    ...operations,
    ...assist,
    remove: availability.remove,
    bringBack: availability.bringBack,
    async start(wanted) {
      target = wanted;
      stopListening();
      stopListening = drafts.subscribe({
        outbox(id) {
          if (id === getConversationId() && $chat.get().phase === 'ready') void turns.syncOutbox();
        },
        draft: composer.handleRemoteChange,
      });
      if (opened === null) return load();
      show(opened);
    },
    restart: load,
    async reload() {
      if (!isUnavailable($chat.get()) || target.conversationId === null) return load();
      await availability.checkAgain();
    },
    setDraft: composer.setText,
    insertIntoComposer: composer.insertBelow,
    async send(model, text) {
      // Dice are rolled once, before the text is stored anywhere.
      const content = resolveMacros(text ?? composer.$draft.get(), deps.clock.now());
      const { phase, activity } = $chat.get();
      if (content.trim() === '') return;
      if (phase !== 'ready') return setNotice('chat_not_loaded');
      if (activity !== 'idle') return;
      if (text === undefined) {
        composer.setText('');
        change({ boxed: null });
      }
      await turns.send(content, model);
    },
    regenerate: (messageId, model, note) => turns.rewrite('regenerate', messageId, model, note),
    requestReply: (messageId, model) => turns.rewrite('answer', messageId, model),
    continueReply: (messageId, model) => turns.rewrite('continue', messageId, model),
    retry: turns.retry,
    takeBack: turns.takeBack,
    async stop() {
      const { activity } = $chat.get();
      if (activity !== 'sending' && activity !== 'replying') return;
      stopWanted = true;
      change({ activity: 'stopping', notice: null });
      // A turn without an answer yet is stopped when the server accepts it.
      if (activity === 'replying') await requestStop();
    },
    async startNew() {
      const { conversation, startingNew } = $chat.get();
      const characterId = conversation?.character_id ?? target.characterId;
      if (startingNew) return;
      if (!characterId) return setNotice('character_id_missing');
      change({ startingNew: true, notice: null });
      const answer = await opener.create(characterId);
      change({ startingNew: false });
      if (!answer.ok)
        return change({
          notice: isUnexplained(answer) ? { code: 'new_conversation_failed', error: '' } : answer,
        });
      // The open conversation had no message of the user, so it is the new one. A message that was sent since is newer than
      // the answer.
      if (answer.data.conversation.id === getConversationId())
        return $chat.get().activity === 'idle' ? core.syncMessages([]) : undefined;
      composer.reset();
      show(answer.data);
    },
    dismissSuggestions: () => change({ suggestions: [] }),
    dismissNotice: () => change({ notice: null }),
    dismissHelp: () => change({ helplines: null }),
    wake() {
      const { phase, activity } = $chat.get();
      if (isUnavailable({ phase })) return void availability.checkAgain();
      if (phase !== 'ready') return;
      if (activity !== 'idle') return follower.wake();
      void turns.syncOutbox();
      if (resync.hasMissed() || deps.clock.now() - syncedAt > STALE_AFTER_MS) {
        syncedAt = deps.clock.now();
        void resync.resume();
      }
    },
    handleHint: (hint) => void applyHint(hint),
    dispose() {
      isDisposed = true;
      stopListening();
      turns.dispose();
      resync.reset();
      follower.stop();
    },
  };
}

/** The state of a chat that shows a conversation from the start. */
function toOpenedState({ conversation, messages, next_cursor, later_cursor }: ConversationPage): ChatState {
  return {
    ...EMPTY_CHAT,
    phase: 'ready',
    conversation,
    view: createReplyView(messages),
    earlierCursor: next_cursor,
    laterCursor: later_cursor,
  };
}
