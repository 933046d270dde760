import type {
  Conversation,
  ConversationPage,
  Message,
  ReplyEvent,
} from '../../src/features/conversation/contract.ts';
import type { FollowedEvent } from '../../src/features/conversation/messages/reply-view.ts';
import type { ChatDeps, Undoable } from '../../src/islands/chat/chat.ts';
import { createChat } from '../../src/islands/chat/state/chat-state.ts';
import {
  createDrafts,
  type DraftStorage,
  type StorageChange,
} from '../../src/islands/chat/composer/drafts.ts';
import type { Failure, Result } from '../../src/islands/shared/api.ts';
import type { HistoryPosition } from '../../src/islands/shared/chat-api.ts';
import type { ReplyStream } from '../../src/islands/shared/sse.ts';
import { getHistoryPage } from './history-pages.ts';

export const AT = '2026-03-10T12:00:00.000Z';
export const SAMPLE_POINTS = {
  current_points: 0,
  permanent_points: 0,
  daily_messages_used: 3,
  daily_message_limit: 100,
  refills_at: '2026-03-10T16:00:00.000Z',
  daily_resets_at: '2026-03-11T00:00:00.000Z',
  message_cost: 1,
  character_cost: 5,
  refill_to: 50,
  refill_hours: 8,
  unlimited: false,
  time_zone: null,
};

export const SAMPLE_CONVERSATION: Conversation = {
  id: 'c1',
  character_id: 'char1',
  character_name: 'Ilse',
  avatar_url: '/media/ilse.webp',
  title: null,
  created_at: AT,
  last_message_time: AT,
  message_count: 1,
  suggested_replies: ['Who are you?'],
  persona: null,
  user_name: 'Stranger',
  own_name: 'Stranger',
  context_start_id: null,
  character_version: 1,
};

export function createMessage(id: string, part: Partial<Message> = {}): Message {
  const content = part.content ?? '';
  return {
    id,
    role: 'character',
    content,
    created_at: AT,
    edited: false,
    pinned: false,
    status: 'complete',
    versions: [{ id: `${id}-v1`, content, model: 'loreloom', created_at: AT, edited: false }],
    selected_version_id: `${id}-v1`,
    ...part,
  };
}

export const createUserMessage = (id: string, content: string) =>
  createMessage(id, { role: 'user', content });
export const GREETING = createMessage('m0', { content: 'The lamp is lit.' });
export const createFailure = (status: number, code: string, more: Partial<Failure> = {}): Failure => ({
  ok: false,
  status,
  code,
  error: `server says ${code}`,
  ...more,
});
export const NETWORK_ERROR = createFailure(0, 'network', { error: '' });

