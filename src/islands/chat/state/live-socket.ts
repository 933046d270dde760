import type { LiveHint } from '../../../features/conversation/contract.ts';
import type { Clock } from '../../shared/clock.ts';
import { pauseBefore } from './reply-follower.ts';

/** The part of a WebSocket that is used here. */
export interface Socket {
  send(text: string): void;
  close(): void;
  addEventListener(type: 'open' | 'close', heard: () => void): void;
  addEventListener(type: 'message', heard: (event: { data: unknown }) => void): void;
}

export interface LiveDeps {
  clock: Clock;
  open(conversationId: string): Socket;
  hear(hint: LiveHint): void;
  /** Whether anybody looks at the page. */
  isSeen(): boolean;
  /** The connection is there again after it was lost, or cannot be had: something may have been missed. */
  back(): void;
}

export interface Live {
  /** Listens to a conversation, and no longer to the one before; null listens to none. */
  listenTo(conversationId: string | null): void;
  /** The network is back or the page is looked at again: no time to lose. */
  wake(): void;
}

/** Milliseconds; the runtime answers for the object, which sleeps on. */
const PING_EVERY_MS = 180_000;
const PONG_WITHIN_MS = 8000;

/**
 * Hears what happens to a conversation in other tabs and on other devices. A connection that is lost is looked for
 * again, ever more seldom; who misses it loses nothing but being told at once. One that died without a word, as after a
 * change of networks, is found out by asking: whenever the page wakes, and now and then while somebody looks at it.
 */
export function createLive(deps: LiveDeps): Live {
  let wanted: string | null = null;
  let socket: Socket | null = null;
  let callOff = () => {};
  let callOffPing = () => {};
  let callOffPong: (() => void) | null = null;
  let isOpen = false;
  let tries = 0;
  let wasOpen = false;

  /** Lets go of a connection, whoever ended it. */
  function letGo(): void {
    callOffPing();
    callOffPong?.();
    callOffPong = null;
    socket = null;
    isOpen = false;
  }

  function pingLater(): void {
    callOffPing();
    callOffPing = deps.clock.after(PING_EVERY_MS, () => {
      if (deps.isSeen()) ping();
      else pingLater();
    });
  }

  /** Asks whether anybody is there still. */
  function ping(): void {
    if (socket === null || !isOpen || callOffPong !== null) return;
    const asked = socket;
    callOffPong = deps.clock.after(PONG_WITHIN_MS, () => {
      letGo();
      asked.close();
      connect();
    });
    asked.send('ping');
    pingLater();
  }

  function connect(): void {
    callOff();
    if (wanted === null || socket !== null) return;
    const opened = deps.open(wanted);
    socket = opened;
    let looks = false;
    opened.addEventListener('open', () => {
      if (socket !== opened) return;
      isOpen = true;
      // What is shown may come from a copy on this device, or be older than what happened meanwhile.
      looks = wasOpen || tries > 0;
      if (looks) deps.back();
      wasOpen = true;
      tries = 0;
      pingLater();
    });
    opened.addEventListener('message', ({ data }) => {
      if (socket !== opened) return;
      callOffPong?.();
      callOffPong = null;
      const hint = readHint(data);
      if (hint === null || (hint.type === 'opened' && looks)) return;
      deps.hear(hint);
    });
    opened.addEventListener('close', () => {
      if (socket !== opened) return;
      const neverOpen = !isOpen;
      letGo();
      // Refused at once: the conversation may have been deleted in between.
      if (neverOpen && tries === 0) deps.back();
      callOff = deps.clock.after(pauseBefore(tries), connect);
      tries += 1;
    });
  }

  return {
    listenTo(conversationId) {
      if (conversationId === wanted) return;
      wanted = conversationId;
      wasOpen = false;
      tries = 0;
      const old = socket;
      letGo();
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
function readHint(data: unknown): LiveHint | null {
  try {
    const hint = JSON.parse(String(data)) as LiveHint;
    if (hint.type === 'changed') return Array.isArray(hint.message_ids) ? hint : null;
    return ['opened', 'turn', 'gone'].includes(hint.type) ? hint : null;
  } catch {
    return null;
  }
}
