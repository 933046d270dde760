import { DEFAULT_LANGUAGE } from '../config/languages.ts';
import { DELETION_LINK } from '../features/account/limits.ts';
import { MAIL } from '../features/mail/limits.ts';
import type { Database } from '../db/open.ts';
import { type Environment, readEnvironment } from '../env/read-environment.ts';
import { charactersById, PUBLIC_VIEWER } from '../features/character/character-store.ts';
import {
  LIST_OF,
  MAIL_DETAILS,
  isMailKind,
  type MailDetails,
  type MailKind,
} from '../features/mail/contract.ts';
import { dueMails, removeMail, takeMail, type WaitingMail } from '../features/mail/mail-store.ts';
import { unsubscribeToken, unsubscribeUrl } from '../features/mail/unsubscribe.ts';
import { knownLanguage } from '../locales/detect.ts';
import { log, type LogEvent } from '../lib/log.ts';
import { describeError } from '../lib/redact.ts';
import { sendMail, type Mail } from '../vendors/mail.ts';
import type { ServiceContext } from './context.ts';
import { mailFor } from './mail-texts.ts';

/** The first try and one after each pause. */
const MAX_TRIES = MAIL.pausesMs.length + 1;

/** Mails that say nothing any more once they are so old. */
const USEFUL_MS: Partial<Record<MailKind, number>> = { deletion_link: DELETION_LINK.lifetimeMs };

/** The mail itself, or null for one that this version of the product cannot read. */
async function written(
  { userId, language, kind, details }: WaitingMail,
  { authSecret }: Environment,
): Promise<Omit<Mail, 'to'> | null> {
  if (!isMailKind(kind)) return null;
  const told = MAIL_DETAILS[kind].safeParse(details);
  if (!told.success) return null;
  const list = LIST_OF[kind];
  const wayOut =
    list === undefined || !('site' in told.data)
      ? null
      : unsubscribeUrl(told.data.site, await unsubscribeToken(authSecret, { userId, list }));
  const inLanguage = knownLanguage(language) ?? DEFAULT_LANGUAGE;
  return mailFor(kind, told.data as MailDetails<typeof kind>, { language: inLanguage, wayOut });
}

/** Whether a mail still has a reader: some want no more of a list, and some have gone. */
function stillWanted({ kind, wants }: WaitingMail): boolean {
  if (wants === null) return kind === 'deletion_done';
  const list = isMailKind(kind) ? LIST_OF[kind] : undefined;
  return list === undefined || wants[list];
}

const isUseful = ({ kind, createdAt }: WaitingMail, now: number): boolean =>
  now <= createdAt + ((isMailKind(kind) ? USEFUL_MS[kind] : undefined) ?? Infinity);

/**
 * A mail as it is true by now; null for one that has nothing to tell any more. Whoever made a character that is named
 * may have hidden it since, called it otherwise, or gone with it.
 */
async function asOfNow(db: Database, mail: WaitingMail): Promise<WaitingMail | null> {
  const { ids } = mail.details;
  if (mail.kind !== 'marketing' || typeof ids !== 'string') return mail;
  const shown = await charactersById(db, ids.split('\n'), PUBLIC_VIEWER);
  const names = shown.map(({ name }) => name).join('\n');
  return names === '' ? null : { ...mail, details: { ...mail.details, names } };
}

/** What became of a mail, for the log: never to whom it went. */
function tell(event: LogEvent, { id, kind, tries }: WaitingMail, message?: string): void {
  log(event, { mail_id: id, kind, tries, message });
}

async function sendOne(env: Env, db: Database, mail: WaitingMail, now: number): Promise<void> {
  if (!(await takeMail(db, { id: mail.id, tries: mail.tries, now }))) return;
  const told = stillWanted(mail) ? await asOfNow(db, mail) : null;
  if (told === null) return removeMail(db, mail.id);
  const settings = readEnvironment(env);
  const text = mail.tries < MAX_TRIES && isUseful(mail, now) ? await written(told, settings) : null;
  const outcome =
    text === null ? 'refused' : await sendMail(env.EMAIL, settings.mailFrom, { to: mail.address, ...text });
  const isLast = mail.tries + 1 >= MAX_TRIES;
  if (outcome === 'failed' && !isLast) return;
  if (outcome !== 'sent') tell('mail_given_up', mail);
  await removeMail(db, mail.id);
}

/**
 * Sends the mails of the outbox whose time has come, some at a time. Harmless to repeat and to run beside itself; a mail
 * that does not go out now waits longer each time and is given up after the last.
 * @param userId somebody whose mails alone are meant
 */
export async function sendWaitingMails(
  env: Env,
  db: Database,
  { now, userId }: { now: number; userId?: string },
): Promise<void> {
  const due = await dueMails(db, {
    now,
    limit: MAIL.perRun,
    ...(userId === undefined ? {} : { userId }),
  });
  const sendIt = (mail: WaitingMail): Promise<void> =>
    sendOne(env, db, mail, now).catch((error: unknown) => tell('mail_not_sent', mail, describeError(error)));
  for (let start = 0; start < due.length; start += MAIL.atOnce) {
    await Promise.all(due.slice(start, start + MAIL.atOnce).map(sendIt));
  }
}

/** Sends what was just put in for somebody, without keeping them waiting; cron has what is left. */
export function sendMailsSoon({ env, db, execution }: ServiceContext, userId: string): void {
  execution.waitUntil(sendWaitingMails(env, db, { now: Date.now(), userId }));
}
