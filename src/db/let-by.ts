import { type SQL, sql } from 'drizzle-orm';
import { appeals } from './safety-schema.ts';
import type { Database } from './open.ts';

/** A text that a rule is about to refuse to somebody. `texts`: it, as it may have been kept. */
export interface AboutToRefuse {
  userId: string;
  places: readonly string[];
  rule: string;
  texts: readonly string[];
}

/** How many of somebody's appeals are looked through, the latest first. */
const LOOKED_THROUGH = 500;

/** Whether staff granted an appeal of theirs against this rule refusing this text there. */
export const letByAsked = ({ userId, places, rule, texts }: AboutToRefuse): SQL => sql`
  select 1 as granted from (
    select status, place, rule, refused_text from ${appeals}
    where user_id = ${userId} order by created_at desc limit ${LOOKED_THROUGH})
  where status = 'granted' and rule = ${rule}
    and place in (select value from json_each(${JSON.stringify(places)}))
    and refused_text in (select value from json_each(${JSON.stringify(texts)}))
  limit 1`;

/** @returns false also where that cannot be found out: the rule holds */
export async function isLetBy(db: Database, asked: AboutToRefuse): Promise<boolean> {
  if (asked.texts.length === 0) return false;
  try {
    return (await db.get<unknown>(letByAsked(asked))) !== undefined;
  } catch {
    console.error(JSON.stringify({ event: 'granted_appeals_unread' }));
    return false;
  }
}
