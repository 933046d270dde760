import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { deliverQueuedMail } from '../../src/services/deliver-mail.ts';
import { enqueueNewsletter } from '../../src/jobs/newsletter.ts';
import { MAIL } from '../../src/features/mail/limits.ts';
import { type Language } from '../../src/config/languages.ts';
import { openDatabase } from '../../src/db/open.ts';
import { mails, users } from '../../src/db/schema/core.ts';
import type { QueuedMailKind, MailDetails } from '../../src/features/mail/contract.ts';
import { insertMailStatement, insertNewsletterMails, claimMail } from '../../src/features/mail/mail-store.ts';
import { createId } from '../../src/lib/ids.ts';
import { addCharacter, createEmail, ORIGIN } from '../support/factories.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const db = openDatabase(env.DB);

interface Person {
  id: string;
  email: string;
}

/** Somebody with an account, as the outbox knows them. */
async function person(fields: Partial<typeof users.$inferInsert> = {}): Promise<Person> {
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

type Tell = Pick<SendEmail, 'send'> & { taken: EmailMessageBuilder[]; tried: number };

/** A mail server that does as it is told for each try, and then takes everything. */
function mailServer(...answers: (Error | null)[]): Tell {
  const taken: EmailMessageBuilder[] = [];
  const server: Tell = {
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

const refusing = (code: string, message = code): Error => Object.assign(new Error(message), { code });
const AWAY = refusing('E_INTERNAL_SERVER_ERROR');

const sendFor = (to: Person, server: Tell, now: number): Promise<void> =>
  deliverQueuedMail({ ...env, EMAIL: server as SendEmail }, db, { now, userId: to.id });

const put = <Kind extends QueuedMailKind>(
  to: Person,
  kind: Kind,
  details: MailDetails<Kind>,
  { about = 'it', now = Date.now(), language = 'en' as Language } = {},
) => insertMailStatement(db, { userId: to.id, address: to.email, language, kind, details, about, now });

const ENDED = { site: ORIGIN, plan: 'Storyteller' };
const LINK = { site: ORIGIN, token: 'secret-token' };
const waiting = (to: Person) => db.select().from(mails).where(eq(mails.userId, to.id));
const logged = vi.spyOn(console, 'error');
const linesAbout = (event: string) =>
  logged.mock.calls.map(([line]) => String(line)).filter((line) => line.includes(event));
afterEach(() => logged.mockClear());

describe('A mail that is put in with the change it tells of', () => {
  test('goes out in its reader’s language, and is kept nowhere then', async () => {
    const me = await person();
    const now = Date.now();
    await put(me, 'membership_ended', ENDED, { language: 'de', now });
    const server = mailServer();
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
    expect(await waiting(me)).toEqual([]);
    await sendFor(me, server, now + DAY_MS);
    expect(server.tried).toBe(1);
  });

  test('is taken by the platform’s own binding as it is', async () => {
    const me = await person();
    await put(me, 'deletion_link', LINK);
    await deliverQueuedMail(env, db, { now: Date.now(), userId: me.id });
    expect(await waiting(me)).toEqual([]);
    expect(linesAbout('mail_')).toEqual([]);
  });

  test('is not there when the change fails', async () => {
    const me = await person();
    const twice = db
      .insert(users)
      .values({ id: me.id, username: 'x', isAnonymous: true, createdAt: 0, updatedAt: 0 });
    await expect(db.batch([put(me, 'membership_ended', ENDED), twice])).rejects.toThrow();
    expect(await waiting(me)).toEqual([]);
  });

  test('put in twice about the same is sent once, about something else again', async () => {
    const me = await person();
    await db.batch([put(me, 'membership_ended', ENDED), put(me, 'membership_ended', ENDED)]);
    await put(me, 'membership_ended', ENDED, { about: 'something else' });
    const server = mailServer();
    await sendFor(me, server, Date.now() + 1);
    expect(server.taken).toHaveLength(2);
  });

  test('sent by ten at once goes out once', async () => {
    const me = await person();
    const now = Date.now();
    await put(me, 'membership_ended', ENDED, { now });
    const server = mailServer();
    await Promise.all(Array.from({ length: 10 }, () => sendFor(me, server, now)));
    expect(server.taken).toHaveLength(1);
  });
});

describe('When the mail server is away', () => {
  test('a mail is tried seven times with longer and longer pauses, then given up with a line that names nobody', async () => {
    const me = await person();
    const begun = Date.now();
    await put(me, 'membership_ended', ENDED, { now: begun });
    const server = mailServer(
      ...Array.from({ length: 20 }, () => refusing('E_INTERNAL_SERVER_ERROR', `No way to ${me.email} now`)),
    );
    const minutes: number[] = [];
    for (let minute = 0; minute <= 3 * 24 * 60; minute += 1) {
      // Nobody looks between a minute and the next when nothing is due.
      const [mail] = await waiting(me);
      if (mail === undefined) break;
      minute = Math.max(minute, (mail.tryAt - begun) / MINUTE_MS);
      await sendFor(me, server, begun + minute * MINUTE_MS - 1);
      const before = server.tried;
      await sendFor(me, server, begun + minute * MINUTE_MS);
      if (server.tried > before) minutes.push(minute);
    }
    expect(minutes).toEqual([0, 1, 6, 36, 156, 516, 1956]);
    expect(server.tried).toBe(7);
    expect(await waiting(me)).toEqual([]);
    expect(linesAbout('mail_given_up')).toHaveLength(1);
    expect(logged.mock.calls.join('\n')).not.toContain(me.email);
    expect(linesAbout('mail_failed')[0]).toContain('No way to … now');
  });

  test('for a while, the mail goes out once it is back, once', async () => {
    const me = await person();
    const begun = Date.now();
    await put(me, 'membership_ended', ENDED, { now: begun });
    const server = mailServer(AWAY, AWAY, null);
    for (const minute of [0, 1, 6, 36]) await sendFor(me, server, begun + minute * MINUTE_MS);
    expect(server.taken).toHaveLength(1);
    expect(server.tried).toBe(3);
  });

  test('and whoever was sending dies on the way, the mail is tried again after its pause', async () => {
    const me = await person();
    const now = Date.now();
    await put(me, 'membership_ended', ENDED, { now });
    const [mail] = await waiting(me);
    expect(await claimMail(db, { id: mail?.id ?? '', tries: 0, now })).toBe(true);
    const server = mailServer();
    await sendFor(me, server, now + MINUTE_MS - 1);
    expect(server.tried).toBe(0);
    await sendFor(me, server, now + MINUTE_MS);
    expect(server.taken).toHaveLength(1);
  });

  test('the other mails of the same run go out all the same', async () => {
    const me = await person();
    const now = Date.now();
    for (let index = 0; index < 12; index += 1) {
      await put(me, 'membership_ended', ENDED, { now, about: String(index) });
    }
    await db
      .update(mails)
      .set({ details: { nonsense: 1 } })
      .where(eq(mails.id, (await waiting(me))[3]?.id ?? ''));
    const server = mailServer(null, AWAY, null, null);
    await sendFor(me, server, now);
    expect(server.taken).toHaveLength(10);
    expect(await waiting(me)).toHaveLength(1);
    // What nobody can read is said and does not lie there for ever.
    expect(linesAbout('mail_given_up')).toHaveLength(1);
  });
});

describe('A mail that would say nothing any more is not sent', () => {
  test.each(['E_RECIPIENT_SUPPRESSED', 'E_VALIDATION_ERROR', 'E_HEADER_VALUE_INVALID'])(
    'because the platform will never take it (%s): it is tried once',
    async (code) => {
      const me = await person();
      const now = Date.now();
      await put(me, 'membership_ended', ENDED, { now });
      const server = mailServer(refusing(code));
      await sendFor(me, server, now);
      expect(await waiting(me)).toEqual([]);
      expect(linesAbout('mail_given_up')).toHaveLength(1);
    },
  );

  test('because its link is over', async () => {
    const me = await person();
    const now = Date.now();
    await put(me, 'deletion_link', LINK, { now });
    const server = mailServer(AWAY);
    await sendFor(me, server, now);
    await sendFor(me, server, now + DAY_MS + 1);
    expect(server.taken).toEqual([]);
    expect(await waiting(me)).toEqual([]);
  });

  test('because I have switched such mails off meanwhile; those that must come still come', async () => {
    const me = await person({ emailNotifications: false });
    const now = Date.now();
    const paid = { ...ENDED, price_cents: 699, until: now };
    await db.batch([
      put(me, 'membership_renewed', paid, { now }),
      put(me, 'first_commission', { site: ORIGIN, amount_cents: 105 }, { now }),
      put(me, 'membership_failed', paid, { now }),
      put(me, 'deletion_link', LINK, { now }),
    ]);
    const server = mailServer();
    await sendFor(me, server, now);
    const subjects = server.taken.map(({ subject }) => subject);
    expect(subjects).toHaveLength(2);
    expect(subjects.join()).toMatch(/payment.*did not go through/);
    expect(subjects.join()).toMatch(/delete your Loreloom account/);
    expect(await waiting(me)).toEqual([]);
  });

  test('because its reader is gone; the goodbye is', async () => {
    const me = await person();
    const now = Date.now();
    await db.batch([
      put(me, 'membership_ended', ENDED, { now }),
      put(me, 'deletion_done', { site: ORIGIN }, { now }),
      db.delete(users).where(eq(users.id, me.id)),
    ]);
    const server = mailServer();
    await sendFor(me, server, now);
    expect(server.taken.map(({ subject }) => subject)).toEqual(['Your Loreloom account is deleted']);
    expect(await waiting(me)).toEqual([]);
  });
});

describe('News', () => {
  /** An afternoon's quarter of an hour in which news are put in. */
  const afternoon = (days = 0): number =>
    Math.floor(Date.now() / DAY_MS + 1 + days) * DAY_MS + MAIL.newsHourUtc * HOUR_MS + 5 * MINUTE_MS;
  const tell = (now: number, site: string | undefined = ORIGIN) =>
    enqueueNewsletter({ ...env, SITE_URL: site ?? '' } as Env, db, now);
  // Other files share the database, and some of their worlds lie ahead: news tell of the newest.
  beforeAll(async () => {
    const ahead =
      "update characters set visibility = 'private' where visibility = 'public' and (created_at > ?1 or id > ?2)";
    await env.DB.prepare(ahead).bind(Date.now(), createId(Date.now())).run();
  });

  test('come to those who said yes to them, in their language, with a way out', async () => {
    const me = await person({ marketingEmails: true, language: 'fr' });
    const other = await person();
    await addCharacter({ name: 'Ottoline <b>' });
    await tell(afternoon());
    expect(await waiting(other)).toEqual([]);
    const server = mailServer();
    await sendFor(me, server, afternoon());
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

  test('name characters as they are when the mail goes out, and do not come for those alone that are gone', async () => {
    const me = await person({ marketingEmails: true });
    const [stays, goes] = [
      await addCharacter({ name: 'Old Ottoline' }),
      await addCharacter({ name: 'Gone Greta' }),
    ];
    await tell(afternoon());
    await env.DB.prepare("update characters set name = 'Ottoline' where id = ?").bind(stays).run();
    await env.DB.prepare("update characters set visibility = 'private' where id = ?").bind(goes).run();
    const server = mailServer();
    await sendFor(me, server, afternoon());
    expect(server.taken).toHaveLength(1);
    expect(server.taken[0]?.text).toContain('Ottoline');
    expect(server.taken[0]?.text).not.toMatch(/Old Ottoline|Gone Greta/);

    const other = await person({ marketingEmails: true });
    await put(other, 'marketing', { site: ORIGIN, names: 'Gone Greta', ids: goes });
    await sendFor(other, server, afternoon());
    expect(server.taken).toHaveLength(1);
    expect(await waiting(other)).toEqual([]);
  });

  test('never come twice within two months, however often cron runs, and also when a mail server was away', async () => {
    const me = await person({ marketingEmails: true });
    await addCharacter();
    await Promise.all(Array.from({ length: 10 }, (_, index) => tell(afternoon() + index)));
    expect(await waiting(me)).toHaveLength(1);
    await db.delete(mails).where(eq(mails.userId, me.id));
    for (const days of [1, 30, 60, 61]) {
      await addCharacter();
      await tell(afternoon(days));
    }
    expect(await waiting(me)).toEqual([]);
    const id = createId(afternoon(61));
    await addCharacter({ id, createdAt: afternoon(61) });
    await tell(afternoon(62) + MINUTE_MS);
    expect(await waiting(me)).toHaveLength(1);
    await env.DB.prepare('delete from characters where id = ?').bind(id).run();
    // The last try of the mail before was less than two days after it was put in.
    const lastTryMs = MAIL.retryDelaysMs.reduce((sum, pause) => sum + pause, 0);
    expect(MAIL.marketingIntervalMs - lastTryMs).toBeGreaterThan(60 * DAY_MS);
  });

  test('put in for the same person by two runs at the same moment come once', async () => {
    const me = await person({ marketingEmails: true });
    const now = afternoon();
    await Promise.all(
      ['Mira', 'Teodora'].map((names) =>
        insertNewsletterMails(db, { details: { site: ORIGIN, names, ids: names }, limit: 9999, now }),
      ),
    );
    expect(await waiting(me)).toHaveLength(1);
  });

  test('do not come when there is nothing new, at another hour, or from a site that does not say where it is', async () => {
    const me = await person({ marketingEmails: true });
    await addCharacter();
    await tell(afternoon() - HOUR_MS);
    await tell(afternoon() + 15 * MINUTE_MS);
    await tell(afternoon(), '');
    await tell(afternoon(10 * 365));
    expect(await waiting(me)).toEqual([]);
  });
});
