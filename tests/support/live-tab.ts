import { expect, vi } from 'vitest';
import type { Visitor } from './factories.ts';

/** An open tab: what it hears. */
export interface LiveTab {
  /** As of when the conversation was as the socket opened; said first. */
  revision: string;
  /** What it was told since. */
  receivedHints: string[];
  socket: WebSocket;
  /** Resolves once the socket is closed. */
  closed: Promise<void>;
  /** Resolves once the tab has heard exactly this. */
  hears(...hints: string[]): Promise<void>;
}

/** Asks for the socket of a tab. */
export const requestUpgrade = (me: Visitor, id: string, tab = '', headers: Record<string, string> = {}) =>
  me.call(`/api/conversations/${id}/live${tab === '' ? '' : `?tab=${tab}`}`, {
    headers: { upgrade: 'websocket', ...headers },
  });

/** Opens a conversation in a tab. @param tab the page's own id */
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

/** Everything that a tab has been told by now: what is asked after it is answered after it. */
export async function readReceivedHints(tab: LiveTab): Promise<string[]> {
  const before = tab.receivedHints.length;
  tab.socket.send('ping');
  await vi.waitFor(() => expect(tab.receivedHints.slice(before)).toContain('pong'), {
    timeout: 5000,
    interval: 10,
  });
  return tab.receivedHints.filter((hint) => hint !== 'pong');
}
