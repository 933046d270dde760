import { crc32 } from 'node:zlib';
import { BODY_LIMITS } from '../../config/body-limits.ts';
import { CARD } from '../character/limits.ts';
import { joinBytes, readAscii, readUint } from '../picture/bytes.ts';
import { Base64Decoder, decodeBase64 } from './base64.ts';
import { readCardText, type CardTextResult } from './card-text.ts';
import { inflateBytes } from './inflate.ts';
import type { ChunkedBytes, ByteRange } from './chunked-bytes.ts';
import { EXIF_CHUNK, PNG_SIGNATURE, TEXT_CHUNKS } from './png-embed.ts';

/** Length and type in front of a chunk's data; its checksum follows the data. */
const CHUNK_HEAD_BYTES = 8;
const CHECKSUM_BYTES = 4;
const HEADER_BYTES = 13;
/** A keyword has up to 79 characters and a terminating zero. */
const MAX_KEYWORD_BYTES = 80;

/** Files of a card inside its picture, as RisuAI writes them. */
const ASSET_KEYWORD = /^chara-ext-asset_:?(.+)$/;
/** Limit of a compressed text once unpacked: base64, with or without line breaks. */
const MAX_ENCODED_BYTES = Math.ceil((CARD.maxJsonBytes * 4) / 3 + CARD.maxJsonBytes / 32);

interface TextChunk {
  kind: string;
  /** The data after the keyword. */
  body: ByteRange;
  /** Whether its checksum is correct. */
  isSound: boolean;
}

/** Keywords of cards, the newer version first. */
const CARD_KEYWORDS = ['ccv3', 'chara'];
/** The language and translated keyword of an iTXt chunk must end within this many bytes. */
const MAX_LANGUAGE_BYTES = 64 * 1024;

export type PngError = 'card_damaged' | 'card_too_large' | 'card_too_complex' | 'card_not_found';

export interface PngCard {
  ok: true;
  /** The card's JSON in each version that the file contains, newer first; read on demand. */
  texts: (() => CardTextResult)[];
  /** Complete text and EXIF chunks of other programs, in their order. */
  metadata: Uint8Array;
  /** The number of such chunks that are not in `metadata`, because it would exceed its limit. */
  metadataLeft: number;
  /** The picture without text chunks; null when it is larger than a portrait may be. */
  picture: Uint8Array | null;
  /**
   * Returns a file that the card refers to as `__asset:…`, or our own portrait; null when it is missing or too large.
   */
  asset: (path: string) => Uint8Array | null;
}

/**
 * Reads the card from a PNG or APNG, `ccv3` before `chara`. Every chunk must be complete, and must have a correct
 * checksum unless it contains a card. No length is used before it is known to lie within the file.
 */
export function readPngCard(file: ChunkedBytes): PngCard | { ok: false; code: PngError } {
  const found = readChunks(file);
  if (!found.ok) return found;
  const texts = CARD_KEYWORDS.flatMap((keyword) => found.texts.get(keyword) ?? []);
  if (texts.length === 0) return { ok: false, code: 'card_not_found' };
  return {
    ok: true,
    texts: texts.map((text) => () => decodeTextChunk(file, text)),
    metadata: joinRanges(file, found.metadata),
    metadataLeft: found.metadataLeft,
    picture: found.pictureBytes > BODY_LIMITS.avatar ? null : joinRanges(file, found.kept),
    asset: (path) => {
      const span = found.assets.get(path);
      const fits = span !== undefined && span.to - span.from <= Math.ceil(BODY_LIMITS.avatar * 1.4);
      return fits ? decodeBase64(file.slice(span.from, span.to)) : null;
    },
  };
}

interface PngChunks {
  ok: true;
  /** The first chunk of each keyword. */
  texts: Map<string, TextChunk>;
  assets: Map<string, ByteRange>;
  /** Text and EXIF of other programs. */
  metadata: ByteRange[];
  metadataLeft: number;
  /** Ranges that are not text. */
  kept: ByteRange[];
  pictureBytes: number;
}

function readChunks(file: ChunkedBytes): PngChunks | { ok: false; code: PngError } {
  const found: PngChunks = {
    ...{ ok: true, texts: new Map(), assets: new Map(), kept: [], pictureBytes: 0 },
    ...{ metadata: [], metadataLeft: 0 },
  };
  let [textBytes, metadataBytes] = [0, 0];
  const keepMetadata = (chunk: ByteRange) => {
    const length = chunk.to - chunk.from;
    if (metadataBytes + length > CARD.maxMetadataBytes) found.metadataLeft += 1;
    else {
      metadataBytes += length;
      found.metadata.push(chunk);
    }
  };
  let at: number = PNG_SIGNATURE.length;
  let drawn = false;
  addSpan(found, { from: 0, to: at });
  for (let count = 0; count <= CARD.maxChunks; count += 1) {
    const head = file.slice(at, at + CHUNK_HEAD_BYTES);
    const length = readUint(head, 0, 4);
    const kind = readAscii(head, 4, 4);
    const body = { from: at + CHUNK_HEAD_BYTES, to: at + CHUNK_HEAD_BYTES + length };
    const end = body.to + CHECKSUM_BYTES;
    if (length < 0 || end > file.length) return damaged;
    if ((kind === 'IHDR') !== (count === 0) || (kind === 'IHDR' && length !== HEADER_BYTES)) return damaged;
    const sound = isSound(file, { from: at + 4, to: body.to });
    if (TEXT_CHUNKS.has(kind)) {
      const is = recordText(file, found, { kind, body, isSound: sound });
      // The other version may be intact.
      if (!sound && is !== 'card') return damaged;
      if (is === 'metadata') keepMetadata({ from: at, to: end });
      if (is === 'metadata' || is === null) textBytes += length;
      if (textBytes > CARD.maxTextBytes) return { ok: false, code: 'card_too_large' };
    } else if (sound) {
      addSpan(found, { from: at, to: end });
      if (kind === EXIF_CHUNK) keepMetadata({ from: at, to: end });
    } else return damaged;
    if (kind === 'IDAT' && length > 0) drawn = true;
    // Data after the end chunk is not part of the picture.
    if (kind === 'IEND') return drawn && length === 0 ? found : damaged;
    at = end;
  }
  return { ok: false, code: 'card_too_complex' };
}

