import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { GUESTS } from '../config.ts';
import { guestMark, GUESTS_COOKIE, guestsOn } from '../features/account/guest-mark.ts';
import { networkOf } from '../features/account/network.ts';
import { keyedHash } from '../features/hash.ts';
import { log } from '../log.ts';
import { reasonOf } from '../told-error.ts';
import type { ApiEnv } from './context.ts';
import { cookieFor } from './guards.ts';
import { Problem, secondsUntil } from './problems.ts';

const DAY_MS = 86_400_000;
/** What KV takes at least. */
const MIN_KEPT_SECONDS = 60;

/** A network's name for one day: without the operator's secret it says nothing, and tomorrow it is another. */
async function nameOf(network: string, day: number, secret: string): Promise<string> {
  return `guests:${await keyedHash(`guests of a day\n${secret}`, `${day}\n${network}`)}`;
}

/**
 * Writes down how many guests a network has had today. The store takes a key once a second and so much a day: what it does
 * not take goes uncounted, because the count is a bound and no book, and the guest has done nothing.
 */
async function keep(kv: KVNamespace, name: string, count: number, seconds: number): Promise<void> {
  try {
    await kv.put(name, String(count), { expirationTtl: Math.max(MIN_KEPT_SECONDS, seconds) });
  } catch (error) {
    // The key stands for a network, and the log is to hold nothing of anybody.
    const message = reasonOf(error).replaceAll(name, 'guests:…');
    log('guest_uncounted', { message });
  }
}

/**
 * Counts a new guest of the caller's device and network, or refuses them where there were too many today: each has
 * points of their own, and nobody is to live on them. The device's count is in a cookie of its own, which whoever clears
 * it begins anew; the network's is here, and the address itself is kept nowhere. Both are gone with the day (UTC). Of many
 * at the same moment some may go uncounted (`keep`): then the limit by the minute holds.
 * @throws Problem `too_many_guests`, with when it is tomorrow
 */
export async function countGuest(c: Context<ApiEnv>, now: number): Promise<void> {
  const { rateLimits, authSecret } = c.get('settings');
  if (rateLimits !== 'on') return;
  const day = Math.floor(now / DAY_MS);
  const left = secondsUntil((day + 1) * DAY_MS, now);
  const { name: cookie, secure } = cookieFor(c, GUESTS_COOKIE);
  const onDevice = await guestsOn(getCookie(c, cookie), day, authSecret);
  if (onDevice >= GUESTS.perDevicePerDay) throw new Problem('too_many_guests', {}, left);
  const network = networkOf(c.req.header('cf-connecting-ip') ?? 'unknown');
  const name = await nameOf(network, day, authSecret);
  const inNetwork = Number((await c.env.KV.get(name)) ?? 0);
  if (inNetwork >= GUESTS.perNetworkPerDay) throw new Problem('too_many_guests', {}, left);
  await keep(c.env.KV, name, inNetwork + 1, left);
  setCookie(c, cookie, await guestMark(day, onDevice + 1, authSecret), {
    httpOnly: true,
    sameSite: 'Lax',
    secure,
    path: '/',
    maxAge: left,
  });
}
