import { and, asc, eq, sql } from 'drizzle-orm';
import type { Database } from '../../db/open.ts';
import { replyStyles } from '../../db/schema/core.ts';
import { createId } from '../../lib/ids.ts';
import type { NamedReplyStyle, NewReplyStyle, ReplyStyle, ReplyStyleChange } from './contract.ts';
import { MAX_NAMED_STYLES, parseReplyStyle } from './reply-style.ts';

/** A few times the limit: each guest who logs in to an account brings their own styles. */
const MAX_LISTED = 100;

const columns = { id: replyStyles.id, name: replyStyles.name, style: replyStyles.style };

const toNamedStyle = ({ id, name, style }: { id: string; name: string; style: string }): NamedReplyStyle => ({
  ...(parseReplyStyle(style) as ReplyStyle),
  id,
  name,
});

const isOwnedBy = (ownerId: string, id: string) =>
  and(eq(replyStyles.ownerId, ownerId), eq(replyStyles.id, id));

/** Lists the owner's styles by name, at most `MAX_LISTED`. */
export async function listReplyStyles(db: Database, ownerId: string): Promise<NamedReplyStyle[]> {
  const rows = await db
    .select(columns)
    .from(replyStyles)
    .where(eq(replyStyles.ownerId, ownerId))
    .orderBy(asc(sql`lower(${replyStyles.name})`), asc(replyStyles.id))
    .limit(MAX_LISTED);
  return rows.map(toNamedStyle);
}

/**
 * Saves a style. The insert itself counts existing rows, so concurrent requests cannot exceed the limit.
 * @returns null when the limit is reached
 */
export async function createReplyStyle(
  db: Database,
  { ownerId, fields, now }: { ownerId: string; fields: NewReplyStyle; now: number },
): Promise<NamedReplyStyle | null> {
  const { name, ...style } = fields;
  const [made] = await db
    .insert(replyStyles)
    .select(
      sql`select ${createId(now)}, ${ownerId}, ${name}, ${JSON.stringify(style)}, ${now}, ${now}
        where (select count(*) from ${replyStyles} where ${replyStyles.ownerId} = ${ownerId}) < ${MAX_NAMED_STYLES}`,
    )
    .returning(columns);
  return made === undefined ? null : toNamedStyle(made);
}

/**
 * Changes the given fields of a style.
 * @returns the new state, or null when the id does not exist or belongs to another user
 */
export async function updateReplyStyle(
  db: Database,
  { ownerId, id, change, now }: { ownerId: string; id: string; change: ReplyStyleChange; now: number },
): Promise<NamedReplyStyle | null> {
  const { name, ...style } = change;
  const [changed] = await db
    .update(replyStyles)
    .set({
      updatedAt: now,
      ...(name === undefined ? {} : { name }),
      style: sql`json_patch(${replyStyles.style}, ${JSON.stringify(style)})`,
    })
    .where(isOwnedBy(ownerId, id))
    .returning(columns);
  return changed === undefined ? null : toNamedStyle(changed);
}

/** Deletes a style. @returns false when the id does not exist or belongs to another user */
export async function deleteReplyStyle(db: Database, ownerId: string, id: string): Promise<boolean> {
  const deleted = await db
    .delete(replyStyles)
    .where(isOwnedBy(ownerId, id))
    .returning({ id: replyStyles.id });
  return deleted.length > 0;
}
