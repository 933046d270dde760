import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { type ModelPart, streamChat } from '../../src/vendors/model.ts';
import { delta } from '../support/ask-model.ts';

const EVERY_MS = 16;

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A model whose body is written by the test. */
function askWritten({
  everyMs,
  signal = new AbortController().signal,
}: {
  everyMs?: number;
  signal?: AbortSignal;
}) {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>(undefined, undefined, {
    highWaterMark: 100,
  });
  const writer = writable.getWriter();
  const told: { at: number; part: ModelPart }[] = [];
  const begun = performance.now();
  const over = (async () => {
    const fetch = async () => new Response(readable, { headers: { 'content-type': 'text/event-stream' } });
    const endpoint = { baseUrl: 'http://model.test', apiKey: null, model: 'some-model' };
    const request = { messages: [], maxTokens: 100, temperature: 1 };
    for await (const part of streamChat(endpoint, request, { signal, everyMs, fetch }))
      told.push({ at: performance.now() - begun, part });
  })();
  const write = async (text: string) => {
    void writer.write(new TextEncoder().encode(text));
    await vi.advanceTimersByTimeAsync(0);
  };
  const texts = () => told.flatMap(({ at, part }) => (part.kind === 'text' ? [{ at, text: part.text }] : []));
  return {
    told,
    texts,
    over,
    say: (text: string) => write(delta(text)),
    end: () => write('data: [DONE]\n\n'),
  };
}

test('The first text comes at once, and what comes shortly after one comes together, no later than it must', async () => {
  vi.useFakeTimers();
  const { say, end, texts, over } = askWritten({ everyMs: EVERY_MS });
  await say('a');
  await vi.advanceTimersByTimeAsync(5);
  await say('b');
  await vi.advanceTimersByTimeAsync(5);
  await say('c');
  await vi.advanceTimersByTimeAsync(10);
  expect(texts()).toEqual([
    { at: 0, text: 'a' },
    { at: 16, text: 'bc' },
  ]);
  await vi.advanceTimersByTimeAsync(20);
  await say('d');
  await say('e');
  await end();
  await vi.runAllTimersAsync();
  await over;
  expect(texts().slice(2)).toEqual([
    { at: 40, text: 'd' },
    { at: 40, text: 'e' },
  ]);
});

test('Whatever comes whenever, its text is whole, at most so often, and none of it waits for longer than that', async () => {
  vi.useFakeTimers();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ text: fc.string({ unit: 'grapheme', minLength: 1 }), wait: fc.nat(40) }), {
        minLength: 1,
      }),
      fc.constantFrom(EVERY_MS, 7, undefined),
      async (pieces, everyMs) => {
        const { say, end, texts, told, over } = askWritten({ everyMs });
        const said: { by: number; length: number }[] = [];
        let [length, at] = [0, 0];
        for (const { text, wait } of pieces) {
          await vi.advanceTimersByTimeAsync(wait);
          at += wait;
          length += text.length;
          said.push({ by: at + (everyMs ?? 0), length });
          await say(text);
        }
        await vi.advanceTimersByTimeAsync(1);
        await end();
        await vi.runAllTimersAsync();
        await over;
        expect(told.at(-1)?.part.kind).toMatch(/finish|failure/);
        const whole = texts();
        expect(whole.map(({ text }) => text).join('')).toBe(pieces.map(({ text }) => text).join(''));
        for (const { by, length: upTo } of said) {
          const had = whole.filter((one) => one.at <= by).reduce((sum, { text }) => sum + text.length, 0);
          expect(had).toBeGreaterThanOrEqual(upTo);
        }
        // The last of them does not wait, for nothing comes after it.
        const gaps = whole.slice(1, -1).map((one, index) => one.at - (whole[index]?.at ?? 0));
        for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(everyMs ?? 0);
      },
    ),
  );
});

test('Who stops a reply has what came up to then', async () => {
  vi.useFakeTimers();
  const stop = new AbortController();
  const { say, texts, told, over } = askWritten({ everyMs: EVERY_MS, signal: stop.signal });
  await say('One');
  await say(' two');
  stop.abort();
  await over;
  expect(texts().map(({ text }) => text)).toEqual(['One', ' two']);
  expect(told.at(-1)?.part).toMatchObject({ kind: 'failure', code: 'aborted' });
});

test('A reply goes on being told though the clock of the machine is set back', async () => {
  vi.useFakeTimers();
  const { say, texts, over, end } = askWritten({ everyMs: EVERY_MS });
  await say('One');
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() - 10 * 60_000);
  await say(' two');
  await vi.advanceTimersByTimeAsync(EVERY_MS);
  expect(texts().map(({ text }) => text)).toEqual(['One', ' two']);
  await end();
  await vi.runAllTimersAsync();
  await over;
});
