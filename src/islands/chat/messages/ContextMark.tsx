import { useTranslate } from '../../shared/i18n.tsx';
import { QUIET } from '../../shared/styles.ts';

/** The product's thread motif: a line with a knot in its middle. */
const THREAD =
  'M0 20c40-7 74 8 113 4s67-13 110-8 60 9 82 7c13-.7 24-1 31-4.2 6.5-3 8.5-9.8 3-11.8-5.7-2-11.2 3.6-9.6 9.8 1.7 8 9.4 11.8 14 7.8 4.4-3.9 1.2-11-5-10.8-6.5.2-10 4.7-6.4 7.2 3.5 2.4 12 1.6 20 .6 32-3.8 55 4.6 93 5.4s62-12 100-8 60 4 95 1';

/** Marks the first message that the model received verbatim in the latest turn. */
export function ContextMark({ onOpenMemory }: { onOpenMemory: (() => void) | undefined }) {
  const words = useTranslate('chat');
  return (
    <li data-mark="" className="flex flex-col items-center gap-1 py-4 text-center text-sm text-text-quiet">
      <svg
        aria-hidden="true"
        viewBox="0 0 640 40"
        preserveAspectRatio="xMidYMid slice"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
        className="h-10 w-full text-state"
      >
        <path d={THREAD} />
      </svg>
      <p className="max-w-prose">{words('contextMarkText')}</p>
      {onOpenMemory ? (
        <button type="button" className={QUIET} onClick={onOpenMemory}>
          {words('contextMarkMemory')}
        </button>
      ) : null}
    </li>
  );
}
