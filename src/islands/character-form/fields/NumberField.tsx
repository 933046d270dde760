import { useState } from 'react';
import { useWords } from '../../shared/i18n.tsx';
import { FIELD } from '../../shared/styles.ts';
import { isHalfWritten, MOST, numberIn, numberText } from './number-text.ts';
import { Wrong } from './TextField.tsx';

/**
 * A whole number with its label; what is half written stays as it is written. What stands there and is no such number is
 * shown as it is, and stays until another is written.
 */
export function NumberField({
  id,
  label,
  note,
  stood,
  taken,
  negative = false,
  write,
}: {
  id: string;
  label: string;
  note?: string;
  /** As it stands, whatever that is. */
  stood: unknown;
  /** The number that counts where none stands; without it there need be none. */
  taken?: number;
  /** Whether it may be below zero. */
  negative?: boolean;
  write: (value: number | null) => void;
}) {
  const words = useWords('create');
  const [written, setWritten] = useState<{ text: string; over: unknown } | null>(null);
  const stands = numberText(stood) || numberText(taken);
  const shown = written !== null && written.over === stood ? written.text : stands;
  const isWrong = numberIn(shown, negative) === null && shown !== '' && shown !== '-';
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
        aria-invalid={isWrong}
        aria-describedby={`${id}-wrong ${note === undefined ? '' : `${id}-note`}`}
        onChange={({ target }) => {
          const text = target.value.trim();
          const number = numberIn(text, negative);
          if (number === null && !isHalfWritten(text, shown, negative)) return;
          const isLeft = number === null && (text !== '' || taken !== undefined);
          setWritten({ text, over: isLeft ? stood : (number ?? undefined) });
          if (!isLeft) write(number);
        }}
        onBlur={() => setWritten(null)}
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      <Wrong
        id={id}
        wrong={isWrong ? words('numberOdd', { least: negative ? -MOST : 0, most: MOST }) : null}
      />
    </div>
  );
}
