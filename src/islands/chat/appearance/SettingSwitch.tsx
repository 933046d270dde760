import { useId } from 'react';

/** A switch with its label and a note. While it is disabled it keeps the focus, so that the note can say why. */
export function SettingSwitch({
  label,
  note,
  checked,
  disabled = false,
  onChange,
}: {
  label: string;
  note?: string;
  checked: boolean;
  disabled?: boolean;
  onChange: (on: boolean) => void;
}) {
  const id = useId();
  return (
    <div className="-mx-3">
      <button
        type="button"
        role="switch"
        aria-checked={checked}
        aria-labelledby={id}
        aria-describedby={note === undefined ? undefined : `${id}-note`}
        aria-disabled={disabled}
        className="switch aria-disabled:cursor-not-allowed aria-disabled:opacity-60"
        onClick={() => {
          if (!disabled) onChange(!checked);
        }}
      >
        <span id={id}>{label}</span>
        <span className="switch-track" />
      </button>
      {note === undefined ? null : (
        <p id={`${id}-note`} className="px-3 pt-1 text-sm text-text-quiet">
          {note}
        </p>
      )}
    </div>
  );
}
