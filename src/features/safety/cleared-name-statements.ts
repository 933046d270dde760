import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../db/open.ts';
import { REMOVED_CONTENT_STEP } from './removed-picture-statements.ts';
import { caseSteps, moderationActions } from '../../db/schema/safety.ts';

/** The placeholder for a cleared name. */
export const buildClearedName = (kind: 'character' | 'reader', id: string): string =>
  `${kind}-${id.slice(-6)}`;

const buildActiveClearingCondition = (subjectId: string) =>
  and(
    eq(moderationActions.subjectId, subjectId),
    eq(moderationActions.kind, 'name_cleared'),
    isNull(moderationActions.revokedAt),
  );

/** Names that staff cleared and did not restore. */
export interface ClearedNames {
  /** Ignores case, whitespace and punctuation. */
  has(name: string | null | undefined): boolean;
  /** Condition for the write that sets a name: nothing was cleared or restored since this read. */
  unchanged: SQL;
}

/** Reads the cleared names of a character or an account. */
export async function readClearedNames(db: Database, subjectId: string): Promise<ClearedNames> {
  const rows = await db
    .select({ ownerId: moderationActions.ownerId, note: caseSteps.note })
    .from(moderationActions)
    .leftJoin(
      caseSteps,
      and(eq(caseSteps.caseId, moderationActions.id), eq(caseSteps.step, REMOVED_CONTENT_STEP)),
    )
    .where(buildActiveClearingCondition(subjectId));
  const names = rows.flatMap(({ ownerId, note }) => {
    if (note === null) return [];
    // An account has two names, noted as JSON by the moderation action.
    return ownerId === subjectId ? Object.values(JSON.parse(note) as Record<string, string | null>) : [note];
  });
  const own = buildClearedName('reader', subjectId);
  const taken = new Set(
    names.flatMap((name) => (name === null || name === own ? [] : normalizeClearedName(name))),
  );
  return {
    has: (name) => name != null && taken.has(normalizeClearedName(name)),
    unchanged: sql`(select count(*) from ${moderationActions} where ${buildActiveClearingCondition(subjectId)}) = ${rows.length}`,
  };
}

function normalizeClearedName(name: string): string {
  const plain = name.normalize('NFKC').toLowerCase();
  const signs = plain.replace(/[\s\p{P}\p{Cf}]/gu, '');
  return signs === '' ? plain.trim() : signs;
}
