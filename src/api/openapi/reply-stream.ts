import { resolver } from 'hono-openapi';
import { type Message, type ReplyEvent, replyEvents } from '../../features/conversation/contract.ts';
import {
  buildAcceptedEvent,
  buildDeltaEvents,
  encodeEvent,
  buildEndEvents,
} from '../../features/conversation/turn/reply-log.ts';
import { REPLY_STREAM } from './openapi-route.ts';
import { buildSchemaExample } from './schema-example.ts';
import type { JsonSchema } from './schema-text.ts';

/** An event stream in the OpenAPI document. OpenAPI 3.1 cannot describe events, so an `x-` extension does. */
export interface StreamSchema {
  type: 'string';
  description: string;
  /** Schema of each event's `data:` line, as JSON, by the name in its `event:` line. */
  'x-events': Record<string, JsonSchema>;
  examples: string[];
}

/** Builds a successful reply as it is sent. @param done schema of the final event */
function buildSuccessExample(done: JsonSchema): string {
  const { reply, points } = buildSchemaExample(done) as Extract<ReplyEvent, { event: 'done' }>;
  const said: Message = { ...reply, role: 'character' };
  const { length } = said.content;
  return [
    buildAcceptedEvent(said, null),
    ...buildDeltaEvents(said.content, 0),
    ...buildEndEvents(length, { kind: 'done', reply: said, points }),
  ]
    .map((event) => encodeEvent('my-first-turn', event))
    .join('');
}

/** Builds the component for reply streams from the schemas of the events, with one complete example. */
export async function buildReplyStreamComponent(): Promise<Record<typeof REPLY_STREAM, StreamSchema>> {
  const events = Object.fromEntries(
    await Promise.all(
      Object.entries(replyEvents).map(
        async ([name, contract]) =>
          [name, (await resolver(contract).toOpenAPISchema()).schema as JsonSchema] as const,
      ),
    ),
  );
  return {
    [REPLY_STREAM]: {
      type: 'string',
      description:
        'Server-sent events, each with `id`, `event` and `data`. The data is JSON; `x-events` has its schema by event name.',
      'x-events': events,
      examples: [buildSuccessExample(events.done ?? {})],
    },
  };
}
