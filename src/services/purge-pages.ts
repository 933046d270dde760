import { PAGE_PURGES } from '../features/page-cache/limits.ts';
import type { Database } from '../db/open.ts';
import { readEnvironment } from '../env/read-environment.ts';
import {
  anyStale,
  forgetStale,
  giveUpStale,
  settleStale,
  takeCall,
  takeStale,
} from '../features/page-cache/page-purge-store.ts';
import { log } from '../lib/log.ts';
import { describeError } from '../lib/redact.ts';
import { type PlatformCache, purgeOwn, purgePlatform } from '../vendors/page-cache.ts';
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
function platformCaches(invocation: Invocation): ((tags: readonly string[]) => Promise<boolean>)[] {
  const { cache, exports } = invocation;
  if (typeof cache?.purge !== 'function') return [];
  const makers = exports?.CreatorPages;
  return [
    (tags) => purgePlatform(cache as PlatformCache, tags),
    ...(makers ? [(tags: readonly string[]) => makers.forget([...tags])] : []),
  ];
}

/**
 * Tells shared caches what public pages are out of date, all that waits in as few calls as possible. Harmless to repeat
 * and to run beside itself; what fails is tried again later, longer each time.
 * @param invocation of the entrypoint whose pages are meant: a cache is told by that one alone
 */
export async function sendPagePurges(
  env: Env,
  db: Database,
  { invocation, now }: { invocation: object; now: number },
): Promise<void> {
  if (!(await anyStale(db, now))) return;
  const { cachePurge: own } = readEnvironment(env);
  const platform = platformCaches(invocation as Invocation);
  if (own === undefined && platform.length === 0) return forgetStale(db, now);
  const given = await giveUpStale(db, now);
  if (given > 0) log('page_purges_given_up', { tags: given });
  // As many rounds as there can be calls: each takes tags that nobody else has.
  for (let round = 0; round < PAGE_PURGES.callsSaved; round += 1) {
    for (let call = 0; call < platform.length; call += 1) if (!(await takeCall(db, now))) return;
    const taken = await takeStale(db, now);
    if (taken.length === 0) return;
    const tags = taken.map(({ tag }) => tag);
    const told = await Promise.all([
      ...platform.map((purge) => purge(tags)),
      ...(own === undefined ? [] : [purgeOwn(own, tags, PAGE_PURGES.timeoutMs)]),
    ]);
    if (!told.every(Boolean)) return;
    await settleStale(db, taken);
    if (taken.length < PAGE_PURGES.tagsPerCall) return;
  }
}

function tellTrouble(error: unknown): void {
  log('page_purges_wait', { message: describeError(error) });
}

/** The same without keeping anybody waiting. */
export function sendPagePurgesSoon({ env, db, execution }: ServiceContext): void {
  const sending = sendPagePurges(env, db, { invocation: execution, now: Date.now() });
  execution.waitUntil(sending.catch(tellTrouble));
}
