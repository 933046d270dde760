import { and, eq, lt, type SQL, sql } from 'drizzle-orm';
import { SUSPENSION_RETENTION_MS } from './limits.ts';
import { createId } from '../../lib/ids.ts';
import type { Database } from '../../db/open.ts';
import { keptSuspensions, measures } from '../../db/schema/safety.ts';
import { characters, users } from '../../db/schema/core.ts';
import { purgeCharacterPagesStatement } from '../page-cache/page-purge-statements.ts';
import { buildHiddenCharactersStatement } from './suspended-character-statements.ts';

/*
 * A suspension would end by deleting the account and signing up anew. So the one that holds is kept when its account goes,
 * under hashes of what its owner comes in by, and goes on with the account that is made by one of them: as a measure of its
 * own, against which they may appeal. Once it is taken back, or its time is over, nothing of it is left here.
 */

/** A suspension goes by its first id, whatever accounts it has gone on with since. */
const FIRST_ID = sql`coalesce(goes_on_from, id)`;

const buildHashList = (marks: readonly string[]): SQL =>
  sql`(select value from json_each(${JSON.stringify(marks)}))`;

/**
 * Keeps the suspension that holds of somebody who goes: of several, the last. For the batch in which the account goes.
 * @param input.marks hashes of what they came in by (`suspension-mark.ts`) @param input.goes whether they go, as that batch asks it
 */
export function buildRetainSuspensionStatement(
  db: Database,
  { userId, marks, goes, now }: { userId: string; marks: readonly string[]; goes: SQL; now: number },
) {
  const kept = sql`select mark.value, held.first_id, held.reason, held.admin_id, held.created_at, ${now + SUSPENSION_RETENTION_MS}
    from (select ${FIRST_ID} as first_id, reason, admin_id, created_at from ${measures}
      where subject_id = ${userId} and kind = 'account_suspended' and ended_at is null
      order by created_at desc, id desc limit 1) as held, json_each(${JSON.stringify(marks)}) as mark
    where ${goes}`;
  return db
    .insert(keptSuspensions)
    .select(kept)
    .onConflictDoUpdate({
      target: keptSuspensions.hash,
      set: {
        suspensionId: sql`excluded.suspension_id`,
        reason: sql`excluded.reason`,
        adminId: sql`excluded.admin_id`,
        suspendedAt: sql`excluded.suspended_at`,
        keptUntil: sql`excluded.kept_until`,
      },
    });
}

/**
 * Has kept suspensions go on with an account, each once, as if staff suspended it: for the batch in which it is made, or
 * gets a new way in.
 * @param input.account its id, asked in the batch @param input.marks hashes of what its owner came in by
 */
export function buildReapplySuspensionsStatements(
  db: Database,
  { account, marks, now }: { account: SQL; marks: readonly string[]; now: number },
) {
  const ids = JSON.stringify(marks.map(() => createId(now)));
  const isReapplied = sql`exists (select 1 from ${measures} as begun where begun.id in (select value from json_each(${ids})))`;
  const shown = and(
    sql`${characters.creatorId} = ${account}`,
    eq(characters.moderation, 'shown'),
    isReapplied,
  );
  return [
    db.insert(measures).select(
      sql`select id.value, 'account_suspended', own.id, coalesce(own.nickname, own.username), own.id, kept.reason, null,
        kept.admin_id, kept.suspended_at, null, kept.suspension_id
        from (select *, row_number() over (order by suspension_id) - 1 as place from ${keptSuspensions}
          where hash in ${buildHashList(marks)} and kept_until > ${now} group by suspension_id) as kept
        join json_each(${ids}) as id on id.key = kept.place
        join ${users} as own on own.id = ${account}
        where not exists (select 1 from ${measures} as known
          where known.subject_id = own.id and known.goes_on_from = kept.suspension_id)`,
    ),
    buildHiddenCharactersStatement(db, { stepId: createId(now), of: account, when: isReapplied, now }),
    purgeCharacterPagesStatement(db, shown, now),
    db.update(characters).set({ moderation: 'hidden' }).where(shown),
    db
      .update(users)
      .set({ suspendedAt: sql`coalesce(${users.suspendedAt}, ${now})` })
      .where(and(sql`${users.id} = ${account}`, isReapplied)),
  ] as const;
}

/** Forgets what was kept of somebody's suspensions that ended; for the batch in which one is taken back. */
export function buildDropRetainedSuspensionsStatement(db: Database, userId: string) {
  return db.delete(keptSuspensions).where(
    sql`${keptSuspensions.suspensionId} in (select ${FIRST_ID} from ${measures}
      where subject_id = ${userId} and kind = 'account_suspended' and ended_at is not null)`,
  );
}

/** Forgets what was kept for as long as it is; run by cron. */
export async function removeExpiredSuspensions(db: Database, now: number): Promise<void> {
  await db.delete(keptSuspensions).where(lt(keptSuspensions.keptUntil, now));
}
