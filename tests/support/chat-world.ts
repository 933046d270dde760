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
import type { HistoryPlace } from '../../src/islands/shared/chat-api.ts';
import type { ReplyStream } from '../../src/islands/shared/sse.ts';
import { historyPage } from './history-pages.ts';

export const AT = '2026-03-10T12:00:00.000Z';
export const POINTS = {
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

export const conversation: Conversation = {
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

export function message(id: string, part: Partial<Message> = {}): Message {
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

export const user = (id: string, content: string) => message(id, { role: 'user', content });
export const greeting = message('m0', { content: 'The lamp is lit.' });
export const refusal = (status: number, code: string, more: Partial<Failure> = {}): Failure => ({
  ok: false,
  status,
  code,
  error: `server says ${code}`,
  ...more,
});
export const NETWORK = refusal(0, 'network', { error: '' });

/** A connection whose other end the test holds. */
function connection(clock: { now(): number }) {
  const waiting: FollowedEvent[] = [];
  let ended = false;
  let wake = () => {};
  let heardAt = clock.now();
  const stream: ReplyStream = {
    async *[Symbol.asyncIterator]() {
      for (;;) {
        while (waiting.length > 0) yield waiting.shift() as FollowedEvent;
        if (ended) return;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
    quietForMs: () => clock.now() - heardAt,
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
    async say(turnId: string, number: number, event: ReplyEvent) {
      waiting.push({ id: `${turnId}:${number}`, event });
      heardAt = clock.now();
      wake();
      await settled();
    },
    async drop() {
      ended = true;
      wake();
      await settled();
    },
  };
}

export const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** What the tabs of one device share beside its storage: who does what alone, and who hears of changes. */
interface Tabs {
  held: Map<string, object>;
  hearing: Map<object, (change: StorageChange) => void>;
}
const tabsOf = new WeakMap<Map<string, string>, Tabs>();

/** A fresh world: a clock that stands still, a server that answers what the test lays out, a device's storage. */
export function world({
  history = [greeting] as Message[],
  memory = new Map<string, string>(),
  /** The tab's name, which outlives a reload; without one, tabs share their drafts. */
  name = null as string | null,
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
  const tabs = tabsOf.get(memory) ?? { held: new Map(), hearing: new Map() };
  tabsOf.set(memory, tabs);
  const write = (key: string, text: string | null) => {
    const before = memory.get(key) ?? '';
    if (text === null) memory.delete(key);
    else memory.set(key, text);
    for (const [other, hear] of tabs.hearing) {
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
    changes: (hear: (change: StorageChange) => void) => {
      tabs.hearing.set(tab, hear);
      return () => void tabs.hearing.delete(tab);
    },
    locks: {
      async request<T>(
        name: string,
        { ifAvailable }: { ifAvailable: boolean },
        run: (lock: object | null) => Promise<T>,
      ): Promise<T> {
        if (ifAvailable && tabs.held.has(name)) return run(null);
        while (tabs.held.has(name)) await settled();
        tabs.held.set(name, tab);
        try {
          return await run({});
        } finally {
          if (tabs.held.get(name) === tab) tabs.held.delete(name);
        }
      },
      query: async () => ({ held: [...tabs.held.keys()].map((name) => ({ name })) }),
    },
  };
  const calls: { name: string; args: unknown[] }[] = [];
  const answers: Record<string, unknown[]> = {};
  let frames: (() => void)[] = [];
  let ids = 0;
  let signedIn = true;
  const signIns: string[] = [];
  let here: string | null = 'ana';
  /** Who signs in when that is asked for; null for nobody. */
  let comes: string | null = 'ana';
  let online = true;
  const undoable: Undoable[] = [];

  const answer = async <T>(name: string, args: unknown[], usual: () => T): Promise<T> => {
    calls.push({ name, args });
    if (!signedIn) return refusal(401, 'unauthenticated') as T;
    const next = answers[name]?.shift();
    return (next === undefined ? usual() : typeof next === 'function' ? await next() : next) as T;
  };
  /** A page of the history as the server gives it. */
  const page = (place: HistoryPlace | null, limit = 50): Result<ConversationPage> => {
    const found = historyPage(history, place, limit);
    if (found === null) return refusal(404, 'not_found');
    return { ok: true, data: { conversation, ...found, revision: 'r:0' } };
  };

  const api: ChatDeps['api'] = {
    conversation: (...args) =>
      answer('conversation', args, () => page(args[1]?.place ?? null, args[1]?.limit)),
    conversationsWith: (...args) =>
      answer('conversationsWith', args, () => ({ ok: true, data: { items: [], next_cursor: null } })),
    createConversation: (...args) =>
      answer('createConversation', args, () => ({
        ok: true,
        data: { conversation, messages: [greeting], revision: 'r:0' },
      })),
    sendMessage: (...args) => answer('sendMessage', args, () => NETWORK),
    regenerate: (...args) => answer('regenerate', args, () => NETWORK),
    answer: (...args) => answer('answer', args, () => NETWORK),
    rejoin: (...args) => answer('rejoin', args, () => NETWORK),
    continueReply: (...args) => answer('continueReply', args, () => NETWORK),
    stop: (...args) => answer('stop', args, () => ({ ok: true, data: null })),
    editMessage: (...args) => answer('editMessage', args, () => NETWORK),
    selectVersion: (...args) => answer('selectVersion', args, () => NETWORK),
    deleteFrom: (...args) => answer('deleteFrom', args, () => NETWORK),
    restore: (...args) => answer('restore', args, () => NETWORK),
    pin: (...args) => answer('pin', args, () => NETWORK),
    fork: (...args) => answer('fork', args, () => NETWORK),
    rename: (...args) => answer('rename', args, () => NETWORK),
    setPersona: (...args) => answer('setPersona', args, () => NETWORK),
    chooseGreeting: (...args) => answer('chooseGreeting', args, () => NETWORK),
    takeVersion: (...args) => answer('takeVersion', args, () => NETWORK),
    deleteConversation: (...args) => answer('deleteConversation', args, () => NETWORK),
    trashedConversations: (...args) =>
      answer('trashedConversations', args, () => ({ ok: true, data: { items: [] } })),
    restoreConversation: (...args) => answer('restoreConversation', args, () => NETWORK),
    suggest: (...args) => answer('suggest', args, () => NETWORK),
    draft: (...args) => answer('draft', args, () => NETWORK),
  };
  const deps: ChatDeps = {
    api,
    clock,
    drafts: createDrafts(storage, around),
    newId: () => `turn-000${++ids}`,
    who: () => here,
    signIn: async (why) => {
      signIns.push(why);
      signedIn ||= comes !== null;
      here = comes;
      return comes;
    },
    model: () => 'recommended',
    isOnline: () => online,
    offerUndo: (done) => void undoable.push(done),
    showAddress: () => void calls.push({ name: 'showAddress', args: [] }),
    chatsChanged: () => {},
    leftBehind: () => void calls.push({ name: 'leftBehind', args: [] }),
    beforeNextFrame: (run) => void frames.push(run),
  };
  const chat = createChat(deps);

  return {
    chat,
    undoable,
    /** The tab is closed, whatever it was at. */
    close() {
      chat.leave();
      tabs.hearing.delete(tab);
      for (const [name, holder] of tabs.held) if (holder === tab) tabs.held.delete(name);
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
    /** Lays out the next answers of a call, in order. */
    will(name: keyof ChatDeps['api'], ...next: unknown[]) {
      (answers[name] ??= []).push(...next);
    },
    connect() {
      return connection(clock);
    },
    setHistory: (messages: Message[]) => void (history = messages),
    /** The session ends. @param who signs in when that is asked for */
    signOut: (who: string | null = 'ana') => {
      signedIn = false;
      comes = who;
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
      await settled();
    },
    async opened() {
      await chat.start({ characterId: 'char1', conversationId: 'c1' });
      return this;
    },
  };
}

export const streams = (line: { stream: ReplyStream }) => ({ ok: true, data: line.stream });
export const NONE_RUNNING = { ok: true, data: null };
export const acceptedAs = (text: string): ReplyEvent => ({
  event: 'accepted',
  user_message: user('u1', text),
  reply: message('r1', { status: 'streaming' }),
});
export const finished = (content: string): ReplyEvent => ({
  event: 'done',
  reply: message('r1', { content }),
  points: null,
});
