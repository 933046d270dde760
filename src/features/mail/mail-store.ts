import { and, asc, eq, inArray, isNotNull, lte, sql } from 'drizzle-orm';
import { DEFAULT_LANGUAGE, type Language } from '../../config/languages.ts';
import { MAIL } from './limits.ts';
import type { Database } from '../../db/open.ts';
import { mails, users } from '../../db/schema/core.ts';
import { createId } from '../../lib/ids.ts';
import type { QueuedMailKind, MailDetails, MailList } from './contract.ts';

/** A mail that is to go out. */
export interface NewMail<Kind extends QueuedMailKind> {
  userId: string;
  address: string;
  language: Language;
  kind: Kind;
  details: MailDetails<Kind>;
  /** What it tells of, such as a payment's id: the same is told once, however often it is put in. */
  about: string;
  now: number;
}

/**
 * The write that puts a mail into the outbox. It belongs into the batch of the change that the mail tells of, so that
 * neither is there without the other.
 */
export function insertMailStatement<Kind extends QueuedMailKind>(db: Database, mail: NewMail<Kind>) {
  const { now, ...row } = mail;
  return db
    .insert(mails)
    .values({ ...row, id: createId(now), createdAt: now, tryAt: now })
    .onConflictDoNothing();
}

export interface QueuedMail {
  id: string;
  userId: string;
  address: string;
  language: string;
  kind: string;
  details: Record<string, string | number>;
  createdAt: number;
  tries: number;
  /** What its reader wants now; null when the account is gone. */
  wants: Record<MailList, boolean> | null;
}

/** Mails whose time to be tried has come; what nobody waits for comes last. */
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
      details: mails.details,
      createdAt: mails.createdAt,
      tries: mails.tries,
      owner: users.id,
      notifications: users.emailNotifications,
      marketing: users.marketingEmails,
    })
    .from(mails)
    .leftJoin(users, eq(users.id, mails.userId))
    .where(and(lte(mails.tryAt, now), userId === undefined ? undefined : eq(mails.userId, userId)))
    .orderBy(asc(sql`${mails.kind} = 'marketing'`), asc(mails.tryAt))
    .limit(limit);
  return rows.map(({ owner, notifications, marketing, ...mail }) => ({
    ...mail,
    wants: owner === null ? null : { notifications: notifications ?? false, marketing: marketing ?? false },
  }));
}

/**
 * Takes a mail to try it: of several who would, one may. The next try is set before this one begins, so that a mail whose
 * sender dies on the way waits for it.
 */
export async function claimMail(
  db: Database,
  { id, tries, now }: { id: string; tries: number; now: number },
): Promise<boolean> {
  const pause = MAIL.retryDelaysMs[tries] ?? MAIL.lastRetryDelayMs;
  const claimed = await db
    .update(mails)
    .set({ tries: tries + 1, tryAt: now + pause })
    .where(and(eq(mails.id, id), eq(mails.tries, tries), lte(mails.tryAt, now)))
    .returning({ id: mails.id });
  return claimed.length > 0;
}

/** Takes a mail out of the outbox: it is sent, or it is given up. */
export async function removeMail(db: Database, id: string): Promise<void> {
  await db.delete(mails).where(eq(mails.id, id));
}

/**
 * Puts the same news into the outbox for everybody who said yes to them and has had none for long enough, up to a
 * number; who is left is found again. Two writes in one batch, however many they are: of two runs at once one writes to
 * each.
 */
export async function insertNewsletterMails(
  db: Database,
  { details, limit, now }: { details: MailDetails<'marketing'>; limit: number; now: number },
): Promise<void> {
  const about = String(now);
  const readers = db
    .select({
      id: sql<string>`lower(hex(randomblob(13)))`.as('id'),
      userId: users.id,
      address: sql<string>`${users.email}`.as('address'),
      language: sql<string>`coalesce(${users.language}, ${DEFAULT_LANGUAGE})`.as('language'),
      kind: sql<string>`'marketing'`.as('kind'),
      details: sql<Record<string, string>>`${JSON.stringify(details)}`.as('details'),
      about: sql<string>`${about}`.as('about'),
      createdAt: sql<number>`${now}`.as('created_at'),
      tryAt: sql<number>`${now}`.as('try_at'),
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
    .where(and(eq(mails.kind, 'marketing'), eq(mails.about, about)));
  await db.batch([
    db.insert(mails).select(readers).onConflictDoNothing(),
    db.update(users).set({ marketingSentAt: now }).where(inArray(users.id, written)),
  ]);
}

/** Whether somebody gets the mails of a list; null when there is no such account. */
export async function isSubscribed(db: Database, userId: string, list: MailList): Promise<boolean | null> {
  const row = await db
    .select({ notifications: users.emailNotifications, marketing: users.marketingEmails })
    .from(users)
    .where(eq(users.id, userId))
    .get();
  return row?.[list] ?? null;
}

/** Ends the mails of a list. Repeating it changes nothing. */
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
