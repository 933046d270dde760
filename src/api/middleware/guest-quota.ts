import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { GUESTS } from '../../features/account/limits.ts';
import { signGuestCounter, GUESTS_COOKIE, readGuestCounter } from '../../features/account/guest-counter.ts';
import type { ApiEnv } from './context.ts';
import { resolveCookieName } from './guards.ts';
import { claimNetworkQuota, getQuotaDay } from './network-quota.ts';
import { Problem } from './problems.ts';

/**
 * Counts a new guest for the caller's device and networks, or refuses it when a daily quota is reached. The device's count
 * is in a signed cookie that expires with the UTC day; clearing cookies resets it. Off when RATE_LIMITS is off.
 * @throws Problem `too_many_guests`, with the seconds until the next day
 */
export async function consumeGuestQuota(c: Context<ApiEnv>, now: number): Promise<void> {
  const { rateLimits, authSecret } = c.get('settings');
  if (rateLimits !== 'on') return;
  const { day, left } = getQuotaDay(now);
  const { name: cookie, secure } = resolveCookieName(c, GUESTS_COOKIE);
  const deviceCount = await readGuestCounter(getCookie(c, cookie), day, authSecret);
  if (deviceCount >= GUESTS.perDevicePerDay) throw new Problem('too_many_guests', {}, left);
  await claimNetworkQuota(c, 'guests', now);
  setCookie(c, cookie, await signGuestCounter(day, deviceCount + 1, authSecret), {
    httpOnly: true,
    sameSite: 'Lax',
    secure,
    path: '/',
    maxAge: left,
  });
}
