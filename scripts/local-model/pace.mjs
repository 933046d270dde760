/** Longer pieces come from languages without spaces and are split further. */
const MAX_PIECE_CHARACTERS = 24;
const PART_CHARACTERS = 4;

/** Splits a text into the pieces of a stream: words with the space before them. Joined they are the text again. */
export function splitIntoPieces(text) {
  return (text.match(/\s*\S+|\s+$/gu) ?? []).flatMap((piece) => {
    const characters = [...piece];
    if (characters.length <= MAX_PIECE_CHARACTERS) return [piece];
    return Array.from({ length: Math.ceil(characters.length / PART_CHARACTERS) }, (_, i) =>
      characters.slice(i * PART_CHARACTERS, (i + 1) * PART_CHARACTERS).join(''),
    );
  });
}

/**
 * Returns the pause after a piece, which is longer after punctuation, as in reading aloud.
 * @param {string} piece
 * @param {number} paceMs milliseconds for a plain word
 * @param {() => number} random
 * @returns {number} milliseconds; 0 when the pace is 0
 */
export function getPauseAfter(piece, paceMs, random) {
  const variation = 0.85 + random() * 0.4;
  if (/[.!?…。！？।]["'*”“»」)]*$/.test(piece)) return paceMs * 6 * variation;
  if (/[,;:，、]["'*)]*$/.test(piece)) return paceMs * 2.5 * variation;
  return paceMs * variation;
}
