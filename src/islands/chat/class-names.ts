/** A dialog in the middle of the page, never larger than the window. */
export const DIALOG =
  'm-auto max-h-[calc(100dvh-2rem)] w-[min(28rem,calc(100vw-2rem))] overflow-y-auto overscroll-contain rounded-lg border border-line bg-surface [box-shadow:var(--lift)]';

/** The column of readable width that holds the content. */
export const COLUMN = 'chat-column mx-auto w-full max-w-[var(--chat-width,42rem)] px-4';

/** Characters. A first line this long wraps next to a drop cap of two lines. */
const LONG_LINE = 80;
/** Scripts in which the first letter can be set apart from its word. Punctuation or a quotation mark may precede it. */
const STANDS_APART = /^([^\p{L}\p{N}]*)[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}].*/u;

/** The class of a conversation's first letter: a drop cap, or only a raised capital when the first line is too short. */
export function getInitialClass(text: string): 'chat-initial' | 'chat-raised' | '' {
  const [line, before = ''] = STANDS_APART.exec(text) ?? [];
  if (line === undefined) return '';
  return line.length >= LONG_LINE && /^[\s*]*$/.test(before) ? 'chat-initial' : 'chat-raised';
}
