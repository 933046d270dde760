import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { createLocalModel } from '../../../../scripts/local-model/server.mjs';
import {
  buildRolePrompt,
  findRepeatedSentences,
  type Message,
  type Role,
} from '../../../support/local-model-replies.mjs';

const MAREN: Role = {
  name: 'Maren Oake',
  tagline: 'The last lighthouse keeper of the northern coast',
  traits:
    'Maren is a gruff lighthouse keeper who has lived alone since her brother drowned. She keeps the old brass lamp burning every night. She loves black coffee. Secret: one winter she let the lamp go out.',
  first:
    '*The lighthouse door bangs open. Maren lifts her lantern.* "You are either lost or stupid. Come in."',
};

const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  await Promise.all(cleanups.splice(0).map((end) => end()));
});

type Outcome = { complete: boolean; sent: number; of: number };

async function startServer(
  options: { paceMs?: number; onEnd?: (outcome: Outcome) => void } = { paceMs: 0 },
): Promise<string> {
  const server = createLocalModel(options);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(async () => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function ask(url: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  return fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(signal ? { signal } : {}),
  });
}

const buildRequest = (extra: object = {}): object => ({
  model: 'offline-demo',
  messages: [...buildRolePrompt(MAREN), { role: 'user', content: 'Hello, is anybody there?' }],
  ...extra,
});

describe('server of the offline demo model', () => {
  test('a streamed reply is the whole text in small pieces, then a finish frame and [DONE]', async () => {
    const url = await startServer();
    const response = await ask(url, buildRequest({ stream: true }));
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const frames = (await response.text())
      .split('\n\n')
      .filter(Boolean)
      .map((frame) => frame.replace(/^data: /, ''));
    expect(frames.pop()).toBe('[DONE]');
    const chunks = frames.map(
      (frame) =>
        JSON.parse(frame) as {
          object: string;
          choices: { delta: { role?: string; content?: string }; finish_reason: string | null }[];
        },
    );
    expect(chunks[0]?.choices[0]?.delta.role).toBe('assistant');
    expect(chunks.at(-1)?.choices[0]).toMatchObject({ delta: {}, finish_reason: 'stop' });
    const pieces = chunks.slice(1, -1).map((chunk) => chunk.choices[0]?.delta.content ?? '');
    expect(pieces.length).toBeGreaterThan(15);
    const text = pieces.join('');
    // Quotes and asterisks come in pairs; a lost or doubled piece would break one.
    expect(text.split('"').length % 2).toBe(1);
    expect(text.split('*').length % 2).toBe(1);
    expect(text).toMatch(/[.?!)]["*]*$/);
    expect(chunks.every((chunk) => chunk.object === 'chat.completion.chunk')).toBe(true);
  });

  test('a streamed reply ends with its usage on request', async () => {
    const url = await startServer();
    const response = await ask(url, buildRequest({ stream: true, stream_options: { include_usage: true } }));
    const [usage, end] = (await response.text()).split('\n\n').filter(Boolean).slice(-2);
    expect(usage).toMatch(/"choices":\[\],"usage":\{"prompt_tokens":\d+,"completion_tokens":\d+,/);
    expect(end).toBe('data: [DONE]');
  });

  test('a reply that is not streamed contains the whole text and its usage', async () => {
    const url = await startServer();
    const response = await ask(url, buildRequest());
    const body = (await response.json()) as {
      choices: { message: Message; finish_reason: string }[];
      usage: { total_tokens: number };
    };
    expect(response.status).toBe(200);
    expect(body.choices[0]?.message.role).toBe('assistant');
    expect(body.choices[0]?.message.content.length).toBeGreaterThan(40);
    expect(body.choices[0]?.finish_reason).toBe('stop');
    expect(body.usage.total_tokens).toBeGreaterThan(10);
  });

  test('a second request with the same history gets another reply, which repeats no sentence', async () => {
    const url = await startServer();
    const texts = await Promise.all(
      [1, 2, 3].map(
        async () =>
          ((await (await ask(url, buildRequest())).json()) as { choices: { message: Message }[] }).choices[0]
            ?.message.content ?? '',
      ),
    );
    expect(new Set(texts).size).toBe(3);
    expect(findRepeatedSentences(texts)).toEqual([]);
  });

  test('a token limit cuts the reply and sets the finish reason to length', async () => {
    const url = await startServer();
    const body = (await (await ask(url, buildRequest({ max_tokens: 8 }))).json()) as {
      choices: { message: Message; finish_reason: string }[];
    };
    expect(body.choices[0]?.finish_reason).toBe('length');
    expect(body.choices[0]?.message.content.length).toBeLessThanOrEqual(32);
  });

  test('the server lists its model and answers the health check', async () => {
    const url = await startServer();
    const models = await (await fetch(`${url}/v1/models`)).json();
    expect(models).toMatchObject({ object: 'list', data: [{ id: 'offline-demo' }] });
    expect((await fetch(`${url}/health`)).status).toBe(200);
  });

  test('the server refuses bad input with an error of the OpenAI form', async () => {
    const url = await startServer();
    const refused: [unknown, number][] = [
      ['{not json', 400],
      ['[]', 400],
      [{}, 400],
      [{ messages: [] }, 400],
      [{ messages: [{ role: 'king', content: 'x' }] }, 400],
      [{ messages: [{ role: 'user', content: 4 }] }, 400],
      [{ messages: [{ role: 'system', content: 'x' }] }, 400],
      [buildRequest({ stream: 'yes' }), 400],
      [buildRequest({ n: 2 }), 400],
      [buildRequest({ max_tokens: -1 }), 400],
      [buildRequest({ model: 3 }), 400],
      [{ messages: [{ role: 'user', content: 'x'.repeat(4 * 1024 * 1024) }] }, 413],
    ];
    for (const [body, status] of refused) {
      const response = await ask(url, body);
      expect(response.status).toBe(status);
      const { error } = (await response.json()) as { error: { message: string; type: string } };
      expect(error.type).toBe('invalid_request_error');
      expect(error.message.length).toBeGreaterThan(5);
    }
    expect((await fetch(`${url}/v1/nothing`)).status).toBe(404);
    expect((await fetch(`${url}/v1/chat/completions`)).status).toBe(405);
  });

  test('the server stops writing when the client disconnects', async () => {
    const ended = Promise.withResolvers<Outcome>();
    // Slow enough that only leaving can end it in time.
    const url = await startServer({ paceMs: 200, onEnd: ended.resolve });
    const leaving = new AbortController();
    const response = await ask(url, buildRequest({ stream: true }), leaving.signal);
    await response.body?.getReader().read();
    leaving.abort();
    const outcome = await ended.promise;
    expect(outcome.complete).toBe(false);
    expect(outcome.sent).toBeLessThan(outcome.of);
  });

  test('the program prints its address and ends with code 0 on SIGTERM', async () => {
    const script = fileURLToPath(new URL('../../../../scripts/local-model/server.mjs', import.meta.url));
    const child = spawn(process.execPath, [script, '--port', '0'], {
      env: { ...process.env, LOCAL_MODEL_PACE_MS: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    cleanups.push(async () => child.kill('SIGKILL'));
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    const url = /^local model listening on (http:\/\/127\.0\.0\.1:\d+)\/v1$/.exec(line)?.[1];
    expect((await fetch(`${url}/health`)).status).toBe(200);
    child.kill('SIGTERM');
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
    expect([code, signal]).toEqual([0, null]);
  });
});
