import { and, desc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../db/open.ts';
import { characters, conversations } from '../../db/schema/core.ts';
import { sanitizeText } from '../../lib/sanitize-text.ts';
import { getPortraitUrl } from '../character/portrait.ts';
import type { PersonaCharacters } from './contract.ts';

/** The user's newest conversations whose characters are offered. */
const MAX_CONVERSATIONS = 1000;
/** Characters of one answer, in which the client searches. */
export const MAX_PERSONA_CHARACTERS = 300;

/**
 * Lists the characters that a persona of the user can belong to, most recently used first: their own, and those that they
 * chatted with and can still open.
 * @param input.opens condition for the characters that the user can open (`isVisibleTo` of character-store.ts)
 */
export async function listPersonaCharacters(
  db: Database,
  { ownerId, opens }: { ownerId: string; opens: SQL },
): Promise<PersonaCharacters> {
  const chatted = db
    .select({ characterId: conversations.characterId, usedId: conversations.id })
    .from(conversations)
    .where(
      and(
        eq(conversations.ownerId, ownerId),
        eq(conversations.isBegun, true),
        isNull(conversations.deletedAt),
      ),
    )
    .orderBy(desc(conversations.id))
    .limit(MAX_CONVERSATIONS);
  const made = db
    .select({ characterId: characters.id, usedId: characters.id })
    .from(characters)
    .where(and(eq(characters.creatorId, ownerId), isNull(characters.deletedAt)))
    .orderBy(desc(characters.createdAt))
    .limit(MAX_PERSONA_CHARACTERS);
  // Ids sort by creation time. The cross join fixes the join order.
  const rows = await db
    .select({ id: characters.id, name: characters.name, avatarKey: characters.avatarKey })
    .from(
      sql`(select character_id, max(used_id) as used_id from
        (select character_id, id as used_id from ${chatted} union all select id, id from ${made}) group by character_id) as used`,
    )
    .crossJoin(characters)
    .where(and(sql`${characters.id} = used.character_id`, opens))
    .orderBy(sql`used.used_id desc`)
    .limit(MAX_PERSONA_CHARACTERS);
  return {
    items: rows.map(({ id, name, avatarKey }) => ({
      id,
      name: sanitizeText(name),
      avatar_url: getPortraitUrl(avatarKey),
    })),
  };
}
