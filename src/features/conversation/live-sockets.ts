import type { LiveEvent } from './contract.ts';
import type { FindActiveSessions } from './access/active-sessions-store.ts';
import { MAX_OPEN_TABS } from './limits.ts';

/** Stored by the runtime with a hibernating socket. */
interface SocketAttachment {
  /** Milliseconds since 1970; needed because the runtime returns sockets in no order. */
  openedAt: number;
  /** The public id of the session that opened the socket. */
  session: string;
}

/**
 * The sockets of a conversation's open tabs. They are hibernatable, so that an idle tab costs nothing. Live events
 * contain no message text and are sent to active sessions only.
 */
export class LiveSockets {
  readonly #ctx: DurableObjectState;
  readonly #findActive: FindActiveSessions;
  /**
   * Random per object instance. With the event count it identifies a state: a tab that knows both has missed no event.
   */
  readonly #instanceId = crypto.randomUUID();
  #eventCount = 0;
  /** Resolves when all queued events are sent; events are sent one after another to keep their order. */
  #broadcasts: Promise<void> = Promise.resolve();

  constructor(ctx: DurableObjectState, findActive: FindActiveSessions) {
    this.#ctx = ctx;
    this.#findActive = findActive;
    // The runtime answers these itself, so that a tab can check its connection without waking the object.
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('ping', 'pong'));
  }

  /** Whether a tab shows the conversation. */
  get isOpen(): boolean {
    return this.#ctx.getWebSockets().length > 0;
  }

  /** The current revision. A client that has another one may have missed changes. */
  get revision(): string {
    return `${this.#instanceId}:${this.#eventCount}`;
  }

  /**
   * Accepts a tab's socket and sends it the current revision.
   * @param clientId the page's id; the page receives no events of its own changes
   * @param session the public id of the session that opens it
   */
  accept(clientId: string, session: string): Response {
    const oldestFirst = this.#ctx
      .getWebSockets()
      .toSorted((a, b) => (readAttachment(a)?.openedAt ?? 0) - (readAttachment(b)?.openedAt ?? 0));
    for (const old of oldestFirst.slice(0, Math.max(0, oldestFirst.length - MAX_OPEN_TABS + 1)))
      closeOrIgnore(old, 1001, 'Too many tabs');
    const { 0: client, 1: server } = new WebSocketPair();
    this.#ctx.acceptWebSocket(server, [clientId]);
    const seat: SocketAttachment = { openedAt: Date.now(), session };
    server.serializeAttachment(seat);
    const opened: LiveEvent = { type: 'opened', revision: this.revision };
    server.send(JSON.stringify(opened));
    return new Response(null, { status: 101, webSocket: client });
  }

  /** Sends an event in the background to every tab except the one that caused it. */
  broadcast(event: LiveEvent, by: string | null): void {
    this.#eventCount += 1;
    const others = this.#ctx
      .getWebSockets()
      .filter((socket) => by === null || !this.#ctx.getTags(socket).includes(by));
    if (others.length === 0) return;
    this.#broadcasts = this.#broadcasts.then(() => this.#sendToActive(JSON.stringify(event), others));
    this.#ctx.waitUntil(this.#broadcasts);
  }

  /** Closes the tabs of a session that has ended. */
  closeSession(session: string): void {
    for (const socket of this.#ctx.getWebSockets())
      if (readAttachment(socket)?.session === session) closeOrIgnore(socket, 1008, 'The session is over');
  }

  async #sendToActive(text: string, sockets: readonly WebSocket[]): Promise<void> {
    const seated = sockets.map((socket) => ({ socket, session: readAttachment(socket)?.session ?? '' }));
    const living = await this.#findActive([...new Set(seated.map(({ session }) => session))]).catch(
      () => null,
    );
    for (const { socket, session } of seated) {
      if (living?.has(session)) sendOrIgnore(socket, text);
      // If the session check fails, send nothing and close the socket; the tab reloads when it reconnects, so it misses
      // nothing.
      else if (living === null) closeOrIgnore(socket, 1013, 'Try again');
      else closeOrIgnore(socket, 1008, 'The session is over');
    }
  }
}

const readAttachment = (socket: WebSocket): SocketAttachment | null =>
  socket.deserializeAttachment() as SocketAttachment | null;

function sendOrIgnore(socket: WebSocket, text: string): void {
  try {
    socket.send(text);
  } catch {
    // The tab is gone; it reloads when it reconnects.
  }
}

function closeOrIgnore(socket: WebSocket, code: number, reason: string): void {
  try {
    socket.close(code, reason);
  } catch {
    // Already closed.
  }
}
