import type { LiveEvent, Message } from '../../src/features/conversation/contract.ts';
import type { FollowedEvent } from '../../src/features/conversation/messages/reply-view.ts';
import type { ChatDeps, Undoable } from '../../src/islands/chat/chat.ts';
import { createChat } from '../../src/islands/chat/state/chat-state.ts';
import { createDrafts } from '../../src/islands/chat/composer/drafts.ts';
import type { HistoryPosition, TurnBody } from '../../src/islands/shared/chat-api.ts';
import type { ReplyStream } from '../../src/islands/shared/sse.ts';
import { NETWORK_ERROR, NONE_RUNNING, flushPromises } from './chat-fixture.ts';
import { ConversationServer, type EventListener } from './conversation-server.ts';

/** In milliseconds: longer than any pause before a retry. */
const MAX_RETRY_DELAY_MS = 61_000;

/**
 * A tab with a delayed network: the test decides when calls reach the server and answers reach the tab, in any order. Only
 * the messages of one connection stay in order: the events of a reply and the hints of the socket.
 */
export class DelayedTab {
  readonly server: ConversationServer;
  readonly undoable: Undoable[] = [];
  isRenaming = false;
  /** Messages on their way, one queue per connection; the first of each may arrive. */
  #queues: (() => void)[][] = [];
  /** What happens when a connection breaks. */
  readonly #onBreak = new WeakMap<(() => void)[], () => void>();
  #timers: { at: number; run: () => void }[] = [];
  #now = 0;
  #ids = 0;
  #socket: (() => void)[] | null = null;
  #hasConnected = false;
  readonly chat;

