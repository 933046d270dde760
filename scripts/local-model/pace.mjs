/** A word longer than this has no spaces to be cut at, as in Japanese; it is sent in bits. */
const LONGEST_PIECE = 24;
const BIT_LENGTH = 4;

/**
 * A text in the pieces in which it is sent: words with the space before them. Joined they are the text again.
 * @param {string} text
 * @returns {string[]}
 */
export function piecesOf(text) {
  return (text.match(/\s*\S+|\s+$/gu) ?? []).flatMap((piece) => {
    const letters = [...piece];
    if (letters.length <= LONGEST_PIECE) return [piece];
    return Array.from({ length: Math.ceil(letters.length / BIT_LENGTH) }, (_, i) =>
      letters.slice(i * BIT_LENGTH, (i + 1) * BIT_LENGTH).join(''),
    );
  });
}

/**
 * How long to wait after a piece, as a reader aloud would.
 * @param {string} piece
 * @param {number} paceMs milliseconds for a plain word
 * @param {() => number} random 0 ≤ n < 1
 * @returns {number} milliseconds; 0 when the pace is 0
 */
export function pauseAfter(piece, paceMs, random) {
  const sway = 0.85 + random() * 0.4;
  if (/[.!?…]["'*)]*$/.test(piece)) return paceMs * 6 * sway;
  if (/[,;:]["'*)]*$/.test(piece)) return paceMs * 2.5 * sway;
  return paceMs * sway;
}
