import { log } from '../lib/log.ts';
import { describeError } from '../lib/redact.ts';

/** Shared caches in front of the Worker: the platform's and, optionally, the operator's own. */

/** The platform's cache API of an entrypoint. */
export interface PlatformCache {
  purge(options: {
    tags: string[];
  }): Promise<{ success: boolean; errors: { code: number; message: string }[] }>;
}

/** The operator's own cache. It accepts the method `PURGE` with comma-separated tags in `Cache-Tag`. */
interface CustomCache {
  url: string;
  secret: string;
}

function logPurgeFailure(cache: string, detail: string): void {
  log('page_purge_failed', { cache, detail });
}

/**
 * Purges all pages with one of these tags from the platform's cache.
 * @returns false when the call was refused, such as for its rate, or failed
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

/** The same for the operator's own cache. */
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
