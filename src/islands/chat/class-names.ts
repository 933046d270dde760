/** A dialog in the middle of the page, never larger than the window. */
export const DIALOG =
  'm-auto max-h-[calc(100dvh-2rem)] w-[min(28rem,calc(100vw-2rem))] overflow-y-auto overscroll-contain rounded-lg border border-line bg-surface shadow-2xl';

/** The column of readable width that holds the content. */
export const COLUMN = 'mx-auto w-full max-w-2xl px-4';
