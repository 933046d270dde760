import { crc32 } from 'node:zlib';
import { BODY_LIMITS, CARD } from '../../config.ts';
import { joined, letters, uint } from '../picture/bytes.ts';
import { fromBase64 } from './base64.ts';
import { inflated } from './inflate.ts';
import type { Pieces, Span } from './pieces.ts';
import { PNG_SIGNATURE } from './png-graft.ts';

/** Length and name before what a chunk holds; its checksum comes after. */
const HEAD_BYTES = 8;
const CHECKSUM_BYTES = 4;
const HEADER_BYTES = 13;
/** A keyword has up to 79 letters, and a zero behind them. */
const KEYWORD_BYTES = 80;
const TEXTS = new Set(['tEXt', 'zTXt', 'iTXt']);

/** Files of a card within its picture, as RisuAI writes them. */
const ASSET = /^chara-ext-asset_:?(.+)$/;
/** Base64, in lines or not. */
const MAX_ENCODED_BYTES = Math.ceil((CARD.maxJsonBytes * 4) / 3 + CARD.maxJsonBytes / 32);

interface TextChunk {
  kind: string;
  /** What comes behind the keyword. */
  body: Span;
}

export type PngProblem = 'card_damaged' | 'card_too_large' | 'card_too_complex' | 'card_not_found';

export interface PngCard {
  ok: true;
  /** The card's JSON as it was written. */
  json: Uint8Array;
  /** The picture without any text; null when it is larger than a portrait may be. */
  picture: Uint8Array | null;
  /** A file that the card names `__asset:…`, or our own portrait; null when there is none, or it is too large. */
  asset: (path: string) => Uint8Array | null;
}

/**
 * The card in a PNG or an APNG, `ccv3` before `chara`. Every chunk must be whole and have its right checksum; none of
 * their lengths is believed before it was seen to lie within the file.
 */
export function readPngCard(file: Pieces): PngCard | { ok: false; code: PngProblem } {
  const found = readChunks(file);
  if (!found.ok) return found;
  const card = found.texts.get('ccv3') ?? found.texts.get('chara');
  if (card === undefined) return { ok: false, code: 'card_not_found' };
  const json = textOf(file, card);
  if (!json.ok) return json;
  return {
    ok: true,
    json: json.bytes,
    picture: found.pictureBytes > BODY_LIMITS.avatar ? null : pictureOf(file, found.kept),
    asset: (path) => {
      const span = found.assets.get(path);
      const fits = span !== undefined && span.to - span.from <= Math.ceil(BODY_LIMITS.avatar * 1.4);
      return fits ? fromBase64(file.slice(span.from, span.to)) : null;
    },
  };
}

interface Found {
  ok: true;
  /** The first of each name. */
  texts: Map<string, TextChunk>;
  assets: Map<string, Span>;
  /** What is no text. */
  kept: Span[];
  pictureBytes: number;
}

function readChunks(file: Pieces): Found | { ok: false; code: PngProblem } {
  const found: Found = { ok: true, texts: new Map(), assets: new Map(), kept: [], pictureBytes: 0 };
  const damaged = { ok: false, code: 'card_damaged' } as const;
  let textBytes = 0;
  let at: number = PNG_SIGNATURE.length;
  let drawn = false;
  keep(found, { from: 0, to: at });
  for (let count = 0; count <= CARD.maxChunks; count += 1) {
    const head = file.slice(at, at + HEAD_BYTES);
    const length = uint(head, 0, 4);
    const kind = letters(head, 4, 4);
    const body = { from: at + HEAD_BYTES, to: at + HEAD_BYTES + length };
    const end = body.to + CHECKSUM_BYTES;
    if (length < 0 || end > file.length) return damaged;
    if ((kind === 'IHDR') !== (count === 0) || (kind === 'IHDR' && length !== HEADER_BYTES)) return damaged;
    if (!isSound(file, { from: at + 4, to: body.to })) return damaged;
    if (TEXTS.has(kind)) {
      const asset = noteText(file, found, kind, body);
      if (!asset) textBytes += length;
      if (textBytes > CARD.maxTextBytes) return { ok: false, code: 'card_too_large' };
    } else keep(found, { from: at, to: end });
    if (kind === 'IDAT' && length > 0) drawn = true;
    // What is hung on behind the end is no part of the picture.
    if (kind === 'IEND') return drawn && length === 0 ? found : damaged;
    at = end;
  }
  return { ok: false, code: 'card_too_complex' };
}

