import type { Context } from 'hono';
import { GUESTS, LOGIN_CODE } from '../../features/account/limits.ts';
import { getNetworkPrefix } from '../../features/account/network-prefix.ts';
import { computeKeyedHash } from '../../lib/hash.ts';
import { createId } from '../../lib/ids.ts';
import { log } from '../../lib/log.ts';
import { describeError } from '../../lib/redact.ts';
import { getClientIp } from './client-ip.ts';
import type { ApiEnv } from './context.ts';
import { Problem, computeSecondsUntil } from './problems.ts';

const DAY_MS = 86_400_000;
/** What KV takes at least. */
const MIN_TTL_SECONDS = 60;

/** What a network has so many of in a day. At most 1000: so many names are looked through at once. */
const DAILY_QUOTAS = {
  guests: { limit: GUESTS.perNetworkPerDay, refusal: 'too_many_guests', uncounted: 'guest_uncounted' },
  codes: { limit: LOGIN_CODE.perNetworkPerDay, refusal: 'too_many_codes', uncounted: 'code_uncounted' },
} as const;

/** The day (UTC), and how many seconds are left of it. @param now milliseconds since 1970 */
export function getQuotaDay(now: number): { day: number; left: number } {
  const day = Math.floor(now / DAY_MS);
  return { day, left: computeSecondsUntil((day + 1) * DAY_MS, now) };
}

/**
 * Refuses what a network has had too much of today: guests, each with points of their own, on which nobody is to live; and
 * login codes, each a mail, of which a mail service takes so many a day. Each is a key of its own, so that of many at once
 * none goes uncounted but by the minute that the store may be behind. The address itself is kept nowhere: its name is
 * another one tomorrow, and says nothing without the operator's secret. While the store gives no answer everybody is let
 * by, since whoever comes has done nothing, and the limit by the minute holds. Off with the other limits.
 * @returns what counts one more, once it has come to be
 * @throws Problem `too_many_guests` or `too_many_codes`, with when it is tomorrow
 */
export async function checkDailyIpQuota(
  c: Context<ApiEnv>,
  what: keyof typeof DAILY_QUOTAS,
  now: number,
): Promise<() => Promise<void>> {
  const { rateLimits, authSecret } = c.get('settings');
  if (rateLimits !== 'on') return async () => undefined;
  const { limit, refusal, uncounted } = DAILY_QUOTAS[what];
  const { day, left } = getQuotaDay(now);
  const network = getNetworkPrefix(getClientIp(c));
  const name = `${what}:${await computeKeyedHash(`${what} of a day\n${authSecret}`, `${day}\n${network}`)}`;
  // The name stands for a network, and the log is to hold nothing of anybody.
  const logUncounted = (error: unknown) =>
    log(uncounted, { message: describeError(error).replaceAll(name, `${what}:…`) });
  const countedKeys = await c.env.KV.list({ prefix: `${name}:`, limit }).catch((error: unknown) => {
    logUncounted(error);
    return null;
  });
  if (countedKeys !== null && countedKeys.keys.length >= limit) throw new Problem(refusal, {}, left);
  return async () => {
    try {
      const expirationTtl = Math.max(MIN_TTL_SECONDS, left);
      await c.env.KV.put(`${name}:${createId(now)}`, '', { expirationTtl });
    } catch (error) {
      logUncounted(error);
    }
  };
}
