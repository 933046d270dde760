import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { createUnsubscribeToken } from '../../src/features/mail/unsubscribe.ts';
import type { MailList } from '../../src/features/mail/contract.ts';
import { ORIGIN, createAccount, Visitor } from '../support/factories.ts';

const PATH = '/api/mail/unsubscribe';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const ONE_CLICK = 'List-Unsubscribe=One-Click';

const tokenOf = (me: Visitor, list: MailList): Promise<string> =>
  createUnsubscribeToken(env.AUTH_SECRET ?? '', { userId: me.id, list });

/** Somebody who gets everything. */
async function reader(): Promise<Visitor> {
  const me = await createAccount();
  await env.DB.prepare('update users set marketing_emails = 1 where id = ?').bind(me.id).run();
  return me;
}

async function flags(me: Visitor): Promise<unknown> {
  return env.DB.prepare(
    'select marketing_emails as marketing, email_notifications as notifications from users where id = ?',
  )
    .bind(me.id)
    .first();
}

/** A mail program's server: no cookie, no origin, a form. */
const click = (token: string, options: { headers?: Record<string, string>; body?: BodyInit } = {}) =>
  new Visitor().call(`${PATH}?token=${encodeURIComponent(token)}`, {
    method: 'POST',
    body: ONE_CLICK,
    headers: FORM,
    ...options,
  });

describe('When I press «unsubscribe» in my mail program', () => {
  test('I get no more news, and everything else as before; again changes nothing', async () => {
    const me = await reader();
    const token = await tokenOf(me, 'marketing');
    for (let time = 0; time < 2; time += 1) {
      const answer = await click(token);
      expect([answer.status, await answer.json()]).toEqual([200, { list: 'marketing', subscribed: false }]);
      expect(answer.headers.get('cache-control')).toBe('private, no-store');
      expect(await flags(me)).toEqual({ marketing: 0, notifications: 1 });
    }
  });

  test('of a notification, it is notifications that end', async () => {
    const me = await reader();
    expect((await click(await tokenOf(me, 'notifications'))).status).toBe(200);
    expect(await flags(me)).toEqual({ marketing: 1, notifications: 0 });
  });

  test('it works however the program sends it: as a form with parts, without a body, from another origin', async () => {
    const parts = new FormData();
    parts.set('List-Unsubscribe', 'One-Click');
    for (const how of [
      { body: parts, headers: {} },
      { body: '', headers: {} },
      {
        body: ONE_CLICK,
        headers: { ...FORM, origin: 'https://mail.example', 'sec-fetch-site': 'cross-site' },
      },
      { body: `${ONE_CLICK}&${'x'.repeat(3_000_000)}`, headers: FORM },
    ]) {
      const me = await reader();
      const answer = await click(await tokenOf(me, 'marketing'), how as never);
      expect(answer.status).toBe(200);
      expect(await flags(me)).toMatchObject({ marketing: 0 });
    }
  });

  test('of an account that is gone, nothing goes wrong', async () => {
    const me = await reader();
    const token = await tokenOf(me, 'marketing');
    await env.DB.prepare('delete from users where id = ?').bind(me.id).run();
    expect((await click(token)).status).toBe(200);
  });
});

describe('A link that is none of ours', () => {
  test('changes nothing for anybody', async () => {
    const me = await reader();
    const token = await tokenOf(me, 'marketing');
    const [, , signature = ''] = token.split('.');
    for (const forged of [
      token.slice(0, -1),
      `notifications.${me.id}.${signature}`,
      `marketing.${(await reader()).id}.${signature}`,
      await createUnsubscribeToken('another-secret-altogether', { userId: me.id, list: 'marketing' }),
      '',
    ]) {
      const answer = await click(forged);
      expect([answer.status, await answer.json()]).toEqual([
        404,
        expect.objectContaining({ code: 'not_found' }),
      ]);
    }
    expect(await flags(me)).toEqual({ marketing: 1, notifications: 1 });
    await new Visitor().ask(PATH, { method: 'POST', status: 400 });
    expect((await click('x'.repeat(5000))).status).toBe(400);
  });

  test('nor does looking at one of ours: mail guards open every link', async () => {
    const me = await reader();
    const token = await tokenOf(me, 'marketing');
    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      expect((await new Visitor().call(`${PATH}?token=${token}`, { method })).status).toBe(404);
    }
    expect(await flags(me)).toMatchObject({ marketing: 1 });
  });
});

describe('When I press the button of the page', () => {
  test('I am brought back to it, and it is done', async () => {
    const me = await reader();
    const token = await tokenOf(me, 'marketing');
    const answer = await me.call(`${PATH}?token=${token}`, {
      body: 'from=page',
      headers: { ...FORM, origin: ORIGIN },
    });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/unsubscribe?token=${token}`]);
    expect(await flags(me)).toMatchObject({ marketing: 0 });
  });

  test('with a link that is none, it says so itself and leads nowhere else', async () => {
    const answer = await click('//evil.example', {
      body: 'from=page',
      headers: FORM,
    } as never);
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      '/unsubscribe?token=%2F%2Fevil.example',
    ]);
  });
});
