import type { LiveEvent } from '../../../features/conversation/contract.ts';
import type { Clock } from '../../shared/clock.ts';
import { getRejoinDelayMs } from './reply-follower.ts';

/** The part of the WebSocket interface that is used here. */
export interface WebSocketLike {
  send(text: string): void;
  close(): void;
  addEventListener(type: 'open', listener: () => void): void;
  addEventListener(type: 'close', listener: (event: { code: number }) => void): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
}

export interface LiveSocketDeps {
  clock: Clock;
  open(conversationId: string): WebSocketLike;
  onHint(hint: LiveEvent): void;
  /** Whether the page is visible. */
  isPageVisible(): boolean;
  /** Called after a reconnect, or when connecting fails: events may have been missed. */
  onReconnect(): void;
  /** Called when the server closed the connection because its session has ended. */
  onSessionEnd(): void;
}

export interface LiveSocket {
  /** Subscribes to a conversation instead of the current one; null for none. */
  subscribe(conversationId: string | null): void;
  /** Called when the network returns or the page becomes visible: reconnects or checks the connection now. */
  wake(): void;
}

/** Milliseconds. The runtime answers pings without waking the hibernating Durable Object. */
const PING_INTERVAL_MS = 180_000;
const MAX_PONG_WAIT_MS = 8000;
/** Close code of the server for a connection whose session has ended. */
const SESSION_ENDED = 1008;

/**
 * Receives events of a conversation from other tabs and devices. Reconnects with growing delays; without a connection
 * only immediacy is lost. A connection that died silently, for example after a change of network, is detected by pings:
 * when the page wakes, and regularly while it is visible.
 */
export function createLiveSocket(deps: LiveSocketDeps): LiveSocket {
  let wanted: string | null = null;
  let socket: WebSocketLike | null = null;
  let cancelReconnect = () => {};
  let cancelPing = () => {};
  let cancelPongTimeout: (() => void) | null = null;
  let isOpen = false;
  let attempts = 0;
  let wasOpen = false;

  /** Forgets the current connection, whichever side closed it. */
  function clearSocket(): void {
    cancelPing();
    cancelPongTimeout?.();
    cancelPongTimeout = null;
    socket = null;
    isOpen = false;
  }

  function schedulePing(): void {
    cancelPing();
    cancelPing = deps.clock.after(PING_INTERVAL_MS, () => {
      if (deps.isPageVisible()) ping();
      else schedulePing();
    });
  }

  /** Checks that the connection is alive; reconnects without a timely answer. */
  function ping(): void {
    if (socket === null || !isOpen || cancelPongTimeout !== null) return;
    const pinged = socket;
    cancelPongTimeout = deps.clock.after(MAX_PONG_WAIT_MS, () => {
      clearSocket();
      pinged.close();
      connect();
    });
    pinged.send('ping');
    schedulePing();
  }

  function connect(): void {
    cancelReconnect();
    if (wanted === null || socket !== null) return;
    const opened = deps.open(wanted);
    socket = opened;
    let isReconnected = false;
    opened.addEventListener('open', () => {
      if (socket !== opened) return;
      isOpen = true;
      // The page may show a copy from this device, or miss events since the disconnect.
      isReconnected = wasOpen || attempts > 0;
      if (isReconnected) deps.onReconnect();
      wasOpen = true;
      attempts = 0;
      schedulePing();
    });
    opened.addEventListener('message', ({ data }) => {
      if (socket !== opened) return;
      cancelPongTimeout?.();
      cancelPongTimeout = null;
      const hint = parseHint(data);
      if (hint === null || (hint.type === 'opened' && isReconnected)) return;
      deps.onHint(hint);
    });
    opened.addEventListener('close', ({ code }) => {
      if (socket !== opened) return;
      // It may have been replaced by a login in another tab: the next connection then has the new session.
      if (code === SESSION_ENDED) deps.onSessionEnd();
      const neverOpen = !isOpen;
      clearSocket();
      // Refused at once: the conversation may have been deleted in the meantime.
      if (neverOpen && attempts === 0) deps.onReconnect();
      cancelReconnect = deps.clock.after(getRejoinDelayMs(attempts), connect);
      attempts += 1;
    });
  }

  return {
    subscribe(conversationId) {
      if (conversationId === wanted) return;
      wanted = conversationId;
      wasOpen = false;
      attempts = 0;
      const old = socket;
      clearSocket();
      old?.close();
      connect();
    },
    wake() {
      if (socket === null) connect();
      else ping();
    },
  };
}

/** Parses an event; null for unknown types. */
function parseHint(data: unknown): LiveEvent | null {
  try {
    const hint = JSON.parse(String(data)) as LiveEvent;
    if (hint.type === 'changed') return Array.isArray(hint.message_ids) ? hint : null;
    return ['opened', 'turn', 'gone'].includes(hint.type) ? hint : null;
  } catch {
    return null;
  }
}
