// Over 400 lines: the one machine of a chat, where what its parts do is put in order. They are in the files beside it and
// come in below; what is left here shares the state that each of them changes.
import { atom } from 'nanostores';
import type { ConversationPage, LiveEvent, Message } from '../../../features/conversation/contract.ts';
import {
  applyReplyEvent,
  createReplyView,
  type FollowedEvent,
  type ReplyView,
} from '../../../features/conversation/messages/reply-view.ts';
import type { RefusalRule } from '../../../features/safety/moderation.ts';
import type { Result } from '../../shared/api.ts';
import type { ReplyStream } from '../../shared/sse.ts';
import { reauthenticate } from '../../sign-in/reauthenticate.ts';
import { EMPTY_CHAT, type Chat, type ChatDeps, type ChatState, type ChatTarget } from '../chat.ts';
import { createResync } from './resync.ts';
import { createRequestOrder, type ChatCore } from './chat-core.ts';
import { createConversationOpener } from './open-conversation.ts';
import { createConversationAvailability, isUnavailable } from './conversation-availability.ts';
import { createHistoryNavigation } from '../scroll/history-navigation.ts';
import { createHistorySync, isStreaming } from './history-sync.ts';
import { createMessageOperations } from '../messages/message-actions.ts';
import { createWritingAssist } from '../composer/writing-assist.ts';
import { RULE_ENDED } from '../messages/reply-announcer.ts';
import { createReplyFollower, type FollowResult } from './reply-follower.ts';
import { createComposerDraft } from '../composer/composer-draft.ts';
import { createTurns, omitKey } from './turns.ts';

/** After so long away the history is fetched again: another window may have gone on with the conversation. */
const STALE_AFTER_MS = 30_000;

