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

/** One text of the form: its label, how long it is and may be, what it is for, and what is wrong with it. */
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
  /** Whether it was tried to save: what is missing is said only then, what is too long at once. */
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
    'aria-required': true,
    'aria-invalid': wrong,
    'aria-describedby': getDescriptionIds(id),
    onChange: (event: { target: { value: string } }) => write({ [field]: event.target.value }),
  };
  return (
    <FieldWithCounter
      id={id}
      label={words(`${field}Label`)}
      length={words('length', { used, limit })}
      over={over}
      note={words(`${field}Note`)}
      wrong={wrong ? errors(`persona_${field}_${trouble}`, { limit }) : null}
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
