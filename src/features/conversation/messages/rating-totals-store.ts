import { and, eq, inArray, lt, ne, sql } from 'drizzle-orm';
import type { Database } from '../../../db/open.ts';
import { characters, conversations } from '../../../db/schema/core.ts';
import { statDays } from '../../../db/schema/stats.ts';
import { formatRatingMetric, RATING_COUNTS, type RatingChange } from './rating-changes.ts';

/**
 * Adds changed ratings of a conversation to the totals of their models and of its character, in one transaction. The
 * conversation's row has the number of the latest change that is counted, so a repeated call changes nothing. A creator's
 * ratings of their own character are not counted.
 * @param changes oldest first, at most `MAX_RATING_BATCH`
 */
export async function countRatingChanges(
  db: Database,
  conversationId: string,
  changes: readonly RatingChange[],
): Promise<void> {
  const last = changes.at(-1)?.number ?? 0;
  const mark = db
    .update(conversations)
    .set({ ratingsCounted: last })
    .where(and(eq(conversations.id, conversationId), lt(conversations.ratingsCounted, last)));
  const counts = changes.flatMap((change) => buildCountStatements(db, conversationId, change));
  // The number comes last: the statements before it look whether their change is counted.
  await db.batch([...counts, mark] as unknown as [typeof mark]);
}

function buildCountStatements(db: Database, conversationId: string, change: RatingChange) {
  const { number, day, model, liked, disliked } = change;
  const isOfCharacter = eq(characters.id, conversations.characterId);
  const isUncounted = and(
    eq(conversations.id, conversationId),
    lt(conversations.ratingsCounted, number),
    ne(characters.creatorId, conversations.ownerId),
  );
  return [
    ...RATING_COUNTS.filter((count) => change[count] !== 0).map((count) =>
      db
        .insert(statDays)
        .select(
          db
            .select({
              day: sql<number>`${day}`.as('day'),
              name: sql<string>`${formatRatingMetric(model, count)}`.as('name'),
              value: sql<number>`${change[count]}`.as('value'),
            })
            .from(conversations)
            .innerJoin(characters, isOfCharacter)
            .where(isUncounted),
        )
        .onConflictDoUpdate({
          target: [statDays.name, statDays.day],
          set: { value: sql`${statDays.value} + excluded.value` },
        }),
    ),
    db
      .update(characters)
      .set({
        likedCount: sql`${characters.likedCount} + ${liked}`,
        dislikedCount: sql`${characters.dislikedCount} + ${disliked}`,
      })
      .where(
        inArray(
          characters.id,
          db
            .select({ id: characters.id })
            .from(conversations)
            .innerJoin(characters, isOfCharacter)
            .where(isUncounted),
        ),
      ),
  ];
}
