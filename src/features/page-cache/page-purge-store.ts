import { and, asc, gte, lte, ne, sql } from 'drizzle-orm';
import { PAGE_PURGES } from './limits.ts';
import { cachePurgeQueue } from '../../db/schema/character.ts';
import type { Database } from '../../db/open.ts';

/**
 * Not a tag: this row holds the rate limit. Its `retryAt` is the time when the last call made so far would have been due.
 */
const CALL_BUDGET_TAG = '';

/** A claimed tag and its change count at that moment. */
interface StaleTag {
  tag: string;
  changes: number;
}

/** Whether any tag is due for purging. */
export async function hasStaleTags(db: Database, now: number): Promise<boolean> {
  const row = await db
    .select({ tag: cachePurgeQueue.tag })
    .from(cachePurgeQueue)
    .where(and(lte(cachePurgeQueue.retryAt, now), ne(cachePurgeQueue.tag, CALL_BUDGET_TAG)))
    .limit(1)
    .get();
  return row !== undefined;
}

/**
 * Takes one call from the platform's purge budget. Concurrent callers cannot exceed it.
 * @returns false when no call is available now
 */
export async function acquirePurgeCall(db: Database, now: number): Promise<boolean> {
  const { callIntervalMs: callEveryMs, maxSavedCalls: callsSaved } = PAGE_PURGES;
  const latest = now + (callsSaved - 1) * callEveryMs;
  const taken = await db
    .insert(cachePurgeQueue)
    .values({ tag: CALL_BUDGET_TAG, changes: 0, retryAt: now + callEveryMs, tries: 0 })
    .onConflictDoUpdate({
      target: cachePurgeQueue.tag,
      set: { retryAt: sql`max(${cachePurgeQueue.retryAt}, ${now}) + ${callEveryMs}` },
      setWhere: lte(cachePurgeQueue.retryAt, latest),
    })
    .returning({ tag: cachePurgeQueue.tag });
  return taken.length > 0;
}

/** Claims the due tags, up to one call's maximum. Claimed tags are hidden from other runs until their next retry. */
export async function claimStaleTags(db: Database, now: number): Promise<StaleTag[]> {
  const {
    maxTagsPerCall: tagsPerCall,
    firstRetryDelayMs: firstPauseMs,
    maxRetryDelayMs: maxPauseMs,
  } = PAGE_PURGES;
  const due = db
    .select({ tag: cachePurgeQueue.tag })
    .from(cachePurgeQueue)
    .where(and(lte(cachePurgeQueue.retryAt, now), ne(cachePurgeQueue.tag, CALL_BUDGET_TAG)))
    .orderBy(asc(cachePurgeQueue.retryAt))
    .limit(tagsPerCall);
  return db
    .update(cachePurgeQueue)
    .set({
      retryAt: sql`${now} + min(${firstPauseMs} << min(${cachePurgeQueue.tries}, 16), ${maxPauseMs})`,
      tries: sql`${cachePurgeQueue.tries} + 1`,
    })
    .where(sql`${cachePurgeQueue.tag} in ${due}`)
    .returning({ tag: cachePurgeQueue.tag, changes: cachePurgeQueue.changes });
}

/** Deletes purged tags, except those that changed again after they were claimed. */
export async function deletePurgedTags(db: Database, purged: readonly StaleTag[]): Promise<void> {
  const pairs = JSON.stringify(purged.map(({ tag, changes }) => [tag, changes]));
  await db.delete(cachePurgeQueue).where(
    sql`(${cachePurgeQueue.tag}, ${cachePurgeQueue.changes}) in
        (select json_extract(value, '$[0]'), json_extract(value, '$[1]') from json_each(${pairs}))`,
  );
}

/** Deletes tags that used up their attempts. @returns how many */
export async function expireStaleTags(db: Database, now: number): Promise<number> {
  const expired = await db
    .delete(cachePurgeQueue)
    .where(and(gte(cachePurgeQueue.tries, PAGE_PURGES.maxAttempts), lte(cachePurgeQueue.retryAt, now)))
    .returning({ tag: cachePurgeQueue.tag });
  return expired.length;
}

/** Deletes all due tags, for sites without a shared cache. */
export async function deleteDueTags(db: Database, now: number): Promise<void> {
  await db
    .delete(cachePurgeQueue)
    .where(and(lte(cachePurgeQueue.retryAt, now), ne(cachePurgeQueue.tag, CALL_BUDGET_TAG)));
}
