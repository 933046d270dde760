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

/** What of an invocation leads to the platform's caches; where it has none, there is none of it. */
interface Invocation {
  cache?: Partial<PlatformCache> | undefined;
  exports?: { CreatorPages?: { forget(tags: string[]): Promise<boolean> } } | undefined;
}

/**
 * The platform's caches, one for each entrypoint that has pages: its own, and that of the makers' pages, which have their
 * language in no address.
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
 * Tells shared caches what public pages are out of date, all that waits in as few calls as possible. Harmless to repeat
 * and to run beside itself; what fails is tried again later, longer each time.
 * @param invocation of the entrypoint whose pages are meant: a cache is told by that one alone
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
  if (abandonedCount > 0) log('page_purges_given_up', { tags: abandonedCount });
  // As many rounds as there can be calls: each takes tags that nobody else has.
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
  log('page_purges_wait', { message: describeError(error) });
}

/** The same without keeping anybody waiting. */
export function schedulePagePurge({ env, db, execution }: ServiceContext): void {
  const sending = purgePages(env, db, { invocation: execution, now: Date.now() });
  execution.waitUntil(sending.catch(logPurgeError));
}
