import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { streamChat, type ModelPart } from '../../../src/vendors/model.ts';
import { PROVIDER_STREAMS, type ProviderStream } from '../../support/provider-streams.ts';
import { SERVER_STREAMS } from '../../support/server-streams.ts';

/** Splits a body into pieces of these many bytes, as the network may. */
function toResponse(
  { body, type = 'text/event-stream', status = 200 }: ProviderStream,
  size: number,
): Response {
  const bytes = new TextEncoder().encode(body);
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.slice(at * size, (at + 1) * size),
  );
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = pieces.shift();
      if (next === undefined) controller.close();
      else controller.enqueue(next);
    },
  });
  return new Response(stream, { status, headers: { 'content-type': type } });
}

/** The reply that a user gets. */
async function read(stream: ProviderStream, size: number) {
  let [text, thinking] = ['', ''];
  let end: ModelPart | null = null;
  const parts = streamChat(
    { baseUrl: 'https://models.example/v1', apiKey: 'key', model: 'm' },
    { messages: [{ role: 'user', content: 'Hello' }], maxTokens: 100, temperature: 1 },
    { signal: new AbortController().signal, fetch: async () => toResponse(stream, size) },
  );
  for await (const part of parts) {
    if (part.kind === 'text') text += part.text;
    else if (part.kind === 'thinking') thinking += part.text;
    else if (part.kind === 'retracted') text = '';
    else end = part;
  }
  return { text, thinking, end: end?.kind === 'finish' ? end.reason : end?.kind === 'failure' && end.code };
}

const streams = Object.entries(PROVIDER_STREAMS).flatMap(([provider, forms]) =>
  Object.entries(forms).map(([form, stream]) => [provider, form, stream] as const),
);

describe('Forms of providers', () => {
  test.each(streams)('a response of %s is read: %s', async (_, __, stream) => {
    const { text, thinking = '', end } = stream;
    for (const size of [1, 7, 4096]) expect(await read(stream, size)).toEqual({ text, thinking, end });
  });

  test.each(Object.entries(SERVER_STREAMS))('a response is read that has %s', async (_, stream) => {
    const { text, thinking = '', end } = stream;
    for (const size of [1, 7, 4096]) expect(await read(stream, size)).toEqual({ text, thinking, end });
  });

  test('the documentation lists what was tried of each provider', () => {
    const page = readFileSync(new URL('../../../docs/tables/providers.md', import.meta.url), 'utf8');
    const rows = Object.entries(PROVIDER_STREAMS).map(
      ([provider, forms]) => `| ${provider} | ${Object.keys(forms).join('; ')} |`,
    );
    const shown = new Set(page.split('\n').map((line) => line.replaceAll(/ +\|/g, ' |')));
    expect(rows.filter((row) => !shown.has(row))).toEqual([]);
  });
});
