import type { ReactNode } from 'react';

/** The value of `aria-describedby` for the control in a {@link FieldWithCounter}. */
export const getDescriptionIds = (id: string): string => `${id}-wrong ${id}-note ${id}-length`;

/** A field with a length limit: its label, counter (red when over the limit), note and error. */
export function FieldWithCounter({
  id,
  label,
  titled: asHeading = false,
  length: counterText,
  over: isTooLong,
  note: hint,
  wrong: error,
  children,
}: {
  /** The control's id. */
  id: string;
  label: string;
  /** Whether the label looks like a section title. */
  titled?: boolean;
  /** The counter's text: current and maximum length. */
  length: string;
  over: boolean;
  note: string;
  wrong: string | null;
  /** The control; its `aria-describedby` is {@link getDescriptionIds}. */
  children: ReactNode;
}) {
  return (
    <div className="flex flex-col gap-1">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <label htmlFor={id} className={asHeading ? 'font-serif text-[length:var(--step-1)]' : 'font-medium'}>
          {label}
        </label>
        <span
          id={`${id}-length`}
          className={`text-sm [font-variant-numeric:tabular-nums] ${isTooLong ? 'text-danger' : 'text-text-quiet'}`}
        >
          {counterText}
        </span>
      </div>
      {children}
      <p id={`${id}-note`} className="text-sm text-text-quiet">
        {hint}
      </p>
      <p id={`${id}-wrong`} role="status" className="text-sm text-danger empty:hidden">
        {error}
      </p>
    </div>
  );
}
