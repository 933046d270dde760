import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../../../src/db/open.ts';
import { feedback } from '../../../../src/db/schema/core.ts';
import { FEEDBACK } from '../../../../src/features/feedback/limits.ts';
import { ConfiguredVisitor } from '../../../support/configured-visitor.ts';
import { createEmail, signInGuest, createAccount, Visitor } from '../../../support/factories.ts';
import { mailsTo } from '../../mailbox.ts';

const SUPPORT = 'support@localhost.test';

const sendFeedback = (visitor: Visitor, json: unknown, status = 201, headers = {}) =>
  visitor.ask<{ id: string; code?: string; fields?: Record<string, string[]> }>('/api/feedback', {
    json,
    status,
    headers,
  });
const readFeedback = (id: string) =>
  openDatabase(env.DB).select().from(feedback).where(eq(feedback.id, id)).get();

describe('Feedback', () => {
  test('feedback needs no account, and an address is stored only when it is given', async () => {
    const message = '  The drawer hides <b>my</b> last line.\n\nOn a small phone.';
    const { id } = await sendFeedback(new Visitor(), { message }, 201, { 'accept-language': 'de' });
    expect(await readFeedback(id)).toMatchObject({ message, email: null, userId: null, language: 'de' });
    const email = createEmail().toUpperCase();
    const answerable = await sendFeedback(new Visitor(), { message: 'Write to me.', email });
    expect(await readFeedback(answerable.id)).toMatchObject({ email: email.toLowerCase() });
  });

  test('feedback is stored with the account or guest that sent it', async () => {
    for (const me of [await createAccount(), await signInGuest()]) {
      const { id } = await sendFeedback(me, { message: 'More lanterns.' });
      expect(await readFeedback(id)).toMatchObject({ userId: me.id, email: null });
    }
  });

  test('feedback is mailed to the operator as text with a reply address', async () => {
    const email = createEmail();
    const { id } = await sendFeedback(new Visitor(), { message: '<img src=x>\nTwo lines.', email });
    await expect.poll(() => mailsTo(SUPPORT).find(({ text }) => text.includes(id))).toBeDefined();
    const mail = mailsTo(SUPPORT).find(({ text }) => text.includes(id));
    expect(mail).toMatchObject({ replyTo: email, text: expect.stringContaining('Two lines.') });
    expect(mail?.html).not.toContain('<img');
    expect(mail?.subject).not.toContain('\n');
  });

  test('feedback by a member is marked in the mail, because members are answered first', async () => {
    const me = await createAccount();
    const sendAndFindMail = async (message: string) => {
      const { id } = await sendFeedback(me, { message });
      await expect.poll(() => mailsTo(SUPPORT).find(({ text }) => text.includes(id))).toBeDefined();
      return mailsTo(SUPPORT).find(({ text }) => text.includes(id));
    };
    const before = await sendAndFindMail('Before I was a member.');
    expect(before?.subject).toBe('Feedback (en)');
    expect(before?.text).not.toMatch(/member wrote/i);
    await env.DB.prepare("update users set plan = 'storyteller' where id = ?").bind(me.id).run();
    const afterwards = await sendAndFindMail('Since I am one.');
    expect(afterwards?.subject).toBe('[Member] Feedback (en)');
    expect(afterwards?.text).toContain('A member wrote');
  });

  test('feedback has 1 to 2000 characters and a valid address', async () => {
    const { id } = await sendFeedback(new Visitor(), { message: 'x'.repeat(2000) });
    expect((await readFeedback(id))?.message).toHaveLength(2000);
    for (const message of ['x'.repeat(2001), '', '  \n ', '\u200b', null]) {
      expect(await sendFeedback(new Visitor(), { message }, 400)).toMatchObject({
        code: 'invalid_input',
        fields: { message: [expect.any(String)] },
      });
    }
    for (const email of ['', 'mira', 'mira@', 'a b@c.d', 'a@b.c\r\nBcc: x@y.z', `${'a'.repeat(250)}@b.cd`]) {
      expect(await sendFeedback(new Visitor(), { message: 'Hello', email }, 400)).toMatchObject({
        fields: { email: ['Please enter a valid email address'] },
      });
    }
    await sendFeedback(new Visitor(), { message: 'Hello', user_id: 'somebody' }, 400);
  });

  test('feedback is limited to ten messages an hour and user', async () => {
    const [me, other] = [await createAccount(), await createAccount()];
    for (let count = 0; count < 10; count += 1) await sendFeedback(me, { message: `Thought ${count}` });
    const answer = await me.call('/api/feedback', { json: { message: 'One more' } });
    expect(answer.status).toBe(429);
    expect(answer.headers.get('retry-after')).toBe('3600');
    expect(await answer.json()).toMatchObject({ code: 'too_much_feedback' });
    await sendFeedback(other, { message: 'My first' });
  });

  test('of thirty messages at once, ten are accepted', async () => {
    const me = await createAccount();
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        me.call('/api/feedback', { json: { message: `At once ${index}` } }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
  });

  test('without an account, a network sends so much feedback a day, also at once; an account is not concerned', async () => {
    const settings = { RATE_LIMITS: 'on', AUTH_LIMIT: { limit: async () => ({ success: true }) } };
    const headers = { 'cf-connecting-ip': '192.0.2.77' };
    const call = (visitor?: Visitor) =>
      new ConfiguredVisitor(settings, visitor).call('/api/feedback', { json: { message: 'Hello' }, headers });
    const answers = await Promise.all(Array.from({ length: 30 }, () => call()));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(FEEDBACK.perNetworkPerDay);
    const refused = await call(await signInGuest());
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ code: 'too_much_feedback' });
    expect((await call(await createAccount())).status).toBe(201);
  });
});
