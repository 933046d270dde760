import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { api } from '../../../../src/api/app.ts';
import { GUESTS } from '../../../../src/features/account/limits.ts';
import { signInGuest, ORIGIN } from '../../../support/factories.ts';

const HOUR_MS = 3_600_000;
/** Twelve hours before the day ends. */
const NOON = Date.UTC(2027, 5, 1, 12);

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: NOON }));
afterEach(() => vi.useRealTimers());

/** Starts a guest session with guest limits on. The limit per minute, which would apply first, always passes. */
async function startGuest({
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
  const findCookie = (name: string) => cookies.find((text) => text.startsWith(`__Host-${name}=`));
  return {
    answer,
    status: answer.status,
    session: findCookie('session')?.split(';')[0],
    mark: findCookie('guests'),
    /** The cookie that the browser sends back, also after a logout. */
    kept: findCookie('guests')?.split(';')[0],
  };
}

async function expectTooMany(
  { answer }: Awaited<ReturnType<typeof startGuest>>,
  seconds: number,
): Promise<void> {
  expect(answer.status).toBe(429);
  expect(await answer.json()).toMatchObject({ code: 'too_many_guests' });
  expect(answer.headers.get('retry-after')).toBe(String(seconds));
}

let networks = 0;
const newNetwork = (): string => `2001:db8:77:${(networks += 1).toString(16)}::1`;

describe('Guest limits', () => {
  test('a device can start three guests a day from any network, and again the next day', async () => {
    let cookie = '';
    for (let count = 1; count <= GUESTS.perDevicePerDay; count += 1) {
      const started = await startGuest({ from: newNetwork(), cookie });
      expect(started.status).toBe(201);
      expect(started.mark).toMatch(new RegExp(`^__Host-guests=\\d+\\.${count}\\.[0-9a-f]{64};`));
      cookie = started.kept ?? '';
    }
    const refused = await startGuest({ from: newNetwork(), cookie });
    expect([refused.session, refused.mark]).toEqual([undefined, undefined]);
    await expectTooMany(refused, 12 * 3600);
    // A guest who never logged out stays the same guest.
    const staying = await startGuest({ from: newNetwork() });
    const again = await startGuest({ from: newNetwork(), cookie: `${staying.session}; ${cookie}` });
    expect([again.status, again.mark]).toEqual([201, undefined]);
    vi.setSystemTime(NOON + 12 * HOUR_MS);
    expect((await startGuest({ from: newNetwork(), cookie })).mark).toContain('.1.');
  });

  test('the device counter is an HttpOnly cookie without personal data that expires with the day', async () => {
    const { mark } = await startGuest({ from: newNetwork() });
    expect(mark?.split('; ').slice(1).toSorted()).toEqual([
      'HttpOnly',
      'Max-Age=43200',
      'Path=/',
      'SameSite=Lax',
      'Secure',
    ]);
    const other = await startGuest({ from: newNetwork() });
    expect(other.mark).toBe(mark);
    expect((await signInGuest()).cookie).toMatch(/^__Host-session=/);
  });

  test('a forged device counter is ignored', async () => {
    const { kept = '' } = await startGuest({ from: newNetwork() });
    const raised = kept.replace('.1.', '.2.');
    expect(raised).not.toBe(kept);
    for (const cookie of [
      raised,
      kept.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      '__Host-guests=x',
    ])
      expect((await startGuest({ from: newNetwork(), cookie })).mark).toContain('.1.');
  });

  test('guests per network are limited, also when they start at once', async () => {
    const before = new Set((await env.KV.list({ prefix: 'guests:' })).keys.map(({ name }) => name));
    const many = Array.from({ length: GUESTS.perNetworkPerDay }, (_, index) =>
      startGuest({ from: `2001:db8:1:2::${index.toString(16)}` }),
    );
    for (const { status } of await Promise.all(many)) expect(status).toBe(201);
    await expectTooMany(await startGuest({ from: '2001:db8:1:2:ffff::1' }), 12 * 3600);
    expect((await startGuest({ from: '2001:db8:1:3::1' })).status).toBe(201);
    const fresh = (await env.KV.list({ prefix: 'guests:' })).keys.filter(({ name }) => !before.has(name));
    expect(fresh).toHaveLength(GUESTS.perNetworkPerDay + 1);
    expect(new Set(fresh.map(({ name }) => name.slice(0, name.lastIndexOf(':')))).size).toBe(2);
    for (const { name, expiration } of fresh) {
      expect(name).toMatch(/^guests:[0-9a-f]{64}:[0-9a-z]{26}$/);
      expect(expiration).toBeDefined();
    }
    vi.setSystemTime(NOON + 12 * HOUR_MS);
    expect((await startGuest({ from: '2001:db8:1:2::1' })).status).toBe(201);
  });

  test('a guest can start when KV rejects the count, and the log has no personal data', async () => {
    const from = newNetwork();
    const warned = vi.spyOn(console, 'warn').mockReturnValue();
    const failed = vi.spyOn(console, 'error').mockReturnValue();
    const keys: string[] = [];
    const kv = {
      list: env.KV.list.bind(env.KV),
      put: (name: string) => {
        keys.push(name);
        return Promise.reject(new Error(`KV PUT failed for ${name}: 429 Too Many Requests`));
      },
    } as Pick<KVNamespace, 'list' | 'put'>;
    const started = await startGuest({ from, kv });
    expect([started.status, started.session, started.mark]).toEqual([
      201,
      expect.stringMatching(/^__Host-session=./),
      expect.stringContaining('.1.'),
    ]);
    expect(keys).toEqual([expect.stringMatching(/^guests:[0-9a-f]{64}:[0-9a-z]{26}$/)]);
    expect(warned.mock.calls.map(([line]) => JSON.parse(line))).toEqual([
      {
        event: 'guest_count_failed',
        level: 'warn',
        request_id: expect.any(String),
        message: expect.stringMatching(/^KV PUT failed for guests:…:[0-9a-z]{26}: 429 Too Many Requests$/),
      },
    ]);
    expect(failed).not.toHaveBeenCalled();
    // Guests that were not stored did not count.
    for (let count = 0; count < GUESTS.perNetworkPerDay; count += 1)
      expect((await startGuest({ from })).status).toBe(201);
    expect((await startGuest({ from, kv })).status).toBe(429);
    warned.mockRestore();
    failed.mockRestore();
  });

  test('a guest can start when KV does not answer at all', async () => {
    const warned = vi.spyOn(console, 'warn').mockReturnValue();
    const fails = () => Promise.reject(new Error('KV failed'));
    const kv = { list: fails, put: fails } as unknown as Pick<KVNamespace, 'list' | 'put'>;
    expect((await startGuest({ from: newNetwork(), kv })).status).toBe(201);
    const logged = warned.mock.calls.map(([line]) => JSON.parse(line) as { event: string });
    expect(logged.map(({ event }) => event)).toEqual(['guest_count_failed', 'guest_count_failed']);
    warned.mockRestore();
  });
});
