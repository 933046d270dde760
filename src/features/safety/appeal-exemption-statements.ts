import { type SQL, sql } from 'drizzle-orm';
import { appeals, caseSteps } from '../../db/schema/safety.ts';
import type { Database } from '../../db/open.ts';
import { log } from '../../lib/log.ts';

/** The case step that stores, as JSON, the evidence an appealed text was refused with (see evidence.ts). */
export const EVIDENCE_STEP = 'beside';

/** A text that a rule is about to refuse. `texts`: its forms as an appeal may have stored it. */
export interface RefusalCandidate {
  userId: string;
  places: readonly string[];
  rule: string;
  texts: readonly string[];
  /** Hashes of the parts of the text, if it consists of several. */
  parts: readonly string[];
  /** Hashes of the passages that it would be refused with. */
  beside: readonly string[];
}

/** Appeals examined per user, newest first. */
const MAX_APPEALS_SCANNED = 500;

const toSqlList = (list: readonly string[]) => sql`(select value from json_each(${JSON.stringify(list)}))`;

/**
 * Whether staff granted an appeal by this user against this rule for the same text and place, and had read every passage
 * that the text would be refused with now. Appeals from before the evidence step existed count as without evidence.
 */
export const buildExemptionQuery = ({
  userId,
  places,
  rule,
  texts,
  parts,
  beside: evidence,
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
    and not ${unread(evidence)}
  limit 1`;
};

/** @returns false also when the query fails, so that the rule applies */
export async function isExempt(db: Database, candidate: RefusalCandidate): Promise<boolean> {
  if (candidate.texts.length === 0) return false;
  try {
    return (await db.get<unknown>(buildExemptionQuery(candidate))) !== undefined;
  } catch {
    log('granted_appeals_read_failed');
    return false;
  }
}
