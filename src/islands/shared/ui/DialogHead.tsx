import type { ReactNode } from 'react';

/** The panel of a dialog; never higher than the window. */
export const PANEL =
  'm-auto max-h-[calc(100dvh-2rem)] w-[min(26rem,calc(100vw-2rem))] overflow-y-auto overscroll-contain rounded-lg border border-line bg-surface p-6 [box-shadow:var(--lift)]';

/** The product's thread motif: a line that ends in a knot. */
const THREAD =
  'M1 8 C16 3 30 12 46 8 S70 4 77 8 C83 11.5 89 11.5 89 7.5 C89 3.5 82 4 83 8 C84 11 89 11.5 95 9';

/** A dialog's title with its line, between optional controls such as back and close. */
export function DialogHead({
  titleId,
  title,
  before = null,
  after = null,
}: {
  titleId: string;
  title: string;
  before?: ReactNode;
  after?: ReactNode;
}) {
  return (
    <header className="mb-5">
      <div className="flex items-start gap-1">
        {before}
        <h2
          id={titleId}
          className="min-w-0 flex-1 self-center font-serif text-[length:var(--step-2)] leading-tight break-words"
        >
          {title}
        </h2>
        {after}
      </div>
      <svg
        aria-hidden="true"
        viewBox="0 0 96 16"
        width="96"
        height="16"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        className="mt-2 text-accent"
      >
        <path d={THREAD} />
      </svg>
    </header>
  );
}
