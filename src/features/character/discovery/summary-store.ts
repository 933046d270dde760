import { and, eq, isNotNull, isNull, lte, ne, sql } from 'drizzle-orm';
import { SUMMARY } from '../limits.ts';
import type { Database } from '../../../db/open.ts';
import { purgeCharacterDetailPagesStatement } from '../../page-cache/page-purge-statements.ts';
import { characters } from '../../../db/schema/core.ts';
import type { ModelType } from '../../model/contract.ts';
import { buildSearchWords } from './search-words-store.ts';
import type { SummarySource } from './summary.ts';

/** A character that waits for its summary, with its current texts. */
export interface PendingSummary extends SummarySource {
  id: string;
  modelType: ModelType;
  version: number;
  tries: number;
}

/**
 * Returns characters whose summary is due, longest waiting first.
 * @param only restricts the result to this character
 */
export async function listDueSummaries(
  db: Database,
  { now, limit, only }: { now: number; limit: number; only?: string },
): Promise<PendingSummary[]> {
  return db
    .select({
      id: characters.id,
      name: characters.name,
      oneliner: characters.oneliner,
      characterTraits: characters.characterTraits,
      firstMessage: characters.firstMessage,
      language: characters.language,
      modelType: characters.modelType,
      version: characters.version,
      tries: characters.summaryTries,
    })
    .from(characters)
    .where(
      and(
        lte(characters.summaryRetryAt, now),
        isNull(characters.deletedAt),
        ne(characters.moderation, 'removed'),
        only === undefined ? undefined : eq(characters.id, only),
      ),
    )
    .orderBy(characters.summaryRetryAt)
    .limit(limit);
}

/** Claims a summary; of concurrent callers, one succeeds. The next attempt is scheduled before this one begins. */
export async function claimSummary(
  db: Database,
  { id, version, tries, now }: { id: string; version: number; tries: number; now: number },
): Promise<boolean> {
  const taken = await db
    .update(characters)
    .set({
      summaryTries: tries + 1,
      summaryRetryAt: now + (SUMMARY.retryDelaysMs[tries] ?? SUMMARY.lastRetryDelayMs),
    })
    .where(
      and(
        eq(characters.id, id),
        eq(characters.version, version),
        eq(characters.summaryTries, tries),
        lte(characters.summaryRetryAt, now),
      ),
    )
    .returning({ id: characters.id });
  return taken.length > 0;
}

/**
 * Stores the summary that a model wrote for a version. Ignored for a character that was changed since, which waits for
 * its new summary, and for one that needs none any more because it became private or its creator was deleted. Null when
 * no summary could be generated: then the old one is removed, because it does not fit any more.
 * @returns whether it was stored
 */
export async function saveSummary(
  db: Database,
  { id, version, summary, now }: { id: string; version: number; summary: string | null; now: number },
): Promise<boolean> {
  const which = and(
    eq(characters.id, id),
    eq(characters.version, version),
    isNotNull(characters.summaryRetryAt),
  );
  const [, kept] = await db.batch([
    // Before the update, which makes the condition of both statements false.
    purgeCharacterDetailPagesStatement(db, and(which, sql`${characters.summary} is not ${summary}`), now),
    db
      .update(characters)
      .set({ summary, summaryGenerated: summary !== null, summaryRetryAt: null, summaryTries: 0 })
      .where(which)
      .returning({ id: characters.id }),
  ]);
  if (kept.length > 0) await buildSearchWords(db, [id]);
  return kept.length > 0;
}
