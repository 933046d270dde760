import { useId, type Ref } from 'react';
import { CountedField, describedBy } from '../shared/ui/FieldWithCounter.tsx';
import { useWords } from '../shared/i18n.tsx';
import { FIELD } from '../shared/styles.ts';
import { lengthOf, troubleWith, type PersonaDraft, type WrittenField } from './persona-form.ts';

/** One text of the form: its label, how long it is and may be, what it is for, and what is wrong with it. */
export function PersonaField({
  ref,
  field,
  draft,
  tried,
  write,
}: {
  ref: Ref<HTMLInputElement> | Ref<HTMLTextAreaElement>;
  field: WrittenField;
  draft: PersonaDraft;
  /** Whether it was tried to save: what is missing is said only then, what is too long at once. */
  tried: boolean;
  write: (part: Partial<PersonaDraft>) => void;
}) {
  const words = useWords('personas');
  const errors = useWords('errors');
  const id = useId();
  const { used, limit } = lengthOf(draft, field);
  const over = used > limit;
  const trouble = troubleWith(draft, field);
  const wrong = trouble !== null && (over || tried);
  const control = {
    id,
    name: field,
    autoComplete: 'off',
    className: `${FIELD} w-full`,
    value: draft[field],
    'aria-required': true,
    'aria-invalid': wrong,
    'aria-describedby': describedBy(id),
    onChange: (event: { target: { value: string } }) => write({ [field]: event.target.value }),
  };
  return (
    <CountedField
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
    </CountedField>
  );
}
