import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { StreamSchema } from '../../../../src/api/openapi/reply-stream.ts';
import { startConversationClient } from '../../../support/conversation-client.ts';
import { readOpenApi } from '../../../support/openapi-operations.ts';
import { EventReader, type ReceivedEvent, summarizeKinds } from '../../../support/event-reader.ts';
import { signInGuest, Visitor } from '../../../support/factories.ts';
import { createScene } from '../../../support/scripted-model.ts';

async function readPublished(): Promise<StreamSchema> {
  const { components } = await readOpenApi();
  return components?.schemas?.ReplyStream as unknown as StreamSchema;
}

/** The published schemas, changed to refuse unknown fields. */
async function readStrictSchemas(): Promise<Record<string, z.ZodType>> {
  const forbidUnknown = (_: string, value: unknown) =>
    typeof value === 'object' && value !== null && 'properties' in value && 'type' in value
      ? { ...value, additionalProperties: false }
      : value;
  return Object.fromEntries(
    Object.entries((await readPublished())['x-events']).map(([name, schema]) => [
      name,
      z.fromJSONSchema(JSON.parse(JSON.stringify(schema), forbidUnknown)),
    ]),
  );
}

/** The errors that the published schemas find in these events. */
async function findErrors(events: readonly ReceivedEvent[]): Promise<string[]> {
  const schemas = await readStrictSchemas();
  return events.flatMap(({ event, data }) => {
    const parsed = schemas[event]?.safeParse(data);
    if (parsed === undefined) return [`${event} is no event of the document`];
    return parsed.success ? [] : [`${event}: ${z.prettifyError(parsed.error)}`];
  });
}

describe('Published event schemas', () => {
  test.each([
    ['a reply', 'Hello.', ['accepted', 'delta', 'done']],
    ['a reply that breaks off', createScene('cut n=5').marker, ['accepted', 'delta', 'error']],
    ['a reply with a crisis notice', 'I want to kill myself.', ['accepted', 'safety', 'delta', 'done']],
  ])('the published schemas match the events of %s', async (_, content, shape) => {
    const chat = await startConversationClient(await signInGuest());
    const turnId = 'as-it-is-published';
    const events = await chat.send(content, { turnId });
    expect(summarizeKinds(events)).toEqual(shape);
    expect(await findErrors(events)).toEqual([]);
    expect(await findErrors(await chat.send(content, { turnId }))).toEqual([]);
  });

  test('the published schemas match the events of a refused message', async () => {
    const chat = await startConversationClient(await signInGuest());
    await chat.send('I am 15 years old and go to school.');
    const events = await chat.send('Come to bed and have sex with me.');
    expect(summarizeKinds(events)).toEqual(['safety', 'error']);
    expect(await findErrors(events)).toEqual([]);
  });

  test('the published schemas refuse unknown and missing fields', async () => {
    const events = (data: object) => findErrors([{ id: '', event: 'delta', data }]);
    expect(await events({ text: 'Hello.' })).toEqual([]);
    expect(await events({ text: 'Hello.', more: 1 })).toHaveLength(1);
    expect(await events({})).toHaveLength(1);
  });

  test('the published schemas match the example stream of the OpenAPI document', async () => {
    const { examples } = await readPublished();
    const [example] = examples;
    const reader = await EventReader.fromResponse(
      new Response(example, { headers: { 'content-type': 'text/event-stream' } }),
    );
    const events = await reader.readRest();
    expect(summarizeKinds(events)).toEqual(['accepted', 'delta', 'done']);
    expect(await findErrors(events)).toEqual([]);
  });

  test('every route that streams a reply refers to the published schemas, and the API reference shows them', async () => {
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