/** Whether a chunk's name and body have the checksum that stands behind them. */
function isSound(file: Pieces, span: Span): boolean {
  let sum = 0;
  for (const run of file.runs(span)) sum = crc32(run, sum);
  return sum === uint(file.slice(span.to, span.to + CHECKSUM_BYTES), 0, CHECKSUM_BYTES);
}

/** Places beside each other are one: a picture has thousands of chunks. */
function keep(found: Found, span: Span): void {
  found.pictureBytes += span.to - span.from;
  const last = found.kept.at(-1);
  if (last !== undefined && last.to === span.from) last.to = span.to;
  else found.kept.push(span);
}

function pictureOf(file: Pieces, kept: readonly Span[]): Uint8Array {
  return joined(kept.map(({ from, to }) => file.slice(from, to)));
}

/** Notes where a text is, by its keyword. @returns whether it is a file of the card */
function noteText(file: Pieces, found: Found, kind: string, body: Span): boolean {
  const head = file.slice(body.from, Math.min(body.to, body.from + KEYWORD_BYTES));
  const end = head.indexOf(0);
  if (end <= 0) return false;
  const keyword = letters(head, 0, end);
  const rest = { from: body.from + end + 1, to: body.to };
  const asset = ASSET.exec(keyword)?.[1];
  if (asset !== undefined && kind === 'tEXt') {
    if (!found.assets.has(asset)) found.assets.set(asset, rest);
    return true;
  }
  const name = keyword.toLowerCase();
  if ((name === 'ccv3' || name === 'chara') && !found.texts.has(name)) {
    found.texts.set(name, { kind, body: rest });
  }
  return false;
}

type Bytes = { ok: true; bytes: Uint8Array } | { ok: false; code: PngProblem };

/** What a text chunk says: JSON, which as a rule is in base64. */
function textOf(file: Pieces, { kind, body }: TextChunk): Bytes {
  if (body.to - body.from > MAX_ENCODED_BYTES) return { ok: false, code: 'card_too_large' };
  const raw = unpacked(file.slice(body.from, body.to), kind, file);
  if (!raw.ok) return raw;
  const first = raw.bytes.find((byte) => byte > 0x20);
  if (first === '{'.charCodeAt(0)) return raw;
  file.work.add(raw.bytes.length);
  const bytes = fromBase64(raw.bytes);
  return bytes === null || bytes.length === 0 ? { ok: false, code: 'card_damaged' } : { ok: true, bytes };
}

function unpacked(body: Uint8Array, kind: string, { work }: Pieces): Bytes {
  const inflate = (packed: Uint8Array): Bytes => {
    const maxBytes = Math.min(MAX_ENCODED_BYTES, 64 * 1024 + packed.length * CARD.maxRatio);
    return inflated(packed, { zlib: true, maxBytes, work });
  };
  if (kind === 'tEXt') return { ok: true, bytes: body };
  // The one way of packing that the format knows has the number 0.
  if (kind === 'zTXt') return body[0] === 0 ? inflate(body.subarray(1)) : { ok: false, code: 'card_damaged' };
  const [packed, method] = body;
  const language = body.indexOf(0, 2);
  const translated = language === -1 ? -1 : body.indexOf(0, language + 1);
  if (translated === -1 || method !== 0) return { ok: false, code: 'card_damaged' };
  const text = body.subarray(translated + 1);
  return packed === 1 ? inflate(text) : { ok: true, bytes: text };
}
