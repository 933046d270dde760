import { and, eq, isNotNull, isNull, lte, ne, sql } from 'drizzle-orm';
import { SUMMARY } from '../limits.ts';
import type { Database } from '../../../db/open.ts';
import { purgeCharacterDetailPagesStatement } from '../../page-cache/page-purge-statements.ts';
import { characters } from '../../../db/schema/core.ts';
import type { ModelType } from '../../model/contract.ts';
import { buildSearchWords } from './search-words-store.ts';
import type { SummarySource } from './summary.ts';

/** A character that waits for its summary, as its texts are now. */
export interface PendingSummary extends SummarySource {
  id: string;
  modelType: ModelType;
  version: number;
  tries: number;
}

/** Characters whose summary is due, who has waited longest first. @param only one that alone is meant */
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
        lte(characters.summaryTryAt, now),
        isNull(characters.deletedAt),
        ne(characters.moderation, 'removed'),
        only === undefined ? undefined : eq(characters.id, only),
      ),
    )
    .orderBy(characters.summaryTryAt)
    .limit(limit);
}

/** Takes one to write it: of several who would, one may, and the next try is set before this one begins. */
export async function claimSummary(
  db: Database,
  { id, version, tries, now }: { id: string; version: number; tries: number; now: number },
): Promise<boolean> {
  const taken = await db
    .update(characters)
    .set({
      summaryTries: tries + 1,
      summaryTryAt: now + (SUMMARY.retryDelaysMs[tries] ?? SUMMARY.lastRetryDelayMs),
    })
    .where(
      and(
        eq(characters.id, id),
        eq(characters.version, version),
        eq(characters.summaryTries, tries),
        lte(characters.summaryTryAt, now),
      ),
    )
    .returning({ id: characters.id });
  return taken.length > 0;
}

/**
 * Keeps what a model wrote of a version; a character that was changed meanwhile waits for its new one, and one that
 * became private, or whose maker has gone, wants none any more. Null when there is none to be had: what was told of the
 * character before does not fit any more either.
 * @returns whether it was kept
 */
export async function saveSummary(
  db: Database,
  { id, version, summary, now }: { id: string; version: number; summary: string | null; now: number },
): Promise<boolean> {
  const which = and(
    eq(characters.id, id),
    eq(characters.version, version),
    isNotNull(characters.summaryTryAt),
  );
  const [, kept] = await db.batch([
    // Before the summary, which makes what both ask untrue.
    purgeCharacterDetailPagesStatement(db, and(which, sql`${characters.summary} is not ${summary}`), now),
    db
      .update(characters)
      .set({ summary, summaryGenerated: summary !== null, summaryTryAt: null, summaryTries: 0 })
      .where(which)
      .returning({ id: characters.id }),
  ]);
  if (kept.length > 0) await buildSearchWords(db, [id]);
  return kept.length > 0;
}
