import { describeRoute, resolver } from 'hono-openapi';
import type { ZodType } from 'zod';
import { problemBody } from '../middleware/problems.ts';

/** Name of the reply streams among the document's components. */
export const REPLY_STREAM = 'ReplyStream';
export const REPLY_STREAM_REF = { $ref: `#/components/schemas/${REPLY_STREAM}` };

const EVENT_STREAM = 'text/event-stream';

const errorResponse = {
  description: 'An error',
  content: { 'application/json': { schema: resolver(problemBody) } },
};
/** The error responses of every route. 400 is listed too, or the validator would add its own description. */
export const ERROR_RESPONSES = { 400: errorResponse, default: errorResponse };

/** The time zone header of routes that count by the caller's day. */
export const describeTimeZone = describeRoute({
  parameters: [
    {
      in: 'header',
      name: 'x-time-zone',
      required: false,
      description:
        'The user’s time zone as an IANA name, such as Europe/Berlin; it decides when their day begins and ends. An invalid name is ignored: the last valid one applies, or UTC if there was none.',
      schema: { type: 'string' },
    },
  ],
});

/**
 * Describes the responses of a route for the OpenAPI document: a schema for JSON, 'events' for a stream of reply events,
 * null for no body.
 */
export function describeResponses(summary: string, byStatus: Record<number, ZodType | 'events' | null>) {
  const responses: NonNullable<Parameters<typeof describeRoute>[0]['responses']> = {};
  for (const [status, body] of Object.entries(byStatus)) {
    responses[status] = {
      description: summary,
      ...(body === null
        ? {}
        : {
            content:
              body === 'events'
                ? { [EVENT_STREAM]: { schema: REPLY_STREAM_REF } }
                : { 'application/json': { schema: resolver(body) } },
          }),
    };
  }
  return describeRoute({ summary, responses: { ...responses, ...ERROR_RESPONSES } });
}
