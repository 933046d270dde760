import type { LiveEvent } from '../../../features/conversation/contract.ts';
import type { Clock } from '../../shared/clock.ts';
import { getRejoinDelayMs } from './reply-follower.ts';

/** The part of a WebSocket that is used here. */
export interface WebSocketLike {
  send(text: string): void;
  close(): void;
  addEventListener(type: 'open' | 'close', listener: () => void): void;
  addEventListener(type: 'message', heard: (event: { data: unknown }) => void): void;
}

export interface LiveSocketDeps {
  clock: Clock;
  open(conversationId: string): WebSocketLike;
  onHint(hint: LiveEvent): void;
  /** Whether anybody looks at the page. */
  isPageVisible(): boolean;
  /** The connection is there again after it was lost, or cannot be had: something may have been missed. */
  onReconnect(): void;
}

export interface LiveSocket {
  /** Listens to a conversation, and no longer to the one before; null listens to none. */
  subscribe(conversationId: string | null): void;
  /** The network is back or the page is looked at again: no time to lose. */
  wake(): void;
}

/** Milliseconds; the runtime answers for the object, which sleeps on. */
const PING_INTERVAL_MS = 180_000;
const MAX_PONG_WAIT_MS = 8000;

/**
 * Hears what happens to a conversation in other tabs and on other devices. A connection that is lost is looked for
 * again, ever more seldom; who misses it loses nothing but being told at once. One that died without a word, as after a
 * change of networks, is found out by asking: whenever the page wakes, and now and then while somebody looks at it.
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

  /** Lets go of a connection, whoever ended it. */
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

  /** Asks whether anybody is there still. */
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
      // What is shown may come from a copy on this device, or be older than what happened meanwhile.
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
    opened.addEventListener('close', () => {
      if (socket !== opened) return;
      const neverOpen = !isOpen;
      clearSocket();
      // Refused at once: the conversation may have been deleted in between.
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

/** A hint of a kind that this page does not know is none. */
function parseHint(data: unknown): LiveEvent | null {
  try {
    const hint = JSON.parse(String(data)) as LiveEvent;
    if (hint.type === 'changed') return Array.isArray(hint.message_ids) ? hint : null;
    return ['opened', 'turn', 'gone'].includes(hint.type) ? hint : null;
  } catch {
    return null;
  }
}
