import { sql } from 'drizzle-orm';
import { COMPETITION } from './limits.ts';
import type { Database } from '../../db/open.ts';

/** Progress of the clean-up; if it is lost, the clean-up starts over. */
const CURSOR_KEY = 'competition:networks';

/**
 * Clean-up: removes the networks of conversations whose character is in no undecided season, because nothing else needs
 * them. Each run checks more conversations in the order of their ids, and starts over at the end.
 * @returns whether the end was reached
 */
export async function clearNetworks(db: Database, kv: KVNamespace): Promise<boolean> {
  const after = (await kv.get(CURSOR_KEY).catch(() => null)) ?? '';
  const some = sql`select id from conversations where id > ${after} order by id limit ${COMPETITION.maxNetworksPerRun}`;
  const { last, rows } = await db.get<{ last: string | null; rows: number }>(
    sql`select max(id) as last, count(*) as rows from (${some})`,
  );
  if (last !== null)
    await db.run(
      sql`update conversations set network = null
          where id > ${after} and id <= ${last} and network is not null and not exists (
            select 1 from characters cross join seasons
            where characters.id = conversations.character_id and seasons.status = 'open'
              and characters.created_at >= seasons.begins_at and characters.created_at < seasons.ends_at)`,
    );
  const isOver = rows < COMPETITION.maxNetworksPerRun;
  await (isOver ? kv.delete(CURSOR_KEY) : kv.put(CURSOR_KEY, last ?? ''));
  return isOver;
}
