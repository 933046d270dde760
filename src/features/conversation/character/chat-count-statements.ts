import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../../db/open.ts';
import { conversations } from '../../../db/schema/core.ts';
import { buildPersonKey } from '../../account/person-statements.ts';
import { CHAT_COUNT } from '../limits.ts';

/*
 * The chat count of a character: how many conversations have `counted_at`, and those that had it when they were deleted
 * later than `withdrawnUnderMs`. Triggers add and subtract (migrations), so that these statements only set the column.
 */

const DAY_MS = 86_400_000;

/** The chats of the character and day of the conversation that the statement is about; the index `conversations_counted`. */
const countedThatDay = (day: number): SQL =>
  sql`others.character_id = ${conversations.characterId} and others.counted_at / 86400000 = ${day} and others.counted_at is not null`;

/**
 * Counts a chat for its character, unless it is in the trash or counts already. One statement checks and counts, so that
 * many at once count like one after the other. A chat counts if, on the UTC day of its first completed reply,
 * - its user is not the character's creator, under any address of their mailbox,
 * - no other chat of the same account or guest with the character counts,
 * - and no more than {@link CHAT_COUNT} others from its network. All conversations of unknown networks share one.
 * @param input.completedAt in ms since 1970
 */
export function buildChatCountStatement(
  db: Database,
  { id, completedAt }: { id: string; completedAt: number },
) {
  const day = Math.floor(completedAt / DAY_MS);
  // The first half of a network's hash identifies the wider network (network-fingerprint.ts).
  const wider = sql`substr(${conversations.network}, 1, 8)`;
  return db
    .update(conversations)
    .set({ countedAt: completedAt })
    .where(
      and(
        eq(conversations.id, id),
        isNull(conversations.countedAt),
        isNull(conversations.deletedAt),
        sql`exists (select 1 from characters cross join users maker cross join users reader
          where characters.id = ${conversations.characterId} and maker.id = characters.creator_id
            and reader.id = ${conversations.ownerId} and ${buildPersonKey('reader')} <> ${buildPersonKey('maker')})`,
        // The sign keeps this on the index of the user's own conversations with the character.
        sql`not exists (select 1 from conversations others where others.character_id = ${conversations.characterId}
          and others.owner_id = ${conversations.ownerId} and +others.counted_at / 86400000 = ${day})`,
        sql`(select count(*) from conversations others where ${countedThatDay(day)}
          and others.network is ${conversations.network}) < ${CHAT_COUNT.perNetworkPerDay}`,
        sql`(select count(*) from conversations others where ${countedThatDay(day)}
          and others.network >= ${wider} and others.network < ${wider} || 'g') < ${CHAT_COUNT.perWiderNetworkPerDay}`,
      ),
    );
}

/** The count's column of a conversation that moves to the trash at a time: soon after it was counted it leaves the count. */
export const computeKeptCount = (deletedAt: number): SQL<number | null> =>
  sql`iif(${conversations.countedAt} > ${deletedAt - CHAT_COUNT.withdrawnUnderMs}, null, ${conversations.countedAt})`;
