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
