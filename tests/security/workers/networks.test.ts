import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { RATES } from '../../../src/api/middleware/rate-limits.ts';
import { ConfiguredVisitor } from '../../support/configured-visitor.ts';
import { createEmail } from '../../support/factories.ts';
import { mailsTo, recordingMail } from '../../workers/mailbox.ts';

/** Addresses of one /48, each in a /64 of its own. */
const listAddresses = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}:${(index + 1).toString(16)}::1`);

/** A client at a site with limits. Those per minute let all calls pass unless `perMinute` is given. */
const createClient = (
  perMinute: object = Object.fromEntries(
    Object.keys(RATES).map((name) => [name, { limit: async () => ({ success: true }) }]),
  ),
) => new ConfiguredVisitor({ RATE_LIMITS: 'on', EMAIL: recordingMail(env.EMAIL), ...perMinute });

async function countSuccesses(calls: readonly Promise<Response>[]): Promise<number> {
  return (await Promise.all(calls)).filter(({ status }) => status < 400).length;
}

describe('Attacks out of one /48 of IPv6, with another /64 for each call', () => {
  test('a /48 starts 60 guests a day', async () => {
    const calls = listAddresses('2001:db8:a1', 90).map((from) =>
      createClient().call('/api/auth/anonymous', { method: 'POST', headers: { 'cf-connecting-ip': from } }),
    );
    expect(await countSuccesses(calls)).toBe(60);
  });

  test('a /48 requests 400 login codes a day', async () => {
    const calls = listAddresses('2001:db8:a2', 450).map((from) =>
      createClient().call('/api/auth/send-login-code', {
        json: { email: createEmail() },
        headers: { 'cf-connecting-ip': from },
      }),
    );
    expect(await countSuccesses(calls)).toBe(400);
  });

  test('a /48 sends 40 messages of feedback a day without accounts, and guests are no way around it', async () => {
    const send = async (from: string, index: number) => {
      const client = createClient();
      const headers = { 'cf-connecting-ip': from };
      if (index % 2 === 0) await client.call('/api/auth/anonymous', { method: 'POST', headers });
      return client.call('/api/feedback', { json: { message: 'Again.' }, headers });
    };
    expect(await countSuccesses(listAddresses('2001:db8:a3', 60).map(send))).toBe(40);
  });

  test('others have five guesses of a code, however many networks they use', async () => {
    const email = createEmail();
    const headers = { 'cf-connecting-ip': '203.0.113.7' };
    await createClient().ask('/api/auth/send-login-code', { json: { email }, headers, status: 201 });
    const code = /^\d{6}$/m.exec(mailsTo(email)[0]?.text ?? '')?.[0] as string;
    const guess = (from: string, tried: string) =>
      createClient().call('/api/auth/login-with-code', {
        json: { email, code: tried },
        headers: { 'cf-connecting-ip': from },
      });
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
    const strangers = listAddresses('2001:db8:a4', 50);
    await Promise.all(strangers.map((from) => guess(from, wrong)));
    const tried = env.DB.prepare('select tries, requester_tries from login_codes where email = ?').bind(
      email,
    );
    expect(await tried.first()).toEqual({ tries: 5, requester_tries: 0 });
    // The right code is refused elsewhere now, and works where it was requested.
    expect((await guess('2001:db8:a5:1::1', code)).status).toBe(400);
    expect((await guess('203.0.113.7', code)).status).toBe(201);
  });

  test('an address bears 120 guesses of strangers a day: twelve codes with five tries of the requester and five of others', async () => {
    const email = createEmail();
    const networks = Array.from({ length: 40 }, (_, index) => `2001:${(0xd00 + index).toString(16)}:1:1::1`);
    const callFrom = (from: string, path: string, json: object) =>
      createClient().call(path, { json, headers: { 'cf-connecting-ip': from } });
    await Promise.all(networks.map((from) => callFrom(from, '/api/auth/send-login-code', { email })));
    const codes = new Set(mailsTo(email).map(({ text }) => /^\d{6}$/m.exec(text)?.[0]));
    const wrong = Array.from({ length: 30 }, (_, index) => String(index).padStart(6, '0')).find(
      (one) => !codes.has(one),
    );
    for (let round = 0; round < 8; round += 1)
      await Promise.all(
        networks.map((from) => callFrom(from, '/api/auth/login-with-code', { email, code: wrong })),
      );
    const total = env.DB.prepare('select sum(tries) as tries from login_codes where email = ?').bind(email);
    expect(await total.first('tries')).toBe(120);
  });

  test('calls of a /48 are limited together by the platform, at some multiple of what one /64 may call', async () => {
    const statuses: number[] = [];
    // Each /64 makes fewer calls than it may; the /48 as a whole makes more.
    for (const from of listAddresses('2001:db8:a6', 13))
      for (let call = 0; call < 10; call += 1) {
        const answer = await createClient({}).call('/api/auth/passkey-options', {
          method: 'POST',
          headers: { 'cf-connecting-ip': from },
        });
        statuses.push(answer.status);
      }
    expect(statuses.slice(0, RATES.LIMIT_120.limit)).toEqual(
      Array.from({ length: RATES.LIMIT_120.limit }, () => 200),
    );
    expect(statuses.at(-1)).toBe(429);
    const neighbour = await createClient({}).call('/api/auth/passkey-options', {
      method: 'POST',
      headers: { 'cf-connecting-ip': '2001:db8:a7:1::1' },
    });
    expect(neighbour.status).toBe(200);
  });
});
