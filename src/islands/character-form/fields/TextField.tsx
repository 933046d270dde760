import type { CharacterText } from '../../../features/character/character-rules.ts';
import { useTranslate } from '../../shared/i18n.tsx';
import { FIELD } from '../../shared/styles.ts';
import { getFieldId } from './field-focus.ts';

/** One text with its label, its counter, what it is for and what is wrong with it. */
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
  /** Whether that goes without saying. */
  quietly?: boolean;
  value: string;
  /** The longest text, in UTF-16 units; without it nothing is counted. */
  limit?: number;
  counted?: number;
  wrong: string | null;
  /** As many lines are shown at first; one line is all without it. */
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
        {optional && !quietly ? <span className="quiet">{words('optional')}</span> : null}
        {limit === undefined ? null : (
          <span id={`${id}-length`} className={`form-count ${over ? 'text-harm' : 'text-text-quiet'}`}>
            {words('length', { used: counted, limit })}
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
          // A line of text is no order to publish: that is the button's alone.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
      ) : (
        <textarea {...control} rows={rows} />
      )}
      <FieldErrorText id={id} wrong={wrong} />
    </div>
  );
}

/** What is wrong with a control, said once when it begins to be so. */
export function FieldErrorText({ id, wrong }: { id: string; wrong: string | null }) {
  return (
    <p id={`${id}-wrong`} role="status" className="form-wrong">
      {wrong}
    </p>
  );
}

/** One of the character's own texts. */
export function CharacterTextField({
  field,
  ...rest
}: { field: CharacterText } & Omit<Parameters<typeof TextField>[0], 'id' | 'label' | 'note'>) {
  const words = useTranslate('create');
  return (
    <TextField id={getFieldId(field)} label={words(`${field}Label`)} note={words(`${field}Note`)} {...rest} />
  );
}
