import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { api } from '../../../../src/api/app.ts';
import { LOGIN_CODE } from '../../../../src/features/account/limits.ts';
import { createEmail, ORIGIN } from '../../../support/factories.ts';
import { mailsTo, recordingMail } from '../../mailbox.ts';

const HOUR_MS = 3_600_000;
/** Twelve hours before the day ends. */
const NOON = Date.UTC(2027, 5, 1, 12);

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: NOON }));
afterEach(() => vi.useRealTimers());

/** Requests a login code with network limits on. The limit per minute, which would apply first, always passes. */
async function requestCode(
  from: string,
  { email = createEmail(), kv = env.KV as object, on = 'on', mail = true } = {},
) {
  const background: Promise<unknown>[] = [];
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
      waitUntil: (work: Promise<unknown>) => void background.push(work),
      passThroughOnException: () => undefined,
    } as unknown as ExecutionContext,
  );
  await Promise.all(background);
  return answer;
}

let networks = 0;
const newNetwork = (): string => `2001:db8:88:${(networks += 1).toString(16)}`;
const listCounterKeys = async (): Promise<string[]> =>
  (await env.KV.list({ prefix: 'codes:' })).keys.map(({ name }) => name);

describe('Login codes per network', () => {
  test("one network gets a school's worth of login codes a day, also at once, and no more until tomorrow", async () => {
    const network = newNetwork();
    const addresses = Array.from(
      { length: LOGIN_CODE.perNetworkPerDay - 20 },
      (_, index) => `${network}::${index}`,
    );
    const name = await (async () => {
      const before = new Set(await listCounterKeys());
      expect((await requestCode(`${network}::1`)).status).toBe(201);
      const fresh = (await listCounterKeys()).find((one) => !before.has(one)) ?? '';
      expect(fresh).toMatch(/^codes:[0-9a-f]{64}:[0-9a-z]{26}$/);
      return fresh.slice(0, fresh.lastIndexOf(':'));
    })();
    // The codes that the network received earlier today.
    await Promise.all(addresses.slice(1).map((_, index) => env.KV.put(`${name}:${index}`, '')));
    const last = await Promise.all(
      Array.from({ length: 20 }, (_, index) => requestCode(`${network}::a:${index}`)),
    );
    expect(new Set(last.map(({ status }) => status))).toEqual(new Set([201]));

    const email = createEmail();
    const refused = await requestCode(`${network}:ffff::1`, { email });
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe(String(12 * 3600));
    expect(await refused.json()).toMatchObject({ code: 'too_many_codes' });
    expect(mailsTo(email)).toEqual([]);
    // The refusal stores nothing: from another network the same address gets a code at once.
    expect((await requestCode(newNetwork(), { email })).status).toBe(201);
    expect((await requestCode(`${network}::1`, { on: 'off' })).status).toBe(201);
    vi.setSystemTime(NOON + 12 * HOUR_MS);
    expect((await requestCode(`${network}::1`)).status).toBe(201);
  });

  test('a login code counts once its mail is sent, and the counters expire with the day', async () => {
    const before = (await listCounterKeys()).length;
    const network = newNetwork();
    const email = createEmail();
    expect((await requestCode(network, { mail: false })).status).toBe(502);
    expect((await requestCode(network, { email })).status).toBe(201);
    expect((await requestCode(network, { email })).status).toBe(429);
    const counters = (await env.KV.list({ prefix: 'codes:' })).keys;
    expect(counters).toHaveLength(before + 1);
    for (const { name, expiration } of counters)
      if (/:[0-9a-z]{26}$/.test(name)) expect(expiration).toBeDefined();
  });

  test('login codes are sent while KV fails, and the log has no personal data', async () => {
    const warned = vi.spyOn(console, 'warn').mockReturnValue();
    const fails = (name: string) => Promise.reject(new Error(`KV failed for ${name}: 429`));
    const kv = {
      get: env.KV.get.bind(env.KV),
      list: ({ prefix }: { prefix: string }) => fails(prefix),
      put: fails,
    };
    expect((await requestCode(newNetwork(), { kv })).status).toBe(201);
    const logged = warned.mock.calls.map(([line]) => JSON.parse(line) as Record<string, unknown>);
    expect(logged.map(({ event }) => event)).toEqual(['code_count_failed', 'code_count_failed']);
    for (const { message } of logged) expect(message).toMatch(/^KV failed for codes:…:\S*: 429$/);
    warned.mockRestore();
  });
});
