import { and, eq, lt, type SQL, sql } from 'drizzle-orm';
import { SUSPENSION_RETENTION_MS } from './limits.ts';
import { createId } from '../../lib/ids.ts';
import type { Database } from '../../db/open.ts';
import { retainedSuspensions, moderationActions } from '../../db/schema/safety.ts';
import { characters, users } from '../../db/schema/core.ts';
import { purgeCharacterPagesStatement } from '../page-cache/page-purge-statements.ts';
import { buildHiddenCharactersStatement } from './suspended-character-statements.ts';

// Prevents users from evading a suspension by deleting the account and signing up again. When a suspended account is
// deleted, the suspension is stored under hashes of the owner's login identities. It is applied to a new account with one
// of them as a separate moderation action, which can be appealed. It is deleted when it is revoked or expires.

/** The id of the original suspension, across all accounts it was applied to. */
const FIRST_ID = sql`coalesce(continued_from, id)`;

const buildHashList = (marks: readonly string[]): SQL =>
  sql`(select value from json_each(${JSON.stringify(marks)}))`;

/**
 * Retains the latest active suspension of an account. Put it into the batch that deletes the account.
 * @param input.marks hashes of the login identities (`suspension-fingerprint.ts`)
 * @param input.goes the batch's condition for the deletion
 */
export function buildRetainSuspensionStatement(
  db: Database,
  { userId, marks, goes, now }: { userId: string; marks: readonly string[]; goes: SQL; now: number },
) {
  const kept = sql`select mark.value, held.first_id, held.reason, held.admin_id, held.created_at, ${now + SUSPENSION_RETENTION_MS}
    from (select ${FIRST_ID} as first_id, reason, admin_id, created_at from ${moderationActions}
      where subject_id = ${userId} and kind = 'account_suspended' and revoked_at is null
      order by created_at desc, id desc limit 1) as held, json_each(${JSON.stringify(marks)}) as mark
    where ${goes}`;
  return db
    .insert(retainedSuspensions)
    .select(kept)
    .onConflictDoUpdate({
      target: retainedSuspensions.hash,
      set: {
        suspensionId: sql`excluded.suspension_id`,
        reason: sql`excluded.reason`,
        adminId: sql`excluded.admin_id`,
        suspendedAt: sql`excluded.suspended_at`,
        retainedUntil: sql`excluded.retained_until`,
      },
    });
}

/**
 * Applies retained suspensions to an account, each once, as if staff had suspended it. Put it into the batch that creates
 * the account or adds a login identity.
 * @param input.account the account id, evaluated in the batch
 * @param input.marks hashes of the login identities
 */
export function buildReapplySuspensionsStatements(
  db: Database,
  { account, marks, now }: { account: SQL; marks: readonly string[]; now: number },
) {
  const ids = JSON.stringify(marks.map(() => createId(now)));
  const isReapplied = sql`exists (select 1 from ${moderationActions} as begun where begun.id in (select value from json_each(${ids})))`;
  const shown = and(
    sql`${characters.creatorId} = ${account}`,
    eq(characters.moderation, 'shown'),
    isReapplied,
  );
  return [
    db.insert(moderationActions).select(
      sql`select id.value, 'account_suspended', own.id, coalesce(own.nickname, own.username), own.id, kept.reason, null,
        kept.admin_id, kept.suspended_at, null, kept.suspension_id
        from (select *, row_number() over (order by suspension_id) - 1 as place from ${retainedSuspensions}
          where hash in ${buildHashList(marks)} and retained_until > ${now} group by suspension_id) as kept
        join json_each(${ids}) as id on id.key = kept.place
        join ${users} as own on own.id = ${account}
        where not exists (select 1 from ${moderationActions} as known
          where known.subject_id = own.id and known.continued_from = kept.suspension_id)`,
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

/** Deletes a user's retained suspensions that have ended. Put it into the batch that revokes a suspension. */
export function buildDropRetainedSuspensionsStatement(db: Database, userId: string) {
  return db.delete(retainedSuspensions).where(
    sql`${retainedSuspensions.suspensionId} in (select ${FIRST_ID} from ${moderationActions}
      where subject_id = ${userId} and kind = 'account_suspended' and revoked_at is not null)`,
  );
}

/** Deletes expired retained suspensions; run by cron. */
export async function removeExpiredSuspensions(db: Database, now: number): Promise<void> {
  await db.delete(retainedSuspensions).where(lt(retainedSuspensions.retainedUntil, now));
}
