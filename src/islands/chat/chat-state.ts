import { atom } from 'nanostores';
import type { ConversationPage, Message } from '../../features/conversation/contract.ts';
import {
  applyReplyEvent,
  viewOf,
  withEarlier,
  withNewest,
  withPending,
  withUnsent,
  withoutUnsent,
  type FollowedEvent,
  type ReplyView,
} from '../../features/conversation/reply-view.ts';
import type { ModelChoice } from '../../features/model/contract.ts';
import type { Result } from '../shared/api.ts';
import type { ReplyStream } from '../shared/sse.ts';
import {
  EMPTY_CHAT,
  type Chat,
  type ChatDeps,
  type ChatNotice,
  type ChatState,
  type ChatTarget,
} from './chat.ts';
import { createFollower, type FollowEnd } from './reply-follower.ts';

/** After so long away the history is fetched again: another window may have gone on with the conversation. */
const STALE_AFTER_MS = 30_000;

/** A chat as a state machine. It knows no React and no browser: both come in as dependencies. */
export function createChat(deps: ChatDeps): Chat {
  const { api, drafts } = deps;
  const $chat = atom<ChatState>(EMPTY_CHAT);
  const $draft = atom('');
  let target: ChatTarget = { characterId: null, conversationId: null };
  // The view runs ahead of the store between two pictures.
  let view = EMPTY_CHAT.view;
  let drawing = false;
  let stopWanted = false;
  let syncedAt = 0;
  let left = false;
  // One id a reply for trying it again, kept until the server has taken it.
  const regenerations = new Map<string, string>();

  const change = (part: Partial<ChatState>) => {
    if (!left) $chat.set({ ...$chat.get(), ...part });
  };
  const draw = (next: ReplyView) => {
    view = next;
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
    reload: syncHistory,
    signIn: () => deps.signIn('again'),
    connected: (connected) => change({ connected }),
  });

  function apply(followed: FollowedEvent): void {
    const before = view;
    const next = applyReplyEvent(view, followed);
    if (next === before) return;
    const { event } = followed;
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
    if (event.event === 'accepted') {
      const id = currentId();
      const turnId = next.turn?.id ?? '';
      if (id) drafts.takeFromOutbox(id, turnId);
      regenerations.delete(event.reply.id);
      change({ activity: stopWanted ? 'stopping' : 'replying', unsent: without($chat.get().unsent, turnId) });
      if (stopWanted) void askToStop();
      return;
    }
    if (event.event === 'done') {
      change({ finished: event.reply, points: event.points ?? $chat.get().points });
      return;
    }
    if (event.reply) change({ finished: event.reply });
    // A rewrite that came to nothing leaves the earlier text in place: only a notice can say what happened.
    if (!event.reply || event.reply.status === 'complete')
      change({ notice: { code: event.code, error: event.error } });
  }

  /** Fetches the newest page into the view. */
  async function syncHistory(signal?: AbortSignal): Promise<'settled' | 'streaming' | 'gone' | 'failed'> {
    const id = currentId();
    if (!id) return 'gone';
    const answer = await api.conversation(id, signal ? { signal } : {});
    if (signal?.aborted || currentId() !== id) return 'failed';
    // What is being followed meanwhile is newer than this answer.
    if (!signal && $chat.get().activity !== 'idle') return 'failed';
    if (!answer.ok) return answer.status === 404 ? 'gone' : 'failed';
    const { conversation, messages, next_cursor } = answer.data;
    const { view: next, joined } = withNewest(view, messages);
    syncedAt = deps.clock.now();
    draw(next);
    change({ conversation, ...(joined ? {} : { earlierCursor: next_cursor }) });
    return isStreaming(messages) ? 'streaming' : 'settled';
  }

  async function enter(): Promise<void> {
    if ((await deps.isSignedIn()) || (await deps.signIn('entry'))) await load();
    else change({ phase: 'signed-out' });
  }

  async function load(): Promise<void> {
    follower.leave();
    const asked = target;
    change({ phase: 'starting', problem: null, notice: null, activity: 'idle', connected: true });
    const answer = await find(asked);
    if (left || asked !== target) return;
    if (answer.ok) return show(answer.data);
    if (answer.status === 401) {
      if (await deps.signIn('entry')) return load();
      return change({ phase: 'signed-out' });
    }
    if (answer.status === 404) return change({ phase: 'not-found' });
    const { code, error } = answer;
    change({
      phase: 'failed',
      problem: code === 'no_chat_named' ? { code, error } : { code: 'chat_history_failed', error },
    });
  }

  /** The conversation that was asked for: by its id, the newest with the character, or a new one. */
  async function find({ conversationId, characterId }: ChatTarget): Promise<Result<ConversationPage>> {
    if (conversationId) return api.conversation(conversationId);
    if (!characterId) return { ok: false, status: 0, code: 'no_chat_named', error: '' };
    const list = await api.conversationsWith(characterId);
    if (!list.ok) return list;
    const newest = list.data.items[0];
    return newest ? api.conversation(newest.id) : create(characterId);
  }

  async function create(characterId: string): Promise<Result<ConversationPage>> {
    const answer = await api.createConversation(characterId);
    if (!answer.ok) return answer;
    deps.chatsChanged();
    return { ok: true, data: { ...answer.data, next_cursor: null } };
  }

  function show({ conversation, messages, next_cursor }: ConversationPage): void {
    target = { characterId: conversation.character_id, conversationId: conversation.id };
    syncedAt = deps.clock.now();
    stopWanted = false;
    // A message left in the outbox that the history has already is sent; only its id can tell.
    const sent = new Set(messages.map((message) => message.client_message_id));
    const unsent: Record<string, ChatNotice> = {};
    view = viewOf(messages);
    for (const { turnId, text } of drafts.outbox(conversation.id)) {
      if (sent.has(turnId)) {
        drafts.takeFromOutbox(conversation.id, turnId);
        continue;
      }
      view = withUnsent(withPending(view, turnId, text, new Date(deps.clock.now()).toISOString()), turnId);
      unsent[turnId] = { code: 'send_failed', error: '' };
    }
    if ($draft.get() === '') $draft.set(drafts.draft(conversation.id));
    change({
      ...EMPTY_CHAT,
      phase: 'ready',
      conversation,
      view,
      unsent,
      earlierCursor: next_cursor,
      points: $chat.get().points,
    });
    deps.showAddress(conversation);
    if (isStreaming(messages)) void run(null);
  }

  /** Follows a reply and says how that ended. */
  async function run(
    open: ((signal: AbortSignal) => Promise<Result<ReplyStream>>) | null,
  ): Promise<FollowEnd> {
    change({ activity: open ? 'sending' : 'replying', connected: true, ...(open ? { notice: null } : {}) });
    const end = await follower.follow(open);
    if (end.kind === 'left') return end;
    stopWanted = false;
    change({ activity: 'idle', connected: true, view });
    if (end.kind === 'gone') change({ phase: 'not-found' });
    if (end.kind === 'signed-out') tell('unauthenticated');
    if (end.kind === 'ended') {
      deps.chatsChanged();
      // Another reply than the one followed came to its end here: the history knows both.
      if (isStreaming(view.messages)) void resume();
    }
    return end;
  }

  /** Catches up with what happened to the conversation elsewhere. */
  async function resume(): Promise<void> {
    if ((await syncHistory()) === 'streaming' && $chat.get().activity === 'idle') await run(null);
  }

  async function post(turnId: string, text: string, model: ModelChoice): Promise<void> {
    const id = currentId();
    if (!id) return;
    drafts.putInOutbox(id, { turnId, text });
    draw(withPending(view, turnId, text, new Date(deps.clock.now()).toISOString()));
    change({ unsent: without($chat.get().unsent, turnId) });
    const end = await run((signal) =>
      api.sendMessage(id, { content: text, client_message_id: turnId, model }, signal),
    );
    if (end.kind !== 'refused') return;
    const { failure } = end;
    if (failure.status === 401) {
      if (await deps.signIn('again')) return post(turnId, text, model);
      return keepUnsent(turnId, failure);
    }
    // Without an answer, or with a broken one, nobody knows whether it arrived: the same id makes trying again safe.
    if (failure.status === 0 || failure.status >= 500) return keepUnsent(turnId, failure);
    if (failure.status === 404) return change({ phase: 'not-found' });
    drafts.takeFromOutbox(id, turnId);
    draw(withoutUnsent(view, turnId));
    putInBox(text);
    change({ notice: failure });
    if (failure.code === 'reply_in_progress') await resume();
  }

  async function regenerate(messageId: string, model: ModelChoice): Promise<void> {
    const id = currentId();
    if (!id || $chat.get().activity !== 'idle') return;
    const turnId = regenerations.get(messageId) ?? deps.newId();
    regenerations.set(messageId, turnId);
    const turn = { client_message_id: turnId, model };
    const end = await run((signal) => api.regenerate(id, messageId, turn, signal));
    if (end.kind !== 'refused') return;
    const { failure } = end;
    if (failure.status === 401 && (await deps.signIn('again'))) return regenerate(messageId, model);
    change({ notice: failure.status === 0 ? { code: 'regenerate_failed', error: '' } : failure });
    if (failure.code === 'reply_in_progress') await resume();
  }

  function keepUnsent(turnId: string, failure: ChatNotice): void {
    draw(withUnsent(view, turnId));
    change({ unsent: { ...$chat.get().unsent, [turnId]: failure } });
  }

  function putInBox(text: string): void {
    const draft = $draft.get();
    setDraft(draft === '' || draft === text ? text : `${text}\n${draft}`);
  }

  function setDraft(text: string): void {
    $draft.set(text);
    const id = currentId();
    if (id) drafts.saveDraft(id, text);
  }

  async function askToStop(): Promise<void> {
    const id = currentId();
    if (!id) return;
    const answer = await api.stop(id);
    if (answer.ok || answer.status === 404 || $chat.get().activity !== 'stopping') return;
    stopWanted = false;
    change({ activity: 'replying', notice: { code: 'stop_failed', error: answer.error } });
  }

  return {
    $chat,
    $draft,
    async start(wanted) {
      target = wanted;
      await enter();
    },
    restart: enter,
    reload: load,
    setDraft,
    async send(model, text) {
      const content = text ?? $draft.get();
      const { phase, activity } = $chat.get();
      if (content.trim() === '') return;
      if (phase !== 'ready') return tell('chat_not_loaded');
      if (activity !== 'idle') return;
      if (text === undefined) setDraft('');
      await post(deps.newId(), content, model);
    },
    async retry(turnId, model) {
      const message = view.messages.find(({ key, delivery }) => key === turnId && delivery === 'unsent');
      if (message && $chat.get().activity === 'idle') await post(turnId, message.content, model);
    },
    takeBack(turnId) {
      const message = view.messages.find(({ key, delivery }) => key === turnId && delivery === 'unsent');
      const id = currentId();
      if (!message || !id) return;
      drafts.takeFromOutbox(id, turnId);
      putInBox(message.content);
      draw(withoutUnsent(view, turnId));
      change({ unsent: without($chat.get().unsent, turnId) });
    },
    regenerate,
    async stop() {
      const { activity } = $chat.get();
      if (activity !== 'sending' && activity !== 'replying') return;
      stopWanted = true;
      change({ activity: 'stopping', notice: null });
      // A turn that the server has not answered yet is stopped as soon as it has.
      if (activity === 'replying') await askToStop();
    },
    async showEarlier() {
      const { conversation, earlierCursor, earlier } = $chat.get();
      if (!conversation || !earlierCursor || earlier === 'loading') return;
      change({ earlier: 'loading' });
      const answer = await api.conversation(conversation.id, { before: earlierCursor });
      if (currentId() !== conversation.id) return;
      if (!answer.ok) return change({ earlier: 'failed' });
      draw(withEarlier(view, answer.data.messages));
      change({ earlier: 'idle', earlierCursor: answer.data.next_cursor });
    },
    async startNew() {
      const { conversation, startingNew } = $chat.get();
      const characterId = conversation?.character_id ?? target.characterId;
      if (startingNew) return;
      if (!characterId) return tell('character_id_missing');
      change({ startingNew: true, notice: null });
      const answer = await create(characterId);
      change({ startingNew: false });
      if (!answer.ok)
        return change({
          notice: answer.status === 0 ? { code: 'new_conversation_failed', error: '' } : answer,
        });
      follower.leave();
      $draft.set('');
      show(answer.data);
    },
    dismissNotice: () => change({ notice: null }),
    wake() {
      const { phase, activity } = $chat.get();
      if (phase !== 'ready') return;
      if (activity !== 'idle') return follower.wake();
      if (deps.clock.now() - syncedAt > STALE_AFTER_MS) {
        syncedAt = deps.clock.now();
        void resume();
      }
    },
    leave() {
      left = true;
      follower.leave();
    },
  };
}

function isStreaming(messages: readonly Pick<Message, 'status'>[]): boolean {
  return messages.some(({ status }) => status === 'streaming');
}

function without<T>(record: Readonly<Record<string, T>>, key: string): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([other]) => other !== key));
}
