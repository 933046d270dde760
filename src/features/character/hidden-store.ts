import { and, desc, eq, exists } from 'drizzle-orm';
import { MAX_SAVED_ITEMS } from './limits.ts';
import { hiddenItems } from '../../db/schema/character.ts';
import { insertWithinLimit } from '../../db/insert-where.ts';
import type { Database } from '../../db/open.ts';
import { users } from '../../db/schema/core.ts';
import { sanitizeText } from '../../lib/sanitize-text.ts';
import type { HiddenList } from './contract.ts';
import { selectCreator } from './follow-store.ts';

/** A tag by its name, or a creator by their id, that a user hides from lists. */
export interface HiddenItem {
  userId: string;
  kind: 'tag' | 'creator';
  target: string;
}

const matchHiddenItem = ({ userId, kind, target }: HiddenItem) =>
  and(eq(hiddenItems.userId, userId), eq(hiddenItems.kind, kind), eq(hiddenItems.target, target));

/**
 * Hides a tag or a creator from the user's lists; safe to repeat. The caller checks that the tag exists.
 * @returns `not_found` when there is no such creator, `cannot_target_self`, or `hidden_limit` when the user hides too many
 */
export async function addHiddenItem(
  db: Database,
  { now, ...which }: HiddenItem & { now: number },
): Promise<'kept' | 'not_found' | 'cannot_target_self' | 'hidden_limit'> {
  const { userId, kind, target } = which;
  const ofCreator = kind === 'creator';
  if (ofCreator && target === userId) return 'cannot_target_self';
  const needs = ofCreator ? exists(selectCreator(db, target)) : undefined;
  return insertWithinLimit(
    db,
    hiddenItems,
    { ...which, createdAt: now },
    { most: MAX_SAVED_ITEMS.hidden, over: 'hidden_limit', same: matchHiddenItem(which), needs },
  );
}

/** Shows a tag or a creator in the user's lists again; does nothing if it was not hidden. */
export async function removeHiddenItem(db: Database, which: HiddenItem): Promise<void> {
  await db.delete(hiddenItems).where(matchHiddenItem(which));
}

/** Returns everything that a user hides. */
export async function getHiddenList(db: Database, userId: string): Promise<HiddenList> {
  const rows = await db
    .select({
      kind: hiddenItems.kind,
      target: hiddenItems.target,
      username: users.username,
      nickname: users.nickname,
    })
    .from(hiddenItems)
    .leftJoin(users, and(eq(hiddenItems.kind, 'creator'), eq(users.id, hiddenItems.target)))
    .where(eq(hiddenItems.userId, userId))
    .orderBy(desc(hiddenItems.createdAt));
  return {
    tags: rows.filter(({ kind }) => kind === 'tag').map(({ target }) => target),
    creators: rows.flatMap(({ kind, target, username, nickname }) =>
      kind === 'creator' && username !== null
        ? [{ id: target, name: sanitizeText(nickname ?? username) }]
        : [],
    ),
  };
}
