import { crc32 } from 'node:zlib';
import { zlibSync } from 'fflate';
import { joinBytes, readAscii, readUint } from '../picture/bytes.ts';
import { encodeBase64 } from './base64.ts';
import { ASSET_PREFIX, PNG_SIGNATURE } from './png-embed.ts';

const encoder = new TextEncoder();
/** Length, name and checksum of the chunk that ends a picture. */
const END_BYTES = 12;

/** A chunk of a PNG with its length and its checksum. @param kind its four letters */
export function buildPngChunk(kind: string, body: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(body.length + END_BYTES);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, body.length);
  chunk.set(encoder.encode(kind), 4);
  chunk.set(body, 8);
  view.setUint32(body.length + 8, crc32(chunk.subarray(4, body.length + 8)));
  return chunk;
}

/** A text of a PNG, in base64. @param keyword in Latin letters */
const buildTextChunk = (keyword: string, bytes: Uint8Array): Uint8Array =>
  buildPngChunk('tEXt', joinBytes([encoder.encode(`${keyword}\0`), encodeBase64(bytes)]));

/**
 * Puts texts into a picture, before its end, where every program looks for them.
 * @param picture a cleaned PNG: nothing comes behind its last chunk
 * @param texts by their keywords
 */
export function addTexts(
  picture: Uint8Array,
  texts: readonly (readonly [string, Uint8Array])[],
): Uint8Array<ArrayBuffer> {
  const end = picture.length - END_BYTES;
  const chunks = texts.map(([keyword, bytes]) => buildTextChunk(keyword, bytes));
  return joinBytes([picture.subarray(0, end), ...chunks, picture.subarray(end)]);
}

/** Puts a file of the card's into its picture. @param path what the card names it by */
export function addAsset(picture: Uint8Array, path: string, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return addTexts(picture, [[`${ASSET_PREFIX}${path}`, bytes]]);
}

/** Whether a picture is a PNG that texts can be put into. */
export function isPng(picture: Uint8Array): boolean {
  return (
    PNG_SIGNATURE.every((byte, index) => picture[index] === byte) &&
    readUint(picture, picture.length - END_BYTES, 4) === 0 &&
    readAscii(picture, picture.length - END_BYTES + 4, 4) === 'IEND'
  );
}

/** As portraits are drawn: three to four. */
const PLAIN_SIZE = { width: 300, height: 400 } as const;
/** From above to below, as red, green and blue. */
const [TOP_COLOR, BOTTOM_COLOR] = [
  [74, 60, 102],
  [28, 24, 40],
] as const;

/**
 * A plain picture, which carries a card where the portrait is of a kind that cannot. Nothing here can turn one kind of
 * picture into another (decision 21).
 */
export function renderPlainPng(): Uint8Array {
  const { width, height } = PLAIN_SIZE;
  const line = width * 3 + 1;
  const pixels = new Uint8Array(line * height);
  for (let y = 0; y < height; y += 1) {
    const colour = TOP_COLOR.map(
      (from, index) => from + (((BOTTOM_COLOR[index] as number) - from) * y) / (height - 1),
    );
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
  return joinBytes([
    PNG_SIGNATURE,
    buildPngChunk('IHDR', header),
    buildPngChunk('IDAT', zlibSync(pixels)),
    buildPngChunk('IEND', new Uint8Array(0)),
  ]);
}
