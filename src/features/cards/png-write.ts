import { crc32 } from 'node:zlib';
import { zlibSync } from 'fflate';
import { joinBytes, readAscii, readUint } from '../picture/bytes.ts';
import { encodeBase64 } from './base64.ts';
import { ASSET_PREFIX, EXIF_CHUNK, PNG_SIGNATURE, splitChunks } from './png-embed.ts';

const encoder = new TextEncoder();
/** Length, type and checksum of the chunk that ends a picture. */
const END_BYTES = 12;

/**
 * Builds a chunk of a PNG with its length and checksum.
 * @param kind its four-letter type
 */
export function buildPngChunk(kind: string, body: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(body.length + END_BYTES);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, body.length);
  chunk.set(encoder.encode(kind), 4);
  chunk.set(body, 8);
  view.setUint32(body.length + 8, crc32(chunk.subarray(4, body.length + 8)));
  return chunk;
}

/**
 * Builds a text chunk of a PNG, in base64.
 * @param keyword in ASCII
 */
const buildTextChunk = (keyword: string, bytes: Uint8Array): Uint8Array =>
  buildPngChunk('tEXt', joinBytes([encoder.encode(`${keyword}\0`), encodeBase64(bytes)]));

/**
 * Adds text chunks to a picture, before its end, where every program looks for them.
 * @param picture a cleaned PNG: nothing follows its last chunk
 * @param texts pairs of keyword and text
 */
export function addTexts(
  picture: Uint8Array,
  texts: readonly (readonly [string, Uint8Array])[],
): Uint8Array<ArrayBuffer> {
  const end = picture.length - END_BYTES;
  const chunks = texts.map(([keyword, bytes]) => buildTextChunk(keyword, bytes));
  return joinBytes([picture.subarray(0, end), ...chunks, picture.subarray(end)]);
}

/**
 * Adds metadata of other programs to a picture, before its end.
 * @param chunks complete chunks
 * @param hasExif whether EXIF is added; it describes one picture, for example how it is turned
 */
export function addMetadata(
  picture: Uint8Array,
  chunks: Uint8Array,
  hasExif: boolean,
): Uint8Array<ArrayBuffer> {
  const end = picture.length - END_BYTES;
  const added = splitChunks(chunks, 0).filter(({ kind }) => hasExif || kind !== EXIF_CHUNK);
  return joinBytes([picture.subarray(0, end), ...added.map(({ bytes }) => bytes), picture.subarray(end)]);
}

/**
 * Adds a file of the card to its picture.
 * @param path the name by which the card refers to it
 */
export function addAsset(picture: Uint8Array, path: string, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return addTexts(picture, [[`${ASSET_PREFIX}${path}`, bytes]]);
}

/** Whether a picture is a PNG that text chunks can be added to. */
export function isPng(picture: Uint8Array): boolean {
  return (
    PNG_SIGNATURE.every((byte, index) => picture[index] === byte) &&
    readUint(picture, picture.length - END_BYTES, 4) === 0 &&
    readAscii(picture, picture.length - END_BYTES + 4, 4) === 'IEND'
  );
}

/** The aspect ratio of portraits, three to four. */
const PLAIN_SIZE = { width: 300, height: 400 } as const;
/** From top to bottom, as red, green and blue. */
const [TOP_COLOR, BOTTOM_COLOR] = [
  [74, 60, 102],
  [28, 24, 40],
] as const;

/**
 * Renders a plain picture, which carries the card when the portrait is not a PNG. We cannot convert between image
 * formats (docs/decisions/0021).
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
    // Each step doubles the filled part. The first byte of a line is its filter type: 0 for none.
    for (let done = 3; done < line - 1; done *= 2) {
      pixels.copyWithin(start + 1 + done, start + 1, start + 1 + Math.min(done, line - 1 - done));
    }
  }
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  // Bit depth 8, colour type 2 (RGB).
  header.set([8, 2], 8);
  return joinBytes([
    PNG_SIGNATURE,
    buildPngChunk('IHDR', header),
    buildPngChunk('IDAT', zlibSync(pixels)),
    buildPngChunk('IEND', new Uint8Array(0)),
  ]);
}
