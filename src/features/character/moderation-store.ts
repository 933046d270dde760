import { eq } from 'drizzle-orm';
import type { Database } from '../../db/open.ts';
import { pagesOfToMark } from '../../db/stale-pages.ts';
import { characters } from '../../db/schema.ts';
import { drawable } from '../visible-text.ts';
import type { ModeratedCharacter, ModerationBody } from './moderation-contract.ts';

/**
 * Sets what moderation makes of a character, whoever may see it and wherever it lies: lists, pages, cards, pictures and
 * stories ask for it with everything that they show. One in its maker's trash is as it was set when it comes back.
 * @returns the character, and what it was before; null when there is none of that id
 */
export async function moderate(
  db: Database,
  { id, moderation, now }: { id: string; now: number } & Pick<ModerationBody, 'moderation'>,
): Promise<{ character: ModeratedCharacter; before: ModeratedCharacter['moderation'] } | null> {
  const which = eq(characters.id, id);
  const [found] = await db.batch([
    db.select({ name: characters.name, before: characters.moderation }).from(characters).where(which),
    pagesOfToMark(db, which, now),
    db.update(characters).set({ moderation }).where(which),
    pagesOfToMark(db, which, now),
  ]);
  const [row] = found;
  if (row === undefined) return null;
  return { character: { id, name: drawable(row.name), moderation }, before: row.before };
}
