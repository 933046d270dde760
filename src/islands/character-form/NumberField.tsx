import { useState } from 'react';
import { FIELD } from '../shared/styles.ts';

const numberIn = (text: string): number | null => (/^-?\d{1,9}$/.test(text) ? Number(text) : null);

/** A whole number with its label; what is half written stays as it is written. */
export function NumberField({
  id,
  label,
  note,
  value,
  required = false,
  negative = false,
  write,
}: {
  id: string;
  label: string;
  note?: string;
  /** Null where there is none. */
  value: number | null;
  /** Whether the last number stays where none is written. */
  required?: boolean;
  /** Whether it may be below zero. */
  negative?: boolean;
  write: (value: number | null) => void;
}) {
  const [written, setWritten] = useState<{ text: string; value: number | null } | null>(null);
  const shown = written?.value === value ? written.text : `${value ?? ''}`;
  return (
    <div className="form-field">
      <label htmlFor={id} className="form-label">
        {label}
      </label>
      {note === undefined ? null : (
        <p id={`${id}-note`} className="form-note">
          {note}
        </p>
      )}
      <input
        id={id}
        type="text"
        inputMode="numeric"
        autoComplete="off"
        className={FIELD}
        value={shown}
        aria-describedby={note === undefined ? undefined : `${id}-note`}
        onChange={({ target }) => {
          const text = target.value.trim();
          const number = numberIn(text);
          if (number === null && text !== '' && text !== '-') return;
          if (text.startsWith('-') && !negative) return;
          const next = number ?? (required ? value : null);
          setWritten({ text, value: next });
          write(next);
        }}
        onBlur={() => setWritten(null)}
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
    </div>
  );
}
