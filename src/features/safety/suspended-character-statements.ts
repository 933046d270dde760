import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../db/open.ts';
import { caseSteps, moderationActions } from '../../db/schema/safety.ts';
import { characters } from '../../db/schema/core.ts';

// A suspension hides the creator's visible characters, and its end restores only those: a character hidden for another
// reason stays hidden. Case steps of the suspension therefore record the ids of the hidden characters.

const HIDDEN_CHARACTERS_STEP = 'hid';

/** A `from` clause with the active suspensions of a user. */
const buildActiveSuspension = (userId: string | SQL): SQL =>
  sql`${moderationActions} as suspension where suspension.subject_id = ${userId} and suspension.kind = 'account_suspended' and suspension.revoked_at is null`;

/**
 * Records the characters that a suspension is about to hide. Must run before they are hidden.
 * @param of owner of the characters
 * @param suspension owner of the suspension, if it is not yet the same account
 * @param when condition evaluated in the write
 */
export function buildHiddenCharactersStatement(
  db: Database,
  { stepId, of, suspension = of, when = sql`1`, now }: HiddenCharactersInput,
) {
  return db.insert(caseSteps).select(
    sql`select ${stepId}, suspension.id, suspension.admin_id, ${HIDDEN_CHARACTERS_STEP},
      (select json_group_array(id) from ${characters} where creator_id = ${of} and moderation = 'shown'), ${now}
      from ${buildActiveSuspension(suspension)} and ${when} order by suspension.created_at desc limit 1`,
  );
}

interface HiddenCharactersInput {
  stepId: string;
  of: string | SQL;
  suspension?: string | SQL;
  when?: SQL;
  now: number;
}

/**
 * Records a character that the end of its creator's suspension must show; does nothing without a suspension.
 * @param when whether nothing else hides the character
 */
export function buildDeferredShowStatement(
  db: Database,
  { stepId, characterId, when, now }: { stepId: string; characterId: string; when: SQL; now: number },
) {
  return db.insert(caseSteps).select(
    sql`select ${stepId}, suspension.id, suspension.admin_id, ${HIDDEN_CHARACTERS_STEP}, json_array(${characters.id}), ${now}
      from ${characters} join ${buildActiveSuspension(sql`${characters.creatorId}`)} and ${characters.id} = ${characterId} and ${when} limit 1`,
  );
}

/** Whether a suspension of its creator hid a character. Use in a query over `characters`. */
export const buildHiddenBySuspensionCondition = (userId: string): SQL =>
  sql`${characters.id} in (select hid.value from ${moderationActions} as suspension
    join ${caseSteps} as step on step.case_id = suspension.id and step.step = ${HIDDEN_CHARACTERS_STEP}, json_each(step.note) as hid
    where suspension.subject_id = ${userId} and suspension.kind = 'account_suspended')`;

/** Whether the user has no active suspension. */
export const buildNoSuspensionCondition = (userId: string): SQL =>
  sql`not exists (select 1 from ${buildActiveSuspension(userId)})`;
