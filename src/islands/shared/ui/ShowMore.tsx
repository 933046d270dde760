import { SECONDARY } from '../styles.ts';

/** The button that loads the next page of a list, with the error of the last attempt. */
export function ShowMore({
  more,
  label,
  failed: errorText,
  show: onShowMore,
}: {
  more: 'idle' | 'loading' | 'failed';
  label: string;
  /** The error text. */
  failed: string;
  show: () => void;
}) {
  return (
    <div className="flex flex-col items-center gap-2 pt-4">
      <p role="alert" className="text-danger empty:hidden">
        {more === 'failed' ? errorText : null}
      </p>
      <button type="button" className={SECONDARY} aria-busy={more === 'loading'} onClick={onShowMore}>
        {label}
      </button>
    </div>
  );
}
