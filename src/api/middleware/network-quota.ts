import type { Context } from 'hono';
import { countDaily, type DailyCounter, undoDailyCount } from '../../features/account/daily-count-store.ts';
import { GUESTS, LOGIN_CODE } from '../../features/account/limits.ts';
import { listNetworks } from '../../features/account/network-prefix.ts';
import { FEEDBACK } from '../../features/feedback/limits.ts';
import { computeKeyedHash } from '../../lib/hash.ts';
import { getClientIp, type ApiEnv } from './context.ts';
import { computeSecondsUntil, Problem, type ProblemCode } from './problems.ts';

const DAY_MS = 86_400_000;

/** Returns the UTC day and the seconds left of it. @param now milliseconds since 1970 */
export function getQuotaDay(now: number): { day: number; left: number } {
  const day = Math.floor(now / DAY_MS);
  return { day, left: computeSecondsUntil((day + 1) * DAY_MS, now) };
}

interface NetworkQuota {
  /** For one IPv4 address, for the first 64 bits of an IPv6 address, and for its first 48 bits. */
  limits: { ipv4: number; ipv6: number; ipv6Wider: number };
  refusal: ProblemCode;
}

/** What networks may do only a limited number of times a day (UTC), at `RATE_LIMITS=on`. */
const NETWORK_QUOTAS = {
  guests: {
    limits: {
      ipv4: GUESTS.perNetworkPerDay,
      ipv6: GUESTS.perHouseholdPerDay,
      ipv6Wider: GUESTS.perNetworkPerDay,
    },
    refusal: 'too_many_guests',
  },
  codes: {
    limits: {
      ipv4: LOGIN_CODE.perNetworkPerDay,
      ipv6: LOGIN_CODE.perNetworkPerDay,
      ipv6Wider: LOGIN_CODE.perWiderNetworkPerDay,
    },
    refusal: 'too_many_codes',
  },
  feedback: {
    limits: {
      ipv4: FEEDBACK.perNetworkPerDay,
      ipv6: FEEDBACK.perNetworkPerDay,
      ipv6Wider: FEEDBACK.perWiderNetworkPerDay,
    },
    refusal: 'too_much_feedback',
  },
} as const satisfies Record<string, NetworkQuota>;

/**
 * Counts a use for the networks of the caller, before the work, or refuses it when one of them has had its day's share. The
 * counts are in D1 under keyed hashes that change daily, so no address is stored. Off when RATE_LIMITS is off.
 * @returns a function that takes the use back, for work that failed
 * @throws Problem the quota's own, with the seconds until the next day
 */
export async function claimNetworkQuota(
  c: Context<ApiEnv>,
  purpose: keyof typeof NETWORK_QUOTAS,
  now: number,
): Promise<() => Promise<void>> {
  const { rateLimits, authSecret } = c.get('settings');
  if (rateLimits !== 'on') return async () => undefined;
  const { limits, refusal } = NETWORK_QUOTAS[purpose];
  const { day, left } = getQuotaDay(now);
  const [own, wider] = listNetworks(getClientIp(c));
  const toCounter = async (network: string, limit: number): Promise<DailyCounter> => ({
    counter: await computeKeyedHash(`${purpose} of a day\n${authSecret}`, `${day}\n${network}`),
    limit,
  });
  const counters = await Promise.all(
    wider === undefined
      ? [toCounter(own, limits.ipv4)]
      : [toCounter(own, limits.ipv6), toCounter(wider, limits.ipv6Wider)],
  );
  if (!(await countDaily(c.get('db'), day, counters))) throw new Problem(refusal, {}, left);
  return () => undoDailyCount(c.get('db'), day, counters);
}
