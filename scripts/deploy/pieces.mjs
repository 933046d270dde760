// Reads files that are larger than one text can be: a database's export of some gigabytes, in pieces of whole statements.
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';

/** So much is read at once: a piece is that and one statement at the most. */
const CHUNK_BYTES = 1024 * 1024;

/** What something ends with that began so; what is in it is no SQL. */
const CLOSED_BY = { "'": "'", '"': '"', '`': '`', '[': ']', '--': '\n', '/*': '*/' };
const SIGN = /['"`[;]|--|\/\*/g;
/** A trigger has statements in it, each with its own end. */
const TRIGGER = /^(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)*create\s+(?:temp(?:orary)?\s+)?trigger\b/i;
const TRIGGER_ENDS = /;\s*end\s*;$/i;
/** In so many letters it shows which of both a statement is. */
const LOOK_CHARS = 1000;

/** Whether a text that has a semicolon at its end is a whole statement. @param {string} text @param {number} from @param {number} to */
const isWhole = (text, from, to) =>
  !TRIGGER.test(text.slice(from, Math.min(to, from + LOOK_CHARS))) ||
  TRIGGER_ENDS.test(text.slice(Math.max(from, to - LOOK_CHARS), to));

/**
 * How a file begins.
 * @param {string} file
 * @param {number} length in bytes
 * @returns {Buffer} as much as there is of it
 */
export function beginningOf(file, length) {
  const bytes = Buffer.alloc(length);
  const opened = openSync(file, 'r');
  try {
    return bytes.subarray(0, readSync(opened, bytes));
  } finally {
    closeSync(opened);
  }
}

/**
 * The statements of a file, in their order; what stands behind the last one is given out with it, or at the end.
 * @param {string} file
 * @param {number} [chunkBytes]
 * @returns {Generator<string, void, undefined>}
 */
export function* statementsOf(file, chunkBytes = CHUNK_BYTES) {
  const decoder = new StringDecoder('utf8');
  const bytes = Buffer.alloc(chunkBytes);
  const opened = openSync(file, 'r');
  /** What was not given out yet, how far it was looked at, where its last statement begins, and what is open in it. */
  let [text, at, begun, open] = ['', 0, 0, ''];
  try {
    for (let isLast = false; !isLast;) {
      const read = readSync(opened, bytes);
      isLast = read === 0;
      text += isLast ? decoder.end() : decoder.write(bytes.subarray(0, read));
      for (;;) {
        if (open !== '') {
          const end = text.indexOf(open, at);
          // A sign of two letters may go on in the next chunk.
          at = end < 0 ? Math.max(at, text.length - open.length + 1) : end + open.length;
          if (end < 0) break;
          open = '';
        }
        SIGN.lastIndex = at;
        const [sign] = SIGN.exec(text) ?? [];
        at = sign === undefined ? Math.max(at, text.length - 1) : SIGN.lastIndex;
        if (sign === undefined) break;
        if (sign !== ';') open = CLOSED_BY[sign];
        else if (isWhole(text, begun, at)) {
          yield text.slice(begun, at);
          begun = at;
        }
      }
      text = text.slice(begun);
      at -= begun;
      begun = 0;
    }
  } finally {
    closeSync(opened);
  }
  if (text.trim() !== '') yield text;
}

/**
 * The same, many statements at once: never one in two pieces.
 * @param {string} file
 * @param {number} [chunkBytes]
 * @returns {Generator<string, void, undefined>}
 */
export function* piecesOf(file, chunkBytes = CHUNK_BYTES) {
  let piece = '';
  for (const statement of statementsOf(file, chunkBytes)) {
    if (piece !== '' && piece.length + statement.length > chunkBytes) {
      yield piece;
      piece = '';
    }
    piece += statement;
  }
  if (piece !== '') yield piece;
}

/**
 * How a file ends.
 * @param {string} file
 * @param {number} length in bytes
 * @returns {Buffer}
 */
export function endOf(file, length) {
  const { size } = statSync(file);
  const bytes = Buffer.alloc(Math.min(length, size));
  const opened = openSync(file, 'r');
  try {
    return bytes.subarray(0, readSync(opened, bytes, 0, bytes.length, size - bytes.length));
  } finally {
    closeSync(opened);
  }
}
