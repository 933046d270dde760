import { expect, vi } from 'vitest';
import type { Visitor } from './makers.ts';

/** An open tab: what it hears. */
export interface Tab {
  /** As of when the conversation was as the socket opened; said first. */
  revision: string;
  /** What it was told since. */
  heard: string[];
  socket: WebSocket;
  /** Resolves once the socket is closed. */
  closed: Promise<void>;
  /** Resolves once the tab has heard exactly this. */
  hears(...hints: string[]): Promise<void>;
}

/** Asks for the socket of a tab. */
export const upgrade = (me: Visitor, id: string, tab = '', headers: Record<string, string> = {}) =>
  me.call(`/api/conversations/${id}/live${tab === '' ? '' : `?tab=${tab}`}`, {
    headers: { upgrade: 'websocket', ...headers },
  });

/** Opens a conversation in a tab. @param tab the page's own id */
export async function open(me: Visitor, id: string, tab = ''): Promise<Tab> {
  const answer = await upgrade(me, id, tab);
  expect(answer.status).toBe(101);
  const socket = answer.webSocket as WebSocket;
  const heard: string[] = [];
  let revision: string | null = null;
  socket.addEventListener('message', ({ data }): void => {
    const text = String(data);
    const hint = text.startsWith('{') ? (JSON.parse(text) as { type: string; revision?: string }) : null;
    if (revision === null && hint?.type === 'opened') revision = hint.revision ?? '';
    else heard.push(hint?.type ?? text);
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
    heard,
    socket,
    closed,
    hears: (...hints) => vi.waitFor(() => expect(heard).toEqual(hints), { timeout: 5000, interval: 10 }),
  };
}

/** Everything that a tab has been told by now: what is asked after it is answered after it. */
export async function settled(tab: Tab): Promise<string[]> {
  const before = tab.heard.length;
  tab.socket.send('ping');
  await vi.waitFor(() => expect(tab.heard.slice(before)).toContain('pong'), { timeout: 5000, interval: 10 });
  return tab.heard.filter((hint) => hint !== 'pong');
}
