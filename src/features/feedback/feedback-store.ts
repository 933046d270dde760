import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import { FEEDBACK } from './limits.ts';
import { type Language } from '../../config/languages.ts';
import { buildCursorCondition, buildPage, decodeCursor } from '../../db/cursor.ts';
import type { Database } from '../../db/open.ts';
import { feedback, users } from '../../db/schema/core.ts';
import { createId } from '../../lib/ids.ts';
import { sanitizeText } from '../../lib/sanitize-text.ts';
import type { FeedbackInbox, FeedbackReadState } from './contract.ts';

const HOUR_MS = 3_600_000;

/**
 * Saves feedback to the operator.
 * @param input `userId` is null without a session
 * @returns its id; null when this user has reached the hourly limit
 */
export async function saveFeedback(
  db: Database,
  input: { userId: string | null; message: string; email: string | null; language: Language; now: number },
): Promise<string | null> {
  const { userId, message, email, language, now } = input;
  const id = createId(now);
  // The write itself counts, so concurrent requests cannot exceed the limit.
  const saved = await db.all<{ id: string }>(
    sql`insert into ${feedback} (id, user_id, message, email, language, created_at)
      select ${id}, ${userId}, ${message}, ${email}, ${language}, ${now}
      where ${userId} is null or ${FEEDBACK.maxPerHour} > (
        select count(*) from ${feedback} where user_id = ${userId} and created_at > ${now - HOUR_MS})
      returning id`,
  );
  return saved.length > 0 ? id : null;
}

const toIsoTimeOrNull = (at: number | null): string | null =>
  at === null ? null : new Date(at).toISOString();

/** Lists the feedback with its senders, newest first. */
export async function listFeedback(
  db: Database,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<FeedbackInbox> {
  const rows = await db
    .select({ feedback, username: users.username, plan: users.plan })
    .from(feedback)
    .leftJoin(users, eq(users.id, feedback.userId))
    .where(buildCursorCondition(decodeCursor(cursor), feedback.createdAt, feedback.id))
    .orderBy(desc(feedback.createdAt), desc(feedback.id))
    .limit(limit + 1);
  return buildPage(rows, limit, {
    place: ({ feedback: { createdAt, id } }) => ({ value: createdAt, id }),
    item: ({ feedback: { id, userId, message, email, language, createdAt, readAt }, username, plan }) => ({
      id,
      message,
      email,
      language,
      sender:
        userId === null || username === null
          ? null
          : { id: userId, name: sanitizeText(username), is_member: plan !== 'free' },
      created_at: new Date(createdAt).toISOString(),
      read_at: toIsoTimeOrNull(readAt),
    }),
  });
}

/** Marks feedback as read, keeping the time of the first reading, or as unread. @returns null if there is none */
export async function setFeedbackRead(
  db: Database,
  { id, read, now }: { id: string; read: boolean; now: number },
): Promise<FeedbackReadState | null> {
  await db
    .update(feedback)
    .set({ readAt: read ? now : null })
    .where(and(eq(feedback.id, id), read ? isNull(feedback.readAt) : undefined));
  const row = await db.select({ readAt: feedback.readAt }).from(feedback).where(eq(feedback.id, id)).get();
  return row === undefined ? null : { id, read_at: toIsoTimeOrNull(row.readAt) };
}
