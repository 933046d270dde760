import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { api } from '../../src/api/app.ts';
import { LOGIN_CODE } from '../../src/features/account/limits.ts';
import { createEmail, ORIGIN } from '../support/factories.ts';
import { mailsTo, recordingMail } from './mailbox.ts';

const HOUR_MS = 3_600_000;
/** Twelve hours before the day is over. */
const NOON = Date.UTC(2027, 5, 1, 12);

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: NOON }));
afterEach(() => vi.useRealTimers());

/** Asks for a code where the operator limits networks; the limit by the minute, which would come first, lets all pass. */
async function ask(
  from: string,
  { email = createEmail(), kv = env.KV as object, on = 'on', mail = true } = {},
) {
  const behind: Promise<unknown>[] = [];
  const answer = await api.fetch(
    new Request(`${ORIGIN}/api/auth/send-login-code`, {
      method: 'POST',
      headers: { 'cf-connecting-ip': from, 'content-type': 'application/json' },
      body: JSON.stringify({ email }),
    }),
    {
      ...env,
      KV: kv,
      RATE_LIMITS: on,
      EMAIL: mail ? recordingMail(env.EMAIL) : { send: () => Promise.reject(new Error('no way')) },
      AUTH_LIMIT: { limit: async () => ({ success: true }) },
    } as unknown as Env,
    {
      waitUntil: (work: Promise<unknown>) => void behind.push(work),
      passThroughOnException: () => undefined,
    } as unknown as ExecutionContext,
  );
  await Promise.all(behind);
  return answer;
}

let networks = 0;
const newNetwork = (): string => `2001:db8:88:${(networks += 1).toString(16)}`;
const counts = async (): Promise<string[]> =>
  (await env.KV.list({ prefix: 'codes:' })).keys.map(({ name }) => name);

describe('Login codes of one network', () => {
  test('are as many on a day as a school has people, however many are asked for at once, and no more until tomorrow', async () => {
    const network = newNetwork();
    const addresses = Array.from(
      { length: LOGIN_CODE.perNetworkPerDay - 20 },
      (_, index) => `${network}::${index}`,
    );
    const name = await (async () => {
      const before = new Set(await counts());
      expect((await ask(`${network}::1`)).status).toBe(201);
      const fresh = (await counts()).find((one) => !before.has(one)) ?? '';
      expect(fresh).toMatch(/^codes:[0-9a-f]{64}:[0-9a-z]{26}$/);
      return fresh.slice(0, fresh.lastIndexOf(':'));
    })();
    // What others of the network were sent earlier today.
    await Promise.all(addresses.slice(1).map((_, index) => env.KV.put(`${name}:${index}`, '')));
    const last = await Promise.all(Array.from({ length: 20 }, (_, index) => ask(`${network}::a:${index}`)));
    expect(new Set(last.map(({ status }) => status))).toEqual(new Set([201]));

    const email = createEmail();
    const refused = await ask(`${network}:ffff::1`, { email });
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe(String(12 * 3600));
    expect(await refused.json()).toMatchObject({ code: 'too_many_codes' });
    expect(mailsTo(email)).toEqual([]);
    // Nothing is kept of it: from elsewhere the same address gets one at once.
    expect((await ask(newNetwork(), { email })).status).toBe(201);
    expect((await ask(`${network}::1`, { on: 'off' })).status).toBe(201);
    vi.setSystemTime(NOON + 12 * HOUR_MS);
    expect((await ask(`${network}::1`)).status).toBe(201);
  });

  test('count when their mail is out, and are forgotten with the day', async () => {
    const before = (await counts()).length;
    const network = newNetwork();
    const email = createEmail();
    expect((await ask(network, { mail: false })).status).toBe(502);
    expect((await ask(network, { email })).status).toBe(201);
    expect((await ask(network, { email })).status).toBe(429);
    const kept = (await env.KV.list({ prefix: 'codes:' })).keys;
    expect(kept).toHaveLength(before + 1);
    for (const { name, expiration } of kept)
      if (/:[0-9a-z]{26}$/.test(name)) expect(expiration).toBeDefined();
  });

  test('go out while the store gives no answer, and the log says so without a word of anybody', async () => {
    const warned = vi.spyOn(console, 'warn').mockReturnValue();
    const fails = (name: string) => Promise.reject(new Error(`KV failed for ${name}: 429`));
    const kv = {
      get: env.KV.get.bind(env.KV),
      list: ({ prefix }: { prefix: string }) => fails(prefix),
      put: fails,
    };
    expect((await ask(newNetwork(), { kv })).status).toBe(201);
    const told = warned.mock.calls.map(([line]) => JSON.parse(line) as Record<string, unknown>);
    expect(told.map(({ event }) => event)).toEqual(['code_uncounted', 'code_uncounted']);
    for (const { message } of told) expect(message).toMatch(/^KV failed for codes:…:\S*: 429$/);
    warned.mockRestore();
  });
});
