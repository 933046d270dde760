import type { Failure } from '../shared/api.ts';
import { formatFailure } from '../shared/errors.ts';
import type { MessageKey, TranslateFn } from '../shared/i18n.tsx';

/**
 * The sentence for something that did not go well with personas: of the limit where that is why, the common one for
 * what was tried where the server itself failed.
 * @param common what failed, such as `persona_create_failed`
 * @param limit how many personas one's plan holds
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
