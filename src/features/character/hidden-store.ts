import { and, desc, eq, exists } from 'drizzle-orm';
import { MAX_SAVED_ITEMS } from './limits.ts';
import { hiddenThings } from '../../db/schema/character.ts';
import { insertWithinLimit } from '../../db/insert-where.ts';
import type { Database } from '../../db/open.ts';
import { users } from '../../db/schema/core.ts';
import { sanitizeText } from '../../lib/sanitize-text.ts';
import type { HiddenList } from './contract.ts';
import { selectCreator } from './follow-store.ts';

/** A tag by its name, or a creator by their id, that somebody does not want to see in lists. */
export interface HiddenItem {
  userId: string;
  kind: 'tag' | 'creator';
  what: string;
}

const matchHiddenItem = ({ userId, kind, what }: HiddenItem) =>
  and(eq(hiddenThings.userId, userId), eq(hiddenThings.kind, kind), eq(hiddenThings.what, what));

/**
 * Hides a tag or a creator from somebody's lists; harmless to repeat. Whether there is such a tag is the caller's to know.
 * @returns `not_found` where there is no such creator, `not_yourself`, or `hidden_limit` where one hides as much as one may
 */
export async function addHiddenItem(
  db: Database,
  { now, ...which }: HiddenItem & { now: number },
): Promise<'kept' | 'not_found' | 'not_yourself' | 'hidden_limit'> {
  const { userId, kind, what } = which;
  const ofCreator = kind === 'creator';
  if (ofCreator && what === userId) return 'not_yourself';
  const needs = ofCreator ? exists(selectCreator(db, what)) : undefined;
  return insertWithinLimit(
    db,
    hiddenThings,
    { ...which, createdAt: now },
    { most: MAX_SAVED_ITEMS.hidden, over: 'hidden_limit', same: matchHiddenItem(which), needs },
  );
}

/** Has a tag or a creator in somebody's lists again; harmless where they were. */
export async function removeHiddenItem(db: Database, which: HiddenItem): Promise<void> {
  await db.delete(hiddenThings).where(matchHiddenItem(which));
}

/** All that somebody hides. */
export async function getHiddenList(db: Database, userId: string): Promise<HiddenList> {
  const rows = await db
    .select({
      kind: hiddenThings.kind,
      what: hiddenThings.what,
      username: users.username,
      nickname: users.nickname,
    })
    .from(hiddenThings)
    .leftJoin(users, and(eq(hiddenThings.kind, 'creator'), eq(users.id, hiddenThings.what)))
    .where(eq(hiddenThings.userId, userId))
    .orderBy(desc(hiddenThings.createdAt));
  return {
    tags: rows.filter(({ kind }) => kind === 'tag').map(({ what }) => what),
    creators: rows.flatMap(({ kind, what, username, nickname }) =>
      kind === 'creator' && username !== null ? [{ id: what, name: sanitizeText(nickname ?? username) }] : [],
    ),
  };
}
