import { CHAT_FILE } from '../limits.ts';
import { isObject, type JsonObject, type LineProblem } from './chat-file.ts';
import { convertChat } from './chat-file-formats.ts';
import { type FileLine, splitLines } from './chat-file-lines.ts';

/** Signals what is wrong with a line. */
export class LineError extends Error {
  readonly reason: LineProblem;
  readonly line: number | null;

  /** @param line null for the line that is being read */
  constructor(reason: LineProblem, line: number | null = null) {
    super(reason);
    this.reason = reason;
    this.line = line;
  }
}

const HEADER_FIELDS = ['user_name', 'character_name', 'create_date', 'chat_metadata'];

/** Whether a value is a header or a message. */
export const isChatLine = (value: unknown): boolean =>
  isObject(value) && ['mes', ...HEADER_FIELDS].some((field) => field in value);

/**
 * Yields the lines of a chat. A chat of another program, which is one JSON document, is converted into lines; all of them
 * have the number 1.
 */
export async function* readValues(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<{ line: number; value: JsonObject }> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const lines = splitLines(chunks, CHAT_FILE);
  let isFirst = true;
  for await (const found of lines) {
    const { line } = found;
    const text = decodeLine(decoder, found);
    if (text.trim() === '') continue;
    const value = parseJson(text);
    if (!isFirst || isChatLine(value)) {
      if (value === undefined) throw new LineError('not_json', line);
      if (!isObject(value)) throw new LineError('not_object', line);
      isFirst = false;
      yield { line, value };
      continue;
    }
    const document =
      value === undefined && /^\s*[[{]/.test(text) ? await readDocument(text, lines, decoder) : value;
    if (document === undefined) throw new LineError('not_json', line);
    const converted = convertChat(document);
    if (converted === 'several') throw new LineError('several_chats', line);
    if (converted === null) throw new LineError(isObject(document) ? 'not_a_chat' : 'not_object', line);
    for (const one of converted) yield { line, value: one };
    return;
  }
}

/** Reads a JSON document to the end of the file. @param begun its first line */
async function readDocument(
  begun: string,
  lines: AsyncIterable<FileLine>,
  decoder: TextDecoder,
): Promise<unknown> {
  const parts = [begun];
  let chars = begun.length;
  for await (const found of lines) {
    const text = decodeLine(decoder, found);
    chars += text.length;
    if (chars > CHAT_FILE.maxDocumentChars) throw new LineError('document_too_long', found.line);
    parts.push(text);
  }
  return parseJson(parts.join('\n'));
}

function decodeLine(decoder: TextDecoder, found: FileLine): string {
  const { line, bytes } = found;
  if (bytes === null) throw new LineError(found.exceeded, line);
  try {
    const text = decoder.decode(bytes);
    return line === 1 && text.startsWith('\uFEFF') ? text.slice(1) : text;
  } catch {
    throw new LineError('not_utf8', line);
  }
}

/** The value of a JSON text; undefined when it is none. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
