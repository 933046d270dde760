import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { createUnsubscribeToken } from '../../../../src/features/mail/unsubscribe.ts';
import type { MailList } from '../../../../src/features/mail/contract.ts';
import { ORIGIN, createAccount, Visitor } from '../../../support/factories.ts';

const PATH = '/api/mail/unsubscribe';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const ONE_CLICK = 'List-Unsubscribe=One-Click';

const createToken = (me: Visitor, list: MailList): Promise<string> =>
  createUnsubscribeToken(env.AUTH_SECRET ?? '', { userId: me.id, list });

/** A user who has agreed to every mail. */
async function createSubscriber(): Promise<Visitor> {
  const me = await createAccount();
  await env.DB.prepare('update users set marketing_emails = 1 where id = ?').bind(me.id).run();
  return me;
}

async function readFlags(me: Visitor): Promise<unknown> {
  return env.DB.prepare(
    'select marketing_emails as marketing, email_notifications as notifications from users where id = ?',
  )
    .bind(me.id)
    .first();
}

/** Posts like a mail program’s server: without a cookie or an origin, as a form. */
const postUnsubscribe = (
  token: string,
  options: { headers?: Record<string, string>; body?: BodyInit } = {},
) =>
  new Visitor().call(`${PATH}?token=${encodeURIComponent(token)}`, {
    method: 'POST',
    body: ONE_CLICK,
    headers: FORM,
    ...options,
  });

describe('One-click unsubscribe', () => {
  test('one-click unsubscribe ends the newsletter only, and a second click changes nothing', async () => {
    const me = await createSubscriber();
    const token = await createToken(me, 'marketing');
    for (let time = 0; time < 2; time += 1) {
      const answer = await postUnsubscribe(token);
      expect([answer.status, await answer.json()]).toEqual([200, { list: 'marketing', subscribed: false }]);
      expect(answer.headers.get('cache-control')).toBe('private, no-store');
      expect(await readFlags(me)).toEqual({ marketing: 0, notifications: 1 });
    }
  });

  test('one-click unsubscribe from a notification ends notifications only', async () => {
    const me = await createSubscriber();
    expect((await postUnsubscribe(await createToken(me, 'notifications'))).status).toBe(200);
    expect(await readFlags(me)).toEqual({ marketing: 1, notifications: 0 });
  });

  test('one-click unsubscribe accepts a multipart form, an empty body and another origin', async () => {
    const parts = new FormData();
    parts.set('List-Unsubscribe', 'One-Click');
    for (const request of [
      { body: parts, headers: {} },
      { body: '', headers: {} },
      {
        body: ONE_CLICK,
        headers: { ...FORM, origin: 'https://mail.example', 'sec-fetch-site': 'cross-site' },
      },
      { body: `${ONE_CLICK}&${'x'.repeat(3_000_000)}`, headers: FORM },
    ]) {
      const me = await createSubscriber();
      const answer = await postUnsubscribe(await createToken(me, 'marketing'), request as never);
      expect(answer.status).toBe(200);
      expect(await readFlags(me)).toMatchObject({ marketing: 0 });
    }
  });

  test('one-click unsubscribe for a deleted account succeeds', async () => {
    const me = await createSubscriber();
    const token = await createToken(me, 'marketing');
    await env.DB.prepare('delete from users where id = ?').bind(me.id).run();
    expect((await postUnsubscribe(token)).status).toBe(200);
  });
});

describe('Forged unsubscribe links', () => {
  test('a forged unsubscribe link changes nothing and is answered with 404', async () => {
    const me = await createSubscriber();
    const token = await createToken(me, 'marketing');
    const [, , signature = ''] = token.split('.');
    for (const forged of [
      token.slice(0, -1),
      `notifications.${me.id}.${signature}`,
      `marketing.${(await createSubscriber()).id}.${signature}`,
      await createUnsubscribeToken('another-secret-altogether', { userId: me.id, list: 'marketing' }),
      '',
    ]) {
      const answer = await postUnsubscribe(forged);
      expect([answer.status, await answer.json()]).toEqual([
        404,
        expect.objectContaining({ code: 'not_found' }),
      ]);
    }
    expect(await readFlags(me)).toEqual({ marketing: 1, notifications: 1 });
    await new Visitor().ask(PATH, { method: 'POST', status: 400 });
    expect((await postUnsubscribe('x'.repeat(5000))).status).toBe(400);
  });

  test('opening an unsubscribe link with GET changes nothing, because mail scanners open every link', async () => {
    const me = await createSubscriber();
    const token = await createToken(me, 'marketing');
    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      expect((await new Visitor().call(`${PATH}?token=${token}`, { method })).status).toBe(404);
    }
    expect(await readFlags(me)).toMatchObject({ marketing: 1 });
  });
});

describe('Unsubscribe page', () => {
  test('the unsubscribe page’s button unsubscribes and redirects back to the page', async () => {
    const me = await createSubscriber();
    const token = await createToken(me, 'marketing');
    const answer = await me.call(`${PATH}?token=${token}`, {
      body: 'from=page',
      headers: { ...FORM, origin: ORIGIN },
    });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/unsubscribe?token=${token}`]);
    expect(await readFlags(me)).toMatchObject({ marketing: 0 });
  });

  test('the unsubscribe page’s redirect with an invalid token stays on the site', async () => {
    const answer = await postUnsubscribe('//evil.example', {
      body: 'from=page',
      headers: FORM,
    } as never);
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      '/unsubscribe?token=%2F%2Fevil.example',
    ]);
  });
});
