import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../db/open.ts';
import { characterFreeTags, characters } from '../../db/schema/core.ts';

/** The free tags of the selected character as a JSON list, in the creator's order. */
export const freeTagsColumn = sql<string>`(select json_group_array(${characterFreeTags.tag}) from ${characterFreeTags} where ${characterFreeTags.characterId} = ${characters.id})`;

/** Statement that adds free tags to a character. */
export function insertFreeTagsStatement(db: Database, id: string, tags: readonly string[], when: SQL) {
  return db
    .insert(characterFreeTags)
    .select(sql`select value, ${id} from json_each(${JSON.stringify(tags)}) where ${when}`)
    .onConflictDoNothing();
}