/** A connection whose other end the test controls. */
function createConnection(clock: { now(): number }) {
  const waiting: FollowedEvent[] = [];
  let ended = false;
  let wake = () => {};
  let lastEventAt = clock.now();
  const stream: ReplyStream = {
    async *[Symbol.asyncIterator]() {
      for (;;) {
        while (waiting.length > 0) yield waiting.shift() as FollowedEvent;
        if (ended) return;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
    quietForMs: () => clock.now() - lastEventAt,
    close: () => {
      ended = true;
      wake();
    },
  };
  return {
    stream,
    get open() {
      return !ended;
    },
    async emit(turnId: string, number: number, event: ReplyEvent) {
      waiting.push({ id: `${turnId}:${number}`, event });
      lastEventAt = clock.now();
      wake();
      await flushPromises();
    },
    async disconnect() {
      ended = true;
      wake();
      await flushPromises();
    },
  };
}

export const flushPromises = () => new Promise<void>((resolve) => setImmediate(resolve));

/** What the tabs of a device share besides its storage: locks and change events. */
interface TabRegistry {
  heldLocks: Map<string, object>;
  listeners: Map<object, (change: StorageChange) => void>;
}
const tabRegistries = new WeakMap<Map<string, string>, TabRegistry>();

/** A chat page with a fake clock, scripted API answers and a device storage. */
export function createChatFixture({
  history = [GREETING] as Message[],
  memory = new Map<string, string>(),
  /** The tab's name, which survives a reload; tabs without one share their drafts. */
  name = null as string | null,
  /** The conversation that the page's HTML shows. */
  opened = null as ConversationPage | null,
} = {}) {
  let now = Date.parse(AT);
  let timers: { at: number; run: () => void }[] = [];
  const clock = {
    now: () => now,
    after(ms: number, run: () => void) {
      const timer = { at: now + ms, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
  };
  const tab = {};
  const tabs = tabRegistries.get(memory) ?? { heldLocks: new Map(), listeners: new Map() };
  tabRegistries.set(memory, tabs);
  const write = (key: string, text: string | null) => {
    const before = memory.get(key) ?? '';
    if (text === null) memory.delete(key);
    else memory.set(key, text);
    for (const [other, hear] of tabs.listeners) {
      if (other !== tab && before !== (text ?? '')) setImmediate(hear, { key, before, now: text ?? '' });
    }
  };
  const storage: DraftStorage = {
    get length() {
      return memory.size;
    },
    key: (index) => [...memory.keys()][index] ?? null,
    getItem: (key) => memory.get(key) ?? null,
    setItem: (key, value) => write(key, value),
    removeItem: (key) => write(key, null),
  };
  const around = {
    tab: name,
    now: () => now,
    watchStorage: (hear: (change: StorageChange) => void) => {
      tabs.listeners.set(tab, hear);
      return () => void tabs.listeners.delete(tab);
    },
    locks: {
      async request<T>(
        name: string,
        { ifAvailable }: { ifAvailable: boolean },
        run: (lock: object | null) => Promise<T>,
      ): Promise<T> {
        if (ifAvailable && tabs.heldLocks.has(name)) return run(null);
        while (tabs.heldLocks.has(name)) await flushPromises();
        tabs.heldLocks.set(name, tab);
        try {
          return await run({});
        } finally {
          if (tabs.heldLocks.get(name) === tab) tabs.heldLocks.delete(name);
        }
      },
      query: async () => ({ held: [...tabs.heldLocks.keys()].map((name) => ({ name })) }),
    },
  };
  const calls: { name: string; args: unknown[] }[] = [];
  const answers: Record<string, unknown[]> = {};
  let frames: (() => void)[] = [];
  let ids = 0;
  let signedIn = true;
  const signIns: string[] = [];
  let currentUser: string | null = 'ana';
  /** The user who signs in when asked; null if none does. */
  let nextUser: string | null = 'ana';
  let online = true;
  const undoable: Undoable[] = [];

  const answer = async <T>(name: string, args: unknown[], usual: () => T): Promise<T> => {
    calls.push({ name, args });
    if (!signedIn) return createFailure(401, 'unauthenticated') as T;
    const next = answers[name]?.shift();
    return (next === undefined ? usual() : typeof next === 'function' ? await next() : next) as T;
  };
  /** A page of the history as the server gives it. */
  const page = (place: HistoryPosition | null, limit = 50): Result<ConversationPage> => {
    const found = getHistoryPage(history, place, limit);
    if (found === null) return createFailure(404, 'not_found');
    return { ok: true, data: { conversation: SAMPLE_CONVERSATION, ...found, revision: 'r:0' } };
  };

  const api: ChatDeps['api'] = {
    conversation: (...args) =>
      answer('conversation', args, () => page(args[1]?.place ?? null, args[1]?.limit)),
    thinking: (...args) =>
      answer('thinking', args, () => ({ ok: true, data: { version_id: 'v', text: 'A plan.' } })),
    conversationsWith: (...args) =>
      answer('conversationsWith', args, () => ({ ok: true, data: { items: [], next_cursor: null } })),
    createConversation: (...args) =>
      answer('createConversation', args, () => ({
        ok: true,
        data: { conversation: SAMPLE_CONVERSATION, messages: [GREETING], revision: 'r:0' },
      })),
    sendMessage: (...args) => answer('sendMessage', args, () => NETWORK_ERROR),
    regenerate: (...args) => answer('regenerate', args, () => NETWORK_ERROR),
    answer: (...args) => answer('answer', args, () => NETWORK_ERROR),
    rejoin: (...args) => answer('rejoin', args, () => NETWORK_ERROR),
    continueReply: (...args) => answer('continueReply', args, () => NETWORK_ERROR),
    stop: (...args) => answer('stop', args, () => ({ ok: true, data: null })),
    editMessage: (...args) => answer('editMessage', args, () => NETWORK_ERROR),
    selectVersion: (...args) => answer('selectVersion', args, () => NETWORK_ERROR),
    rate: (...args) => answer('rate', args, () => NETWORK_ERROR),
    deleteFrom: (...args) => answer('deleteFrom', args, () => NETWORK_ERROR),
    restore: (...args) => answer('restore', args, () => NETWORK_ERROR),
    pin: (...args) => answer('pin', args, () => NETWORK_ERROR),
    fork: (...args) => answer('fork', args, () => NETWORK_ERROR),
    rename: (...args) => answer('rename', args, () => NETWORK_ERROR),
    setPersona: (...args) => answer('setPersona', args, () => NETWORK_ERROR),
    chooseGreeting: (...args) => answer('chooseGreeting', args, () => NETWORK_ERROR),
    takeVersion: (...args) => answer('takeVersion', args, () => NETWORK_ERROR),
    deleteConversation: (...args) => answer('deleteConversation', args, () => NETWORK_ERROR),
    trashedConversations: (...args) =>
      answer('trashedConversations', args, () => ({ ok: true, data: { items: [] } })),
    restoreConversation: (...args) => answer('restoreConversation', args, () => NETWORK_ERROR),
    suggest: (...args) => answer('suggest', args, () => NETWORK_ERROR),
    draft: (...args) => answer('draft', args, () => NETWORK_ERROR),
  };
  const deps: ChatDeps = {
    api,
    clock,
    drafts: createDrafts(storage, around),
    createId: () => `turn-000${++ids}`,
    getUserId: () => currentUser,
    signIn: async (why) => {
      signIns.push(why);
      signedIn ||= nextUser !== null;
      currentUser = nextUser;
      return nextUser;
    },
    model: () => 'recommended',
    isOnline: () => online,
    offerUndo: (done) => void undoable.push(done),
    updateAddress: () => void calls.push({ name: 'showAddress', args: [] }),
    chatsChanged: () => {},
    onConversationLeft: () => void calls.push({ name: 'leftBehind', args: [] }),
    beforeNextFrame: (run) => void frames.push(run),
  };
  const chat = createChat(deps, opened);

  return {
    chat,
    undoable,
    /** Closes the tab at any point. */
    close() {
      chat.dispose();
      tabs.listeners.delete(tab);
      for (const [name, holder] of tabs.heldLocks) if (holder === tab) tabs.heldLocks.delete(name);
    },
    setOnline: (yes: boolean) => void (online = yes),
    clock,
    memory,
    signIns,
    get state() {
      return chat.$chat.get();
    },
    get shown() {
      return chat.$chat
        .get()
        .view.messages.map(({ content, delivery, status }) => [content, delivery, status]);
    },
    made: (name: string) => calls.filter((call) => call.name === name).map(({ args }) => args),
    /** Queues the next answers of a call, in order. */
    queueAnswers(name: keyof ChatDeps['api'], ...next: unknown[]) {
      (answers[name] ??= []).push(...next);
    },
    connect() {
      return createConnection(clock);
    },
    setHistory: (messages: Message[]) => void (history = messages),
    /** Ends the session. @param who the user who signs in when asked */
    signOut: (who: string | null = 'ana') => {
      signedIn = false;
      nextUser = who;
    },
    drawFrame() {
      const due = frames;
      frames = [];
      for (const run of due) run();
    },
    async pass(ms: number) {
      now += ms;
      const due = timers.filter(({ at }) => at <= now);
      timers = timers.filter(({ at }) => at > now);
      for (const { run } of due) run();
      await flushPromises();
    },
    async openChat() {
      await chat.start({ characterId: 'char1', conversationId: 'c1' });
      return this;
    },
  };
}

export const streamResult = (line: { stream: ReplyStream }) => ({ ok: true, data: line.stream });
export const NONE_RUNNING = { ok: true, data: null };
export const createAcceptedEvent = (text: string): ReplyEvent => ({
  event: 'accepted',
  user_message: createUserMessage('u1', text),
  reply: createMessage('r1', { status: 'streaming' }),
});
export const createDoneEvent = (content: string): ReplyEvent => ({
  event: 'done',
  reply: createMessage('r1', { content }),
  points: null,
});
