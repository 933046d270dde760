import { useId } from 'react';

export interface RadioOption<T extends string> {
  value: T;
  label: string;
  note: string;
  /** A short label next to the option. */
  badge?: string;
}

/** A group of radio buttons, each with an explanation. */
export function RadioGroup<T extends string>({
  name,
  label,
  note,
  choices,
  chosen,
  choose,
}: {
  name: string;
  label: string;
  note?: string;
  choices: readonly RadioOption<T>[];
  chosen: T;
  choose: (value: T) => void;
}) {
  const id = useId();
  return (
    <fieldset className="form-field" aria-describedby={note === undefined ? undefined : `${id}-note`}>
      <legend>{label}</legend>
      {note === undefined ? null : (
        <p id={`${id}-note`} className="form-note">
          {note}
        </p>
      )}
      <div className="choices">
        {choices.map((choice) => (
          <label key={choice.value} className="choice">
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === chosen}
              aria-labelledby={`${id}-${choice.value}`}
              aria-describedby={`${id}-${choice.value}-note`}
              onChange={() => choose(choice.value)}
            />
            <span>
              <span id={`${id}-${choice.value}`} className="choice-name">
                {choice.label}
                {choice.badge === undefined ? null : (
                  <>
                    {' '}
                    <span className="badge">{choice.badge}</span>
                  </>
                )}
              </span>
              <span id={`${id}-${choice.value}-note`} className="form-note">
                {choice.note}
              </span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
