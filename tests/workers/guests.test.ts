import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { api } from '../../src/api/app.ts';
import { GUESTS } from '../../src/features/account/limits.ts';
import { signInGuest, ORIGIN } from '../support/factories.ts';

const HOUR_MS = 3_600_000;
/** Twelve hours before the day is over. */
const NOON = Date.UTC(2027, 5, 1, 12);

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: NOON }));
afterEach(() => vi.useRealTimers());

/** Begins as a guest where the operator limits guests; the limit by the minute, which would come first, lets all pass. */
async function begin({
  from,
  cookie = '',
  kv = env.KV,
}: {
  from: string;
  cookie?: string;
  kv?: Pick<KVNamespace, 'list' | 'put'>;
}) {
  const answer = await api.fetch(
    new Request(`${ORIGIN}/api/auth/anonymous`, {
      method: 'POST',
      headers: { 'cf-connecting-ip': from, ...(cookie === '' ? {} : { cookie }) },
    }),
    {
      ...env,
      KV: kv,
      RATE_LIMITS: 'on',
      AUTH_LIMIT: { limit: async () => ({ success: true }) },
    } as unknown as Env,
    { waitUntil: () => undefined, passThroughOnException: () => undefined } as unknown as ExecutionContext,
  );
  const cookies = answer.headers.getSetCookie();
  const named = (name: string) => cookies.find((text) => text.startsWith(`__Host-${name}=`));
  return {
    answer,
    status: answer.status,
    session: named('session')?.split(';')[0],
    mark: named('guests'),
    /** What the browser sends back of it, also when whoever sits there has logged out. */
    kept: named('guests')?.split(';')[0],
  };
}

async function expectTooMany({ answer }: Awaited<ReturnType<typeof begin>>, seconds: number): Promise<void> {
  expect(answer.status).toBe(429);
  expect(await answer.json()).toMatchObject({ code: 'too_many_guests' });
  expect(answer.headers.get('retry-after')).toBe(String(seconds));
}

let networks = 0;
const newNetwork = (): string => `2001:db8:77:${(networks += 1).toString(16)}::1`;

