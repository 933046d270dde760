import { log } from '../lib/log.ts';
import { describeError } from '../lib/redact.ts';

/** Shared caches in front of the Worker: the platform's, and what an operator put there instead. */

/** What the platform's cache of an entrypoint can be told. */
export interface PlatformCache {
  purge(options: {
    tags: string[];
  }): Promise<{ success: boolean; errors: { code: number; message: string }[] }>;
}

/** A cache of the operator's own: it takes `PURGE` with the tags in `Cache-Tag`, separated by commas. */
interface CustomCache {
  url: string;
  secret: string;
}

function logPurgeFailure(cache: string, detail: string): void {
  log('page_purge_failed', { cache, detail });
}

/**
 * Has the platform's cache forget every page that carries one of these tags.
 * @returns false when it refused, or could not be asked: a call too many is refused, too
 */
export async function purgePlatformCache(cache: PlatformCache, tags: readonly string[]): Promise<boolean> {
  try {
    const { success, errors } = await cache.purge({ tags: [...tags] });
    if (!success)
      logPurgeFailure('platform', errors.map(({ code, message }) => `${code} ${message}`).join('; '));
    return success;
  } catch (error) {
    logPurgeFailure('platform', describeError(error));
    return false;
  }
}

/** The same for a cache of the operator's own. */
export async function purgeCustomCache(
  { url, secret }: CustomCache,
  tags: readonly string[],
  timeoutMs: number,
): Promise<boolean> {
  try {
    const answer = await fetch(url, {
      method: 'PURGE',
      headers: { 'cache-tag': tags.join(','), authorization: `Bearer ${secret}` },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    await answer.body?.cancel();
    if (!answer.ok) logPurgeFailure('own', `status ${answer.status}`);
    return answer.ok;
  } catch (error) {
    logPurgeFailure('own', describeError(error));
    return false;
  }
}