  constructor(messages: Message[]) {
    this.server = new ConversationServer(messages, (hint) => this.#sendHint(hint));
    this.chat = createChat(this.#deps());
  }

  // ── the network ──

  /** Delivers one waiting message. @returns whether there was one */
  async deliverNext(which: number): Promise<boolean> {
    const lane = this.#queues[which % Math.max(1, this.#queues.length)];
    if (!lane) return false;
    lane.shift()?.();
    this.#queues = this.#queues.filter((one) => one.length > 0);
    await flushPromises();
    return true;
  }

  /** Breaks a call or a reply's stream at its current point. */
  async breakConnection(which: number): Promise<void> {
    const calls = this.#queues.filter((lane) => this.#onBreak.has(lane));
    const lane = calls[which % Math.max(1, calls.length)];
    if (!lane) return;
    this.#queues = this.#queues.filter((one) => one !== lane);
    this.#onBreak.get(lane)?.();
    await flushPromises();
  }

  #send(lane: (() => void)[], what: () => void): void {
    lane.push(what);
    if (!this.#queues.includes(lane)) this.#queues.push(lane);
  }

  #call<T>(act: () => T): Promise<T | typeof NETWORK_ERROR> {
    return new Promise((resolve) => {
      const lane: (() => void)[] = [];
      this.#onBreak.set(lane, () => resolve(NETWORK_ERROR));
      this.#send(lane, () => {
        const answer = act();
        this.#send(lane, () => resolve(answer));
      });
    });
  }

  /** A call that returns the events of a reply. */
  #stream(act: (line: EventListener) => { ok: boolean; none?: true }) {
    const line = this.#openStream();
    return this.#call(() => {
      const answer = act(line.emit);
      if (!answer.ok) return answer;
      return answer.none ? NONE_RUNNING : { ok: true, data: line.stream };
    });
  }

  #openStream(): { emit: EventListener; stream: ReplyStream } {
    const lane: (() => void)[] = [];
    const arrived: FollowedEvent[] = [];
    let ended = false;
    let wake = () => {};
    let broken = false;
    const stop = () => {
      ended = true;
      wake();
    };
    this.#onBreak.set(lane, () => {
      broken = true;
      stop();
    });
    return {
      emit: (event) => {
        if (broken) return;
        this.#send(lane, () => {
          if (event === 'end') stop();
          else arrived.push(event);
          wake();
        });
      },
      stream: {
        async *[Symbol.asyncIterator]() {
          for (;;) {
            while (arrived.length > 0) yield arrived.shift() as FollowedEvent;
            if (ended) return;
            await new Promise<void>((resolve) => (wake = resolve));
          }
        },
        quietForMs: () => 0,
        close: stop,
      },
    };
  }

  // ── the socket ──

  #sendHint(hint: LiveEvent): void {
    if (this.#socket) this.#send(this.#socket, () => this.chat.handleHint(hint));
  }

  connect(): void {
    if (this.#socket) return;
    const lane: (() => void)[] = [];
    this.#socket = lane;
    const { revision } = this.server;
    const first = !this.#hasConnected;
    this.#hasConnected = true;
    this.#send(lane, () => this.chat.handleHint({ type: 'opened', revision: first ? revision : 'unknown' }));
  }

  /** Closes the socket and loses its messages on their way. */
  disconnect(): void {
    this.#socket?.splice(0);
    this.#queues = this.#queues.filter((one) => one.length > 0);
    this.#socket = null;
  }

  // ── time ──

  async advance(ms: number): Promise<void> {
    this.#now += ms;
    const due = this.#timers.filter(({ at }) => at <= this.#now);
    this.#timers = this.#timers.filter(({ at }) => at > this.#now);
    for (const { run } of due) run();
    await flushPromises();
  }

  /** Delivers everything, with no further actions. */
  async settle(): Promise<void> {
    this.connect();
    for (let round = 0; round < 12; round += 1) {
      while (await this.deliverNext(0));
      this.server.endTurn();
      while (await this.deliverNext(0));
      // Slower answers time out, so what is on its way must arrive first.
      await this.advance(MAX_RETRY_DELAY_MS);
    }
  }

  #deps(): ChatDeps {
    const { server } = this;
    const memory = new Map<string, string>();
    const held = new Set<string>();
    const missing = async () => NETWORK_ERROR;
    const api = {
      conversation: (_: string, { place, limit }: { place?: HistoryPosition; limit?: number } = {}) =>
        this.#call(() => server.page(place, limit)),
      sendMessage: (_: string, { content, client_message_id: turnId }: TurnBody & { content: string }) =>
        this.#stream((line) => server.send('tab', turnId, content, line)),
      regenerate: (_: string, id: string, { client_message_id: turnId }: TurnBody) =>
        this.#stream((line) => server.rewrite('tab', 'regenerate', turnId, id, line)),
      continueReply: (_: string, id: string, { client_message_id: turnId }: TurnBody) =>
        this.#stream((line) => server.rewrite('tab', 'continue', turnId, id, line)),
      rejoin: (_: string, lastEventId: string | null) =>
        this.#stream((line) => server.join(lastEventId, line)),
      editMessage: (_: string, id: string, content: string) =>
        this.#call(() => server.edit('tab', id, content)),
      selectVersion: (_: string, id: string, versionId: string) =>
        this.#call(() => server.select('tab', id, versionId)),
      deleteFrom: (_: string, id: string) => this.#call(() => server.remove('tab', id)),
      restore: (_: string, trashId: string) => this.#call(() => server.restore('tab', trashId)),
      pin: (_: string, id: string, pinned: boolean) => this.#call(() => server.pin('tab', id, pinned)),
      rename: (_: string, title: string) => this.#call(() => server.rename('tab', title)),
      trashedConversations: missing,
    } as unknown as ChatDeps['api'];
    return {
      api,
      clock: {
        now: () => this.#now,
        after: (ms, run) => {
          const timer = { at: this.#now + ms, run };
          this.#timers.push(timer);
          return () => void (this.#timers = this.#timers.filter((other) => other !== timer));
        },
      },
      drafts: createDrafts(
        {
          get length() {
            return memory.size;
          },
          key: (index) => [...memory.keys()][index] ?? null,
          getItem: (key) => memory.get(key) ?? null,
          setItem: (key, text) => void memory.set(key, text),
          removeItem: (key) => void memory.delete(key),
        },
        {
          now: () => this.#now,
          locks: {
            async request<T>(name: string, _: object, run: (lock: object | null) => Promise<T>): Promise<T> {
              if (held.has(name)) return run(null);
              held.add(name);
              try {
                return await run({});
              } finally {
                held.delete(name);
              }
            },
            query: async () => ({ held: [...held].map((name) => ({ name })) }),
          },
        },
      ),
      createId: () => `turn-${1000 + ++this.#ids}`,
      getUserId: () => 'ana',
      signIn: async () => null,
      model: () => 'recommended',
      isOnline: () => true,
      offerUndo: (done) => void this.undoable.push(done),
      updateAddress: () => {},
      chatsChanged: () => {},
      beforeNextFrame: (run) => run(),
    };
  }
}
