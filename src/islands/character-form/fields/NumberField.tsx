import { useState } from 'react';
import { useTranslate } from '../../shared/i18n.tsx';
import { FIELD } from '../../shared/styles.ts';
import { isPartialNumber, MAX_NUMBER, parseNumber, formatNumberText } from './number-text.ts';
import { FieldErrorText } from './TextField.tsx';

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
        wrong={isWrong ? words('numberOdd', { least: negative ? -MAX_NUMBER : 0, most: MAX_NUMBER }) : null}
      />
    </div>
  );
}
