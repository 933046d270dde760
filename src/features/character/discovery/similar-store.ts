import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../../db/open.ts';
import { characterListings } from '../../../db/schema/character.ts';
import { characters, characterTags, users } from '../../../db/schema/core.ts';
import {
  cardColumns,
  isListedFor,
  selectCharacter,
  toCard,
  toCharacter,
  type Viewer,
} from '../character-store.ts';
import type { CharacterCard, CharacterDetail } from '../contract.ts';
import { LISTINGS } from '../limits.ts';

/**
 * Selects the characters most similar to one: of the most popular ones of each of its tags, those that share most tags,
 * never the character itself.
 */
function selectSimilar(id: string, viewer: Viewer, limit: number): SQL {
  const { tag, nsfw, chatCount, characterId } = characterListings;
  const side = (
    isAdult: 0 | 1,
  ) => sql`select * from (select ${characterId} as id, ${chatCount} as chats from ${characterListings}
    where ${tag} = ${characterTags.tag} and ${nsfw} = ${sql.raw(String(isAdult))}
    order by ${chatCount} desc, ${characterId} desc limit ${LISTINGS.similarCandidatesPerTag})`;
  const popular = viewer.spicy ? sql`${side(0)} union all ${side(1)}` : side(0);
  // One list of JSON for each tag, so that the database reads only the head of the tag's index.
  return sql`select json_extract(near.value, '$[0]') as id, count(*) as shared, max(json_extract(near.value, '$[1]')) as chats
    from ${characterTags}, json_each((select json_group_array(json_array(id, chats)) from (${popular}))) as near
    where ${characterTags.characterId} = ${id} and json_extract(near.value, '$[0]') <> ${id}
    group by 1 order by shared desc, chats desc, id desc limit ${limit}`;
}

/**
 * Returns a character with similar ones, most similar first, in one call of the database. A character without tags has
 * none.
 * @param staffEmails addresses of the staff, whose names get a badge
 * @returns null when the viewer may not see a character with this id
 */
export async function getCharacterWithSimilar(
  db: Database,
  id: string,
  viewer: Viewer,
  limit: number,
  staffEmails: readonly string[] = [],
): Promise<{ character: CharacterDetail; similar: CharacterCard[] } | null> {
  const [[row], similar] = await db.batch([
    selectCharacter(db, id, viewer, staffEmails),
    db
      .select(cardColumns)
      .from(sql`(${selectSimilar(id, viewer, limit)}) as page`)
      .crossJoin(characters)
      .crossJoin(users)
      .where(and(sql`${characters.id} = page.id`, eq(users.id, characters.creatorId), isListedFor(viewer)))
      .orderBy(sql`page.shared desc, page.chats desc, page.id desc`),
  ]);
  return row === undefined ? null : { character: toCharacter(row), similar: similar.map(toCard) };
}
