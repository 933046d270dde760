/** A stretch of a message: plain text, an action between asterisks, or a stressed word between two of them. */
export interface Stretch {
  kind: 'text' | 'action' | 'stress';
  text: string;
  /** Where it begins in the message, its mark included. */
  at: number;
}

// A mark opens before a letter and closes after one, within a line; `2 * 3` and `5*4*3` stay what they are.
const MARKED = /(?<![\w*])(?:\*\*(?=\S)([^*\n]+?)(?<=\S)\*\*|\*(?=\S)([^*\n]+?)(?<=\S)\*)(?![\w*])/g;
const STILL_OPEN = /(?<![\w*])\*(?=[^\s*])([^*\n]+)$/;

/**
 * Finds the roleplay marks of a text. Everything else stays text, in order and complete.
 * @param growing the text is still being written: an action that has begun counts before its end has come
 */
export function stretchesOf(text: string, growing = false): Stretch[] {
  const stretches: Stretch[] = [];
  const add = (kind: Stretch['kind'], text: string, at: number) => {
    if (text !== '') stretches.push({ kind, text, at });
  };
  let from = 0;
  for (const match of text.matchAll(MARKED)) {
    add('text', text.slice(from, match.index), from);
    if (match[1] === undefined) add('action', match[2] ?? '', match.index);
    else add('stress', match[1], match.index);
    from = match.index + match[0].length;
  }
  const rest = text.slice(from);
  const open = growing ? STILL_OPEN.exec(rest) : null;
  add('text', open ? rest.slice(0, open.index) : rest, from);
  if (open) add('action', open[1] ?? '', from + open.index);
  return stretches;
}

/** The text without its marks, as it is read aloud. */
export function withoutMarks(text: string): string {
  return stretchesOf(text)
    .map((stretch) => stretch.text)
    .join('');
}
