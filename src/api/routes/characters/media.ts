import { type Context, Hono } from 'hono';
import { isPortraitRestricted, getPortraitUrl } from '../../../features/character/portrait.ts';
import { getPictureVisibility } from '../../../features/picture/visibility.ts';
import { listCharactersWithPicture, getPictureUsage } from '../../../features/picture/picture-usage-store.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { bindContext, loadSession } from '../../middleware/guards.ts';
import { Problem } from '../../middleware/problems.ts';

/** Keys are made from a picture's content, so what a key names never changes. */
const PICTURE_KEY = /^[0-9a-f]{32}\.(?:webp|png|jpg|gif|avif)$/;
/**
 * A browser that has a picture keeps it for a year. A shared cache asks again after an hour: it is told at once of what is
 * public no more, and this is for when nobody can tell it.
 */
const PUBLIC_CACHE_CONTROL = 'public, max-age=31536000, s-maxage=3600, immutable';
/** Of a picture that is for some: a day, and in their own browser alone. */
const PRIVATE_CACHE_CONTROL = 'private, max-age=86400, immutable';

/** Pictures out of R2: immutable by content hash, harmless whatever they hold, and given to nobody they are not open to. */
export const media = new Hono<ApiEnv>()
  .use(bindContext)
  .use(loadSession)
  .get('/:key', async (c) => {
    const key = c.req.param('key');
    // With a query it would be one more copy in every cache: a picture has one address.
    const isAddress = PICTURE_KEY.test(key) && new URL(c.req.url).search === '';
    const caching = isAddress ? await getCacheHeaders(c, key) : null;
    if (caching === null) throw new Problem('not_found');
    const object = await c.env.MEDIA.get(key, { onlyIf: c.req.raw.headers });
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
  });

/** How a picture may be kept by whoever asks for it; null when it is not theirs to see, or there is none. */
async function getCacheHeaders(c: Context<ApiEnv>, key: string): Promise<Record<string, string> | null> {
  const db = c.get('db');
  const picture = await getPictureUsage(db, key);
  const openness = picture && getPictureVisibility(picture, Date.now());
  if (openness?.to === 'everybody') {
    return { 'cache-control': PUBLIC_CACHE_CONTROL, 'cache-tag': openness.tags.join(',') };
  }
  const caching = { 'cache-control': PRIVATE_CACHE_CONTROL };
  if (openness?.to === 'address') return caching;
  // What is not there is asked about as what is closed: how long an answer takes must not tell the one from the other.
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
