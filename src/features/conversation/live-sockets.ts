import type { LiveEvent } from './contract.ts';

/** More tabs of one conversation than anybody has; the oldest gives way. */
const MAX_SOCKETS = 32;

/** Says which of these sessions, by their public ids, are not over. */
export type FindActiveSessions = (publicIds: string[]) => Promise<ReadonlySet<string>>;

/** What the runtime keeps with a socket while the object sleeps. */
interface SocketAttachment {
  /** Milliseconds since 1970: the runtime gives the sockets in no order. */
  openedAt: number;
  /** The public id of the session that opened it. */
  session: string;
}

/**
 * The open tabs of a conversation. Each holds a socket that the runtime keeps while the object sleeps, so that a tab
 * that is only open costs nothing. A hint never carries what was said, and is for no session that is over.
 */
export class LiveSockets {
  readonly #ctx: DurableObjectState;
  readonly #findActive: FindActiveSessions;
  /** The object's life, and what was told in it: whoever knows of both has missed nothing. */
  readonly #instanceId = crypto.randomUUID();
  #eventCount = 0;
  /** Resolves when what was to be told by now is told: one hint after the other, in their order. */
  #broadcasts: Promise<void> = Promise.resolve();

  constructor(ctx: DurableObjectState, findActive: FindActiveSessions) {
    this.#ctx = ctx;
    this.#findActive = findActive;
    // Answered by the runtime itself: a tab may see whether its connection lives without waking anybody.
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('ping', 'pong'));
  }

  /** As of when something is that is read now. Another one means that there may be more to know. */
  get revision(): string {
    return `${this.#instanceId}:${this.#eventCount}`;
  }

  /**
   * Takes a tab in, and tells it as of when it hears.
   * @param clientId the page's own id, which gets no hint of its own doing
   * @param session the public id of the session that opens it
   */
  accept(clientId: string, session: string): Response {
    const oldestFirst = this.#ctx
      .getWebSockets()
      .toSorted((a, b) => (readAttachment(a)?.openedAt ?? 0) - (readAttachment(b)?.openedAt ?? 0));
    for (const old of oldestFirst.slice(0, Math.max(0, oldestFirst.length - MAX_SOCKETS + 1)))
      closeOrIgnore(old, 1001, 'Too many tabs');
    const { 0: client, 1: server } = new WebSocketPair();
    this.#ctx.acceptWebSocket(server, [clientId]);
    const seat: SocketAttachment = { openedAt: Date.now(), session };
    server.serializeAttachment(seat);
    const opened: LiveEvent = { type: 'opened', revision: this.revision };
    server.send(JSON.stringify(opened));
    return new Response(null, { status: 101, webSocket: client });
  }

  /** Tells every tab but the one that did it, beside whatever goes on. */
  broadcast(event: LiveEvent, by: string | null): void {
    this.#eventCount += 1;
    const others = this.#ctx
      .getWebSockets()
      .filter((socket) => by === null || !this.#ctx.getTags(socket).includes(by));
    if (others.length === 0) return;
    this.#broadcasts = this.#broadcasts.then(() => this.#sendToActive(JSON.stringify(event), others));
    this.#ctx.waitUntil(this.#broadcasts);
  }

  /** The session is over: its tabs are let go. */
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
      // A tab that comes back looks for itself: nothing is told to it in doubt, and nothing is missed.
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
    // A tab that has just gone: it looks for itself when it comes back.
  }
}

function closeOrIgnore(socket: WebSocket, code: number, reason: string): void {
  try {
    socket.close(code, reason);
  } catch {
    // Closed already.
  }
}
