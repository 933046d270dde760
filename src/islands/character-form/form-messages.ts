import { CARD } from '../../features/character/limits.ts';
import { CHARACTER_TEXTS } from '../../features/character/character-rules.ts';
import { MAX_PART_CHARS } from '../../features/character/definition-parts.ts';
import { LORE_LIMITS, type LorebookProblem } from '../../features/character/lorebook/lorebook-rules.ts';
import type { CardNote } from '../../features/cards/contract.ts';
import { formatTime } from '../../locales/format.ts';
import { formatFailure } from '../shared/errors.ts';
import type { MessageKey, TranslateFn } from '../shared/i18n.tsx';
import type { FieldName, FieldError } from './form-rules.ts';
import { UNEXPECTED_ERROR, type FormFailure } from './form-state.ts';

/** The label of a field; empty if the form does not have it. */
export function getFieldLabel(field: string, words: TranslateFn<'create'>): string {
  const key = (
    field.startsWith('definition.') ? `definitionPart_${field.slice('definition.'.length)}` : `${field}Label`
  ) as MessageKey<'create'>;
  const label = words(key);
  return label === key ? '' : label;
}

const LIMITS: Partial<Record<FieldName, number>> = {
  ...Object.fromEntries(Object.entries(CHARACTER_TEXTS).map(([field, { max }]) => [field, max])),
  alternate_greetings: CHARACTER_TEXTS.first_message.max,
  nickname: CARD.maxNicknameChars,
  definition: MAX_PART_CHARS,
};

const LOREBOOK_LIMITS: Record<LorebookProblem['code'], number> = {
  ...LORE_LIMITS,
  entries: CARD.lorebook.maxEntries,
  bytes: CARD.lorebook.maxBytes / 1024,
};

/** Formats a field's error. */
export function formatFieldError({ field, index, code }: FieldError, words: TranslateFn<'create'>): string {
  if (code.startsWith('book_')) {
    const what = code.slice('book_'.length) as LorebookProblem['code'];
    const isWholeField = index === undefined && what !== 'entries' && what !== 'bytes';
    return words(isWholeField ? 'lorebook_around' : `lorebook_${what}`, {
      limit: LOREBOOK_LIMITS[what],
      number: (index ?? 0) + 1,
    });
  }
  return words(`${field}_${code}` as MessageKey<'create'>, {
    limit: LIMITS[field] ?? 0,
    number: (index ?? 0) + 1,
  });
}

/** Formats an error for a field that the server rejected. */
export const formatRejectedField = (field: FieldName, words: TranslateFn<'create'>): string =>
  words('field_refused', { field: getFieldLabel(field, words) });

/** Whether an update's outcome is unknown, most often because the network failed. */
export const isResultUnknown = (trouble: FormFailure | null): boolean =>
  trouble?.what === 'update' && trouble.failure.code === 'network';

/**
 * Formats why saving failed and that the input is safe.
 * @param required points that creating a character costs; null if unknown, then the refusal's own text is used
 */
export function formatFormError(
  trouble: FormFailure,
  words: TranslateFn<'create'>,
  errors: TranslateFn<'errors'>,
  { lang, required }: { lang: string; required: number | null },
): string {
  if (trouble.what === 'created_not_changed') return words('createdChangesUnsaved');
  if (trouble.what === 'card_lost') return words('cardLost');
  const { failure, what } = trouble;
  if (failure.refused !== undefined || failure.code === 'moderation_unavailable')
    return formatFailure(failure, errors, lang);
  if (failure.fields !== undefined) return words('validationTitle');
  if (failure.code === 'network') return words(what === 'create' ? 'createUnanswered' : 'updateUnanswered');
  if (failure.code === 'idempotency_key_reused') return words('alreadyPublished');
  const { points } = failure;
  if (failure.status === 402 && what === 'update' && points) {
    return words('publishCostTooHigh', {
      cost: errors('points_count', { count: points.character_cost }),
      balance: errors('points_count', { count: points.current_points + points.permanent_points }),
      time: formatTime(points.refills_at, lang),
    });
  }
  const cost = points?.character_cost ?? required;
  if (failure.status === 402 && cost !== null) return errors('points_needed', { count: cost });
  if (failure.status === 404 && what === 'update') return words('missingText');
  if (failure.status >= 500) return words(what === 'create' ? 'createFailed' : 'updateFailed');
  // `server_error` with another status is an answer that does not come from this site's API.
  if (failure.code === UNEXPECTED_ERROR || failure.code === 'server_error') return words('unexpectedError');
  return formatFailure(failure, errors, lang);
}

/** Formats a note about a part of an imported card. */
export function formatCardNote(
  { code, field, from = 0, to = 0, sentence }: CardNote,
  words: TranslateFn<'create'>,
): string {
  const key = `importNote_${code}` as MessageKey<'create'>;
  const said = words(key, { field: field === undefined ? '' : getFieldLabel(field, words), from, to });
  // A newer server may send codes that this page does not know.
  return said === key ? sentence : said;
}
