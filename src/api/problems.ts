import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { routePath } from 'hono/route';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { z } from 'zod';
import type { ApiEnv } from './context.ts';

/** Every refusal of the API: its status and its English sentence. One table, one place. */
const PROBLEMS = {
  invalid_input: [400, 'Please check your input and try again.'],
  invalid_code: [400, 'Invalid verification code'],
  unauthenticated: [401, 'You must be logged in to perform this action'],
  points_exhausted: [402, 'You do not have enough points for this message.'],
  cross_origin: [403, 'This request came from another site.'],
  forbidden: [403, 'You may not do this.'],
  not_found: [404, 'The requested resource was not found.'],
  reply_in_progress: [409, 'A reply is still being written. Wait for it or stop it first.'],
  too_large: [413, 'That is too large.'],
  unsupported_media: [415, 'Send this as application/json.'],
  model_unavailable: [422, 'This model is not available here. Choose another one.'],
  not_a_reply: [422, 'Only a reply of the character can be written anew.'],
  code_recently_sent: [429, 'A verification code was sent a short while ago. Please look into your mailbox.'],
  daily_limit_reached: [429, 'You have reached today’s message limit.'],
  too_many_requests: [429, 'Too many requests. Please wait a moment.'],
  server_error: [500, 'Server error. Please try again later.'],
  mail_failed: [502, 'The mail could not be sent. Please try again later.'],
} as const satisfies Record<string, readonly [ContentfulStatusCode, string]>;

export type ProblemCode = keyof typeof PROBLEMS;

/** The body of every answer that is not a success. */
export const problemBody = z.looseObject({
  error: z.string(),
  code: z.string(),
  fields: z.record(z.string(), z.array(z.string())).optional(),
});

/** Thrown anywhere below a route to end it with a problem; `answerError` turns it into an answer. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly extra: Record<string, unknown>;
  readonly retryAfterSeconds: number | null;

  constructor(
    code: ProblemCode,
    extra: Record<string, unknown> = {},
    retryAfterSeconds: number | null = null,
  ) {
    super(code);
    this.code = code;
    this.extra = extra;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Seconds until a moment, at least one: what `Retry-After` says. */
export function secondsUntil(at: number, now: number): number {
  return Math.max(1, Math.ceil((at - now) / 1000));
}

function answer(c: Context<ApiEnv>, problem: Problem): Response {
  const [status, error] = PROBLEMS[problem.code];
  if (status === 429) c.header('retry-after', String(problem.retryAfterSeconds ?? 60));
  return c.json({ error, code: problem.code, ...problem.extra }, status);
}

/** The one place where an error becomes an answer: the log gets everything, the reader a code. */
export function answerError(error: Error, c: Context<ApiEnv>): Response {
  if (error instanceof Problem) return answer(c, error);
  if (error instanceof HTTPException && error.status < 500) {
    // Hono's own refusals: a body that is no JSON, or one that is too large.
    return answer(c, new Problem(error.status === 413 ? 'too_large' : 'invalid_input'));
  }
  console.error(
    JSON.stringify({
      event: 'request_failed',
      request_id: c.get('requestId'),
      method: c.req.method,
      route: routePath(c),
      message: error.message,
      stack: error.stack,
    }),
  );
  return answer(c, new Problem('server_error'));
}

export function answerNotFound(c: Context<ApiEnv>): Response {
  return answer(c, new Problem('not_found'));
}
