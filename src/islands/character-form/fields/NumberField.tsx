import { useState } from 'react';
import { useTranslate } from '../../shared/i18n.tsx';
import { FIELD } from '../../shared/styles.ts';
import { isPartialNumber, MAX_NUMBER, parseNumber, formatNumberText } from './number-text.ts';
import { FieldErrorText } from './TextField.tsx';

/**
 * A labelled field for a whole number. Partial input stays while the user types. An invalid stored value is shown
 * unchanged and kept until the user enters a valid number.
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
  /** The stored value, of any type. */
  stood: unknown;
  /** Default shown when no number is stored; without it the field may be empty. */
  taken?: number;
  /** Whether negative numbers are allowed. */
  negative?: boolean;
  write: (value: number | null) => void;
}) {
  const words = useTranslate('create');
  const [draftText, setDraftText] = useState<{ text: string; over: unknown } | null>(null);
  const currentText = formatNumberText(stood) || formatNumberText(taken);
  const shown = draftText !== null && draftText.over === stood ? draftText.text : currentText;
  const isWrong = parseNumber(shown, negative) === null && shown !== '' && shown !== '-';
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
          const number = parseNumber(text, negative);
          if (number === null && !isPartialNumber(text, shown, negative)) return;
          const isBlur = number === null && (text !== '' || taken !== undefined);
          setDraftText({ text, over: isBlur ? stood : (number ?? undefined) });
          if (!isBlur) write(number);
        }}
        onBlur={() => setDraftText(null)}
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      <FieldErrorText
        id={id}
        wrong={
          isWrong ? words('numberInvalid', { least: negative ? -MAX_NUMBER : 0, most: MAX_NUMBER }) : null
        }
      />
    </div>
  );
}
