import type { Words, MessageKey } from './i18n.tsx';
import type { Failure } from './api.ts';

/** Codes whose words are not a key of the dictionary by themselves. */
const ALIASES: Record<string, MessageKey<'errors'>> = {
  daily_limit_reached: 'daily_limit',
  rate_limited: 'too_many_requests',
  unsupported_media: 'invalid_input',
};

/**
 * The sentence that a reader gets for a failure: the dictionary's words for its code, else the server's own sentence,
 * else the common one for its status.
 * @param lang for the times that some sentences name
 */
export function failureSentence(
  failure: Pick<Failure, 'code' | 'error' | 'points' | 'retryAfter'>,
  words: Words<'errors'>,
  lang: string,
): string {
  const values = valuesOf(failure, lang);
  const key = ALIASES[failure.code] ?? failure.code;
  if (PLACES[key] && !values) return failure.error || words('server_error');
  const sentence = words(key as MessageKey<'errors'>, values ?? {});
  // i18next answers the key itself when the dictionary has no such message.
  if (sentence !== key) return sentence;
  return failure.error || words('server_error');
}

/** Codes whose words have places that only the wallet's state can fill. */
const PLACES: Record<string, true> = { points_exhausted: true, daily_limit: true };

function valuesOf({ points }: Pick<Failure, 'points'>, lang: string): Record<string, string | number> | null {
  if (!points) return null;
  return {
    need: points.message_cost,
    balance: points.current_points + points.permanent_points,
    refill: clockTime(points.refills_at, lang),
    reset: clockTime(points.daily_resets_at, lang),
    limit: points.daily_message_limit ?? 0,
  };
}

/** A moment as people say it near now: the time of day, with the weekday when it is not today. */
export function clockTime(time: string, lang: string, now: number = Date.now()): string {
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return '';
  const today = at.toDateString() === new Date(now).toDateString();
  const shape: Intl.DateTimeFormatOptions = {
    hour: 'numeric',
    minute: '2-digit',
    ...(today ? {} : { weekday: 'long' }),
  };
  return new Intl.DateTimeFormat(lang, shape).format(at);
}
