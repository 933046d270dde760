import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { deliverQueuedMail } from '../../../../src/services/deliver-mail.ts';
import { enqueueNewsletter } from '../../../../src/jobs/newsletter.ts';
import { MAIL } from '../../../../src/features/mail/limits.ts';
import { type Language } from '../../../../src/config/languages.ts';
import { openDatabase } from '../../../../src/db/open.ts';
import { mails, users } from '../../../../src/db/schema/core.ts';
import type { QueuedMailKind, MailVariables } from '../../../../src/features/mail/contract.ts';
import {
  insertMailStatement,
  insertNewsletterMails,
  claimMail,
} from '../../../../src/features/mail/mail-store.ts';
import { createId } from '../../../../src/lib/ids.ts';
import { loadTexts } from '../../../../src/locales/i18n.ts';
import { addCharacter, createEmail, ORIGIN } from '../../../support/factories.ts';

const { t } = await loadTexts('en');

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const db = openDatabase(env.DB);

interface Person {
  id: string;
  email: string;
}

/** Creates an account as the outbox reads it. */
async function createPerson(fields: Partial<typeof users.$inferInsert> = {}): Promise<Person> {
  const now = Date.now();
  const id = createId(now);
  const email = createEmail();
  await db.insert(users).values({
    id,
    username: `reader-${id.slice(-6)}`,
    email,
    isAnonymous: false,
    createdAt: now,
    updatedAt: now,
    ...fields,
  });
  return { id, email };
}

type FakeMailServer = Pick<SendEmail, 'send'> & { taken: EmailMessageBuilder[]; tried: number };

/** A mail server that gives these answers in turn, and accepts every mail after them. */
function createMailServer(...answers: (Error | null)[]): FakeMailServer {
  const taken: EmailMessageBuilder[] = [];
  const server: FakeMailServer = {
    taken,
    tried: 0,
    async send(mail: EmailMessage | EmailMessageBuilder) {
      const answer = answers[server.tried];
      server.tried += 1;
      if (answer) throw answer;
      taken.push(mail as EmailMessageBuilder);
      return { messageId: 'x' };
    },
  };
  return server;
}

const createMailError = (code: string, message = code): Error => Object.assign(new Error(message), { code });
const SERVER_ERROR = createMailError('E_INTERNAL_SERVER_ERROR');

const sendFor = (to: Person, server: FakeMailServer, now: number): Promise<void> =>
  deliverQueuedMail({ ...env, EMAIL: server as SendEmail }, db, { now, userId: to.id });

const queueMail = <Kind extends QueuedMailKind>(
  to: Person,
  kind: Kind,
  variables: MailVariables<Kind>,
  { dedupeKey = 'it', now = Date.now(), language = 'en' as Language } = {},
) => insertMailStatement(db, { userId: to.id, address: to.email, language, kind, variables, dedupeKey, now });

const ENDED = { site: ORIGIN, plan: 'Storyteller' };
const LINK = { site: ORIGIN, token: 'secret-token' };
const listQueuedMails = (to: Person) => db.select().from(mails).where(eq(mails.userId, to.id));
const logged = vi.spyOn(console, 'error');
const linesAbout = (event: string) =>
  logged.mock.calls.map(([line]) => String(line)).filter((line) => line.includes(event));
afterEach(() => logged.mockClear());

