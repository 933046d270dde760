import { describe, expect, test } from 'vitest';
import type { Conversation, ConversationPage, Message, ReplyEvent } from '../../src/features/conversation/contract.ts';
import type { FollowedEvent } from '../../src/features/conversation/reply-view.ts';
import type { ChatDeps } from '../../src/islands/chat/chat.ts';
import { createChat } from '../../src/islands/chat/chat-state.ts';
import { createDrafts, type TextStorage } from '../../src/islands/chat/drafts.ts';
import { pauseBefore } from '../../src/islands/chat/reply-follower.ts';
import { stretchesOf, withoutMarks } from '../../src/islands/chat/roleplay-marks.ts';
import type { Failure, Result } from '../../src/islands/shared/api.ts';
import { readReply, type ReplyStream } from '../../src/islands/shared/sse.ts';

const AT = '2026-03-10T12:00:00.000Z';
const POINTS = {
  current_points: 0,
  permanent_points: 0,
  daily_messages_used: 3,
  daily_message_limit: 100,
  refills_at: '2026-03-10T16:00:00.000Z',
  daily_resets_at: '2026-03-11T00:00:00.000Z',
  message_cost: 1,
};

const conversation: Conversation = {
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

function message(id: string, part: Partial<Message> = {}): Message {
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

const user = (id: string, content: string) => message(id, { role: 'user', content });
const greeting = message('m0', { content: 'The lamp is lit.' });
const refusal = (status: number, code: string, more: Partial<Failure> = {}): Failure => ({
  ok: false,
  status,
  code,
  error: `server says ${code}`,
  ...more,
});
const NETWORK = refusal(0, 'network', { error: '' });

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

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A fresh world: a clock that stands still, a server that answers what the test lays out, a device's storage. */
function world({ history = [greeting] as Message[], memory = new Map<string, string>() } = {}) {
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
      return chat.$chat.get().view.messages.map(({ content, delivery, status }) => [content, delivery, status]);
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

const streams = (line: { stream: ReplyStream }) => ({ ok: true, data: line.stream });
const NONE_RUNNING = { ok: true, data: null };
const acceptedAs = (text: string): ReplyEvent => ({
  event: 'accepted',
  user_message: user('u1', text),
  reply: message('r1', { status: 'streaming' }),
});
const finished = (content: string): ReplyEvent => ({ event: 'done', reply: message('r1', { content }), points: null });

describe('opening a chat', () => {
  test('by its id shows its history and puts the conversation into the address', async () => {
    const w = await world().opened();
    expect(w.state.phase).toBe('ready');
    expect(w.shown).toEqual([['The lamp is lit.', 'stored', 'complete']]);
    expect(w.made('showAddress')).toHaveLength(1);
  });

  test('with a character I know goes on with the newest conversation', async () => {
    const w = world();
    w.will('conversationsWith', { ok: true, data: { items: [{ id: 'c9' }, { id: 'c1' }], next_cursor: null } });
    await w.chat.start({ characterId: 'char1', conversationId: null });
    expect(w.made('conversation').map(([id]) => id)).toEqual(['c9']);
    expect(w.made('createConversation')).toHaveLength(0);
  });

  test('with a character I never met begins a conversation, once', async () => {
    const w = world();
    await w.chat.start({ characterId: 'char1', conversationId: null });
    expect(w.made('createConversation')).toEqual([['char1']]);
    expect(w.state).toMatchObject({ phase: 'ready', conversation: { id: 'c1' } });
  });

  test('that is not mine or not there says so', async () => {
    const w = world();
    w.will('conversation', refusal(404, 'not_found'));
    await w.opened();
    expect(w.state.phase).toBe('not-found');
  });

  test('that cannot be loaded says so, and loads when I try again', async () => {
    const w = world();
    w.will('conversation', NETWORK);
    await w.opened();
    expect(w.state).toMatchObject({ phase: 'failed', problem: { code: 'chat_history_failed' } });
    await w.chat.reload();
    expect(w.state.phase).toBe('ready');
  });

  test('without any id says what is missing', async () => {
    const w = world();
    await w.chat.start({ characterId: null, conversationId: null });
    expect(w.state).toMatchObject({ phase: 'failed', problem: { code: 'no_chat_named' } });
  });

  test('asks a stranger to sign in, and goes on afterwards', async () => {
    const w = world();
    w.signOut();
    await w.opened();
    expect(w.signIns).toEqual(['entry']);
    expect(w.state.phase).toBe('ready');
  });

  test('loads nothing for a stranger who does not sign in', async () => {
    const w = world();
    w.signOut(false);
    await w.opened();
    expect(w.state.phase).toBe('signed-out');
    expect(w.made('conversation')).toHaveLength(0);
  });

  test('while a reply is being written rejoins it from its beginning', async () => {
    const w = world({ history: [greeting, user('u1', 'Hello'), message('r1', { status: 'streaming', content: 'Go' })] });
    const line = w.connect();
    w.will('rejoin', streams(line));
    await w.opened();
    await settled();
    expect(w.made('rejoin').map((args) => args.slice(0, 2))).toEqual([['c1', null]]);
    expect(w.state.activity).toBe('replying');
    await line.say('turn-x', 0, acceptedAs('Hello'));
    await line.say('turn-x', 9, { event: 'delta', text: 'Good even' });
    await line.say('turn-x', 13, finished('Good evening'));
    expect(w.shown.at(-1)).toEqual(['Good evening', 'stored', 'complete']);
    expect(w.state.activity).toBe('idle');
  });
});

describe('sending a message', () => {
  test('before the chat has loaded keeps my text and asks me to wait', async () => {
    const w = world();
    w.chat.setDraft('Hello');
    await w.chat.send('recommended');
    expect(w.state.notice?.code).toBe('chat_not_loaded');
    expect(w.chat.$draft.get()).toBe('Hello');
  });

  test('shows it at once, then the reply as it comes, drawn once a picture', async () => {
    const w = await world().opened();
    const line = w.connect();
    w.will('sendMessage', streams(line));
    w.chat.setDraft('Hello');
    const sending = w.chat.send('recommended');
    expect(w.shown.at(-1)).toEqual(['Hello', 'pending', 'complete']);
    expect(w.chat.$draft.get()).toBe('');
    await settled();
    expect(w.made('sendMessage')[0]?.slice(0, 2)).toEqual([
      'c1',
      { content: 'Hello', client_message_id: 'turn-0001', model: 'recommended' },
    ]);
    await line.say('turn-0001', 0, acceptedAs('Hello'));
    let pictures = 0;
    const stop = w.chat.$chat.listen(() => (pictures += 1));
    await line.say('turn-0001', 2, { event: 'delta', text: 'Go' });
    await line.say('turn-0001', 4, { event: 'delta', text: 'od' });
    expect(pictures).toBe(0);
    w.drawFrame();
    expect(pictures).toBe(1);
    stop();
    expect(w.shown.at(-1)).toEqual(['Good', 'stored', 'streaming']);
    await line.say('turn-0001', 5, { event: 'done', reply: message('r1', { content: 'Good' }), points: POINTS });
    await sending;
    expect(w.shown).toEqual([
      ['The lamp is lit.', 'stored', 'complete'],
      ['Hello', 'stored', 'complete'],
      ['Good', 'stored', 'complete'],
    ]);
    expect(w.state).toMatchObject({ activity: 'idle', points: { current_points: 0 }, finished: { id: 'r1' } });
  });

  test('with too few points gives my text back and says what is missing', async () => {
    const w = await world().opened();
    w.will('sendMessage', refusal(402, 'points_exhausted', { points: POINTS }));
    w.chat.setDraft('Hello');
    await w.chat.send('recommended');
    expect(w.shown).toHaveLength(1);
    expect(w.chat.$draft.get()).toBe('Hello');
    expect(w.state).toMatchObject({ activity: 'idle', notice: { code: 'points_exhausted', points: POINTS } });
  });

  test.each([
    [429, 'daily_limit'],
    [422, 'model_unavailable'],
    [400, 'invalid_input'],
  ])('refused with %i %s never loses what I had begun to write meanwhile', async (status, code) => {
    const w = await world().opened();
    let refuse = (_: Failure) => {};
    w.will('sendMessage', () => new Promise<Failure>((resolve) => (refuse = resolve)));
    w.chat.setDraft('Hello');
    const sending = w.chat.send('recommended');
    await settled();
    w.chat.setDraft('And then');
    refuse(refusal(status, code));
    await sending;
    expect(w.chat.$draft.get()).toBe('Hello\nAnd then');
    expect(w.state.notice?.code).toBe(code);
  });

  test('while another window has a reply written shows that reply and gives my text back', async () => {
    const w = await world().opened();
    w.will('sendMessage', refusal(409, 'reply_in_progress'));
    w.setHistory([greeting, user('u7', 'From the other window'), message('r7', { status: 'streaming' })]);
    const line = w.connect();
    w.will('rejoin', streams(line));
    w.chat.setDraft('Hello');
    void w.chat.send('recommended');
    await settled();
    expect(w.chat.$draft.get()).toBe('Hello');
    expect(w.state).toMatchObject({ activity: 'replying', notice: { code: 'reply_in_progress' } });
    expect(w.shown.map(([content]) => content)).toContain('From the other window');
  });

  test('without a network keeps it, and sends it again under the same id', async () => {
    const w = await world().opened();
    w.chat.setDraft('Hello');
    await w.chat.send('recommended');
    expect(w.shown.at(-1)).toEqual(['Hello', 'unsent', 'complete']);
    expect(w.state.unsent['turn-0001']?.code).toBe('network');
    const line = w.connect();
    w.will('sendMessage', streams(line));
    void w.chat.retry('turn-0001', 'recommended');
    await settled();
    await line.say('turn-0001', 0, acceptedAs('Hello'));
    await line.say('turn-0001', 3, finished('Hi'));
    const bodies = w.made('sendMessage').map(([, body]) => body);
    expect(bodies).toEqual([bodies[0], bodies[0]]);
    expect(w.shown.map(([content]) => content)).toEqual(['The lamp is lit.', 'Hello', 'Hi']);
    expect(w.state.unsent).toEqual({});
  });

  test('without a network, I can take it back into the box', async () => {
    const w = await world().opened();
    w.chat.setDraft('Hello');
    await w.chat.send('recommended');
    w.chat.takeBack('turn-0001');
    expect(w.chat.$draft.get()).toBe('Hello');
    expect(w.shown).toHaveLength(1);
  });

  test('that the closed window never got confirmed is still there when I come back', async () => {
    const first = await world().opened();
    first.chat.setDraft('Hello');
    await first.chat.send('recommended');
    const second = await world({ memory: first.memory }).opened();
    expect(second.shown.at(-1)).toEqual(['Hello', 'unsent', 'complete']);
    void second.chat.retry('turn-0001', 'recommended');
    await settled();
    expect(second.made('sendMessage')[0]?.[1]).toMatchObject({ client_message_id: 'turn-0001', content: 'Hello' });
  });

  test('after my session ended asks me to sign in and then sends it by the same id', async () => {
    const w = await world().opened();
    const line = w.connect();
    w.will('sendMessage', refusal(401, 'unauthenticated'), streams(line));
    w.chat.setDraft('Hello');
    void w.chat.send('recommended');
    await settled();
    await line.say('turn-0001', 0, acceptedAs('Hello'));
    expect(w.signIns).toEqual(['again']);
    expect(w.made('sendMessage').map(([, body]) => (body as { client_message_id: string }).client_message_id)).toEqual([
      'turn-0001',
      'turn-0001',
    ]);
    expect(w.state.activity).toBe('replying');
  });

  test('is not possible twice at once', async () => {
    const w = await world().opened();
    w.will('sendMessage', streams(w.connect()));
    void w.chat.send('recommended', 'Hello');
    void w.chat.send('recommended', 'Hello');
    await settled();
    expect(w.made('sendMessage')).toHaveLength(1);
  });

  test('of blanks alone does nothing', async () => {
    const w = await world().opened();
    await w.chat.send('recommended', ' \n ');
    expect(w.made('sendMessage')).toHaveLength(0);
  });

  test('keeps the text in the box for the next visit, and only of this conversation', async () => {
    const first = await world().opened();
    first.chat.setDraft('Half a thought');
    const second = await world({ memory: first.memory }).opened();
    expect(second.chat.$draft.get()).toBe('Half a thought');
    expect([...first.memory.keys()]).toEqual(['draft:c1']);
  });
});

describe('a connection that is lost during a reply', () => {
  async function replying() {
    const w = await world().opened();
    const line = w.connect();
    w.will('sendMessage', streams(line));
    void w.chat.send('recommended', 'Hello');
    await settled();
    await line.say('turn-0001', 0, acceptedAs('Hello'));
    await line.say('turn-0001', 4, { event: 'delta', text: 'Good' });
    return { w, line };
  }

  test('is taken up again after the last event I saw, without a word of error', async () => {
    const { w, line } = await replying();
    const next = w.connect();
    w.will('rejoin', streams(next));
    await line.drop();
    expect(w.state).toMatchObject({ activity: 'replying', connected: false, notice: null });
    await w.pass(500);
    expect(w.made('rejoin')[0]?.slice(0, 2)).toEqual(['c1', 'turn-0001:4']);
    await next.say('turn-0001', 12, { event: 'delta', text: ' evening' });
    await next.say('turn-0001', 13, finished('Good evening'));
    expect(w.shown.at(-1)).toEqual(['Good evening', 'stored', 'complete']);
    expect(w.state).toMatchObject({ activity: 'idle', connected: true });
    expect(w.made('sendMessage')).toHaveLength(1);
  });

  test('is looked for with growing patience, and at once when the network comes back', async () => {
    const { w, line } = await replying();
    await line.drop();
    await w.pass(499);
    expect(w.made('rejoin')).toHaveLength(0);
    await w.pass(1);
    expect(w.made('rejoin')).toHaveLength(1);
    await w.pass(999);
    expect(w.made('rejoin')).toHaveLength(1);
    await w.pass(1);
    expect(w.made('rejoin')).toHaveLength(2);
    w.chat.wake();
    await settled();
    expect(w.made('rejoin')).toHaveLength(3);
    expect(w.state).toMatchObject({ activity: 'replying', notice: null });
    expect([0, 1, 2, 3, 4, 5, 60].map(pauseBefore)).toEqual([500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
  });

  test('shows the stored reply when it ended meanwhile', async () => {
    const { w, line } = await replying();
    w.setHistory([greeting, user('u1', 'Hello'), message('r1', { content: 'Good evening to you' })]);
    w.will('rejoin', NONE_RUNNING);
    await line.drop();
    await w.pass(500);
    expect(w.shown.map(([content]) => content)).toEqual(['The lamp is lit.', 'Hello', 'Good evening to you']);
    expect(w.state.activity).toBe('idle');
  });

  test('that only looks alive after a long sleep is given up when I come back', async () => {
    const { w, line } = await replying();
    await w.pass(25_000);
    w.chat.wake();
    await settled();
    expect(line.open).toBe(false);
    await w.pass(500);
    expect(w.made('rejoin')).toHaveLength(1);
  });

  test('before the server said a word posts the same turn again, which never sends it twice', async () => {
    const w = await world().opened();
    const dead = w.connect();
    const line = w.connect();
    w.will('sendMessage', streams(dead), streams(line));
    void w.chat.send('recommended', 'Hello');
    await settled();
    await dead.drop();
    await w.pass(500);
    await line.say('turn-0001', 0, acceptedAs('Hello'));
    const bodies = w.made('sendMessage').map(([, body]) => body);
    expect(bodies).toEqual([bodies[0], bodies[0]]);
    expect(w.shown.filter(([content]) => content === 'Hello')).toHaveLength(1);
  });

  test('is let go of when I leave the page', async () => {
    const { w, line } = await replying();
    w.chat.leave();
    expect(line.open).toBe(false);
    await settled();
    await w.pass(20_000);
    expect(w.made('rejoin')).toHaveLength(0);
  });
});

describe('a reply', () => {
  test('that I stop stays as far as it came', async () => {
    const w = await world().opened();
    const line = w.connect();
    w.will('sendMessage', streams(line));
    void w.chat.send('recommended', 'Hello');
    await settled();
    await line.say('turn-0001', 0, acceptedAs('Hello'));
    await line.say('turn-0001', 4, { event: 'delta', text: 'Good' });
    await w.chat.stop();
    expect(w.state.activity).toBe('stopping');
    expect(w.made('stop')).toEqual([['c1']]);
    await line.say('turn-0001', 5, {
      event: 'done',
      reply: message('r1', { content: 'Good', status: 'interrupted' }),
      points: null,
    });
    expect(w.shown.at(-1)).toEqual(['Good', 'stored', 'interrupted']);
    expect(w.state.activity).toBe('idle');
  });

  test('that I stop before the server answered is stopped as soon as it has', async () => {
    const w = await world().opened();
    const line = w.connect();
    w.will('sendMessage', streams(line));
    void w.chat.send('recommended', 'Hello');
    await settled();
    await w.chat.stop();
    expect(w.made('stop')).toHaveLength(0);
    await line.say('turn-0001', 0, acceptedAs('Hello'));
    expect(w.made('stop')).toHaveLength(1);
  });

  test('that could not be stopped goes on, and I am told', async () => {
    const w = await world().opened();
    const line = w.connect();
    w.will('sendMessage', streams(line));
    w.will('stop', NETWORK);
    void w.chat.send('recommended', 'Hello');
    await settled();
    await line.say('turn-0001', 0, acceptedAs('Hello'));
    await w.chat.stop();
    expect(w.state).toMatchObject({ activity: 'replying', notice: { code: 'stop_failed' } });
  });

  test('that failed can be tried again in its place', async () => {
    const w = await world({
      history: [greeting, user('u1', 'Hello'), message('r1', { status: 'failed', error_code: 'model_failed' })],
    }).opened();
    const line = w.connect();
    w.will('regenerate', NETWORK, streams(line));
    await w.chat.regenerate('r1', 'recommended');
    expect(w.state).toMatchObject({ activity: 'idle', notice: { code: 'regenerate_failed' } });
    void w.chat.regenerate('r1', 'recommended');
    await settled();
    const turns = w.made('regenerate').map(([, , body]) => (body as { client_message_id: string }).client_message_id);
    expect(turns).toEqual(['turn-0001', 'turn-0001']);
    await line.say('turn-0001', 0, {
      event: 'accepted',
      reply: message('r1', { status: 'streaming', selected_version_id: 'r1-v2' }),
    });
    await line.say('turn-0001', 3, finished('Hi'));
    expect(w.shown.at(-1)).toEqual(['Hi', 'stored', 'complete']);
    expect(w.shown).toHaveLength(3);
  });

  test('whose rewriting failed keeps its earlier text, and I am told why', async () => {
    const w = await world({ history: [user('u1', 'Hello'), message('r1', { content: 'Hi' })] }).opened();
    const line = w.connect();
    w.will('regenerate', streams(line));
    void w.chat.regenerate('r1', 'recommended');
    await settled();
    await line.say('turn-0001', 0, { event: 'accepted', reply: message('r1', { status: 'streaming' }) });
    await line.say('turn-0001', 1, {
      event: 'error',
      error: 'The model had an error.',
      code: 'model_failed',
      reply: message('r1', { content: 'Hi' }),
    });
    expect(w.shown.at(-1)).toEqual(['Hi', 'stored', 'complete']);
    expect(w.state.notice?.code).toBe('model_failed');
  });
});

describe('the conversation', () => {
  test('shows earlier messages before the others, page by page', async () => {
    const w = world();
    w.will('conversation', { ok: true, data: { conversation, messages: [message('m5')], next_cursor: 'm5' } });
    await w.opened();
    w.will('conversation', NETWORK, { ok: true, data: { conversation, messages: [message('m4')], next_cursor: null } });
    await w.chat.showEarlier();
    expect(w.state.earlier).toBe('failed');
    await w.chat.showEarlier();
    expect(w.made('conversation').at(-1)).toEqual(['c1', { before: 'm5' }]);
    expect(w.state.view.messages.map(({ id }) => id)).toEqual(['m4', 'm5']);
    expect(w.state.earlierCursor).toBeNull();
  });

  test('that is begun anew leaves the reply of the old one to the server', async () => {
    const w = await world().opened();
    const line = w.connect();
    w.will('sendMessage', streams(line));
    void w.chat.send('recommended', 'Hello');
    await settled();
    await line.say('turn-0001', 0, acceptedAs('Hello'));
    w.will('createConversation', {
      ok: true,
      data: { conversation: { ...conversation, id: 'c2' }, messages: [greeting] },
    });
    await w.chat.startNew();
    expect(line.open).toBe(false);
    expect(w.state).toMatchObject({ conversation: { id: 'c2' }, activity: 'idle' });
    expect(w.shown).toHaveLength(1);
    expect(w.made('stop')).toHaveLength(0);
  });

  test('that another window went on with is up to date when I come back to it', async () => {
    const w = await world().opened();
    w.setHistory([greeting, user('u2', 'From my phone'), message('r2', { content: 'Noted.' })]);
    await w.pass(60_000);
    w.chat.wake();
    await settled();
    expect(w.shown.map(([content]) => content)).toEqual(['The lamp is lit.', 'From my phone', 'Noted.']);
  });
});

describe('the event stream', () => {
  const bytes = new TextEncoder();

  /** Feeds chunks to a reader and answers what it read, and whether it let go of the connection. */
  async function reading(chunks: readonly Uint8Array[], { end = true } = {}) {
    const w = world();
    let letGo = false;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk);
        if (end) controller.close();
      },
      cancel() {
        letGo = true;
      },
    });
    const stream = readReply(body, { clock: w.clock });
    const events: FollowedEvent[] = [];
    const whole = (async () => {
      for await (const event of stream) events.push(event);
    })();
    await settled();
    return { w, events, whole, letGo: () => letGo };
  }

  test('is read the same wherever the network cuts it, letters of several bytes included', async () => {
    const text = bytes.encode(': here\n\nid: t:4\nevent: delta\ndata: {"text":"größ"}\n\nid: t:5\nevent: later_kind\ndata: {}\n\n');
    const { events, whole } = await reading(Array.from(text, (byte) => Uint8Array.of(byte)));
    await whole;
    expect(events).toEqual([{ id: 't:4', event: { event: 'delta', text: 'größ' } }]);
  });

  test('that goes silent for 40 seconds counts as lost', async () => {
    const { w, whole, letGo } = await reading([bytes.encode(': here\n\n')], { end: false });
    await w.pass(39_999);
    expect(letGo()).toBe(false);
    await w.pass(1);
    await whole;
    expect(letGo()).toBe(true);
  });

  test('that is unreadable counts as lost, and never as text', async () => {
    const { events, whole } = await reading([bytes.encode('id: t:4\nevent: delta\ndata: {"text":\n\n')], { end: false });
    await whole;
    expect(events).toEqual([]);
  });
});

describe('roleplay text', () => {
  test('shows actions apart, and everything else as it was written', () => {
    expect(stretchesOf('*She nods.* "Yes," **now**.\n2 * 3 * 4')).toEqual([
      { kind: 'action', text: 'She nods.' },
      { kind: 'text', text: ' "Yes," ' },
      { kind: 'stress', text: 'now' },
      { kind: 'text', text: '.\n2 * 3 * 4' },
    ]);
    expect(withoutMarks('*She nods.* Yes')).toBe('She nods. Yes');
  });

  test('an action that is still being written is one already; a lone asterisk at the end of a message is not', () => {
    expect(stretchesOf('Well. *She turns', true).at(-1)).toEqual({ kind: 'action', text: 'She turns' });
    expect(stretchesOf('Well. *She turns').at(-1)).toEqual({ kind: 'text', text: 'Well. *She turns' });
  });

  test('markup is text', () => {
    expect(stretchesOf('<img src=x onerror=alert(1)>')).toEqual([{ kind: 'text', text: '<img src=x onerror=alert(1)>' }]);
  });
});
