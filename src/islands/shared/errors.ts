import type { StorageUse } from '../../features/storage/contract.ts';
import { formatMegabytes } from '../../locales/format-amounts.ts';
import { formatTime } from '../../locales/format.ts';
import type { Failure } from './api.ts';
import type { TranslateFn, MessageKey } from './i18n.tsx';

/** Codes whose text has another key in the dictionary. */
const ALIASES: Record<string, MessageKey<'errors'>> = {
  unsupported_media: 'invalid_input',
  upgrade_required: 'invalid_input',
};

/** When it can be tried again, in milliseconds since 1970, for texts that say it. */
interface WaitUntil {
  waitUntil?: number;
}

/**
 * The text for a failure: the dictionary's text for its code, else the server's text, else a general error.
 * @param lang for formatting times
 */
export function formatFailure(
  failure: Pick<Failure, 'code' | 'error' | 'points' | 'retryAfter' | 'refused' | 'part' | 'storage'> &
    WaitUntil,
  words: TranslateFn<'errors'>,
  lang: string,
): string {
  const values = getMessageValues(failure, words, lang);
  // `unavailable` means that the text could not be checked, so no rule refused it.
  const rule = failure.refused?.rule;
  if (rule !== undefined && rule !== 'unavailable') return words(`refused_${rule}`);
  const key = ALIASES[failure.code] ?? failure.code;
  if (key === 'model_busy' && failure.retryAfter)
    return words('model_busy_wait', { count: failure.retryAfter });
  const text = CODES_WITH_VALUES.has(key) && !values ? key : words(key as MessageKey<'errors'>, values ?? {});
  // Without a text for the key, the translate function returns the key itself.
  return text === key ? failure.error || words('server_error') : text;
}

/** Codes whose texts need values. */
const CODES_WITH_VALUES = new Set([
  'points_exhausted',
  'daily_limit_reached',
  'name_like_staff',
  'too_many_unused_codes',
  'storage_full',
]);

/** What takes room, largest first. */
function getStorageValues(
  { used_bytes: used, limit_bytes: limit, kinds }: StorageUse,
  words: TranslateFn<'errors'>,
  lang: string,
): Record<string, string> {
  const taken = kinds.filter(({ bytes }) => bytes > 0);
  return {
    used: formatMegabytes(used, lang),
    limit: formatMegabytes(limit, lang),
    kinds: taken
      .map(({ kind, bytes }) => `${words(`storage_${kind}`)} (${formatMegabytes(bytes, lang)})`)
      .join(', '),
  };
}

function getMessageValues(
  { points, part, storage, waitUntil }: Pick<Failure, 'points' | 'part' | 'storage'> & WaitUntil,
  words: TranslateFn<'errors'>,
  lang: string,
): Record<string, string | number> | null {
  if (part !== undefined) return { part };
  if (waitUntil !== undefined) return { time: formatTime(waitUntil, lang) };
  if (storage !== undefined) return getStorageValues(storage, words, lang);
  if (!points) return null;
  return {
    need: words('points_count', { count: points.message_cost }),
    balance: words('points_count', { count: points.current_points + points.permanent_points }),
    refill: formatTime(points.refills_at, lang),
    reset: formatTime(points.daily_resets_at, lang),
    count: points.daily_message_limit ?? 0,
  };
}
