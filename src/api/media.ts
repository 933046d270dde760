import { Hono } from 'hono';
import type { ApiEnv } from './context.ts';
import { Problem } from './problems.ts';

/** Keys are made from a picture's content, so what a key names never changes. */
const KEY = /^[0-9a-f]{32}\.(?:webp|png|jpg|gif|avif)$/;
const IMMUTABLE = 'public, max-age=31536000, immutable';

/** Pictures out of R2: immutable by content hash, harmless whatever they hold. */
export const media = new Hono<ApiEnv>().get('/:key', async (c) => {
  const key = c.req.param('key');
  if (!KEY.test(key)) throw new Problem('not_found');
  const object = await c.env.MEDIA.get(key, { onlyIf: c.req.raw.headers });
  if (object === null) throw new Problem('not_found');
  const headers = {
    'cache-control': IMMUTABLE,
    etag: object.httpEtag,
    'content-security-policy': "default-src 'none'; sandbox",
    'content-type': object.httpMetadata?.contentType ?? 'application/octet-stream',
  };
  if (!('body' in object)) return c.body(null, 304, headers);
  return c.body(object.body, 200, { ...headers, 'content-length': String(object.size) });
});
