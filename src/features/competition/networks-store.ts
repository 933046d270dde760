import { sql } from 'drizzle-orm';
import { COMPETITION } from './limits.ts';
import type { Database } from '../../db/open.ts';

/** Progress of the clean-up; if it is lost, the clean-up starts over. */
const CURSOR_KEY = 'competition:networks';

/** In days. Chat counts need the networks of the day, and a chat may be answered on the day after it was begun. */
const KEPT_DAYS = 2;
const DAY_MS = 86_400_000;

/**
 * Clean-up: removes the networks of conversations older than two days whose character is in no undecided season, because
 * nothing else needs them. Each run checks more conversations in the order of their ids, and starts over at the end.
 * @returns whether the end was reached
 */
export async function clearNetworks(db: Database, kv: KVNamespace, now: number): Promise<boolean> {
  const after = (await kv.get(CURSOR_KEY).catch(() => null)) ?? '';
  const some = sql`select id from conversations where id > ${after} order by id limit ${COMPETITION.maxNetworksPerRun}`;
  const { last, rows } = await db.get<{ last: string | null; rows: number }>(
    sql`select max(id) as last, count(*) as rows from (${some})`,
  );
  if (last !== null)
    await db.run(
      sql`update conversations set network = null
          where id > ${after} and id <= ${last} and network is not null
            and max(created_at, ifnull(counted_at, 0)) < ${now - KEPT_DAYS * DAY_MS} and not exists (
            select 1 from characters cross join seasons
            where characters.id = conversations.character_id and seasons.status = 'open'
              and characters.created_at >= seasons.begins_at and characters.created_at < seasons.ends_at)`,
    );
  const isOver = rows < COMPETITION.maxNetworksPerRun;
  await (isOver ? kv.delete(CURSOR_KEY) : kv.put(CURSOR_KEY, last ?? ''));
  return isOver;
}
