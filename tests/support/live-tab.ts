import { expect, vi } from 'vitest';
import type { Visitor } from './factories.ts';

/** An open tab with its received hints. */
export interface LiveTab {
  /** The conversation's revision when the socket opened; it is sent first. */
  revision: string;
  /** The hints received since. */
  receivedHints: string[];
  socket: WebSocket;
  /** Resolves once the socket is closed. */
  closed: Promise<void>;
  /** Resolves once the tab has received exactly these hints. */
  hears(...hints: string[]): Promise<void>;
}

/** Requests the socket of a tab. */
export const requestUpgrade = (me: Visitor, id: string, tab = '', headers: Record<string, string> = {}) =>
  me.call(`/api/conversations/${id}/live${tab === '' ? '' : `?tab=${tab}`}`, {
    headers: { upgrade: 'websocket', ...headers },
  });

/** Opens a tab of a conversation. @param tab the page's id */
export async function openLiveTab(me: Visitor, id: string, tab = ''): Promise<LiveTab> {
  const answer = await requestUpgrade(me, id, tab);
  expect(answer.status).toBe(101);
  const socket = answer.webSocket as WebSocket;
  const receivedHints: string[] = [];
  let revision: string | null = null;
  socket.addEventListener('message', ({ data }): void => {
    const text = String(data);
    const hint = text.startsWith('{') ? (JSON.parse(text) as { type: string; revision?: string }) : null;
    if (revision === null && hint?.type === 'opened') revision = hint.revision ?? '';
    else receivedHints.push(hint?.type ?? text);
  });
  const closed = new Promise<void>((resolve) => {
    socket.addEventListener('close', () => {
      resolve();
    });
  });
  socket.accept();
  await vi.waitFor(() => expect(revision).not.toBeNull(), { timeout: 5000, interval: 10 });
  return {
    revision: String(revision),
    receivedHints,
    socket,
    closed,
    hears: (...hints) =>
      vi.waitFor(() => expect(receivedHints).toEqual(hints), { timeout: 5000, interval: 10 }),
  };
}

/** All hints that a tab has received so far: the pong arrives after the hints sent before it. */
export async function readReceivedHints(tab: LiveTab): Promise<string[]> {
  const before = tab.receivedHints.length;
  tab.socket.send('ping');
  await vi.waitFor(() => expect(tab.receivedHints.slice(before)).toContain('pong'), {
    timeout: 5000,
    interval: 10,
  });
  return tab.receivedHints.filter((hint) => hint !== 'pong');
}
