// Over 400 lines: the one machine of a chat, where what its parts do is put in order. They are in the files beside it and
// come in below; what is left here shares the state that each of them changes.
import { atom } from 'nanostores';
import type { ConversationPage, LiveHint, Message } from '../../../features/conversation/contract.ts';
import {
  applyReplyEvent,
  viewOf,
  type FollowedEvent,
  type ReplyView,
} from '../../../features/conversation/messages/reply-view.ts';
import type { RefusalRule } from '../../../features/safety/moderation.ts';
import type { Result } from '../../shared/api.ts';
import type { ReplyStream } from '../../shared/sse.ts';
import { stillRefused } from '../../sign-in/reauthenticate.ts';
import { EMPTY_CHAT, type Chat, type ChatDeps, type ChatState, type ChatTarget } from '../chat.ts';
import { createCatchUp } from './resync.ts';
import { createOrder, type ChatCore } from './chat-core.ts';
import { createOpening } from './open-conversation.ts';
import { createPresence, isAway } from './conversation-availability.ts';
import { createPlaces } from '../scroll/history-navigation.ts';
import { createHistorySync, isStreaming } from './history-sync.ts';
import { createDeeds } from '../messages/message-actions.ts';
import { createHelp } from '../composer/writing-assist.ts';
import { RULE_ENDED } from '../messages/reply-announcer.ts';
import { createFollower, type FollowEnd } from './reply-follower.ts';
import { createDraftBox } from '../composer/composer-draft.ts';
import { createTurns, without } from './turns.ts';

/** After so long away the history is fetched again: another window may have gone on with the conversation. */
const STALE_AFTER_MS = 30_000;

