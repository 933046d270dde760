import type {
  Conversation,
  ConversationPage,
  Message,
  ReplyEvent,
} from '../../src/features/conversation/contract.ts';
import type { FollowedEvent } from '../../src/features/conversation/reply-view.ts';
import type { ChatDeps } from '../../src/islands/chat/chat.ts';
import { createChat } from '../../src/islands/chat/chat-state.ts';
import { createDrafts, type TextStorage } from '../../src/islands/chat/drafts.ts';
import type { Failure, Result } from '../../src/islands/shared/api.ts';
import type { ReplyStream } from '../../src/islands/shared/sse.ts';

export const AT = '2026-03-10T12:00:00.000Z';
export const POINTS = {
  current_points: 0,
  permanent_points: 0,
  daily_messages_used: 3,
  daily_message_limit: 100,
  refills_at: '2026-03-10T16:00:00.000Z',
  daily_resets_at: '2026-03-11T00:00:00.000Z',
  message_cost: 1,
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
};

export function message(id: string, part: Partial<Message> = {}): Message {
  const content = part.content ?? '';
  return {
    id,
    role: 'character',
    content,
    created_at: AT,
    edited: false,
    status: 'complete',
    versions: [{ id: `${id}-v1`, content, model: 'loreloom', created_at: AT }],
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

/** A fresh world: a clock that stands still, a server that answers what the test lays out, a device's storage. */
export function world({ history = [greeting] as Message[], memory = new Map<string, string>() } = {}) {
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
  const storage: TextStorage = {
    getItem: (key) => memory.get(key) ?? null,
    setItem: (key, value) => void memory.set(key, value),
    removeItem: (key) => void memory.delete(key),
  };
  const calls: { name: string; args: unknown[] }[] = [];
  const answers: Record<string, unknown[]> = {};
  let frames: (() => void)[] = [];
  let ids = 0;
  let signedIn = true;
  const signIns: string[] = [];
  let signInWorks = true;

  const answer = async <T>(name: string, args: unknown[], usual: () => T): Promise<T> => {
    calls.push({ name, args });
    const next = answers[name]?.shift();
    return (next === undefined ? usual() : typeof next === 'function' ? await next() : next) as T;
  };
  const page = (): Result<ConversationPage> => ({
    ok: true,
    data: { conversation, messages: [...history], next_cursor: null },
  });

  const api: ChatDeps['api'] = {
    conversation: (...args) => answer('conversation', args, page),
    conversationsWith: (...args) =>
      answer('conversationsWith', args, () => ({ ok: true, data: { items: [], next_cursor: null } })),
    createConversation: (...args) =>
      answer('createConversation', args, () => ({ ok: true, data: { conversation, messages: [greeting] } })),
    sendMessage: (...args) => answer('sendMessage', args, () => NETWORK),
    regenerate: (...args) => answer('regenerate', args, () => NETWORK),
    rejoin: (...args) => answer('rejoin', args, () => NETWORK),
    stop: (...args) => answer('stop', args, () => ({ ok: true, data: null })),
  };
  const deps: ChatDeps = {
    api,
    clock,
    drafts: createDrafts(storage),
    newId: () => `turn-000${++ids}`,
    isSignedIn: async () => signedIn,
    signIn: async (why) => {
      signIns.push(why);
      return signInWorks;
    },
    showAddress: () => void calls.push({ name: 'showAddress', args: [] }),
    chatsChanged: () => {},
    beforeNextFrame: (run) => void frames.push(run),
  };
  const chat = createChat(deps);

  return {
    chat,
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
    signOut: (renewable = true) => {
      signedIn = false;
      signInWorks = renewable;
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
