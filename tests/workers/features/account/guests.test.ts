import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { api } from '../../../../src/api/app.ts';
import { openDatabase } from '../../../../src/db/open.ts';
import { removeOldDailyCounts } from '../../../../src/features/account/daily-count-store.ts';
import { GUESTS } from '../../../../src/features/account/limits.ts';
import { signInGuest, ORIGIN } from '../../../support/factories.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Twelve hours before the day ends. */
const NOON = Date.UTC(2027, 5, 1, 12);

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: NOON }));
afterEach(() => vi.useRealTimers());

/** Starts a guest session with guest limits on. The limit per minute, which would apply first, always passes. */
async function startGuest({ from, cookie = '' }: { from: string; cookie?: string }) {
  const answer = await api.fetch(
    new Request(`${ORIGIN}/api/auth/anonymous`, {
      method: 'POST',
      headers: { 'cf-connecting-ip': from, ...(cookie === '' ? {} : { cookie }) },
    }),
    {
      ...env,
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

  /** Starts guests from these addresses at once. @returns how many were created */
  async function startMany(addresses: readonly string[]): Promise<number> {
    const started = await Promise.all(addresses.map((from) => startGuest({ from })));
    return started.filter(({ status }) => status === 201).length;
  }
  const listNumbers = (count: number) => Array.from({ length: count }, (_, index) => index.toString(16));

  test('an IPv6 /64 starts 20 guests a day and its /48 starts 60, also when they start at once', async () => {
    const household = listNumbers(GUESTS.perHouseholdPerDay + 5).map((end) => `2001:db8:1:2::${end}`);
    expect(await startMany(household)).toBe(GUESTS.perHouseholdPerDay);
    await expectTooMany(await startGuest({ from: '2001:db8:1:2:ffff::1' }), 12 * 3600);
    // The refused guests did not count towards the /48, which has room for 40 from its other networks.
    const others = GUESTS.perNetworkPerDay - GUESTS.perHouseholdPerDay;
    expect(await startMany(listNumbers(others + 5).map((end) => `2001:db8:1:f${end}::1`))).toBe(others);
    await expectTooMany(await startGuest({ from: '2001:db8:1:3::1' }), 12 * 3600);
    expect((await startGuest({ from: '2001:db8:2:2::1' })).status).toBe(201);
    vi.setSystemTime(NOON + 12 * HOUR_MS);
    expect((await startGuest({ from: '2001:db8:1:2::1' })).status).toBe(201);
  });

  test('an IPv4 address starts 60 guests a day, also when they start at once', async () => {
    const started = await startMany(listNumbers(GUESTS.perNetworkPerDay + 5).map(() => '198.51.100.7'));
    expect(started).toBe(GUESTS.perNetworkPerDay);
    // The same address, written as IPv6.
    await expectTooMany(await startGuest({ from: '::ffff:198.51.100.7' }), 12 * 3600);
    expect((await startGuest({ from: '198.51.100.8' })).status).toBe(201);
  });

  test('networks are counted under hashes that change daily, and past days are removed', async () => {
    const today = Math.floor(NOON / DAY_MS);
    const readCounts = async () =>
      (
        await env.DB.prepare(
          'select day, counter, count from daily_counts where day >= ? order by day, count',
        )
          .bind(today)
          .all<{ day: number; counter: string; count: number }>()
      ).results;
    await env.DB.prepare('delete from daily_counts').run();
    await startGuest({ from: '2001:db8:5:5::1' });
    await startGuest({ from: '2001:db8:5:6::1' });
    vi.setSystemTime(NOON + 12 * HOUR_MS);
    await startGuest({ from: '2001:db8:5:5::1' });
    const counts = await readCounts();
    expect(counts.map(({ day, count }) => [day - today, count])).toEqual([
      [0, 1],
      [0, 1],
      [0, 2],
      [1, 1],
      [1, 1],
    ]);
    expect(new Set(counts.map(({ counter }) => counter)).size).toBe(5);
    for (const { counter } of counts) expect(counter).toMatch(/^[0-9a-f]{64}$/);
    await removeOldDailyCounts(openDatabase(env.DB), today + 1);
    expect((await readCounts()).map(({ day }) => day - today)).toEqual([1, 1]);
  });

  test('a refused device does not count towards its network', async () => {
    let cookie = '';
    for (let count = 0; count < GUESTS.perDevicePerDay; count += 1)
      cookie = (await startGuest({ from: '2001:db8:6:1::1', cookie })).kept ?? '';
    for (let count = 0; count < GUESTS.perHouseholdPerDay; count += 1)
      expect((await startGuest({ from: '2001:db8:6:2::1', cookie })).status).toBe(429);
    expect((await startGuest({ from: '2001:db8:6:2::1' })).status).toBe(201);
  });
});