describe('Outbox', () => {
  test('a queued mail is sent in the reader’s language and then removed from the outbox', async () => {
    const me = await createPerson();
    const now = Date.now();
    await queueMail(me, 'membership_ended', ENDED, { language: 'de', now });
    const server = createMailServer();
    await sendFor(me, server, now);
    expect(server.taken).toEqual([
      expect.objectContaining({
        from: 'Loreloom <hello@localhost.test>',
        to: me.email,
        subject: 'Deine Mitgliedschaft Storyteller ist zu Ende',
        text: expect.stringContaining(`${ORIGIN}/membership`),
        html: expect.stringContaining('<html lang="de"'),
        headers: expect.objectContaining({ 'Content-Language': 'de' }),
      }),
    ]);
    expect(await listQueuedMails(me)).toEqual([]);
    await sendFor(me, server, now + DAY_MS);
    expect(server.tried).toBe(1);
  });

  test('the platform’s mail binding accepts a mail of the outbox', async () => {
    const me = await createPerson();
    await queueMail(me, 'deletion_link', LINK);
    await deliverQueuedMail(env, db, { now: Date.now(), userId: me.id });
    expect(await listQueuedMails(me)).toEqual([]);
    expect(linesAbout('mail_')).toEqual([]);
  });

  test('a mail is not queued when the change in its batch fails', async () => {
    const me = await createPerson();
    const twice = db
      .insert(users)
      .values({ id: me.id, username: 'x', isAnonymous: true, createdAt: 0, updatedAt: 0 });
    await expect(db.batch([queueMail(me, 'membership_ended', ENDED), twice])).rejects.toThrow();
    expect(await listQueuedMails(me)).toEqual([]);
  });

  test('a mail queued twice about one subject is sent once, and about another subject again', async () => {
    const me = await createPerson();
    await db.batch([queueMail(me, 'membership_ended', ENDED), queueMail(me, 'membership_ended', ENDED)]);
    await queueMail(me, 'membership_ended', ENDED, { dedupeKey: 'something else' });
    const server = createMailServer();
    await sendFor(me, server, Date.now() + 1);
    expect(server.taken).toHaveLength(2);
  });

  test('a mail that ten runs deliver at the same time is sent once', async () => {
    const me = await createPerson();
    const now = Date.now();
    await queueMail(me, 'membership_ended', ENDED, { now });
    const server = createMailServer();
    await Promise.all(Array.from({ length: 10 }, () => sendFor(me, server, now)));
    expect(server.taken).toHaveLength(1);
  });
});

describe('Failing mail server', () => {
  test('a failing mail is tried seven times with growing pauses, then dropped and logged without its address', async () => {
    const me = await createPerson();
    const start = Date.now();
    await queueMail(me, 'membership_ended', ENDED, { now: start });
    const server = createMailServer(
      ...Array.from({ length: 20 }, () =>
        createMailError('E_INTERNAL_SERVER_ERROR', `No way to ${me.email} now`),
      ),
    );
    const minutes: number[] = [];
    for (let minute = 0; minute <= 3 * 24 * 60; minute += 1) {
      // Nothing is due before the mail’s next try, so skip the minutes until then.
      const [mail] = await listQueuedMails(me);
      if (mail === undefined) break;
      minute = Math.max(minute, (mail.retryAt - start) / MINUTE_MS);
      await sendFor(me, server, start + minute * MINUTE_MS - 1);
      const before = server.tried;
      await sendFor(me, server, start + minute * MINUTE_MS);
      if (server.tried > before) minutes.push(minute);
    }
    expect(minutes).toEqual([0, 1, 6, 36, 156, 516, 1956]);
    expect(server.tried).toBe(7);
    expect(await listQueuedMails(me)).toEqual([]);
    expect(linesAbout('mail_abandoned')).toHaveLength(1);
    expect(logged.mock.calls.join('\n')).not.toContain(me.email);
    expect(linesAbout('mail_failed')[0]).toContain('No way to … now');
  });

  test('a mail is sent once after the mail server has recovered', async () => {
    const me = await createPerson();
    const start = Date.now();
    await queueMail(me, 'membership_ended', ENDED, { now: start });
    const server = createMailServer(SERVER_ERROR, SERVER_ERROR, null);
    for (const minute of [0, 1, 6, 36]) await sendFor(me, server, start + minute * MINUTE_MS);
    expect(server.taken).toHaveLength(1);
    expect(server.tried).toBe(3);
  });

  test('a mail whose sender crashed is tried again after its pause', async () => {
    const me = await createPerson();
    const now = Date.now();
    await queueMail(me, 'membership_ended', ENDED, { now });
    const [mail] = await listQueuedMails(me);
    expect(await claimMail(db, { id: mail?.id ?? '', tries: 0, now })).toBe(true);
    const server = createMailServer();
    await sendFor(me, server, now + MINUTE_MS - 1);
    expect(server.tried).toBe(0);
    await sendFor(me, server, now + MINUTE_MS);
    expect(server.taken).toHaveLength(1);
  });

  test('a failing or unreadable mail does not stop the other mails of the run', async () => {
    const me = await createPerson();
    const now = Date.now();
    for (let index = 0; index < 12; index += 1) {
      await queueMail(me, 'membership_ended', ENDED, { now, dedupeKey: String(index) });
    }
    await db
      .update(mails)
      .set({ variables: { nonsense: 1 } })
      .where(eq(mails.id, (await listQueuedMails(me))[3]?.id ?? ''));
    const server = createMailServer(null, SERVER_ERROR, null, null);
    await sendFor(me, server, now);
    expect(server.taken).toHaveLength(10);
    expect(await listQueuedMails(me)).toHaveLength(1);
    // An unreadable mail is logged and removed.
    expect(linesAbout('mail_abandoned')).toHaveLength(1);
  });
});

