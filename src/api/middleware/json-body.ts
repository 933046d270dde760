import type { MiddlewareHandler } from 'hono';
import { BODY_DEADLINE, BODY_LIMITS } from '../../config/body-limits.ts';
import { type BodyDeadline, BodyTimeoutError, readBody } from '../../lib/read-body.ts';
import type { ApiEnv } from './context.ts';
import { Problem } from './problems.ts';

/**
 * Reads a body into memory.
 * @throws Problem `too_large` above `maxBytes`, without reading the rest; `request_timeout` when it stops coming
 */
export async function readWholeBody(
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
  deadline: BodyDeadline = BODY_DEADLINE,
): Promise<Uint8Array<ArrayBuffer>> {
  let bytes = new Uint8Array(0);
  let length = 0;
  try {
    for await (const piece of readBody(body, deadline)) {
      if (length + piece.length > maxBytes) throw new Problem('too_large');
      if (length + piece.length > bytes.length) {
        const grown = new Uint8Array(Math.min(maxBytes, Math.max(length + piece.length, bytes.length * 2)));
        grown.set(bytes.subarray(0, length));
        bytes = grown;
      }
      bytes.set(piece, length);
      length += piece.length;
    }
  } catch (error) {
    throw error instanceof BodyTimeoutError ? new Problem('request_timeout') : error;
  }
  return bytes.subarray(0, length);
}

/** Reads the body of a request that is no form, within its limits, before the route parses it. */
export const readJsonBody: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const { body } = c.req.raw;
  if (body === null) return next();
  if (Number(c.req.header('content-length') ?? 0) > BODY_LIMITS.json) throw new Problem('too_large');
  const init = { body: await readWholeBody(body, BODY_LIMITS.json) };
  c.req.raw = new Request(c.req.raw, init);
  return next();
};