/** A chat as a state machine. It knows no React and no browser: both come in as dependencies. */
export function createChat(deps: ChatDeps): Chat {
  const { api, drafts } = deps;
  const $chat = atom<ChatState>(EMPTY_CHAT);
  let target: ChatTarget = { characterId: null, conversationId: null };
  // The view runs ahead of the store between two pictures.
  let view = EMPTY_CHAT.view;
  let drawing = false;
  let stopWanted = false;
  let syncedAt = 0;
  // As of when the server showed the conversation here first.
  let revision = '';
  let left = false;
  // Which one ended the reply that is followed, if one did.
  let rule: RefusalRule | undefined;
  let following: Promise<FollowEnd> | null = null;
  // Whom the conversation is shown to: whoever else signs in has asked for none of it.
  let reader: string | null = null;

  const change = (part: Partial<ChatState>) => {
    if (left) return;
    const { laterCursor } = $chat.get();
    $chat.set({ ...$chat.get(), ...part });
    // What waits to be sent stands after the newest messages: it was out of sight.
    if (laterCursor !== null && part.laterCursor === null) turns.lookSoon();
  };
  const box = createDraftBox(drafts, () => $chat.get(), change);
  const order = createOrder();
  const draw = (next: ReplyView) => {
    view = next;
    order.drawn();
    change({ view });
  };
  const currentId = () => $chat.get().conversation?.id ?? null;
  const tell = (code: string) => change({ notice: { code, error: '' } });

  const follower = createFollower({
    clock: deps.clock,
    rejoin: async (signal) => {
      const id = currentId();
      return id ? api.rejoin(id, view.lastEventId, signal) : { ok: true, data: null };
    },
    apply,
    reload: (signal) => history.syncFor(signal),
    signIn: (refusal) => core.signInAgain(refusal),
    connected: (connected) => change({ connected }),
  });

  function apply(followed: FollowedEvent): void {
    const before = view;
    const next = applyReplyEvent(view, followed, $chat.get().laterCursor === null);
    if (next === before) return;
    const { event } = followed;
    const isShown = (messageId: string) => next.messages.some(({ id }) => id === messageId);
    if (event.event === 'delta') {
      view = next;
      if (drawing) return;
      drawing = true;
      deps.beforeNextFrame(() => {
        drawing = false;
        change({ view });
      });
      return;
    }
    draw(next);
    if (event.event === 'safety') {
      if (event.kind === 'crisis') change({ helped: next.turn?.id ?? null });
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
      if (sent && !isShown(sent.id) && $chat.get().laterCursor === null) catchUp.miss();
      const id = currentId();
      const turnId = next.turn?.id ?? '';
      if (id) drafts.takeFromOutbox(id, turnId);
      turns.taken(event.reply.id);
      change({
        activity: stopWanted ? 'stopping' : 'replying',
        unsent: without($chat.get().unsent, turnId),
        suggested: [],
        boxed: null,
        helplines: null,
        ...([sent, event.reply].some(isNoticedNow) ? { noticed: turnId } : {}),
      });
      if (stopWanted) void askToStop();
      return;
    }
    if (event.event === 'done') {
      const { conversation, points } = $chat.get();
      const { context_start_id: start } = event;
      change({
        ...(isShown(event.reply.id) ? { finished: event.reply } : {}),
        points: event.points ?? points,
        ...(conversation && start !== undefined
          ? { conversation: { ...conversation, context_start_id: start } }
          : {}),
      });
      return;
    }
    if (event.reply && isShown(event.reply.id)) change({ finished: event.reply });
    // A rewrite that came to nothing leaves the earlier text in place: only a notice can say what happened.
    if (!event.reply || event.reply.status === 'complete')
      change({
        notice: rule ? { code: RULE_ENDED, error: '', rule } : { code: event.code, error: event.error },
      });
  }

  function leaveReply(): void {
    follower.leave();
    following = null;
  }

  async function load(): Promise<void> {
    leaveReply();
    const asked = target;
    // What was kept stands in the box before anybody writes over it.
    if (asked.conversationId !== null) box.take(asked.conversationId);
    change({ phase: 'starting', problem: null, notice: null, activity: 'idle', connected: true });
    const answer = await opening.find(asked);
    if (left || asked !== target) return;
    if (answer.ok) return show(answer.data);
    if (answer.status === 401) {
      if ((await deps.signIn('entry')) !== null) return load();
      return change({ phase: 'signed-out' });
    }
    if (answer.status === 404) return presence.missing();
    const { code, error } = answer;
    change({
      phase: 'failed',
      problem: code === 'no_chat_named' ? { code, error } : { code: 'chat_history_failed', error },
    });
  }

  function show(page: ConversationPage): void {
    const { conversation, messages, next_cursor, later_cursor } = page;
    leaveReply();
    catchUp.forget();
    revision = page.revision;
    const { messageId } = target;
    const isThere = messages.some(({ id }) => id === messageId);
    const before = currentId();
    target = { characterId: conversation.character_id, conversationId: conversation.id };
    syncedAt = deps.clock.now();
    stopWanted = false;
    const shown = history.withOutbox(viewOf(messages), conversation.id, messages);
    view = shown.view;
    order.drawn();
    reader = deps.who();
    box.take(conversation.id);
    change({
      ...EMPTY_CHAT,
      phase: 'ready',
      conversation,
      view,
      unsent: shown.unsent,
      earlierCursor: next_cursor,
      laterCursor: later_cursor,
      lookAt: isThere ? { messageId: messageId ?? '' } : null,
      notice: messageId && !isThere ? { code: 'message_not_found', error: '' } : null,
      points: $chat.get().points,
    });
    if (before !== null && before !== conversation.id) deps.leftBehind?.();
    deps.showAddress(conversation);
    followShown();
    void turns.lookAtOutbox();
  }

  /** Follows a reply and says how that ended. */
  function run(open: ((signal: AbortSignal) => Promise<Result<ReplyStream>>) | null): Promise<FollowEnd> {
    change({ activity: open ? 'sending' : 'replying', connected: true, ...(open ? { notice: null } : {}) });
    order.drawn();
    reader = deps.who() ?? reader;
    const followed = follower.follow(open).then(async (end) => {
      if (end.kind === 'left' || following !== followed) return end;
      following = null;
      order.drawn();
      stopWanted = false;
      change({ activity: 'idle', connected: true, view });
      if (end.kind === 'gone') await presence.missing();
      if (end.kind === 'signed-out') tell(end.failure.code);
      if (end.kind === 'ended') deps.chatsChanged();
      void rest(end.kind === 'ended');
      return end;
    });
    following = followed;
    return followed;
  }

  /** When a reply is over, what waited for that has its turn. */
  async function rest(ended: boolean): Promise<void> {
    if ($chat.get().phase !== 'ready') return;
    // Another reply than the one followed came to its end here: the history knows both.
    if (ended && isStreaming(view.messages)) catchUp.miss();
    if (catchUp.isBehind()) await catchUp.resume();
    if (ended) await turns.flush();
  }

  /** Follows the reply that is shown unfinished. Null when none is, or something else is under way. */
  function followShown(): Promise<FollowEnd> | null {
    if (following !== null) return following;
    const { phase, activity } = $chat.get();
    if (phase !== 'ready' || activity !== 'idle' || !isStreaming(view.messages)) return null;
    return run(null);
  }

  async function askToStop(): Promise<void> {
    const id = currentId();
    if (!id) return;
    const answer = await api.stop(id);
    if (answer.ok || answer.status === 404 || $chat.get().activity !== 'stopping') return;
    stopWanted = false;
    change({ activity: 'replying', notice: { code: 'stop_failed', error: answer.error } });
  }

  /** Another tab or device did something: what it did is looked for. */
  async function hear(hint: LiveHint): Promise<void> {
    const { phase, activity, laterCursor } = $chat.get();
    // Whatever happens to a conversation that was not there, it may be back.
    if (isAway({ phase }) && hint.type !== 'gone') return void (await presence.lookAgain());
    if (phase !== 'ready') return;
    if (hint.type === 'gone') {
      leaveReply();
      return presence.gone();
    }
    if (hint.type === 'opened') {
      // The page may be older than the socket, and what happened in between was told to nobody.
      if (hint.revision !== revision) await catchUp.followFound(history.sync(true));
      return;
    }
    if (hint.type === 'changed') return core.syncMessages(hint.message_ids);
    if (activity !== 'idle') catchUp.miss();
    // Whoever reads another part of the history is not called away from it.
    else if (laterCursor === null || view.messages.some(({ id }) => id === hint.reply_id)) {
      const { kind } = await run(null);
      // That reply was over already, and another one was followed.
      const isOther = kind === 'ended' && view.turn !== null && view.turn.replyId !== hint.reply_id;
      if (isOther) await catchUp.followFound(history.sync(true));
    }
    // Nor is that drawn which was asked for before, and may reach to the end without knowing of the reply.
    else order.drawn();
  }

  const core: ChatCore = {
    deps,
    state: () => $chat.get(),
    change,
    view: () => view,
    draw,
    order,
    currentId,
    signInAgain: (refusal) => stillRefused(refusal, () => deps.signIn('again'), reader),
    wantedId: () => target.conversationId,
    async syncHistory() {
      const end = await history.sync();
      void followShown();
      return end;
    },
    async syncMessages(messageIds) {
      await catchUp.followFound(history.takeUp(messageIds));
    },
    async syncNewest() {
      const end = await history.syncNewest();
      void followShown();
      return end;
    },
    followShown: () => void followShown(),
    show,
    missing: () => presence.missing(),
  };
  const opening = createOpening(deps);
  const presence = createPresence(core);
  const history = createHistorySync(core, {
    isFollowing: () => following !== null,
    missed: () => catchUp.later(),
    synced: () => void (syncedAt = deps.clock.now()),
  });
  const catchUp = createCatchUp(core, {
    sync: (whole) => history.sync(whole),
    isFollowing: () => following !== null || left,
    followShown,
  });
  const places = createPlaces(core);
  const deeds = createDeeds(core, places);
  const help = createHelp(core, box.putUnder);
  const turns = createTurns(core, {
    run,
    resume: catchUp.resume,
    putInBox: box.putBack,
    showNewest: places.showNewest,
  });

  let stopListening = () => {};

  return {
    $chat,
    $draft: box.$draft,
    ...places,
    ...deeds,
    ...help,
    remove: presence.remove,
    bringBack: presence.bringBack,
    async start(wanted) {
      target = wanted;
      stopListening();
      stopListening = drafts.listen({
        outbox(id) {
          if (id === currentId() && $chat.get().phase === 'ready') void turns.lookAtOutbox();
        },
        draft: box.heard,
      });
      await load();
    },
    restart: load,
    async reload() {
      if (!isAway($chat.get()) || target.conversationId === null) return load();
      await presence.lookAgain();
    },
    setDraft: box.write,
    putInBox: box.putUnder,
    async send(model, text) {
      const content = text ?? box.$draft.get();
      const { phase, activity } = $chat.get();
      if (content.trim() === '') return;
      if (phase !== 'ready') return tell('chat_not_loaded');
      if (activity !== 'idle') return;
      if (text === undefined) {
        box.write('');
        change({ boxed: null });
      }
      await turns.send(content, model);
    },
    regenerate: (messageId, model) => turns.rewrite('regenerate', messageId, model),
    answer: (messageId, model) => turns.rewrite('answer', messageId, model),
    continueReply: (messageId, model) => turns.rewrite('continue', messageId, model),
    retry: turns.retry,
    takeBack: turns.takeBack,
    async stop() {
      const { activity } = $chat.get();
      if (activity !== 'sending' && activity !== 'replying') return;
      stopWanted = true;
      change({ activity: 'stopping', notice: null });
      // A turn that the server has not answered yet is stopped as soon as it has.
      if (activity === 'replying') await askToStop();
    },
    async startNew() {
      const { conversation, startingNew } = $chat.get();
      const characterId = conversation?.character_id ?? target.characterId;
      if (startingNew) return;
      if (!characterId) return tell('character_id_missing');
      change({ startingNew: true, notice: null });
      const answer = await opening.create(characterId);
      change({ startingNew: false });
      if (!answer.ok)
        return change({
          notice: answer.status === 0 ? { code: 'new_conversation_failed', error: '' } : answer,
        });
      box.leave();
      show(answer.data);
    },
    dismissSuggestions: () => change({ suggested: [] }),
    dismissNotice: () => change({ notice: null }),
    dismissHelp: () => change({ helplines: null }),
    wake() {
      const { phase, activity } = $chat.get();
      if (isAway({ phase })) return void presence.lookAgain();
      if (phase !== 'ready') return;
      if (activity !== 'idle') return follower.wake();
      void turns.lookAtOutbox();
      if (catchUp.isBehind() || deps.clock.now() - syncedAt > STALE_AFTER_MS) {
        syncedAt = deps.clock.now();
        void catchUp.resume();
      }
    },
    hear: (hint) => void hear(hint),
    leave() {
      left = true;
      stopListening();
      turns.leave();
      catchUp.forget();
      follower.leave();
    },
  };
}
