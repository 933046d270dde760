const NEWLINE = 10;
const RETURN = 13;
/** Space, tab and CR: a line of these only is blank. */
const BLANKS = new Set([0x20, 0x09, RETURN]);

/** A line with its number, from 1. A line with `exceeded` breaks a limit and is the last one. */
export type FileLine =
  | { line: number; bytes: Uint8Array }
  | { line: number; bytes: null; exceeded: 'line_too_long' | 'too_many_lines' };

/**
 * Splits bytes into lines as they arrive, holding at most one line in memory. Lines end with LF or CRLF; the last one
 * needs no line end. Blank lines are counted but not returned.
 */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { maxLineBytes, maxLines }: { maxLineBytes: number; maxLines: number },
): AsyncGenerator<FileLine> {
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  let line = 1;
  const take = (): Uint8Array => {
    const bytes = concatBytes(pending, pendingBytes);
    pending = [];
    pendingBytes = 0;
    return bytes.at(-1) === RETURN ? bytes.subarray(0, -1) : bytes;
  };
  for await (const chunk of chunks) {
    let from = 0;
    while (from < chunk.length) {
      const end = chunk.indexOf(NEWLINE, from);
      const part = chunk.subarray(from, end === -1 ? chunk.length : end);
      pending.push(part);
      pendingBytes += part.length;
      if (pendingBytes > maxLineBytes) {
        yield { line, bytes: null, exceeded: 'line_too_long' };
        return;
      }
      if (end === -1) break;
      const bytes = take();
      if (!isBlank(bytes)) yield { line, bytes };
      line += 1;
      from = end + 1;
      if (line > maxLines) {
        yield { line, bytes: null, exceeded: 'too_many_lines' };
        return;
      }
    }
  }
  const rest = take();
  if (!isBlank(rest)) yield { line, bytes: rest };
}

const isBlank = (bytes: Uint8Array): boolean => bytes.every((byte) => BLANKS.has(byte));

function concatBytes(parts: readonly Uint8Array[], length: number): Uint8Array {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
