import type { Context } from 'hono';
import { LOGIN_CODE } from '../config.ts';
import { networkOf } from '../features/account/network.ts';
import { keyedHash } from '../features/hash.ts';
import { newId } from '../ids.ts';
import { log } from '../log.ts';
import { reasonOf } from '../told-error.ts';
import type { ApiEnv } from './context.ts';
import { Problem, secondsUntil } from './problems.ts';

const DAY_MS = 86_400_000;
/** What KV takes at least. */
const MIN_KEPT_SECONDS = 60;

/** The store's reason, without the name that stands for a network: the log is to hold nothing of anybody. */
const tell = (error: unknown, name: string): void =>
  log('code_uncounted', { message: reasonOf(error).replaceAll(name, 'codes:…') });

/**
 * Refuses a login code to a network that was sent too many today (UTC): a mail service takes so many mails a day, and one
 * network is not to use them up. Each code is a key of its own, so that of many at once none goes uncounted but by the
 * minute that the store may be behind. The address itself is kept nowhere: its name is another one tomorrow, and says
 * nothing without the operator's secret. While the store gives no answer everybody may have a code: the limit by the
 * minute holds. Off with the other limits.
 * @returns what counts the code, once its mail is out
 * @throws Problem `too_many_codes`, with when it is tomorrow
 */
export async function codesToday(c: Context<ApiEnv>, now: number): Promise<() => Promise<void>> {
  const { rateLimits, authSecret } = c.get('settings');
  if (rateLimits !== 'on') return async () => undefined;
  const day = Math.floor(now / DAY_MS);
  const left = secondsUntil((day + 1) * DAY_MS, now);
  const network = networkOf(c.req.header('cf-connecting-ip') ?? 'unknown');
  const name = `codes:${await keyedHash(`codes of a day\n${authSecret}`, `${day}\n${network}`)}`;
  const limit = LOGIN_CODE.perNetworkPerDay;
  const sent = await c.env.KV.list({ prefix: `${name}:`, limit }).catch((error: unknown) => {
    tell(error, name);
    return null;
  });
  if (sent !== null && sent.keys.length >= limit) throw new Problem('too_many_codes', {}, left);
  return async () => {
    try {
      const expirationTtl = Math.max(MIN_KEPT_SECONDS, left);
      await c.env.KV.put(`${name}:${newId(now)}`, '', { expirationTtl });
    } catch (error) {
      tell(error, name);
    }
  };
}
