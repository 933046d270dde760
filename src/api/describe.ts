import { describeRoute, resolver } from 'hono-openapi';
import type { ZodType } from 'zod';
import { problemBody } from './problems.ts';

const EVENT_STREAM = 'text/event-stream';

/**
 * What a route answers, for the OpenAPI document: a schema for JSON, 'events' for a stream of reply
 * events, null for no body.
 */
export function answers(summary: string, byStatus: Record<number, ZodType | 'events' | null>) {
  const responses: NonNullable<Parameters<typeof describeRoute>[0]['responses']> = {};
  for (const [status, body] of Object.entries(byStatus)) {
    responses[status] = {
      description: summary,
      ...(body === null
        ? {}
        : {
            content:
              body === 'events'
                ? { [EVENT_STREAM]: { schema: { type: 'string' as const } } }
                : { 'application/json': { schema: resolver(body) } },
          }),
    };
  }
  const refusal = {
    description: 'A refusal',
    content: { 'application/json': { schema: resolver(problemBody) } },
  };
  // 400 is named beside the default, or the validator would describe its own.
  return describeRoute({ summary, responses: { ...responses, 400: refusal, default: refusal } });
}
