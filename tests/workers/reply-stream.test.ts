import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { StreamSchema } from '../../src/api/openapi/reply-stream.ts';
import { startConversationClient } from '../support/conversation-client.ts';
import { readOpenApi } from '../support/openapi-operations.ts';
import { EventReader, type ReceivedEvent, summarizeKinds } from '../support/event-reader.ts';
import { signInGuest, Visitor } from '../support/factories.ts';
import { createScene } from '../support/scripted-model.ts';

async function published(): Promise<StreamSchema> {
  const { components } = await readOpenApi();
  return components?.schemas?.ReplyStream as unknown as StreamSchema;
}

/** The published schemas, by which what they do not name is refused, too. */
async function closed(): Promise<Record<string, z.ZodType>> {
  const closing = (_: string, value: unknown) =>
    typeof value === 'object' && value !== null && 'properties' in value && 'type' in value
      ? { ...value, additionalProperties: false }
      : value;
  return Object.fromEntries(
    Object.entries((await published())['x-events']).map(([name, schema]) => [
      name,
      z.fromJSONSchema(JSON.parse(JSON.stringify(schema), closing)),
    ]),
  );
}

/** What the published schemas find wrong with events. */
async function wrongWith(events: readonly ReceivedEvent[]): Promise<string[]> {
  const schemas = await closed();
  return events.flatMap(({ event, data }) => {
    const told = schemas[event]?.safeParse(data);
    if (told === undefined) return [`${event} is no event of the document`];
    return told.success ? [] : [`${event}: ${z.prettifyError(told.error)}`];
  });
}

describe('The published schemas of a reply’s events', () => {
  test.each([
    ['a reply', 'Hello.', ['accepted', 'delta', 'done']],
    ['a reply that breaks off', createScene('cut n=5').marker, ['accepted', 'delta', 'error']],
    ['help beside a reply', 'I want to kill myself.', ['accepted', 'safety', 'delta', 'done']],
  ])('are what comes with %s', async (_, said, shape) => {
    const chat = await startConversationClient(await signInGuest());
    const turnId = 'as-it-is-published';
    const events = await chat.send(said, { turnId });
    expect(summarizeKinds(events)).toEqual(shape);
    expect(await wrongWith(events)).toEqual([]);
    expect(await wrongWith(await chat.send(said, { turnId }))).toEqual([]);
  });

  test('are what comes with a refusal by a rule', async () => {
    const chat = await startConversationClient(await signInGuest());
    await chat.send('I am 15 years old and go to school.');
    const events = await chat.send('Come to bed and have sex with me.');
    expect(summarizeKinds(events)).toEqual(['safety', 'error']);
    expect(await wrongWith(events)).toEqual([]);
  });

  test('refuse what does not come', async () => {
    const events = (data: object) => wrongWith([{ id: '', event: 'delta', data }]);
    expect(await events({ text: 'Hello.' })).toEqual([]);
    expect(await events({ text: 'Hello.', more: 1 })).toHaveLength(1);
    expect(await events({})).toHaveLength(1);
  });

  test('hold for the reply that the document shows, which reads as a stream does', async () => {
    const { examples } = await published();
    const [example] = examples;
    const reader = await EventReader.fromResponse(
      new Response(example, { headers: { 'content-type': 'text/event-stream' } }),
    );
    const events = await reader.readRest();
    expect(summarizeKinds(events)).toEqual(['accepted', 'delta', 'done']);
    expect(await wrongWith(events)).toEqual([]);
  });

  test('are named by every route that answers with a stream, and shown on the page', async () => {
    const { paths } = await readOpenApi();
    const streams = Object.entries(paths).flatMap(([path, methods]) =>
      Object.values(methods).flatMap(({ responses }) =>
        Object.values(responses as Record<string, { content?: Record<string, { schema: unknown }> }>)
          .map(({ content = {} }) => content['text/event-stream']?.schema)
          .filter((schema) => schema !== undefined)
          .map((schema) => ({ path, schema })),
      ),
    );
    expect(streams.map(({ path }) => path).toSorted()).toEqual([
      '/api/characters/test-chat',
      '/api/conversations/{id}/messages',
      '/api/conversations/{id}/messages/{mid}/continue',
      '/api/conversations/{id}/messages/{mid}/regenerate',
      '/api/conversations/{id}/reply',
      '/api/conversations/{id}/stream',
    ]);
    for (const { schema } of streams) expect(schema).toEqual({ $ref: '#/components/schemas/ReplyStream' });
    const page = await (await new Visitor().call('/api/docs')).text();
    for (const name of ['accepted', 'delta', 'done', 'error', 'safety'])
      expect(page).toContain(`<details id="event-${name}">`);
    expect(page).toContain('event: delta\ndata: {&quot;text&quot;:&quot;…&quot;}');
    expect(page.match(/<a href="#events">/g)).toHaveLength(streams.length);
  });
});
