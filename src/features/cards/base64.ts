const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const BLANK = 64;
const PADDING = 65;
const NONE = 255;

const CODES = Uint8Array.from(LETTERS, (letter) => letter.charCodeAt(0));
const VALUES = new Uint8Array(256).fill(NONE);
for (const [value, code] of CODES.entries()) VALUES[code] = value;
// The letters of base64url, which some programs write.
[VALUES['-'.charCodeAt(0)], VALUES['_'.charCodeAt(0)]] = [62, 63];
for (const blank of [9, 10, 13, 32]) VALUES[blank] = BLANK;
VALUES['='.charCodeAt(0)] = PADDING;

/**
 * Decodes base64 that arrives in pieces, may contain line breaks and may lack its padding. The platform's own functions
 * work on strings, which for a large card would need two more copies.
 */
export class Base64Decoder {
  #held = 0;
  #bits = 0;
  #padded = false;

  /** @returns the bytes that this piece completes; null when it is not base64 */
  push(text: Uint8Array): Uint8Array | null {
    // One byte more than the piece alone has: up to six bits may be left of the previous one.
    const bytes = new Uint8Array(Math.ceil((text.length * 3) / 4) + 1);
    let length = 0;
    let held = this.#held;
    let bits = this.#bits;
    let padded = this.#padded;
    for (let at = 0; at < text.length; at += 1) {
      const value = VALUES[text[at] as number] as number;
      if (value === BLANK) continue;
      if (value === PADDING) {
        padded = true;
        continue;
      }
      if (value === NONE || padded) return null;
      held = ((held << 6) | value) & 0xffff;
      bits += 6;
      if (bits < 8) continue;
      bits -= 8;
      bytes[length] = (held >>> bits) & 0xff;
      length += 1;
    }
    [this.#held, this.#bits, this.#padded] = [held, bits, padded];
    return bytes.subarray(0, length);
  }

  /** Whether the text may end here: six bits alone are not a byte. */
  isComplete(): boolean {
    return this.#bits !== 6;
  }
}

/**
 * Decodes base64 that is complete.
 * @returns null when it is not base64
 */
export function decodeBase64(text: Uint8Array): Uint8Array | null {
  const reader = new Base64Decoder();
  const bytes = reader.push(text);
  return reader.isComplete() ? bytes : null;
}

/** Encodes bytes as base64, as ASCII bytes. */
export function encodeBase64(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const text = new Uint8Array(Math.ceil(bytes.length / 3) * 4).fill('='.charCodeAt(0));
  let length = 0;
  let held = 0;
  let bits = 0;
  const put = (value: number) => {
    text[length] = CODES[value & 63] as number;
    length += 1;
  };
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xffff;
    bits += 8;
    while (bits >= 6) {
      bits -= 6;
      put(held >>> bits);
    }
  }
  if (bits > 0) put(held << (6 - bits));
  return text;
}