describe('Guests, each with points of their own', () => {
  test('begin on one device three times a day, from wherever, and again tomorrow', async () => {
    let cookie = '';
    for (let count = 1; count <= GUESTS.perDevicePerDay; count += 1) {
      const begun = await begin({ from: newNetwork(), cookie });
      expect(begun.status).toBe(201);
      expect(begun.mark).toMatch(new RegExp(`^__Host-guests=\\d+\\.${count}\\.[0-9a-f]{64};`));
      cookie = begun.kept ?? '';
    }
    const refused = await begin({ from: newNetwork(), cookie });
    expect([refused.session, refused.mark]).toEqual([undefined, undefined]);
    await expectTooMany(refused, 12 * 3600);
    // Who never logged out is the guest that they are.
    const staying = await begin({ from: newNetwork() });
    const again = await begin({ from: newNetwork(), cookie: `${staying.session}; ${cookie}` });
    expect([again.status, again.mark]).toEqual([201, undefined]);
    vi.setSystemTime(NOON + 12 * HOUR_MS);
    expect((await begin({ from: newNetwork(), cookie })).mark).toContain('.1.');
  });

  test('are counted on a device by a cookie that no script reads, says nothing of them, and is gone with the day', async () => {
    const { mark } = await begin({ from: newNetwork() });
    expect(mark?.split('; ').slice(1).toSorted()).toEqual([
      'HttpOnly',
      'Max-Age=43200',
      'Path=/',
      'SameSite=Lax',
      'Secure',
    ]);
    const other = await begin({ from: newNetwork() });
    expect(other.mark).toBe(mark);
    expect((await signInGuest()).cookie).toMatch(/^__Host-session=/);
  });

  test('are not counted by a cookie that was not written here', async () => {
    const { kept = '' } = await begin({ from: newNetwork() });
    const raised = kept.replace('.1.', '.2.');
    expect(raised).not.toBe(kept);
    for (const cookie of [
      raised,
      kept.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      '__Host-guests=x',
    ])
      expect((await begin({ from: newNetwork(), cookie })).mark).toContain('.1.');
  });

  test('cannot be made again and again from one network, nor all at once', async () => {
    const before = new Set((await env.KV.list({ prefix: 'guests:' })).keys.map(({ name }) => name));
    const many = Array.from({ length: GUESTS.perNetworkPerDay }, (_, index) =>
      begin({ from: `2001:db8:1:2::${index.toString(16)}` }),
    );
    for (const { status } of await Promise.all(many)) expect(status).toBe(201);
    await expectTooMany(await begin({ from: '2001:db8:1:2:ffff::1' }), 12 * 3600);
    expect((await begin({ from: '2001:db8:1:3::1' })).status).toBe(201);
    const fresh = (await env.KV.list({ prefix: 'guests:' })).keys.filter(({ name }) => !before.has(name));
    expect(fresh).toHaveLength(GUESTS.perNetworkPerDay + 1);
    expect(new Set(fresh.map(({ name }) => name.slice(0, name.lastIndexOf(':')))).size).toBe(2);
    for (const { name, expiration } of fresh) {
      expect(name).toMatch(/^guests:[0-9a-f]{64}:[0-9a-z]{26}$/);
      expect(expiration).toBeDefined();
    }
    vi.setSystemTime(NOON + 12 * HOUR_MS);
    expect((await begin({ from: '2001:db8:1:2::1' })).status).toBe(201);
  });

  test('come in when the store takes no count at the moment, and the log says so without a word of them', async () => {
    const from = newNetwork();
    const warned = vi.spyOn(console, 'warn').mockReturnValue();
    const failed = vi.spyOn(console, 'error').mockReturnValue();
    const asked: string[] = [];
    const kv = {
      list: env.KV.list.bind(env.KV),
      put: (name: string) => {
        asked.push(name);
        return Promise.reject(new Error(`KV PUT failed for ${name}: 429 Too Many Requests`));
      },
    } as Pick<KVNamespace, 'list' | 'put'>;
    const begun = await begin({ from, kv });
    expect([begun.status, begun.session, begun.mark]).toEqual([
      201,
      expect.stringMatching(/^__Host-session=./),
      expect.stringContaining('.1.'),
    ]);
    expect(asked).toEqual([expect.stringMatching(/^guests:[0-9a-f]{64}:[0-9a-z]{26}$/)]);
    expect(warned.mock.calls.map(([line]) => JSON.parse(line))).toEqual([
      {
        event: 'guest_uncounted',
        level: 'warn',
        request_id: expect.any(String),
        message: expect.stringMatching(/^KV PUT failed for guests:…:[0-9a-z]{26}: 429 Too Many Requests$/),
      },
    ]);
    expect(failed).not.toHaveBeenCalled();
    // What was not written down did not count.
    for (let count = 0; count < GUESTS.perNetworkPerDay; count += 1)
      expect((await begin({ from })).status).toBe(201);
    expect((await begin({ from, kv })).status).toBe(429);
    warned.mockRestore();
    failed.mockRestore();
  });

  test('come in when the store gives no answer at all', async () => {
    const warned = vi.spyOn(console, 'warn').mockReturnValue();
    const fails = () => Promise.reject(new Error('KV failed'));
    const kv = { list: fails, put: fails } as unknown as Pick<KVNamespace, 'list' | 'put'>;
    expect((await begin({ from: newNetwork(), kv })).status).toBe(201);
    const told = warned.mock.calls.map(([line]) => JSON.parse(line) as { event: string });
    expect(told.map(({ event }) => event)).toEqual(['guest_uncounted', 'guest_uncounted']);
    warned.mockRestore();
  });
});
