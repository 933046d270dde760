import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LOGIN_CODE } from '../../../../src/features/account/limits.ts';
import { ConfiguredVisitor } from '../../../support/configured-visitor.ts';
import { createEmail } from '../../../support/factories.ts';
import { mailsTo, recordingMail } from '../../mailbox.ts';

const HOUR_MS = 3_600_000;
/** Twelve hours before the day ends. */
const NOON = Date.UTC(2027, 5, 1, 12);

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOON });
  await env.DB.prepare('delete from daily_counts').run();
});
afterEach(() => vi.useRealTimers());

/** Requests a login code with network limits on. The limit per minute, which would apply first, always passes. */
const requestCode = (
  from: string,
  { email = createEmail(), on = 'on', mail = true } = {},
): Promise<Response> =>
  new ConfiguredVisitor({
    RATE_LIMITS: on,
    EMAIL: mail ? recordingMail(env.EMAIL) : { send: () => Promise.reject(new Error('no way')) },
    AUTH_LIMIT: { limit: async () => ({ success: true }) },
    LIMIT_120: { limit: async () => ({ success: true }) },
  }).call('/api/auth/send-login-code', { json: { email }, headers: { 'cf-connecting-ip': from } });

async function requestMany(addresses: readonly string[]): Promise<number> {
  const answers = await Promise.all(addresses.map((from) => requestCode(from)));
  return answers.filter(({ status }) => status === 201).length;
}

const readCounts = async (): Promise<number[]> => {
  const { results } = await env.DB.prepare('select count from daily_counts order by count').all<{
    count: number;
  }>();
  return results.map(({ count }) => count);
};
/** Raises the counts of all networks that have requested codes today. */
const setCounts = (count: number) => env.DB.prepare('update daily_counts set count = ?').bind(count).run();

describe('Login codes per network', () => {
  test("one network gets a school's worth of login codes a day, also at once, and no more until tomorrow", async () => {
    const network = '2001:db8:88:1';
    expect((await requestCode(`${network}::1`)).status).toBe(201);
    // The codes that the network received earlier today.
    await setCounts(LOGIN_CODE.perNetworkPerDay - 20);
    const addresses = Array.from({ length: 50 }, (_, index) => `${network}::a:${index}`);
    expect(await requestMany(addresses)).toBe(20);

    const email = createEmail();
    const refused = await requestCode(`${network}:ffff::1`, { email });
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe(String(12 * 3600));
    expect(await refused.json()).toMatchObject({ code: 'too_many_codes' });
    expect(mailsTo(email)).toEqual([]);
    // The refusal stores nothing: from another network the same address gets a code at once.
    expect((await requestCode('2001:db8:88:2::1', { email })).status).toBe(201);
    expect((await requestCode(`${network}::1`, { on: 'off' })).status).toBe(201);
    vi.setSystemTime(NOON + 12 * HOUR_MS);
    expect((await requestCode(`${network}::1`)).status).toBe(201);
  });

  test('a /48 gets twice as many login codes a day as one of its /64s', async () => {
    await requestCode('2001:db8:89:1::1');
    await setCounts(LOGIN_CODE.perWiderNetworkPerDay - 20);
    const addresses = Array.from({ length: 50 }, (_, index) => `2001:db8:89:f${index.toString(16)}::1`);
    expect(await requestMany(addresses)).toBe(20);
    expect(await (await requestCode('2001:db8:89:2::1')).json()).toMatchObject({ code: 'too_many_codes' });
    expect((await requestCode('2001:db8:8a:2::1')).status).toBe(201);
  });

  test('a login code counts before its mail is sent, and no longer if the mail fails or too many were requested', async () => {
    const [network, email] = ['2001:db8:8b:1::1', createEmail()];
    expect((await requestCode(network, { email, mail: false })).status).toBe(502);
    expect(await readCounts()).toEqual([0, 0]);
    expect((await requestCode(network, { email })).status).toBe(201);
    expect(await readCounts()).toEqual([1, 1]);
    expect((await requestCode(network, { email })).status).toBe(429);
    expect(await readCounts()).toEqual([1, 1]);
    // While the mail is on its way, its code is counted.
    let during: number[] = [];
    const EMAIL = {
      send: async () => {
        during = await readCounts();
      },
    };
    const visitor = new ConfiguredVisitor({ RATE_LIMITS: 'on', EMAIL });
    await visitor.call('/api/auth/send-login-code', {
      json: { email: createEmail() },
      headers: { 'cf-connecting-ip': network },
    });
    expect(during).toEqual([2, 2]);
  });

  test('a code that was not sent leaves the waits of its address as they were', async () => {
    const [network, email] = ['198.51.100.20', createEmail()];
    expect((await requestCode(network, { email })).status).toBe(201);
    vi.setSystemTime(NOON + LOGIN_CODE.resendAfterMs);
    expect((await requestCode(network, { email, mail: false })).status).toBe(502);
    const row = env.DB.prepare('select unused, expires_at from login_codes where email = ?').bind(email);
    expect(await row.first()).toEqual({ unused: 1, expires_at: 0 });
    expect((await requestCode(network, { email })).status).toBe(201);
    expect(await row.first('unused')).toBe(2);
  });
});
