import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createLiveSocket, type WebSocketLike } from '../../src/islands/chat/state/live-socket.ts';

/** A page that listens, sockets whose other end the test holds, and a clock that stands still. */
function listening() {
  const heard: string[] = [];
  const sockets: { say(type: 'open' | 'close' | 'message', data?: unknown): void }[] = [];
  const sent: string[] = [];
  let closed = 0;
  let isSeen = true;
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
      const listeners: Record<string, ((event: { data: unknown }) => void)[]> = {};
      const socket: WebSocketLike = {
        send: (text) => void sent.push(text),
        close: () => void (closed += 1),
        addEventListener: (type: string, listener: (event: { data: unknown }) => void) =>
          void (listeners[type] ??= []).push(listener),
      };
      sockets.push({
        say: (type, data = null) => listeners[type]?.forEach((listener) => listener({ data })),
      });
      return socket;
    },
    onHint: ({ type }) => void heard.push(type),
    isPageVisible: () => isSeen,
    onReconnect: () => void heard.push('look'),
  });
  live.subscribe('c1');
  const tryAgain = () => {
    const now = due;
    due = [];
    for (const run of now) run();
  };
  return {
    heard,
    sent,
    last: (type: 'open' | 'close' | 'message', data?: unknown) => sockets.at(-1)?.say(type, data),
    tryAgain,
    wake: () => live.wake(),
    see: (yes: boolean) => void (isSeen = yes),
    opened: () => sockets.length,
    closed: () => closed,
  };
}

test('a connection that is refused has the page look once: the conversation may be gone', () => {
  const { heard, last, tryAgain } = listening();
  last('close');
  tryAgain();
  last('close');
  tryAgain();
  last('close');
  expect(heard).toEqual(['look']);
});

test('a page that was opened without a network looks again as soon as it has a connection', () => {
  const { heard, last, tryAgain } = listening();
  last('close');
  tryAgain();
  last('close');
  expect(heard).toEqual(['look']);
  tryAgain();
  last('open');
  expect(heard).toEqual(['look', 'look']);
});

test('a connection that comes back has the page look, and one that is only lost does not', () => {
  const { heard, last, tryAgain } = listening();
  last('open');
  last('close');
  expect(heard).toEqual([]);
  tryAgain();
  last('open');
  expect(heard).toEqual(['look']);
});

test('a connection that died without a word is found out when I come back to the page, and another one looks', () => {
  const { heard, sent, last, tryAgain, wake, opened, closed } = listening();
  last('open');
  wake();
  expect(sent).toEqual(['ping']);
  wake();
  expect(sent).toEqual(['ping']);
  tryAgain();
  expect([opened(), closed(), heard]).toEqual([2, 1, []]);
  last('open');
  expect(heard).toEqual(['look']);
});

test('a connection that answers stays', () => {
  const { heard, last, wake, tryAgain, see, opened } = listening();
  last('open');
  wake();
  last('message', 'pong');
  see(false);
  tryAgain();
  expect([opened(), heard]).toEqual([1, []]);
});

test('while I look at the page, its connection is asked now and then; while I do not, never', () => {
  const { sent, last, tryAgain, see } = listening();
  last('open');
  see(false);
  tryAgain();
  tryAgain();
  expect(sent).toEqual([]);
  see(true);
  tryAgain();
  expect(sent).toEqual(['ping']);
});

test('what the socket says first is heard at the first connection, and after a loss the page looks anyway', () => {
  const { heard, last, tryAgain } = listening();
  const opening = JSON.stringify({ type: 'opened', revision: 'life:1' });
  last('open');
  last('message', opening);
  expect(heard).toEqual(['opened']);
  last('close');
  tryAgain();
  last('open');
  last('message', opening);
  expect(heard).toEqual(['opened', 'look']);
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
