import type { Context } from 'hono';
import { LOGIN_CODE } from '../../features/account/limits.ts';
import { getNetworkPrefix } from '../../features/account/network-prefix.ts';
import { computeKeyedHash } from '../../lib/hash.ts';
import { createId } from '../../lib/ids.ts';
import { log } from '../../lib/log.ts';
import { describeError } from '../../lib/redact.ts';
import { getClientIp, type ApiEnv } from './context.ts';
import { Problem, computeSecondsUntil } from './problems.ts';

const DAY_MS = 86_400_000;
/** KV's minimum `expirationTtl`. */
const MIN_TTL_SECONDS = 60;

/** Returns the UTC day and the seconds left of it. @param now milliseconds since 1970 */
export function getQuotaDay(now: number): { day: number; left: number } {
  const day = Math.floor(now / DAY_MS);
  return { day, left: computeSecondsUntil((day + 1) * DAY_MS, now) };
}

/**
 * Checks the daily quota of login codes of the caller's network, which each cost a mail of the provider's daily quota. Each
 * code is a KV key of its own, so concurrent ones are all counted, except within the minute that KV may lag. The address is
 * not stored: the key holds its HMAC, which changes daily. Fails open when KV is down, because the per-minute limit still
 * applies. Off when RATE_LIMITS is off.
 * @returns a function that counts one code; call it after its mail was sent
 * @throws Problem `too_many_codes`, with the seconds until the next day
 */
export async function checkDailyCodeQuota(c: Context<ApiEnv>, now: number): Promise<() => Promise<void>> {
  const { rateLimits, authSecret } = c.get('settings');
  if (rateLimits !== 'on') return async () => undefined;
  const { day, left } = getQuotaDay(now);
  const network = getNetworkPrefix(getClientIp(c));
  const name = `codes:${await computeKeyedHash(`codes of a day\n${authSecret}`, `${day}\n${network}`)}`;
  // Remove the key from the error: it identifies a network, and the log holds no personal data.
  const logUncounted = (error: unknown) =>
    log('code_count_failed', { message: describeError(error).replaceAll(name, 'codes:…') });
  const limit = LOGIN_CODE.perNetworkPerDay;
  const countedKeys = await c.env.KV.list({ prefix: `${name}:`, limit }).catch((error: unknown) => {
    logUncounted(error);
    return null;
  });
  if (countedKeys !== null && countedKeys.keys.length >= limit) throw new Problem('too_many_codes', {}, left);
  return async () => {
    try {
      const expirationTtl = Math.max(MIN_TTL_SECONDS, left);
      await c.env.KV.put(`${name}:${createId(now)}`, '', { expirationTtl });
    } catch (error) {
      logUncounted(error);
    }
  };
}
