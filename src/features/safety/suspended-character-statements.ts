import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../db/open.ts';
import { caseSteps, measures } from '../../db/schema/safety.ts';
import { characters } from '../../db/schema/core.ts';

/*
 * A suspension hides what its maker has shown, and its end shows that and nothing else: a character that was hidden
 * before any measure was written down stays hidden. So what is hidden is noted, as ids, by steps of the suspension.
 */

const HIDDEN_CHARACTERS_STEP = 'hid';

/** Suspensions of somebody that hold, as rows to select from. */
const buildActiveSuspension = (userId: string | SQL): SQL =>
  sql`${measures} as suspension where suspension.subject_id = ${userId} and suspension.kind = 'account_suspended' and suspension.ended_at is null`;

/**
 * Notes what a suspension is about to hide; to be written before anything is hidden.
 * @param of whose characters @param suspension of whom it is, where it is not theirs yet @param when asked in the write
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
 * Notes that a character is to be shown once its maker's suspension ends; nothing where there is none.
 * @param when whether nothing else keeps it hidden
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

/** Whether a character is one that a suspension of its maker hid. To be asked beside a row of `characters`. */
export const buildHiddenBySuspensionCondition = (userId: string): SQL =>
  sql`${characters.id} in (select hid.value from ${measures} as suspension
    join ${caseSteps} as step on step.case_id = suspension.id and step.step = ${HIDDEN_CHARACTERS_STEP}, json_each(step.note) as hid
    where suspension.subject_id = ${userId} and suspension.kind = 'account_suspended')`;

/** Whether no suspension of somebody holds. */
export const buildNoSuspensionCondition = (userId: string): SQL =>
  sql`not exists (select 1 from ${buildActiveSuspension(userId)})`;
