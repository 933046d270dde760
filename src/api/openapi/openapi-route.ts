import { describeRoute, resolver } from 'hono-openapi';
import type { ZodType } from 'zod';
import { problemBody } from '../middleware/problems.ts';
import { REPLY_STREAM_REF } from './reply-stream.ts';

const EVENT_STREAM = 'text/event-stream';

const errorResponse = {
  description: 'A refusal',
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
        'The caller’s time zone by its IANA name, such as Europe/Berlin: their day begins and ends by it. What is no zone is passed over; the one told last holds, and UTC before the first.',
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
