import { resolver } from 'hono-openapi';
import { type Message, type ReplyEvent, replyEvents } from '../../features/conversation/contract.ts';
import {
  buildAcceptedEvent,
  buildDeltaEvents,
  encodeEvent,
  buildEndEvents,
} from '../../features/conversation/turn/reply-log.ts';
import { buildSchemaExample } from './schema-example.ts';
import type { JsonSchema } from './schema-text.ts';

/** A stream of events as the OpenAPI document has it: what 3.1 has no word for, it lets one say by a name with `x-`. */
export interface StreamSchema {
  type: 'string';
  description: string;
  /** What stands in the `data:` line of each event, as JSON, by the name in its `event:` line. */
  'x-events': Record<string, JsonSchema>;
  examples: string[];
}

/** By what name the document's components have it. */
const COMPONENT_NAME = 'ReplyStream';

export const REPLY_STREAM_REF = { $ref: `#/components/schemas/${COMPONENT_NAME}` };

/** A reply that goes well, as it is sent. @param done the schema of the event that it ends with */
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

/** The stream that every reply comes as, made from the contract of its events, with one in full. */
export async function buildReplyStreamComponent(): Promise<Record<typeof COMPONENT_NAME, StreamSchema>> {
  const events = Object.fromEntries(
    await Promise.all(
      Object.entries(replyEvents).map(
        async ([name, contract]) =>
          [name, (await resolver(contract).toOpenAPISchema()).schema as JsonSchema] as const,
      ),
    ),
  );
  return {
    [COMPONENT_NAME]: {
      type: 'string',
      description:
        'Server-sent events, each with `id`, `event` and `data`: JSON by the schema that `x-events` has for its name.',
      'x-events': events,
      examples: [buildSuccessExample(events.done ?? {})],
    },
  };
}
