import type { Failure } from '../shared/api.ts';
import { formatFailure } from '../shared/errors.ts';
import type { MessageKey, TranslateFn } from '../shared/i18n.tsx';
import { hasMemberships } from '../shared/site.ts';
import type { PersonasState } from './personas-state.ts';

/** Whether a membership of this site would allow the user more personas. */
export const canBuyMore = ({ limit, memberLimit }: Pick<PersonasState, 'limit' | 'memberLimit'>): boolean =>
  limit < memberLimit && hasMemberships();

/**
 * Formats a failed persona action: the plan's limit if that is why, or a common text if the server failed.
 * @param common key of the common text, such as `persona_create_failed`
 * @param limit number of personas in the user's plan
 */
export function formatPersonaError(
  failure: Failure,
  errors: TranslateFn<'errors'>,
  { lang, common, limit }: { lang: string; common: MessageKey<'errors'>; limit: number },
): string {
  if (failure.code === 'persona_limit') return errors('persona_limit_reached', { count: limit });
  const isCommon = failure.status >= 500 && failure.code !== 'moderation_unavailable';
  return isCommon ? errors(common) : formatFailure(failure, errors, lang);
}
