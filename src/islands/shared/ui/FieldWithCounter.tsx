import type { ReactNode } from 'react';

/** What a control in a {@link FieldWithCounter} is described by. */
export const getDescriptionIds = (id: string): string => `${id}-wrong ${id}-note ${id}-length`;

/** A field whose text may only be so long: its label, the count, which turns red, what it is for, and what is wrong with it. */
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
  /** The control's own. */
  id: string;
  label: string;
  /** Whether the label stands as the title of a part of its form. */
  titled?: boolean;
  /** How long the text is and may be, in words. */
  length: string;
  over: boolean;
  note: string;
  wrong: string | null;
  /** The control: it says by {@link getDescriptionIds} what is told of it. */
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
          className={`text-sm tabular-nums ${isTooLong ? 'text-harm' : 'text-text-quiet'}`}
        >
          {counterText}
        </span>
      </div>
      {children}
      <p id={`${id}-note`} className="text-sm text-text-quiet">
        {hint}
      </p>
      <p id={`${id}-wrong`} role="status" className="text-sm text-harm empty:hidden">
        {error}
      </p>
    </div>
  );
}
