import { DEFAULT_LANGUAGE } from '../config/languages.ts';
import { DELETION_LINK } from '../features/account/limits.ts';
import { MAIL } from '../features/mail/limits.ts';
import type { Database } from '../db/open.ts';
import { type Environment, readEnvironment } from '../env/read-environment.ts';
import { listCharactersById, PUBLIC_VIEWER } from '../features/character/character-store.ts';
import {
  MAIL_LISTS_BY_KIND,
  MAIL_VARIABLES,
  isMailKind,
  type MailVariables,
  type MailKind,
} from '../features/mail/contract.ts';
import { listDueMails, removeMail, claimMail, type QueuedMail } from '../features/mail/mail-store.ts';
import { createUnsubscribeToken, buildUnsubscribeUrl } from '../features/mail/unsubscribe.ts';
import { parseLanguage } from '../locales/detect.ts';
import { log, type LogEvent } from '../lib/log.ts';
import { describeError } from '../lib/redact.ts';
import { sendMail, type Mail } from '../vendors/mail.ts';
import type { ServiceContext } from './context.ts';
import { buildMail } from './mail-texts.ts';
import { loadTexts } from '../locales/i18n.ts';

/** The first attempt and one after each delay. */
const MAX_ATTEMPTS = MAIL.retryDelaysMs.length + 1;

/** Maximum age of mails that become useless. */
const MAX_MAIL_AGE_MS: Partial<Record<MailKind, number>> = { deletion_link: DELETION_LINK.lifetimeMs };

/** Renders a mail; null when this version of the code does not know its kind or parameters. */
async function renderWaitingMail(
  { userId, language, kind, variables }: QueuedMail,
  { authSecret }: Environment,
): Promise<Omit<Mail, 'to'> | null> {
  if (!isMailKind(kind)) return null;
  const parsedVariables = MAIL_VARIABLES[kind].safeParse(variables);
  if (!parsedVariables.success) return null;
  const list = MAIL_LISTS_BY_KIND[kind];
  const wayOut =
    list === undefined || !('site' in parsedVariables.data)
      ? null
      : buildUnsubscribeUrl(
          parsedVariables.data.site,
          await createUnsubscribeToken(authSecret, { userId, list }),
        );
  const mailLanguage = parseLanguage(language) ?? DEFAULT_LANGUAGE;
  return buildMail(kind, parsedVariables.data as MailVariables<typeof kind>, {
    language: mailLanguage,
    t: (await loadTexts(mailLanguage)).t,
    wayOut,
  });
}

/** Whether the mail is still wanted: the user may have unsubscribed or deleted the account. */
function isWanted({ kind, wants }: QueuedMail): boolean {
  if (wants === null) return kind === 'deletion_done';
  const list = isMailKind(kind) ? MAIL_LISTS_BY_KIND[kind] : undefined;
  return list === undefined || wants[list];
}

const isCurrent = ({ kind, createdAt }: QueuedMail, now: number): boolean =>
  now <= createdAt + ((isMailKind(kind) ? MAX_MAIL_AGE_MS[kind] : undefined) ?? Infinity);

/**
 * Updates a mail to the current state; null when nothing is left to say. A character in a newsletter may have been
 * hidden, renamed or deleted since.
 */
async function updateMailVariables(db: Database, mail: QueuedMail): Promise<QueuedMail | null> {
  const { ids } = mail.variables;
  if (mail.kind !== 'marketing' || typeof ids !== 'string') return mail;
  const shown = await listCharactersById(db, ids.split('\n'), PUBLIC_VIEWER);
  const names = shown.map(({ name }) => name).join('\n');
  return names === '' ? null : { ...mail, variables: { ...mail.variables, names } };
}

/** Logs the outcome of a mail, without the recipient. */
function logMailEvent(event: LogEvent, { id, kind, tries }: QueuedMail, message?: string): void {
  log(event, { mail_id: id, kind, tries, message });
}

async function deliverMail(env: Env, db: Database, mail: QueuedMail, now: number): Promise<void> {
  if (!(await claimMail(db, { id: mail.id, tries: mail.tries, now }))) return;
  const updated = isWanted(mail) ? await updateMailVariables(db, mail) : null;
  if (updated === null) return removeMail(db, mail.id);
  const settings = readEnvironment(env);
  const text =
    mail.tries < MAX_ATTEMPTS && isCurrent(mail, now) ? await renderWaitingMail(updated, settings) : null;
  const outcome =
    text === null ? 'refused' : await sendMail(env.EMAIL, settings.mailFrom, { to: mail.address, ...text });
  const isLast = mail.tries + 1 >= MAX_ATTEMPTS;
  if (outcome === 'failed' && !isLast) return;
  if (outcome !== 'sent') logMailEvent('mail_abandoned', mail);
  await removeMail(db, mail.id);
}

/**
 * Sends the due mails of the outbox, a batch per run. Safe to repeat and to run concurrently. A failed mail is retried
 * with growing delays and given up after the last.
 * @param userId restricts the run to one user's mails
 */
export async function deliverQueuedMail(
  env: Env,
  db: Database,
  { now, userId }: { now: number; userId?: string },
): Promise<void> {
  const due = await listDueMails(db, {
    now,
    limit: MAIL.maxPerRun,
    ...(userId === undefined ? {} : { userId }),
  });
  const tryDeliver = (mail: QueuedMail): Promise<void> =>
    deliverMail(env, db, mail, now).catch((error: unknown) =>
      logMailEvent('mail_not_sent', mail, describeError(error)),
    );
  for (let start = 0; start < due.length; start += MAIL.maxConcurrent) {
    await Promise.all(due.slice(start, start + MAIL.maxConcurrent).map(tryDeliver));
  }
}

/** Sends a user's new mails after the response; cron sends the rest. */
export function scheduleMailDelivery({ env, db, execution }: ServiceContext, userId: string): void {
  execution.waitUntil(deliverQueuedMail(env, db, { now: Date.now(), userId }));
}
