import { useStore } from '@nanostores/react';
import { formatFailure } from '../shared/errors.ts';
import { useLang, useTranslate } from '../shared/i18n.tsx';
import { DEFINITION_PARTS } from '../../features/character/definition-parts.ts';
import { characterForm } from './character-form.ts';
import type { FieldName, FieldError } from './form-rules.ts';
import { validateForm } from './form-state.ts';
import { formatRejectedField, formatFieldError } from './form-messages.ts';

export const useCharacterForm = () => useStore(characterForm.$form, { ssr: 'initial' });

/** Formats why the server rejected a field, with the moderation rule if there was one. */
function useRejectionMessage(): (field: FieldName) => string {
  const { trouble } = useCharacterForm();
  const words = useTranslate('create');
  const errors = useTranslate('errors');
  const lang = useLang();
  const failure = trouble !== null && 'failure' in trouble ? trouble.failure : null;
  return (field) =>
    failure?.refused === undefined ? formatRejectedField(field, words) : formatFailure(failure, errors, lang);
}

/** Errors shown while typing: a limit is exceeded. */
const isShownImmediately = ({ code }: FieldError) => code === 'too_long' || code.startsWith('book_');

/** A field's current errors as text; without an index, they concern the whole field. */
export function useFieldErrors(field: FieldName): { index?: number; said: string }[] {
  const form = useCharacterForm();
  const words = useTranslate('create');
  const formatRejection = useRejectionMessage();
  const refused = form.refused.includes(field) ? [{ said: formatRejection(field) }] : [];
  const found = validateForm(form)
    .filter((trouble) => trouble.field === field && (form.isSubmitted || isShownImmediately(trouble)))
    .map((trouble) => ({
      ...(trouble.index === undefined ? {} : { index: trouble.index }),
      said: formatFieldError(trouble, words),
    }));
  return [...found, ...refused];
}

/**
 * Returns a field's current error as text, or null. Exceeded limits are reported at once, missing fields only after an
 * attempt to save.
 */
export function useFieldError(): (field: FieldName, index?: number) => string | null {
  const form = useCharacterForm();
  const { isSubmitted, refused } = form;
  const words = useTranslate('create');
  const formatRejection = useRejectionMessage();
  const troubles = validateForm(form);
  return (field, index) => {
    const failure = form.trouble !== null && 'failure' in form.trouble ? form.trouble.failure : null;
    const part = field === 'definition' && index !== undefined ? DEFINITION_PARTS[index] : undefined;
    if (part !== undefined && `definition.${part}` in (failure?.fields ?? {})) return formatRejection(field);
    const trouble = troubles.find((one) => one.field === field && one.index === index);
    if (trouble !== undefined && (isSubmitted || isShownImmediately(trouble)))
      return formatFieldError(trouble, words);
    return refused.includes(field) && index === undefined ? formatRejection(field) : null;
  };
}
