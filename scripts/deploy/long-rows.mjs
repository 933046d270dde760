// Rows that are longer than a statement may be. D1 takes statements of 100,000 bytes at most, and an export writes each row as
// one: a lorebook alone may be half a megabyte. What is long goes in pieces into a table beside, and comes together there.
// https://developers.cloudflare.com/d1/platform/limits/
import { Trouble } from '../lib/prepare.mjs';

/** What D1 takes as one statement, in bytes of UTF-8. */
export const STATEMENT_BYTES = 100_000;
/** Of a piece, in bytes: the rest of its statement is short. */
const PIECE_BYTES = 60_000;
/** Values from so many bytes on go in pieces, where their row is too long. */
const LONG_BYTES = 2000;
const TABLE = '_restored_pieces';

/** What stands before all rows and behind them. */
export const BEFORE_ROWS = `CREATE TABLE \`${TABLE}\` (n INTEGER PRIMARY KEY, piece TEXT NOT NULL);\n`;
export const AFTER_ROWS = `DROP TABLE \`${TABLE}\`;\n`;

const bytesOf = (text) => Buffer.byteLength(text);

/** A text as SQL writes it, in pieces. @param {string} literal with its quotes @returns {string[]} each with its own */
function piecesOfLiteral(literal) {
  const pieces = [];
  let [piece, bytes] = ['', 0];
  // A quotation mark that is doubled stays whole, and so does a sign of two units.
  for (const [sign] of literal.slice(1, -1).matchAll(/''|[^]/gu)) {
    const more = bytesOf(sign);
    if (bytes + more > PIECE_BYTES) {
      pieces.push(`'${piece}'`);
      [piece, bytes] = ['', 0];
    }
    piece += sign;
    bytes += more;
  }
  return [...pieces, `'${piece}'`];
}

/**
 * One row's statement as D1 takes it.
 * @param {string} statement
 * @returns {Generator<string, void, undefined>} the same as it is, or several in its place
 * @throws Trouble where it stays too long
 */
export function* inPieces(statement) {
  if (bytesOf(statement) <= STATEMENT_BYTES) return yield statement;
  let count = 0;
  /** @type {string[]} */
  const rows = [];
  const short = statement.replaceAll(/"[^"]*"|`[^`]*`|'(?:[^']|'')*'/g, (literal) => {
    if (!literal.startsWith("'") || bytesOf(literal) < LONG_BYTES) return literal;
    const from = count + 1;
    for (const piece of piecesOfLiteral(literal)) {
      count += 1;
      rows.push(`\nINSERT INTO \`${TABLE}\` VALUES(${count},${piece});`);
    }
    return `(SELECT group_concat(piece, '' ORDER BY n) FROM \`${TABLE}\` WHERE n BETWEEN ${from} AND ${count})`;
  });
  const longest = Math.max(...[short, ...rows].map(bytesOf));
  if (longest > STATEMENT_BYTES)
    throw new Trouble(
      `A row takes ${longest} bytes, of ${STATEMENT_BYTES} that the platform takes at once: ${statement.trim().slice(0, 60)} …`,
    );
  yield* rows;
  yield short;
  yield `\nDELETE FROM \`${TABLE}\`;`;
}
