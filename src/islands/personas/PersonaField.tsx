import { useId, type Ref } from 'react';
import { FieldWithCounter, getDescriptionIds } from '../shared/ui/FieldWithCounter.tsx';
import { useTranslate } from '../shared/i18n.tsx';
import { FIELD } from '../shared/styles.ts';
import {
  measurePersonaField,
  validatePersonaField,
  type PersonaDraft,
  type PersonaTextField,
} from './persona-form.ts';

/** A text field of the form, with label, counter, note and error. */
export function PersonaField({
  ref,
  field,
  draft,
  tried,
  write,
}: {
  ref: Ref<HTMLInputElement> | Ref<HTMLTextAreaElement>;
  field: PersonaTextField;
  draft: PersonaDraft;
  /** True after the first attempt to save: a missing text is reported only then, a long one at once. */
  tried: boolean;
  write: (part: Partial<PersonaDraft>) => void;
}) {
  const words = useTranslate('personas');
  const errors = useTranslate('errors');
  const id = useId();
  const { used, limit } = measurePersonaField(draft, field);
  const over = used > limit;
  const trouble = validatePersonaField(draft, field);
  const wrong = trouble !== null && (over || tried);
  const control = {
    id,
    name: field,
    autoComplete: 'off',
    className: `${FIELD} w-full`,
    value: draft[field],
    'aria-required': field === 'description',
    'aria-invalid': wrong,
    'aria-describedby': getDescriptionIds(id),
    onChange: (event: { target: { value: string } }) => write({ [field]: event.target.value }),
  };
  return (
    <FieldWithCounter
      id={id}
      label={words(`${field}Label`)}
      length={words('textLength', { used, limit })}
      over={over}
      note={words(`${field}Note`)}
      wrong={
        !wrong
          ? null
          : trouble === 'required'
            ? errors('persona_description_required')
            : errors(`persona_${field}_too_long`, { limit })
      }
    >
      {field === 'name' ? (
        <input {...control} ref={ref as Ref<HTMLInputElement>} enterKeyHint="next" />
      ) : (
        <textarea
          {...control}
          ref={ref as Ref<HTMLTextAreaElement>}
          rows={6}
          className={`${control.className} resize-y`}
        />
      )}
    </FieldWithCounter>
  );
}
