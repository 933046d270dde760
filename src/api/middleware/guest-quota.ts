import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { countGuest, type CountedNetwork } from '../../features/account/guest-count-store.ts';
import { GUESTS } from '../../features/account/limits.ts';
import { signGuestCounter, GUESTS_COOKIE, readGuestCounter } from '../../features/account/guest-counter.ts';
import { getNetworkPrefix, getWiderNetworkPrefix } from '../../features/account/network-prefix.ts';
import { computeKeyedHash } from '../../lib/hash.ts';
import { getClientIp, type ApiEnv } from './context.ts';
import { resolveCookieName } from './guards.ts';
import { getQuotaDay } from './code-quota.ts';
import { Problem } from './problems.ts';

/**
 * Counts a new guest for the caller's device and networks, or refuses it when a daily quota is reached. The device's count
 * is in a signed cookie that expires with the UTC day; clearing cookies resets it. The networks' counts are in D1, under
 * keyed hashes that change daily. Off when RATE_LIMITS is off.
 * @throws Problem `too_many_guests`, with the seconds until the next day
 */
export async function consumeGuestQuota(c: Context<ApiEnv>, now: number): Promise<void> {
  const { rateLimits, authSecret } = c.get('settings');
  if (rateLimits !== 'on') return;
  const { day, left } = getQuotaDay(now);
  const { name: cookie, secure } = resolveCookieName(c, GUESTS_COOKIE);
  const deviceCount = await readGuestCounter(getCookie(c, cookie), day, authSecret);
  if (deviceCount >= GUESTS.perDevicePerDay) throw new Problem('too_many_guests', {}, left);
  const networks = await listCountedNetworks(getClientIp(c), day, authSecret);
  if (!(await countGuest(c.get('db'), day, networks))) throw new Problem('too_many_guests', {}, left);
  setCookie(c, cookie, await signGuestCounter(day, deviceCount + 1, authSecret), {
    httpOnly: true,
    sameSite: 'Lax',
    secure,
    path: '/',
    maxAge: left,
  });
}

/** The networks that an address belongs to: an IPv4 address itself, or the /64 and the /48 of an IPv6 address. */
function listCountedNetworks(clientIp: string, day: number, secret: string): Promise<CountedNetwork[]> {
  const network = getNetworkPrefix(clientIp);
  const networks: readonly [string, number][] = network.includes(':')
    ? [
        [network, GUESTS.perHouseholdPerDay],
        [getWiderNetworkPrefix(clientIp), GUESTS.perNetworkPerDay],
      ]
    : [[network, GUESTS.perNetworkPerDay]];
  return Promise.all(
    networks.map(async ([prefix, limit]) => ({
      network: await computeKeyedHash(`guests of a day\n${secret}`, `${day}\n${prefix}`),
      limit,
    })),
  );
}
