import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BodyTimeoutError, readBody } from '../../../src/lib/read-body.ts';

const DEADLINE = { idleMs: 1000, totalMs: 5000 };
const piece = () => new Uint8Array([1]);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A body whose pieces the test sends. */
function createBody() {
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  const cancel = vi.fn();
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given;
    },
    cancel,
  });
  return { body, cancel, send: () => controller?.enqueue(piece()), end: () => controller?.close() };
}

/** Reads a body to its end and returns how many pieces came, or the error. */
async function readAll(body: ReadableStream<Uint8Array>): Promise<number | unknown> {
  let pieces = 0;
  try {
    for await (const _ of readBody(body, DEADLINE)) pieces += 1;
  } catch (error) {
    return error;
  }
  return pieces;
}

test('a body that keeps coming is read to its end', async () => {
  const { body, cancel, send, end } = createBody();
  const reading = readAll(body);
  for (let count = 0; count < 4; count += 1) {
    await vi.advanceTimersByTimeAsync(900);
    send();
  }
  end();
  expect(await reading).toBe(4);
  expect(cancel).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});

test('a body that stops coming ends, and the rest of it is refused', async () => {
  const { body, cancel, send } = createBody();
  const reading = readAll(body);
  send();
  await vi.advanceTimersByTimeAsync(DEADLINE.idleMs);
  expect(await reading).toBeInstanceOf(BodyTimeoutError);
  expect(cancel).toHaveBeenCalled();
});

test('a body that trickles ends although it never stops', async () => {
  const { body, send } = createBody();
  const reading = readAll(body);
  for (let count = 0; count < 6; count += 1) {
    send();
    await vi.advanceTimersByTimeAsync(900);
  }
  expect(await reading).toBeInstanceOf(BodyTimeoutError);
});

test('a reader that leaves refuses the rest of the body', async () => {
  const { body, cancel, send } = createBody();
  send();
  for await (const _ of readBody(body, DEADLINE)) break;
  expect(cancel).toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});
