import { afterAll, beforeEach, expect } from 'vitest';
import { MODEL_TIMEOUTS, streamChat, type ModelPart, type ModelTimeouts } from '../../src/vendors/model.ts';
import { startModelServer } from './model-server.mjs';

export const API_KEY = 'sk-secret-key';
export const SECRET_WORDS = 'meet me under the clock';

interface ModelRequest {
  scenario: string;
  apiKey?: string | null;
  baseUrl: string;
  thinkingTokens?: number;
  timeouts?: Partial<ModelTimeouts>;
  signal?: AbortSignal;
  fetch?: typeof fetch;
  sent?: () => void;
}

/** Requests a scenario of the scripted model server, or of `fetch` if it is given. */
function requestModel({
  scenario,
  apiKey = API_KEY,
  baseUrl,
  thinkingTokens = 0,
  timeouts,
  signal,
  fetch,
  sent,
}: ModelRequest): AsyncGenerator<ModelPart> {
  return streamChat(
    { baseUrl, apiKey, model: 'some-model', thinkingTokens },
    {
      messages: [
        { role: 'system', content: 'You are Mira.' },
        { role: 'user', content: `[[scenario:${scenario}]] ${SECRET_WORDS}` },
      ],
      maxTokens: 321,
      temperature: 0.7,
    },
    {
      signal: signal ?? new AbortController().signal,
      timeouts: { ...MODEL_TIMEOUTS, ...timeouts },
      fetch,
      sent,
    },
  );
}

/** Starts the scripted model server for a test file and returns a function that calls it. */
export async function startTestModelServer() {
  const server = await startModelServer();
  afterAll(() => server.close());
  beforeEach(() => server.reset());
  return {
    server,
    ask: (about: Omit<ModelRequest, 'baseUrl'> & { baseUrl?: string }) =>
      requestModel({ baseUrl: server.url, ...about }),
  };
}

interface ReadResult {
  parts: ModelPart[];
  text: string;
  end: ModelPart | undefined;
}

/** Reads an answer to its end and checks that it has one end, at last, and contains no secret. */
export async function readParts(answer: AsyncGenerator<ModelPart>): Promise<ReadResult> {
  const parts: ModelPart[] = [];
  for await (const part of answer) parts.push(part);
  const ends = parts.filter((part) => part.kind === 'finish' || part.kind === 'failure');
  expect(ends).toHaveLength(1);
  const end = parts.at(-1);
  expect(end).toBe(ends[0]);
  if (end?.kind === 'failure') {
    expect(end.detail.length).toBeLessThanOrEqual(300);
    expect(end.detail).not.toContain(API_KEY);
    expect(end.detail).not.toContain('clock');
  }
  return { parts, text: parts.map((part) => (part.kind === 'text' ? part.text : '')).join(''), end };
}

export const joinThinking = (parts: readonly ModelPart[]) =>
  parts.map((part) => (part.kind === 'thinking' ? part.text : '')).join('');

/** The text of this many tokens. */
export const buildTokens = (count: number) =>
  Array.from({ length: count }, (_, index) => `w${index}`).join(' ');
export const finishPart = (reason: 'stop' | 'length') => ({ kind: 'finish', reason });
export const expectFailure = (code: string) => expect.objectContaining({ kind: 'failure', code });

/** A fetch that returns these pieces and then ends or stays open; it records whether the body was cancelled. */
export function fetchReturning(
  pieces: (string | Uint8Array)[],
  { type = 'text/event-stream', isOpen = false } = {},
) {
  const seen = { cancelled: false };
  const left = [...pieces];
  const send: typeof fetch = async () => {
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          const next = left.shift();
          if (next !== undefined)
            controller.enqueue(typeof next === 'string' ? new TextEncoder().encode(next) : next);
          else if (isOpen) return new Promise<void>(() => {});
          else controller.close();
          return undefined;
        },
        cancel() {
          seen.cancelled = true;
        },
      },
      { highWaterMark: 0 },
    );
    return new Response(body, { headers: { 'content-type': type } });
  };
  return { send, seen };
}

/** A frame with text in it. */
export const buildDeltaFrame = (content: string, finishReason: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: finishReason }] })}\n\n`;
