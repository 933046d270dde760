const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_CHARS = 10;
const RANDOM_BYTES = 10;

/**
 * Creates an opaque id: 26 URL-safe characters, 48 bits of milliseconds and 80 random bits, so that later ids sort later.
 * The layout is that of the ULID specification, in lower case.
 */
export function createId(
  now: number,
  random: Uint8Array = crypto.getRandomValues(new Uint8Array(RANDOM_BYTES)),
): string {
  let time = '';
  let rest = now;
  for (let index = 0; index < TIME_CHARS; index += 1) {
    time = ALPHABET.charAt(rest % 32) + time;
    rest = Math.floor(rest / 32);
  }
  let tail = '';
  let bits = 0;
  let held = 0;
  for (const byte of random) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      tail += ALPHABET.charAt((held >> bits) & 31);
    }
    held &= (1 << bits) - 1;
  }
  return time + tail;
}

/**
 * Returns the time at which an id was created, in milliseconds since 1970. Call it only with a text that `isId` accepts.
 */
export function getIdTime(id: string): number {
  return [...id.slice(0, TIME_CHARS)].reduce((time, letter) => time * 32 + ALPHABET.indexOf(letter), 0);
}

/** Returns the smallest id that can be created at or after a time, as a lower bound for queries. */
export function getMinIdAt(now: number): string {
  return createId(now).slice(0, TIME_CHARS);
}

/** Whether a text has the form of an id. Saves a query for an id that cannot exist. */
export function isId(text: string): boolean {
  return /^[0-9a-z]{26}$/.test(text);
}

/**
 * Ids that contain a position in a sequence, such as that of a message in its conversation: a row is found by the position
 * as its primary key, and no second index has to be written.
 */

/** Where the position starts in an id, and its decimal digits. */
const POSITION_START = 10;
const POSITION_DIGITS = 8;
export const MAX_POSITION = 10 ** POSITION_DIGITS - 1;

/** Creates an id: the time, the position, and random characters. */
export function createPositionedId(now: number, position: number): string {
  const id = createId(now);
  return (
    id.slice(0, POSITION_START) +
    String(position).padStart(POSITION_DIGITS, '0') +
    id.slice(POSITION_START + POSITION_DIGITS)
  );
}

/** Returns the position that an id contains; 0 for a text that is no such id. */
export function getIdPosition(id: string): number {
  const digits = id.slice(POSITION_START, POSITION_START + POSITION_DIGITS);
  return isId(id) && /^\d{8}$/.test(digits) ? Number(digits) : 0;
}

/** SQL for the position that the id in a column contains. */
export const selectIdPosition = (column: string): string =>
  `cast(substr(${column}, ${POSITION_START + 1}, ${POSITION_DIGITS}) as integer)`;