/** A chat as a state machine. It knows no React and no browser: both come in as dependencies. */
export function createChat(deps: ChatDeps): Chat {
  const { api, drafts } = deps;
  const $chat = atom<ChatState>(EMPTY_CHAT);
  let target: ChatTarget = { characterId: null, conversationId: null };
  // The view runs ahead of the store between two pictures.
  let view = EMPTY_CHAT.view;
  let isFrameScheduled = false;
  let stopWanted = false;
  let syncedAt = 0;
  // As of when the server showed the conversation here first.
  let revision = '';
  let isDisposed = false;
  // Which one ended the reply that is followed, if one did.
  let rule: RefusalRule | undefined;
  let following: Promise<FollowResult> | null = null;
  // Whom the conversation is shown to: whoever else signs in has asked for none of it.
  let readerId: string | null = null;

  const change = (part: Partial<ChatState>) => {
    if (isDisposed) return;
    const { laterCursor } = $chat.get();
    $chat.set({ ...$chat.get(), ...part });
    // What waits to be sent stands after the newest messages: it was out of sight.
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
    if (event.event === 'delta') {
      view = next;
      if (isFrameScheduled) return;
      isFrameScheduled = true;
      deps.beforeNextFrame(() => {
        isFrameScheduled = false;
        change({ view });
      });
      return;
    }
    draw(next);
    if (event.event === 'safety') {
      if (event.kind === 'crisis') change({ helpTurnId: next.turn?.id ?? null });
      else rule = event.rule;
      return;
    }
    if (event.event === 'accepted') {
      const { user_message: sent } = event;
      /** Whether the notice that an AI answers came with a message just now. */
      const isNoticedNow = (told: Message | undefined) =>
        told?.notice === true && !before.messages.some(({ id, notice }) => id === told.id && notice === true);
      rule = undefined;
      // It arrived long ago, and others came after it: the history knows its place.
      if (sent && !isShown(sent.id) && $chat.get().laterCursor === null) resync.markMissed();
      const id = getConversationId();
      const turnId = next.turn?.id ?? '';
      if (id) drafts.removeFromOutbox(id, turnId);
      turns.confirmRewrite(event.reply.id);
      change({
        activity: stopWanted ? 'stopping' : 'replying',
        unsent: omitKey($chat.get().unsent, turnId),
        suggestions: [],
        boxed: null,
        helplines: null,
        ...([sent, event.reply].some(isNoticedNow) ? { noticeTurnId: turnId } : {}),
      });
      if (stopWanted) void requestStop();
      return;
    }
    if (event.event === 'done') {
      const { conversation, points } = $chat.get();
      const { context_start_id: start } = event;
      change({
        ...(isShown(event.reply.id) ? { finishedReply: event.reply } : {}),
        points: event.points ?? points,
        ...(conversation && start !== undefined
          ? { conversation: { ...conversation, context_start_id: start } }
          : {}),
      });
      return;
    }
    if (event.reply && isShown(event.reply.id)) change({ finishedReply: event.reply });
    // A rewrite that came to nothing leaves the earlier text in place: only a notice can say what happened.
    if (!event.reply || event.reply.status === 'complete')
      change({
        notice: rule ? { code: RULE_ENDED, error: '', rule } : { code: event.code, error: event.error },
      });
  }

  function stopFollowing(): void {
    follower.stop();
    following = null;
  }

  async function load(): Promise<void> {
    stopFollowing();
    const requested = target;
    // What was kept stands in the box before anybody writes over it.
    if (requested.conversationId !== null) composer.load(requested.conversationId);
    change({ phase: 'starting', problem: null, notice: null, activity: 'idle', connected: true });
    const answer = await opener.find(requested);
    if (isDisposed || requested !== target) return;
    if (answer.ok) return show(answer.data);
    if (answer.status === 401) {
      if ((await deps.signIn('entry')) !== null) return load();
      return change({ phase: 'signed-out' });
    }
    if (answer.status === 404) return availability.handleNotFound();
    const { code, error } = answer;
    change({
      phase: 'failed',
      problem: code === 'no_chat_named' ? { code, error } : { code: 'chat_history_failed', error },
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

  /** Follows a reply and says how that ended. */
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

  /** When a reply is over, what waited for that has its turn. */
  async function finishReply(ended: boolean): Promise<void> {
    if ($chat.get().phase !== 'ready') return;
    // Another reply than the one followed came to its end here: the history knows both.
    if (ended && isStreaming(view.messages)) resync.markMissed();
    if (resync.hasMissed()) await resync.resume();
    if (ended) await turns.flush();
  }

  /** Follows the reply that is shown unfinished. Null when none is, or something else is under way. */
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

  /** Another tab or device did something: what it did is looked for. */
  async function applyHint(hint: LiveEvent): Promise<void> {
    const { phase, activity, laterCursor } = $chat.get();
    // Whatever happens to a conversation that was not there, it may be back.
    if (isUnavailable({ phase }) && hint.type !== 'gone') return void (await availability.checkAgain());
    if (phase !== 'ready') return;
    if (hint.type === 'gone') {
      stopFollowing();
      return availability.markDeleted();
    }
    if (hint.type === 'opened') {
      // The page may be older than the socket, and what happened in between was told to nobody.
      if (hint.revision !== revision) await resync.followIfStreaming(history.sync(true));
      return;
    }
    if (hint.type === 'changed') return core.syncMessages(hint.message_ids);
    if (activity !== 'idle') resync.markMissed();
    // Whoever reads another part of the history is not called away from it.
    else if (laterCursor === null || view.messages.some(({ id }) => id === hint.reply_id)) {
      const { kind } = await followReply(null);
      // That reply was over already, and another one was followed.
      const isOther = kind === 'ended' && view.turn !== null && view.turn.replyId !== hint.reply_id;
      if (isOther) await resync.followIfStreaming(history.sync(true));
    }
    // Nor is that drawn which was asked for before, and may reach to the end without knowing of the reply.
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
    signInAgain: (refusal) => reauthenticate(refusal, () => deps.signIn('again'), readerId),
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
      await load();
    },
    restart: load,
    async reload() {
      if (!isUnavailable($chat.get()) || target.conversationId === null) return load();
      await availability.checkAgain();
    },
    setDraft: composer.setText,
    insertIntoComposer: composer.insertBelow,
    async send(model, text) {
      const content = text ?? composer.$draft.get();
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
    regenerate: (messageId, model) => turns.rewrite('regenerate', messageId, model),
    requestReply: (messageId, model) => turns.rewrite('answer', messageId, model),
    continueReply: (messageId, model) => turns.rewrite('continue', messageId, model),
    retry: turns.retry,
    takeBack: turns.takeBack,
    async stop() {
      const { activity } = $chat.get();
      if (activity !== 'sending' && activity !== 'replying') return;
      stopWanted = true;
      change({ activity: 'stopping', notice: null });
      // A turn that the server has not answered yet is stopped as soon as it has.
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
          notice: answer.status === 0 ? { code: 'new_conversation_failed', error: '' } : answer,
        });
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
