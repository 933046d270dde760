import { type Context, Hono } from 'hono';
import { isPortraitRestricted, getPortraitUrl } from '../../../features/character/portrait.ts';
import { getListPictureKey } from '../../../features/picture/list-picture.ts';
import { getPictureVisibility } from '../../../features/picture/visibility.ts';
import { listCharactersWithPicture, getPictureUsage } from '../../../features/picture/picture-usage-store.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { bindContext, loadSession } from '../../middleware/guards.ts';
import { Problem } from '../../middleware/problems.ts';

/** Keys are derived from the content, so a picture never changes under its key. */
const PICTURE_KEY = /^[0-9a-f]{32}\.(?:webp|png|jpg|gif|avif)$/;
/**
 * Browsers keep a public picture for a year. Shared caches revalidate after an hour: they are purged when it stops being
 * public, and the hour covers a failed purge.
 */
const PUBLIC_CACHE_CONTROL = 'public, max-age=31536000, s-maxage=3600, immutable';
/** Restricted pictures: one day, in the browser's own cache only. */
const PRIVATE_CACHE_CONTROL = 'private, max-age=86400, immutable';

/** Serves pictures from R2: immutable, sandboxed, and only to users who may see them. */
export const media = new Hono<ApiEnv>()
  .use(bindContext)
  .use(loadSession)
  .get('/:key', (c) => servePicture(c, c.req.param('key'), [c.req.param('key')]))
  // Pictures from before lists had their own size, and those of other programs, are there in one size only.
  .get('/list/:key', (c) => {
    const key = c.req.param('key');
    return servePicture(c, key, [getListPictureKey(key), key]);
  });

/** Answers with the first of these objects that exists. */
async function servePicture(c: Context<ApiEnv>, key: string, objects: readonly string[]): Promise<Response> {
  // A query would create one more copy in every cache, so a picture has exactly one address.
  const isAddress = PICTURE_KEY.test(key) && new URL(c.req.url).search === '';
  const caching = isAddress ? await getCacheHeaders(c, key) : null;
  if (caching === null) throw new Problem('not_found');
  let object: R2ObjectBody | R2Object | null = null;
  for (const one of objects) object ??= await c.env.MEDIA.get(one, { onlyIf: c.req.raw.headers });
  if (object === null) throw new Problem('not_found');
  const headers = {
    ...caching,
    etag: object.httpEtag,
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
    'x-content-type-options': 'nosniff',
    'content-type': object.httpMetadata?.contentType ?? 'application/octet-stream',
  };
  if (!('body' in object)) return c.body(null, 304, headers);
  return c.body(object.body, 200, { ...headers, 'content-length': String(object.size) });
}

/** Returns the cache headers for this caller; null when the picture does not exist or the caller may not see it. */
async function getCacheHeaders(c: Context<ApiEnv>, key: string): Promise<Record<string, string> | null> {
  const db = c.get('db');
  const picture = await getPictureUsage(db, key);
  const openness = picture && getPictureVisibility(picture, Date.now());
  if (openness?.to === 'everybody') {
    return { 'cache-control': PUBLIC_CACHE_CONTROL, 'cache-tag': openness.tags.join(',') };
  }
  const caching = { 'cache-control': PRIVATE_CACHE_CONTROL };
  if (openness?.to === 'address') return caching;
  // Do the same work for a missing picture as for a restricted one, so that the response time does not reveal which it
  // is.
  const caller = await c.get('caller')();
  if (caller === null) return null;
  const { id: userId, spicy_mode: spicy, suspended_at: suspendedAt } = caller.user;
  if (picture?.ownerId === userId) return caching;
  if (suspendedAt !== undefined) return null;
  if (openness?.to === 'some' && openness.adults && spicy) return caching;
  const shownCharacters = await listCharactersWithPicture(db, { userId, path: getPortraitUrl(key) });
  const isShown = shownCharacters.some((character) => !isPortraitRestricted(character, { userId, spicy }));
  return openness?.to === 'some' && isShown ? caching : null;
}
