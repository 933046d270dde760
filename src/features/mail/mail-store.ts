import { and, asc, eq, inArray, isNotNull, lte, sql } from 'drizzle-orm';
import { DEFAULT_LANGUAGE, type Language } from '../../config/languages.ts';
import { MAIL } from './limits.ts';
import type { Database } from '../../db/open.ts';
import { mails, users } from '../../db/schema/core.ts';
import { createId } from '../../lib/ids.ts';
import type { QueuedMailKind, MailVariables, MailList } from './contract.ts';

/** A mail to queue. */
export interface NewMail<Kind extends QueuedMailKind> {
  userId: string;
  address: string;
  language: Language;
  kind: Kind;
  variables: MailVariables<Kind>;
  /** The id of its subject, such as a payment; queueing the same mail again changes nothing. */
  dedupeKey: string;
  now: number;
}

/**
 * The write that queues a mail. Put it into the batch of the change that causes the mail, so that both commit together.
 */
export function insertMailStatement<Kind extends QueuedMailKind>(db: Database, mail: NewMail<Kind>) {
  const { now, ...row } = mail;
  return db
    .insert(mails)
    .values({ ...row, id: createId(now), createdAt: now, retryAt: now })
    .onConflictDoNothing();
}

export interface QueuedMail {
  id: string;
  userId: string;
  address: string;
  language: string;
  kind: string;
  variables: Record<string, string | number>;
  createdAt: number;
  tries: number;
  /** The recipient's current choices; null when the account no longer exists. */
  wants: Record<MailList, boolean> | null;
}

/** Lists mails due for an attempt; newsletters come last. */
export async function listDueMails(
  db: Database,
  { now, limit, userId }: { now: number; limit: number; userId?: string },
): Promise<QueuedMail[]> {
  const rows = await db
    .select({
      id: mails.id,
      userId: mails.userId,
      address: mails.address,
      language: mails.language,
      kind: mails.kind,
      variables: mails.variables,
      createdAt: mails.createdAt,
      tries: mails.tries,
      owner: users.id,
      notifications: users.emailNotifications,
      marketing: users.marketingEmails,
    })
    .from(mails)
    .leftJoin(users, eq(users.id, mails.userId))
    .where(and(lte(mails.retryAt, now), userId === undefined ? undefined : eq(mails.userId, userId)))
    .orderBy(asc(sql`${mails.kind} = 'marketing'`), asc(mails.retryAt))
    .limit(limit);
  return rows.map(({ owner, notifications, marketing, ...mail }) => ({
    ...mail,
    wants: owner === null ? null : { notifications: notifications ?? false, marketing: marketing ?? false },
  }));
}

/**
 * Claims a mail for one attempt; of concurrent runs only one succeeds. The next attempt is scheduled first, so a mail
 * whose sender crashes is retried.
 */
export async function claimMail(
  db: Database,
  { id, tries, now }: { id: string; tries: number; now: number },
): Promise<boolean> {
  const pause = MAIL.retryDelaysMs[tries] ?? MAIL.lastRetryDelayMs;
  const claimed = await db
    .update(mails)
    .set({ tries: tries + 1, retryAt: now + pause })
    .where(and(eq(mails.id, id), eq(mails.tries, tries), lte(mails.retryAt, now)))
    .returning({ id: mails.id });
  return claimed.length > 0;
}

/** Deletes a mail that was sent or given up. */
export async function removeMail(db: Database, id: string): Promise<void> {
  await db.delete(mails).where(eq(mails.id, id));
}

/**
 * Queues the same newsletter for users who subscribed and have had none for long enough, up to `limit`; the rest are
 * found by the next run. One batch of two writes, so concurrent runs queue one mail per user.
 */
export async function insertNewsletterMails(
  db: Database,
  { variables, limit, now }: { variables: MailVariables<'marketing'>; limit: number; now: number },
): Promise<void> {
  const dedupeKey = String(now);
  const readers = db
    .select({
      id: sql<string>`lower(hex(randomblob(13)))`.as('id'),
      userId: users.id,
      address: sql<string>`${users.email}`.as('address'),
      language: sql<string>`coalesce(${users.language}, ${DEFAULT_LANGUAGE})`.as('language'),
      kind: sql<string>`'marketing'`.as('kind'),
      variables: sql<Record<string, string>>`${JSON.stringify(variables)}`.as('variables'),
      dedupeKey: sql<string>`${dedupeKey}`.as('dedupe_key'),
      createdAt: sql<number>`${now}`.as('created_at'),
      retryAt: sql<number>`${now}`.as('retry_at'),
      tries: sql<number>`0`.as('tries'),
    })
    .from(users)
    .where(
      and(
        eq(users.marketingEmails, true),
        isNotNull(users.email),
        sql`coalesce(${users.marketingSentAt}, 0) <= ${now - MAIL.marketingIntervalMs}`,
      ),
    )
    .limit(limit);
  const written = db
    .select({ userId: mails.userId })
    .from(mails)
    .where(and(eq(mails.kind, 'marketing'), eq(mails.dedupeKey, dedupeKey)));
  await db.batch([
    db.insert(mails).select(readers).onConflictDoNothing(),
    db.update(users).set({ marketingSentAt: now }).where(inArray(users.id, written)),
  ]);
}

/** Whether a user is subscribed to a list; null when there is no such account. */
export async function isSubscribed(db: Database, userId: string, list: MailList): Promise<boolean | null> {
  const row = await db
    .select({ notifications: users.emailNotifications, marketing: users.marketingEmails })
    .from(users)
    .where(eq(users.id, userId))
    .get();
  return row?.[list] ?? null;
}

/** Ends a subscription; idempotent. @returns false when there is no such account */
export async function unsubscribe(
  db: Database,
  { userId, list, now }: { userId: string; list: MailList; now: number },
): Promise<boolean> {
  const off = list === 'marketing' ? { marketingEmails: false } : { emailNotifications: false };
  const changed = await db
    .update(users)
    .set({ ...off, updatedAt: now })
    .where(eq(users.id, userId))
    .returning({ id: users.id });
  return changed.length > 0;
}
