import { PAGE_PURGES } from '../features/page-cache/limits.ts';
import type { Database } from '../db/open.ts';
import { readEnvironment } from '../env/read-environment.ts';
import {
  hasStaleTags,
  deleteDueTags,
  expireStaleTags,
  deletePurgedTags,
  acquirePurgeCall,
  claimStaleTags,
} from '../features/page-cache/page-purge-store.ts';
import { log } from '../lib/log.ts';
import { describeError } from '../lib/redact.ts';
import { type PlatformCache, purgeCustomCache, purgePlatformCache } from '../vendors/page-cache.ts';
import type { ServiceContext } from './context.ts';

/** The parts of an execution context that reach the platform's caches; absent where the platform has none. */
interface Invocation {
  cache?: Partial<PlatformCache> | undefined;
  exports?: { CreatorPages?: { forget(tags: string[]): Promise<boolean> } } | undefined;
}

/**
 * Lists the platform's caches. Each entrypoint with pages has its own: the main one, and that of creator pages, whose
 * addresses contain no language.
 */
function listPlatformCaches(invocation: Invocation): ((tags: readonly string[]) => Promise<boolean>)[] {
  const { cache, exports } = invocation;
  if (typeof cache?.purge !== 'function') return [];
  const creatorPages = exports?.CreatorPages;
  return [
    (tags) => purgePlatformCache(cache as PlatformCache, tags),
    ...(creatorPages ? [(tags: readonly string[]) => creatorPages.forget([...tags])] : []),
  ];
}

/**
 * Purges stale pages from shared caches, in as few calls as possible. Safe to repeat and to run concurrently. A failed
 * purge is retried with growing delays.
 * @param invocation execution context of the entrypoint that serves the pages: only it can purge its cache
 */
export async function purgePages(
  env: Env,
  db: Database,
  { invocation, now }: { invocation: object; now: number },
): Promise<void> {
  if (!(await hasStaleTags(db, now))) return;
  const { cachePurge: own } = readEnvironment(env);
  const platform = listPlatformCaches(invocation as Invocation);
  if (own === undefined && platform.length === 0) return deleteDueTags(db, now);
  const abandonedCount = await expireStaleTags(db, now);
  if (abandonedCount > 0) log('page_purges_abandoned', { tags: abandonedCount });
  // At most as many rounds as calls are available. Each round claims tags that no concurrent run has.
  for (let round = 0; round < PAGE_PURGES.maxSavedCalls; round += 1) {
    for (let call = 0; call < platform.length; call += 1) if (!(await acquirePurgeCall(db, now))) return;
    const batch = await claimStaleTags(db, now);
    if (batch.length === 0) return;
    const tags = batch.map(({ tag }) => tag);
    const results = await Promise.all([
      ...platform.map((purge) => purge(tags)),
      ...(own === undefined ? [] : [purgeCustomCache(own, tags, PAGE_PURGES.timeoutMs)]),
    ]);
    if (!results.every(Boolean)) return;
    await deletePurgedTags(db, batch);
    if (batch.length < PAGE_PURGES.maxTagsPerCall) return;
  }
}

function logPurgeError(error: unknown): void {
  log('page_purges_deferred', { message: describeError(error) });
}

/** Purges stale pages after the response. */
export function schedulePagePurge({ env, db, execution }: ServiceContext): void {
  const sending = purgePages(env, db, { invocation: execution, now: Date.now() });
  execution.waitUntil(sending.catch(logPurgeError));
}
