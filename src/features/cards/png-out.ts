import { crc32 } from 'node:zlib';
import { zlibSync } from 'fflate';
import { joined, letters, uint } from '../picture/bytes.ts';
import { toBase64 } from './base64.ts';
import { ASSET_PREFIX, PNG_SIGNATURE } from './png-embed.ts';

const encoder = new TextEncoder();
/** Length, name and checksum of the chunk that ends a picture. */
const END_BYTES = 12;

/** A chunk of a PNG with its length and its checksum. @param kind its four letters */
export function pngChunk(kind: string, body: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(body.length + END_BYTES);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, body.length);
  chunk.set(encoder.encode(kind), 4);
  chunk.set(body, 8);
  view.setUint32(body.length + 8, crc32(chunk.subarray(4, body.length + 8)));
  return chunk;
}

/** A text of a PNG, in base64. @param keyword in Latin letters */
const textChunk = (keyword: string, bytes: Uint8Array): Uint8Array =>
  pngChunk('tEXt', joined([encoder.encode(`${keyword}\0`), toBase64(bytes)]));

/**
 * Puts texts into a picture, before its end, where every program looks for them.
 * @param picture a cleaned PNG: nothing comes behind its last chunk
 * @param texts by their keywords
 */
export function withTexts(
  picture: Uint8Array,
  texts: readonly (readonly [string, Uint8Array])[],
): Uint8Array<ArrayBuffer> {
  const end = picture.length - END_BYTES;
  const chunks = texts.map(([keyword, bytes]) => textChunk(keyword, bytes));
  return joined([picture.subarray(0, end), ...chunks, picture.subarray(end)]);
}

/** Puts a file of the card's into its picture. @param path what the card names it by */
export function withAsset(picture: Uint8Array, path: string, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return withTexts(picture, [[`${ASSET_PREFIX}${path}`, bytes]]);
}

/** Whether a picture is a PNG that texts can be put into. */
export function isPng(picture: Uint8Array): boolean {
  return (
    PNG_SIGNATURE.every((byte, index) => picture[index] === byte) &&
    uint(picture, picture.length - END_BYTES, 4) === 0 &&
    letters(picture, picture.length - END_BYTES + 4, 4) === 'IEND'
  );
}

/** As portraits are drawn: three to four. */
const PLAIN = { width: 300, height: 400 } as const;
/** From above to below, as red, green and blue. */
const [ABOVE, BELOW] = [
  [74, 60, 102],
  [28, 24, 40],
] as const;

/**
 * A plain picture, which carries a card where the portrait is of a kind that cannot. Nothing here can turn one kind of
 * picture into another (decision 21).
 */
export function plainPng(): Uint8Array {
  const { width, height } = PLAIN;
  const line = width * 3 + 1;
  const pixels = new Uint8Array(line * height);
  for (let y = 0; y < height; y += 1) {
    const colour = ABOVE.map((from, index) => from + (((BELOW[index] as number) - from) * y) / (height - 1));
    const start = y * line;
    pixels.set(colour, start + 1);
    // Each step doubles what is there. The first byte of a line tells how it is to be read: as it is.
    for (let done = 3; done < line - 1; done *= 2) {
      pixels.copyWithin(start + 1 + done, start + 1, start + 1 + Math.min(done, line - 1 - done));
    }
  }
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  // Eight bits each of red, green and blue.
  header.set([8, 2], 8);
  return joined([
    PNG_SIGNATURE,
    pngChunk('IHDR', header),
    pngChunk('IDAT', zlibSync(pixels)),
    pngChunk('IEND', new Uint8Array(0)),
  ]);
}
