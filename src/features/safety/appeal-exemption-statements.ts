import { type SQL, sql } from 'drizzle-orm';
import { appeals, caseSteps } from '../../db/schema/safety.ts';
import type { Database } from '../../db/open.ts';
import { log } from '../../lib/log.ts';

/** The step of an appeal's case that keeps what its text was refused beside, as JSON. */
export const EVIDENCE_STEP = 'beside';

/** A text that a rule is about to refuse to somebody. `texts`: it, as it may have been kept. */
export interface RefusalCandidate {
  userId: string;
  places: readonly string[];
  rule: string;
  texts: readonly string[];
  /** Hashes of the texts that it is made of, where they stand apart. */
  parts: readonly string[];
  /** Hashes of what it would be refused beside. */
  beside: readonly string[];
}

/** How many of somebody's appeals are looked through, the latest first. */
const MAX_APPEALS_SCANNED = 500;

const toSqlList = (list: readonly string[]) => sql`(select value from json_each(${JSON.stringify(list)}))`;

/**
 * Whether staff granted an appeal of theirs against this rule refusing this text there, beside nothing that staff did not
 * read with it. What was appealed against before there was such a step was refused beside nothing that is known.
 */
export const buildExemptionQuery = ({
  userId,
  places,
  rule,
  texts,
  parts,
  beside,
}: RefusalCandidate): SQL => {
  const read = sql`(select value from json_each(coalesce(kept.note, '{"read":[]}'), '$.read'))`;
  const unread = (hashes: readonly string[]) =>
    sql`exists (select 1 from json_each(${JSON.stringify(hashes)}) where value not in ${read})`;
  const inParts = parts.length === 0 ? sql`false` : sql`not ${unread(parts)}`;
  return sql`
  select 1 as granted from (
    select id, status, place, rule, refused_text from ${appeals}
    where user_id = ${userId} order by created_at desc limit ${MAX_APPEALS_SCANNED}) as said
  left join ${caseSteps} as kept on kept.case_id = said.id and kept.step = ${EVIDENCE_STEP}
  where said.status = 'granted' and said.rule = ${rule}
    and said.place in ${toSqlList(places)}
    and (said.refused_text in ${toSqlList(texts)} or ${inParts})
    and not ${unread(beside)}
  limit 1`;
};

/** @returns false also where that cannot be found out: the rule holds */
export async function isExempt(db: Database, candidate: RefusalCandidate): Promise<boolean> {
  if (candidate.texts.length === 0) return false;
  try {
    return (await db.get<unknown>(buildExemptionQuery(candidate))) !== undefined;
  } catch {
    log('granted_appeals_unread');
    return false;
  }
}