describe('Obsolete mails', () => {
  test.each(['E_RECIPIENT_SUPPRESSED', 'E_VALIDATION_ERROR', 'E_HEADER_VALUE_INVALID'])(
    'a mail that the platform will never accept is tried once: %s',
    async (code) => {
      const me = await createPerson();
      const now = Date.now();
      await queueMail(me, 'membership_ended', ENDED, { now });
      const server = createMailServer(createMailError(code));
      await sendFor(me, server, now);
      expect(await listQueuedMails(me)).toEqual([]);
      expect(linesAbout('mail_abandoned')).toHaveLength(1);
    },
  );

  test('a mail is not sent after its link has expired', async () => {
    const me = await createPerson();
    const now = Date.now();
    await queueMail(me, 'deletion_link', LINK, { now });
    const server = createMailServer(SERVER_ERROR);
    await sendFor(me, server, now);
    await sendFor(me, server, now + DAY_MS + 1);
    expect(server.taken).toEqual([]);
    expect(await listQueuedMails(me)).toEqual([]);
  });

  test('a mail of a kind that the user switched off is not sent, and required mails still are', async () => {
    const me = await createPerson({ emailNotifications: false });
    const now = Date.now();
    const paid = { ...ENDED, price_cents: 699, until: now };
    await db.batch([
      queueMail(me, 'membership_renewed', paid, { now }),
      queueMail(me, 'first_commission', { site: ORIGIN, amount_cents: 105 }, { now }),
      queueMail(me, 'membership_failed', paid, { now }),
      queueMail(me, 'deletion_link', LINK, { now }),
    ]);
    const server = createMailServer();
    await sendFor(me, server, now);
    const subjects = server.taken.map(({ subject }) => subject);
    expect(subjects.toSorted()).toEqual(
      [
        t('mail:membership_failed.subject', { plan: 'Storyteller' }),
        t('mail:deletion_link.subject'),
      ].toSorted(),
    );
    expect(await listQueuedMails(me)).toEqual([]);
  });

  test('a deleted user receives only the confirmation of the deletion', async () => {
    const me = await createPerson();
    const now = Date.now();
    await db.batch([
      queueMail(me, 'membership_ended', ENDED, { now }),
      queueMail(me, 'deletion_done', { site: ORIGIN }, { now }),
      db.delete(users).where(eq(users.id, me.id)),
    ]);
    const server = createMailServer();
    await sendFor(me, server, now);
    expect(server.taken.map(({ subject }) => subject)).toEqual([t('mail:deletion_done.subject')]);
    expect(await listQueuedMails(me)).toEqual([]);
  });
});

