import { formatTime } from '../../locales/format.ts';
import type { Failure } from './api.ts';
import type { TranslateFn, MessageKey } from './i18n.tsx';

/** Codes whose words are not a key of the dictionary by themselves. */
const ALIASES: Record<string, MessageKey<'errors'>> = {
  daily_limit_reached: 'daily_limit',
  rate_limited: 'too_many_requests',
  unsupported_media: 'invalid_input',
  upgrade_required: 'invalid_input',
};

/**
 * The sentence that a reader gets for a failure: the dictionary's words for its code, else the server's own sentence,
 * else the common one for its status.
 * @param lang for the times that some sentences name
 */
export function formatFailure(
  failure: Pick<Failure, 'code' | 'error' | 'points' | 'retryAfter' | 'refused'>,
  words: TranslateFn<'errors'>,
  lang: string,
): string {
  const values = getMessageValues(failure, words, lang);
  // A text that nobody could look at was refused by no rule.
  const rule = failure.refused?.rule;
  if (rule !== undefined && rule !== 'unavailable') return words(`refused_${rule}`);
  const key = ALIASES[failure.code] ?? failure.code;
  if (CODES_WITH_VALUES[key] && !values) return failure.error || words('server_error');
  const text = words(key as MessageKey<'errors'>, values ?? {});
  // The reader answers the key itself when the dictionary has no such message.
  if (text !== key) return text;
  return failure.error || words('server_error');
}

/** Codes whose words have places that only the wallet's state can fill. */
const CODES_WITH_VALUES: Record<string, true> = { points_exhausted: true, daily_limit: true };

function getMessageValues(
  { points }: Pick<Failure, 'points'>,
  words: TranslateFn<'errors'>,
  lang: string,
): Record<string, string | number> | null {
  if (!points) return null;
  return {
    need: words('points_count', { count: points.message_cost }),
    balance: words('points_count', { count: points.current_points + points.permanent_points }),
    refill: formatTime(points.refills_at, lang),
    reset: formatTime(points.daily_resets_at, lang),
    limit: points.daily_message_limit ?? 0,
  };
}
