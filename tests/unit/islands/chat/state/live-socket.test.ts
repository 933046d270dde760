import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createLiveSocket, type WebSocketLike } from '../../../../../src/islands/chat/state/live-socket.ts';

/** A subscribed page with sockets and a clock that the test controls. */
function createPage() {
  const events: string[] = [];
  const sockets: { emit(type: 'open' | 'close' | 'message', data?: unknown): void }[] = [];
  const sent: string[] = [];
  let closed = 0;
  let isVisible = true;
  let due: (() => void)[] = [];
  const live = createLiveSocket({
    clock: {
      now: () => 0,
      after(_, run) {
        due.push(run);
        return () => void (due = due.filter((other) => other !== run));
      },
    },
    open() {
      const listeners: Record<string, ((event: { data: unknown; code: number }) => void)[]> = {};
      const socket: WebSocketLike = {
        send: (text) => void sent.push(text),
        close: () => void (closed += 1),
        addEventListener: (type: string, listener: (event: { data: unknown; code: number }) => void) =>
          void (listeners[type] ??= []).push(listener),
      };
      sockets.push({
        emit: (type, data = null) =>
          listeners[type]?.forEach((listener) => listener({ data, code: Number(data) })),
      });
      return socket;
    },
    onHint: ({ type }) => void events.push(type),
    isPageVisible: () => isVisible,
    onReconnect: () => void events.push('look'),
    onSessionEnd: () => void events.push('session over'),
  });
  live.subscribe('c1');
  const runTimers = () => {
    const now = due;
    due = [];
    for (const run of now) run();
  };
  return {
    events,
    sent,
    emitLast: (type: 'open' | 'close' | 'message', data?: unknown) => sockets.at(-1)?.emit(type, data),
    runTimers,
    wake: () => live.wake(),
    setVisible: (visible: boolean) => void (isVisible = visible),
    opened: () => sockets.length,
    closed: () => closed,
  };
}

test('a refused connection reloads the page’s conversation once', () => {
  const { events, emitLast, runTimers } = createPage();
  emitLast('close');
  runTimers();
  emitLast('close');
  runTimers();
  emitLast('close');
  expect(events).toEqual(['look']);
});

test('a page opened without a network reloads its conversation when it connects', () => {
  const { events, emitLast, runTimers } = createPage();
  emitLast('close');
  runTimers();
  emitLast('close');
  expect(events).toEqual(['look']);
  runTimers();
  emitLast('open');
  expect(events).toEqual(['look', 'look']);
});

test('a connection that the server closes because its session has ended is reported and opened again', () => {
  const { events, emitLast, runTimers, opened } = createPage();
  emitLast('open');
  emitLast('close', 1008);
  expect(events).toEqual(['session over']);
  runTimers();
  expect(opened()).toBe(2);
  emitLast('open');
  emitLast('close', 1006);
  expect(events).toEqual(['session over', 'look']);
});

test('a restored connection reloads the conversation, and a lost one does not', () => {
  const { events, emitLast, runTimers } = createPage();
  emitLast('open');
  emitLast('close');
  expect(events).toEqual([]);
  runTimers();
  emitLast('open');
  expect(events).toEqual(['look']);
});

test('returning to the page detects a dead connection and reloads after a new one', () => {
  const { events, sent, emitLast, runTimers, wake, opened, closed } = createPage();
  emitLast('open');
  wake();
  expect(sent).toEqual(['ping']);
  wake();
  expect(sent).toEqual(['ping']);
  runTimers();
  expect([opened(), closed(), events]).toEqual([2, 1, []]);
  emitLast('open');
  expect(events).toEqual(['look']);
});

test('a connection that answers is kept', () => {
  const { events, emitLast, wake, runTimers, setVisible, opened } = createPage();
  emitLast('open');
  wake();
  emitLast('message', 'pong');
  setVisible(false);
  runTimers();
  expect([opened(), events]).toEqual([1, []]);
});

test('a connection is checked while the page is visible, and not while it is hidden', () => {
  const { sent, emitLast, runTimers, setVisible } = createPage();
  emitLast('open');
  setVisible(false);
  runTimers();
  runTimers();
  expect(sent).toEqual([]);
  setVisible(true);
  runTimers();
  expect(sent).toEqual(['ping']);
});

test('the first event of a connection is handled, and a restored connection reloads anyway', () => {
  const { events, emitLast, runTimers } = createPage();
  const opening = JSON.stringify({ type: 'opened', revision: 'life:1' });
  emitLast('open');
  emitLast('message', opening);
  expect(events).toEqual(['opened']);
  emitLast('close');
  runTimers();
  emitLast('open');
  emitLast('message', opening);
  expect(events).toEqual(['opened', 'look']);
});

test('every socket is opened by its path alone: it has the scheme of its page', () => {
  const opened = readdirSync('src/islands', { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .flatMap((name) => [
      ...readFileSync(`src/islands/${name}`, 'utf8').matchAll(/new WebSocket\(\s*(?<address>..)/g),
    ])
    .map(({ groups }) => groups?.address);
  expect(opened).toEqual(['`/']);
});
