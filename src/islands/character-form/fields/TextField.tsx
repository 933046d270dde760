import type { CharacterText } from '../../../features/character/character-rules.ts';
import { useTranslate } from '../../shared/i18n.tsx';
import { FIELD } from '../../shared/styles.ts';
import { getFieldId } from './field-focus.ts';

/** A text field with label, counter, note and error. */
export function TextField({
  id,
  label,
  note,
  optional = false,
  quietly = false,
  value,
  limit,
  counted = value.length,
  wrong,
  rows,
  write,
}: {
  id: string;
  label: string;
  note?: string;
  optional?: boolean;
  /** Hides the «optional» label. */
  quietly?: boolean;
  value: string;
  /** Longest text in UTF-16 units; no counter without it. */
  limit?: number;
  counted?: number;
  wrong: string | null;
  /** Initial number of lines; a single-line input without it. */
  rows?: number;
  write: (value: string) => void;
}) {
  const words = useTranslate('create');
  const over = limit !== undefined && counted > limit;
  const control = {
    id,
    autoComplete: 'off',
    dir: 'auto',
    className: FIELD,
    value,
    'aria-required': !optional,
    'aria-invalid': wrong !== null,
    'aria-describedby': `${id}-wrong ${note === undefined ? '' : `${id}-note`} ${limit === undefined ? '' : `${id}-length`}`,
    onChange: (event: { target: { value: string } }) => write(event.target.value),
  };
  return (
    <div className="form-field">
      <div className="form-label">
        <label htmlFor={id}>{label}</label>
        {optional && !quietly ? <span className="quiet">{words('optionalBadge')}</span> : null}
        {limit === undefined ? null : (
          <span id={`${id}-length`} className={`form-count ${over ? 'text-danger' : 'text-text-quiet'}`}>
            {words('textLength', { used: counted, limit })}
          </span>
        )}
      </div>
      {note === undefined ? null : (
        <p id={`${id}-note`} className="form-note">
          {note}
        </p>
      )}
      {rows === undefined ? (
        <input
          {...control}
          type="text"
          enterKeyHint="next"
          // Enter must not submit the form; only the button publishes.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
      ) : (
        <textarea {...control} rows={rows} />
      )}
      <FieldErrorText id={id} wrong={wrong} />
    </div>
  );
}

/** The error of a control; a status region, so that screen readers announce it when it appears. */
export function FieldErrorText({ id, wrong }: { id: string; wrong: string | null }) {
  return (
    <p id={`${id}-wrong`} role="status" className="form-wrong">
      {wrong}
    </p>
  );
}

/** A field for one of the character's own texts. */
export function CharacterTextField({
  field,
  ...rest
}: { field: CharacterText } & Omit<Parameters<typeof TextField>[0], 'id' | 'label' | 'note'>) {
  const words = useTranslate('create');
  return (
    <TextField id={getFieldId(field)} label={words(`${field}Label`)} note={words(`${field}Note`)} {...rest} />
  );
}
