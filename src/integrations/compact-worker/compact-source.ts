/** An escape sequence, or a character outside of Latin-1. */
const ESCAPE_OR_WIDE = /\\[^]|[^\0-\u00ff]/g; // oxlint-disable-line no-control-regex -- Latin-1 has them
const MAX_LATIN = 0xff;
/** Line separators: after a backslash they continue a string on the next line. */
const LINE_ENDS = new Set([0x20_28, 0x20_29]);
/** In characters: how much longer `\u2026` is than its character. */
const ADDED_CHARS = 5;

/**
 * Writes the characters of a script outside of Latin-1 as `\u2026` if that makes the script smaller in memory: V8 keeps
 * two bytes for each character of a text that has a single one of them, such as a dash in a message, and otherwise one.
 * The script does the same as before, except for texts of `String.raw`.
 */
export function compactSource(code: string): string {
  let wide = 0;
  for (let at = 0; at < code.length; at += 1) if (code.charCodeAt(at) > MAX_LATIN) wide += 1;
  if (wide === 0 || wide * ADDED_CHARS >= code.length) return code;
  return code.replaceAll(ESCAPE_OR_WIDE, (found) => {
    const character = found.charCodeAt(found.length - 1);
    if (character <= MAX_LATIN || (found.length > 1 && LINE_ENDS.has(character))) return found;
    return `\\u${character.toString(16).padStart(4, '0')}`;
  });
}
