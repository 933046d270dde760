/** Reads the text and the reasoning of a message, in the forms that providers use. */

/** The text of a content and the thinking among it. */
export interface ReadContent {
  text: string;
  thinking: string;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Joins the texts of a string, a piece, or a list of them; pieces of other types have none. */
function joinTexts(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(joinTexts).join('');
  return isRecord(value) ? joinTexts(value.text ?? value.summary ?? '') : '';
}

/**
 * Reads a content: a string, a typed piece or a list of both. Some reasoning models send their thinking as a piece.
 * @returns null when it is none of these
 */
export function readContent(content: unknown): ReadContent | null {
  if (content === undefined || content === null) return { text: '', thinking: '' };
  const pieces: unknown[] = Array.isArray(content) ? content : [content];
  const read: ReadContent = { text: '', thinking: '' };
  for (const piece of pieces) {
    if (typeof piece === 'string') read.text += piece;
    else if (!isRecord(piece)) return null;
    else if (piece.type === 'thinking' || piece.type === 'reasoning')
      read.thinking += joinTexts(piece.thinking ?? piece.reasoning ?? piece.text);
    else if (piece.type === 'text' || piece.type === 'output_text' || piece.type === undefined)
      read.text += joinTexts(piece.text);
  }
  return read;
}

/**
 * Reads the reasoning that comes with a content. Providers send the same text in several fields, so the first one counts.
 * @returns empty for reasoning that is not shown, for example because it is encrypted; null without any
 */
export function readReasoning(message: {
  reasoning_content?: unknown;
  reasoning?: unknown;
  thinking?: unknown;
  reasoning_details?: unknown;
}): string | null {
  const { reasoning_content: content, reasoning, thinking, reasoning_details: details } = message;
  const fields = [content, reasoning, thinking, details];
  const text = fields.map(joinTexts).find((found) => found !== '');
  if (text !== undefined) return text;
  return Array.isArray(details) && details.length > 0 ? '' : null;
}