describe('Newsletter', () => {
  /** A time within the quarter of an hour in which the newsletter is queued. */
  const getNewsletterTime = (days = 0): number =>
    Math.floor(Date.now() / DAY_MS + 1 + days) * DAY_MS + MAIL.newsHourUtc * HOUR_MS + 5 * MINUTE_MS;
  const queueNewsletter = (now: number, site: string | undefined = ORIGIN) =>
    enqueueNewsletter({ ...env, SITE_URL: site ?? '' } as Env, db, now);
  // Other files share the database, and some of their characters are dated in the future; the newsletter takes the newest.
  beforeAll(async () => {
    const hideFutureCharacters =
      "update characters set visibility = 'private' where visibility = 'public' and (created_at > ?1 or id > ?2)";
    await env.DB.prepare(hideFutureCharacters).bind(Date.now(), createId(Date.now())).run();
  });

  test('the newsletter goes to users who agreed, in their language, with a link to unsubscribe', async () => {
    const me = await createPerson({ marketingEmails: true, language: 'fr' });
    const other = await createPerson();
    await addCharacter({ name: 'Ottoline <b>' });
    await queueNewsletter(getNewsletterTime());
    expect(await listQueuedMails(other)).toEqual([]);
    const server = createMailServer();
    await sendFor(me, server, getNewsletterTime());
    expect(server.taken).toHaveLength(1);
    const [mail] = server.taken;
    expect(mail).toMatchObject({ to: me.email, subject: 'De nouveaux personnages sur Loreloom' });
    expect(mail?.text).toContain('Ottoline <b>');
    expect(mail?.html).toContain('Ottoline &lt;b&gt;');
    expect(mail?.headers).toMatchObject({
      'List-Unsubscribe': expect.stringMatching(
        /^<https:\/\/loreloom\.test\/unsubscribe\?token=marketing\.[^>]+>$/,
      ),
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    });
  });

  test('the newsletter uses current character names and is not sent when all its characters are gone', async () => {
    const me = await createPerson({ marketingEmails: true });
    const [kept, removed] = [
      await addCharacter({ name: 'Old Ottoline' }),
      await addCharacter({ name: 'Gone Greta' }),
    ];
    await queueNewsletter(getNewsletterTime());
    await env.DB.prepare("update characters set name = 'Ottoline' where id = ?").bind(kept).run();
    await env.DB.prepare("update characters set visibility = 'private' where id = ?").bind(removed).run();
    const server = createMailServer();
    await sendFor(me, server, getNewsletterTime());
    expect(server.taken).toHaveLength(1);
    expect(server.taken[0]?.text).toContain('Ottoline');
    expect(server.taken[0]?.text).not.toMatch(/Old Ottoline|Gone Greta/);

    const other = await createPerson({ marketingEmails: true });
    await queueMail(other, 'marketing', { site: ORIGIN, names: 'Gone Greta', ids: removed });
    await sendFor(other, server, getNewsletterTime());
    expect(server.taken).toHaveLength(1);
    expect(await listQueuedMails(other)).toEqual([]);
  });

  test('the newsletter comes at most once in two months, however often cron runs', async () => {
    const me = await createPerson({ marketingEmails: true });
    await addCharacter();
    await Promise.all(Array.from({ length: 10 }, (_, index) => queueNewsletter(getNewsletterTime() + index)));
    expect(await listQueuedMails(me)).toHaveLength(1);
    await db.delete(mails).where(eq(mails.userId, me.id));
    for (const days of [1, 30, 60, 61]) {
      await addCharacter();
      await queueNewsletter(getNewsletterTime(days));
    }
    expect(await listQueuedMails(me)).toEqual([]);
    const id = createId(getNewsletterTime(61));
    await addCharacter({ id, createdAt: getNewsletterTime(61) });
    await queueNewsletter(getNewsletterTime(62) + MINUTE_MS);
    expect(await listQueuedMails(me)).toHaveLength(1);
    await env.DB.prepare('delete from characters where id = ?').bind(id).run();
    // The retries of the previous mail must end more than 60 days before the next newsletter.
    const lastTryMs = MAIL.retryDelaysMs.reduce((sum, pause) => sum + pause, 0);
    expect(MAIL.marketingIntervalMs - lastTryMs).toBeGreaterThan(60 * DAY_MS);
  });

  test('two simultaneous newsletter runs queue one mail for a user', async () => {
    const me = await createPerson({ marketingEmails: true });
    const now = getNewsletterTime();
    await Promise.all(
      ['Mira', 'Teodora'].map((names) =>
        insertNewsletterMails(db, { variables: { site: ORIGIN, names, ids: names }, limit: 9999, now }),
      ),
    );
    expect(await listQueuedMails(me)).toHaveLength(1);
  });

  test('the newsletter is not sent without new characters, at another hour or without a site address', async () => {
    const me = await createPerson({ marketingEmails: true });
    await addCharacter();
    await queueNewsletter(getNewsletterTime() - HOUR_MS);
    await queueNewsletter(getNewsletterTime() + 15 * MINUTE_MS);
    await queueNewsletter(getNewsletterTime(), '');
    await queueNewsletter(getNewsletterTime(10 * 365));
    expect(await listQueuedMails(me)).toEqual([]);
  });
});
