const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_CHARS = 10;
const RANDOM_BYTES = 10;

/**
 * A new opaque id: 26 URL-safe characters, 48 bits of milliseconds and 80 random bits, so that
 * ids made later sort later. The layout follows the ULID specification, in lower case.
 */
export function newId(
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

/** When an id was made, in milliseconds since 1970; meaningless for what is no id of ours. */
export function madeAt(id: string): number {
  return [...id.slice(0, TIME_CHARS)].reduce((time, letter) => time * 32 + ALPHABET.indexOf(letter), 0);
}

/** What comes before every id that is made from this moment on, and behind those made earlier. */
export function idsSince(now: number): string {
  return newId(now).slice(0, TIME_CHARS);
}

/** Whether a text has the form of an id of ours; spares a look-up for what cannot exist. */
export function looksLikeId(text: string): boolean {
  return /^[0-9a-z]{26}$/.test(text);
}
