import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/open.ts';
import { feedback } from '../../src/db/schema/core.ts';
import { createEmail, signInGuest, createAccount, Visitor } from '../support/factories.ts';
import { mailsTo } from './mailbox.ts';

const SUPPORT = 'support@localhost.test';

const tell = (who: Visitor, json: unknown, status = 201, headers = {}) =>
  who.ask<{ id: string; code?: string; fields?: Record<string, string[]> }>('/api/feedback', {
    json,
    status,
    headers,
  });
const keptAs = (id: string) => openDatabase(env.DB).select().from(feedback).where(eq(feedback.id, id)).get();

describe('What I tell the operator', () => {
  test('is kept without an account, in my words and with my language, and with no address unless I give one', async () => {
    const message = '  The drawer hides <b>my</b> last line.\n\nOn a small phone.';
    const { id } = await tell(new Visitor(), { message }, 201, { 'accept-language': 'de' });
    expect(await keptAs(id)).toMatchObject({ message, email: null, userId: null, language: 'de' });
    const email = createEmail().toUpperCase();
    const answerable = await tell(new Visitor(), { message: 'Write to me.', email });
    expect(await keptAs(answerable.id)).toMatchObject({ email: email.toLowerCase() });
  });

  test('is kept with my account when I am logged in, or with my guest’s', async () => {
    for (const me of [await createAccount(), await signInGuest()]) {
      const { id } = await tell(me, { message: 'More lanterns.' });
      expect(await keptAs(id)).toMatchObject({ userId: me.id, email: null });
    }
  });

  test('reaches the operator by mail as text, with my address for the answer', async () => {
    const email = createEmail();
    const { id } = await tell(new Visitor(), { message: '<img src=x>\nTwo lines.', email });
    await expect.poll(() => mailsTo(SUPPORT).find(({ text }) => text.includes(id))).toBeDefined();
    const mail = mailsTo(SUPPORT).find(({ text }) => text.includes(id));
    expect(mail).toMatchObject({ replyTo: email, text: expect.stringContaining('Two lines.') });
    expect(mail?.html).not.toContain('<img');
    expect(mail?.subject).not.toContain('\n');
  });

  test('names me as a member when I am one, because a membership promises to be answered first', async () => {
    const me = await createAccount();
    const mailOf = async (message: string) => {
      const { id } = await tell(me, { message });
      await expect.poll(() => mailsTo(SUPPORT).find(({ text }) => text.includes(id))).toBeDefined();
      return mailsTo(SUPPORT).find(({ text }) => text.includes(id));
    };
    const before = await mailOf('Before I was a member.');
    expect(before?.subject).toBe('Feedback (en)');
    expect(before?.text).not.toMatch(/member wrote/i);
    await env.DB.prepare("update users set plan = 'storyteller' where id = ?").bind(me.id).run();
    const since = await mailOf('Since I am one.');
    expect(since?.subject).toBe('[Member] Feedback (en)');
    expect(since?.text).toContain('A member wrote');
  });

  test('is 2000 characters at most and has something to read in it', async () => {
    const { id } = await tell(new Visitor(), { message: 'x'.repeat(2000) });
    expect((await keptAs(id))?.message).toHaveLength(2000);
    for (const message of ['x'.repeat(2001), '', '  \n ', '\u200b', null]) {
      expect(await tell(new Visitor(), { message }, 400)).toMatchObject({
        code: 'invalid_input',
        fields: { message: [expect.any(String)] },
      });
    }
    for (const email of ['', 'mira', 'mira@', 'a b@c.d', 'a@b.c\r\nBcc: x@y.z', `${'a'.repeat(250)}@b.cd`]) {
      expect(await tell(new Visitor(), { message: 'Hello', email }, 400)).toMatchObject({
        fields: { email: ['Please enter a valid email address'] },
      });
    }
    await tell(new Visitor(), { message: 'Hello', user_id: 'somebody' }, 400);
  });

  test('may be said ten times an hour; then I am asked to wait, and others are not', async () => {
    const [me, other] = [await createAccount(), await createAccount()];
    for (let told = 0; told < 10; told += 1) await tell(me, { message: `Thought ${told}` });
    const answer = await me.call('/api/feedback', { json: { message: 'One more' } });
    expect(answer.status).toBe(429);
    expect(answer.headers.get('retry-after')).toBe('3600');
    await tell(other, { message: 'My first' });
  });
});
