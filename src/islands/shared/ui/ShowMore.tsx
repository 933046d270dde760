import { SECONDARY } from '../styles.ts';

/** The button that fetches the rest of a list, and why that failed last. */
export function ShowMore({
  more,
  label,
  failed: errorText,
  show: onShowMore,
}: {
  more: 'idle' | 'loading' | 'failed';
  label: string;
  /** What is said where it failed. */
  failed: string;
  show: () => void;
}) {
  return (
    <div className="flex flex-col items-center gap-2 pt-4">
      <p role="alert" className="text-harm empty:hidden">
        {more === 'failed' ? errorText : null}
      </p>
      <button type="button" className={SECONDARY} aria-busy={more === 'loading'} onClick={onShowMore}>
        {label}
      </button>
    </div>
  );
}