/** Whether a chunk's type and data match the checksum that follows. */
function isSound(file: ChunkedBytes, span: ByteRange): boolean {
  let sum = 0;
  for (const run of file.iterate(span)) sum = crc32(run, sum);
  return sum === readUint(file.slice(span.to, span.to + CHECKSUM_BYTES), 0, CHECKSUM_BYTES);
}

/** Merges adjacent ranges: a picture has thousands of chunks. */
function addSpan(found: PngChunks, span: ByteRange): void {
  found.pictureBytes += span.to - span.from;
  const last = found.kept.at(-1);
  if (last !== undefined && last.to === span.from) last.to = span.to;
  else found.kept.push(span);
}

function joinRanges(file: ChunkedBytes, ranges: readonly ByteRange[]): Uint8Array {
  return joinBytes(ranges.map(({ from, to }) => file.slice(from, to)));
}

/**
 * Records where a text is, by its keyword.
 * @returns its kind; null for one without a keyword, or a repeated card
 */
function recordText(
  file: ChunkedBytes,
  found: PngChunks,
  chunk: TextChunk,
): 'asset' | 'card' | 'metadata' | null {
  const { kind, body, isSound } = chunk;
  const head = file.slice(body.from, Math.min(body.to, body.from + MAX_KEYWORD_BYTES));
  const end = head.indexOf(0);
  if (end <= 0) return null;
  const keyword = readAscii(head, 0, end);
  const rest = { from: body.from + end + 1, to: body.to };
  const asset = ASSET_KEYWORD.exec(keyword)?.[1];
  if (asset !== undefined && kind === 'tEXt') {
    if (isSound && !found.assets.has(asset)) found.assets.set(asset, rest);
    return 'asset';
  }
  const name = keyword.toLowerCase();
  if (!CARD_KEYWORDS.includes(name)) return 'metadata';
  if (found.texts.has(name)) return null;
  found.texts.set(name, { ...chunk, body: rest });
  return 'card';
}

const damaged = { ok: false, code: 'card_damaged' } as const;
const tooLarge = { ok: false, code: 'card_too_large' } as const;

/** Returns the content of a text chunk: JSON, usually in base64. */
function decodeTextChunk(file: ChunkedBytes, chunk: TextChunk): CardTextResult {
  if (!chunk.isSound) return damaged;
  const unpacked = unpackText(file, chunk);
  if (!unpacked.ok) return unpacked;
  const { text } = unpacked;
  return readCardText(isPlain(text) ? text : () => decodeBase64Text(text, file), file.work);
}

function isPlain(text: () => Iterable<Uint8Array>): boolean {
  for (const piece of text()) {
    const first = piece.find((byte) => byte > 0x20);
    if (first !== undefined) return first === '{'.charCodeAt(0);
  }
  return false;
}

/** Decodes base64 in pieces. An empty text counts as damaged. */
function* decodeBase64Text(
  text: () => Iterable<Uint8Array>,
  { work }: ChunkedBytes,
): Iterable<Uint8Array | null> {
  const reader = new Base64Decoder();
  let length = 0;
  for (const piece of text()) {
    const bytes = reader.push(piece);
    yield bytes;
    if (bytes === null) return;
    work.add(bytes.length);
    length += bytes.length;
  }
  if (length === 0 || !reader.isComplete()) yield null;
}

type Unpacked =
  | { ok: true; text: () => Iterable<Uint8Array> }
  | { ok: false; code: 'card_damaged' | 'card_too_large' };

function unpackText(file: ChunkedBytes, { kind, body }: TextChunk): Unpacked {
  const inflate = (from: number): Unpacked => {
    if (body.to - from > MAX_ENCODED_BYTES) return tooLarge;
    const packed = file.slice(from, body.to);
    const maxBytes = Math.min(MAX_ENCODED_BYTES, 64 * 1024 + packed.length * CARD.maxRatio);
    const out = inflateBytes(packed, { zlib: true, maxBytes, work: file.work });
    return out.ok ? { ok: true, text: () => [out.bytes] } : out;
  };
  const asItIs = (from: number): Unpacked => ({ ok: true, text: () => file.iterate({ from, to: body.to }) });
  if (kind === 'tEXt') return asItIs(body.from);
  const headBytes = kind === 'zTXt' ? 1 : MAX_LANGUAGE_BYTES;
  const head = file.slice(body.from, Math.min(body.to, body.from + headBytes));
  // 0 (zlib) is the only compression method that PNG defines.
  if (kind === 'zTXt') return head[0] === 0 ? inflate(body.from + 1) : damaged;
  const [packed, method] = head;
  const language = head.indexOf(0, 2);
  const translated = language === -1 ? -1 : head.indexOf(0, language + 1);
  if (translated === -1 || method !== 0) return damaged;
  const from = body.from + translated + 1;
  return packed === 1 ? inflate(from) : asItIs(from);
}
