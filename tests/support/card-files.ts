import { crc32, deflateRawSync, deflateSync } from 'node:zlib';
import { PICTURES } from './pictures.ts';

/** Character cards as other programs write them, and invalid ones; all are built byte by byte. */

const encoder = new TextEncoder();

export type Bytes = Uint8Array<ArrayBuffer>;

export const encodeText = (text: string): Bytes => encoder.encode(text);

export function concatBytes(...parts: (Uint8Array | string)[]): Bytes {
  const pieces = parts.map((part) => (typeof part === 'string' ? encodeText(part) : part));
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** Repeats the bytes. */
export function repeatBytes(bytes: Uint8Array, times: number): Bytes {
  const whole = new Uint8Array(bytes.length * times);
  for (let index = 0; index < times; index += 1) whole.set(bytes, index * bytes.length);
  return whole;
}

const encodeNumber = (value: number, bytes: number, isLittleEndian: boolean): Bytes => {
  const out = new Uint8Array(bytes);
  for (let index = 0; index < bytes; index += 1) {
    out[isLittleEndian ? index : bytes - 1 - index] = Math.floor(value / 256 ** index) % 256;
  }
  return out;
};
const encodeUint32 = (value: number): Bytes => encodeNumber(value, 4, false);

// ── pictures ──

/** A PNG chunk. @param sum replaces the right checksum */
export function encodePngChunk(kind: string, body: Uint8Array | string, sum?: number): Bytes {
  const named = concatBytes(kind, body);
  return concatBytes(encodeUint32(named.length - 4), named, encodeUint32(sum ?? crc32(named)));
}

const toBase64 = (bytes: Uint8Array): string => {
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  }
  return btoa(text);
};

/** Encodes a card as programs do: JSON in UTF-8 in base64. */
export const encodeCard = (card: unknown): string =>
  toBase64(encodeText(typeof card === 'string' ? card : JSON.stringify(card)));

export const buildTextChunk = (keyword: string, text: string): Bytes =>
  encodePngChunk('tEXt', `${keyword}\0${text}`);
export const buildCompressedTextChunk = (keyword: string, text: string): Bytes =>
  encodePngChunk('zTXt', concatBytes(`${keyword}\0\0`, deflateSync(encodeText(text))));
export const buildInternationalTextChunk = (keyword: string, text: string, packed = false): Bytes =>
  encodePngChunk(
    'iTXt',
    packed
      ? concatBytes(`${keyword}\0\u0001\0\0\0`, deflateSync(encodeText(text)))
      : concatBytes(`${keyword}\0\0\0\0\0`, encodeText(text)),
  );

/** The last chunk of every PNG. */
const PNG_END_BYTES = 12;

/** A picture of two by two pixels with extra chunks before its end. */
export function buildPng(...chunks: Uint8Array[]): Bytes {
  const end = PICTURES.png.length - PNG_END_BYTES;
  return concatBytes(PICTURES.png.subarray(0, end), ...chunks, PICTURES.png.subarray(end));
}

/** Signature and header of every PNG. */
const PNG_HEADER_BYTES = 33;

/** The same picture as an APNG with two frames; the card comes after the first one. */
export function buildApng(...chunks: Uint8Array[]): Bytes {
  const { png: still } = PICTURES;
  const end = still.length - PNG_END_BYTES;
  const rest = still.subarray(PNG_HEADER_BYTES, end);
  const pixels = readPngChunks(still).find(({ kind }) => kind === 'IDAT');
  // Sequence number, size, no offset, and the frame's duration.
  const frame = (index: number) =>
    encodePngChunk(
      'fcTL',
      concatBytes(
        encodeUint32(index),
        encodeUint32(2),
        encodeUint32(2),
        encodeUint32(0),
        encodeUint32(0),
        Uint8Array.of(0, 1, 0, 10, 0, 0),
      ),
    );
  return concatBytes(
    still.subarray(0, PNG_HEADER_BYTES),
    encodePngChunk('acTL', concatBytes(encodeUint32(2), encodeUint32(0))),
    frame(0),
    rest,
    ...chunks,
    frame(1),
    encodePngChunk('fdAT', concatBytes(encodeUint32(2), pixels?.body ?? '')),
    still.subarray(end),
  );
}

/** The chunks of a PNG in order. */
export function readPngChunks(picture: Uint8Array): { kind: string; body: Uint8Array }[] {
  const view = new DataView(picture.buffer, picture.byteOffset, picture.byteLength);
  const chunks = [];
  for (let at = 8; at < picture.length;) {
    const length = view.getUint32(at);
    const kind = String.fromCharCode(...picture.subarray(at + 4, at + 8));
    chunks.push({ kind, body: picture.subarray(at + 8, at + 8 + length) });
    at += 12 + length;
  }
  return chunks;
}

/** The text chunks of a PNG by keyword, as another program reads them. */
export function readPngTexts(picture: Uint8Array): Record<string, string> {
  const texts = readPngChunks(picture)
    .filter(({ kind }) => kind === 'tEXt')
    .map(({ body }) => Array.from(body, (byte) => String.fromCharCode(byte)).join(''));
  return Object.fromEntries(
    texts.map((text) => [text.slice(0, text.indexOf('\0')), text.slice(text.indexOf('\0') + 1)]),
  );
}

export const decodeCard = (text: string): string =>
  new TextDecoder().decode(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));

// ── archives ──

export interface ZipEntry {
  name: string;
  body: Uint8Array | string;
  packed?: boolean;
  /** Wrong header values, to build damaged archives. */
  lies?: { size?: number; sum?: number; flags?: number; localName?: string };
  /** Numbers that are written as a Zip64 field; the local header has both sizes there, if any. */
  zip64?: readonly ('size' | 'packed' | 'offset')[];
}

const ZIP64_PLACEHOLDER = 0xffffffff;

const encodeZip64Field = (numbers: readonly number[]): Bytes =>
  numbers.length === 0
    ? new Uint8Array(0)
    : concatBytes(
        encodeLittleEndian(1, 2),
        encodeLittleEndian(numbers.length * 8, 2),
        ...numbers.map((number) => encodeLittleEndian(number, 8)),
      );

/** The records that precede the end of an archive with Zip64. */
const buildZip64End = (count: number, size: number, offset: number): Bytes =>
  concatBytes(
    ...['PK\u0006\u0006', encodeLittleEndian(44, 8), encodeLittleEndian(45, 2), encodeLittleEndian(45, 2)],
    ...[encodeLittleEndian(0, 4), encodeLittleEndian(0, 4)],
    ...[count, count, size, offset].map((number) => encodeLittleEndian(number, 8)),
    ...['PK\u0006\u0007', encodeLittleEndian(0, 4), encodeLittleEndian(offset + size, 8)],
    encodeLittleEndian(1, 4),
  );

const encodeLittleEndian = (value: number, bytes: number): Bytes => encodeNumber(value, bytes, true);

/**
 * A zip archive with its wrong values.
 * @param before bytes before the archive
 * @param hasZip64End whether its end has Zip64 records
 */
export function buildZip(
  entries: readonly ZipEntry[],
  before: Uint8Array = new Uint8Array(0),
  hasZip64End = false,
): Bytes {
  const locals: Bytes[] = [];
  const directory: Bytes[] = [];
  let at = 0;
  for (const { name, body, packed = true, lies = {}, zip64 = [] } of entries) {
    const bytes = typeof body === 'string' ? encodeText(body) : body;
    const stored = packed ? new Uint8Array(deflateRawSync(bytes)) : bytes;
    const size = lies.size ?? bytes.length;
    const numbers = { size, packed: stored.length, offset: at };
    const buildAbout = (longSize: boolean, longPacked: boolean) =>
      concatBytes(
        ...[
          encodeLittleEndian(20, 2),
          encodeLittleEndian(lies.flags ?? 0, 2),
          encodeLittleEndian(packed ? 8 : 0, 2),
          encodeLittleEndian(0, 4),
        ],
        encodeLittleEndian(lies.sum ?? crc32(bytes), 4),
        encodeLittleEndian(longPacked ? ZIP64_PLACEHOLDER : stored.length, 4),
        encodeLittleEndian(longSize ? ZIP64_PLACEHOLDER : size, 4),
      );
    const hasLongSizes = zip64.includes('size') || zip64.includes('packed');
    const localField = encodeZip64Field(hasLongSizes ? [size, stored.length] : []);
    const order = ['size', 'packed', 'offset'] as const;
    const field = encodeZip64Field(
      order.filter((number) => zip64.includes(number)).map((number) => numbers[number]),
    );
    const localName = encodeText(lies.localName ?? name);
    const local = concatBytes(
      'PK\u0003\u0004',
      buildAbout(hasLongSizes, hasLongSizes),
      encodeLittleEndian(localName.length, 2),
      encodeLittleEndian(localField.length, 2),
      localName,
      localField,
      stored,
    );
    const central = concatBytes(
      ...[
        'PK\u0001\u0002',
        encodeLittleEndian(20, 2),
        buildAbout(zip64.includes('size'), zip64.includes('packed')),
        encodeLittleEndian(encodeText(name).length, 2),
        encodeLittleEndian(field.length, 2),
        encodeLittleEndian(0, 2),
      ],
      ...[
        encodeLittleEndian(0, 2),
        encodeLittleEndian(0, 2),
        encodeLittleEndian(0, 4),
        encodeLittleEndian(zip64.includes('offset') ? ZIP64_PLACEHOLDER : at, 4),
        encodeText(name),
        field,
      ],
    );
    locals.push(local);
    directory.push(central);
    at += local.length;
  }
  const size = directory.reduce((length, { length: more }) => length + more, 0);
  return concatBytes(
    before,
    ...locals,
    ...directory,
    ...(hasZip64End ? [buildZip64End(entries.length, size, at)] : []),
    ...[
      'PK\u0005\u0006',
      encodeLittleEndian(0, 2),
      encodeLittleEndian(0, 2),
      encodeLittleEndian(entries.length, 2),
      encodeLittleEndian(entries.length, 2),
    ],
    ...[encodeLittleEndian(size, 4), encodeLittleEndian(at, 4), encodeLittleEndian(0, 2)],
  );
}

/** A CharX archive with the card as its first file. */
export const packCharx = (card: unknown, ...more: ZipEntry[]): Bytes =>
  buildZip([{ name: 'card.json', body: JSON.stringify(card) }, ...more]);

// ── cards ──

export const V1 = {
  name: 'Mira',
  description: 'Keeper of the last lighthouse.',
  personality: 'Patient, dry humour.',
  scenario: 'A storm is coming.',
  first_mes: '*The lamp turns.* "You came back, {{user}}."',
  mes_example: '<START>\n{{char}}: "Mind the step."',
  // Fields of unknown programs.
  talkativeness: '0.5',
};

const LOREBOOK = {
  name: 'The coast',
  scan_depth: 5,
  token_budget: 400,
  recursive_scanning: true,
  extensions: { shelf: 'blue' },
  entries: [
    {
      keys: ['lamp', '灯台'],
      content: '@@depth 3\nThe lamp has burnt for ninety years.',
      extensions: { weight: 3 },
      enabled: true,
      insertion_order: 10,
      use_regex: false,
      constant: false,
      id: 7,
      odd: [1, 2, 3],
    },
  ],
};

export const V2 = {
  spec: 'chara_card_v2',
  spec_version: '2.0',
  data: {
    name: 'Mira',
    description: 'Keeper of the last lighthouse.',
    personality: 'Patient, dry humour.',
    scenario: 'A storm is coming.',
    first_mes: '*The lamp turns.* "You came back, {{user}}."',
    mes_example: '<START>\n{{char}}: "Mind the step."',
    creator_notes: 'A quiet story by the sea\nBest with patience.',
    system_prompt: 'Stay by the sea. {{original}}',
    post_history_instructions: 'Keep it short.',
    alternate_greetings: ['"Who is there?"', '*She does not look up.*'],
    character_book: LOREBOOK,
    tags: ['Fantasy', 'Female', 'lighthouse'],
    creator: 'Somebody elsewhere',
    character_version: '1.3',
    extensions: { depth_prompt: { prompt: 'The sea is near.', depth: 4 }, odd: null },
    unheard_of: { kept: true },
  },
};

export const V3 = {
  spec: 'chara_card_v3',
  spec_version: '3.0',
  data: {
    ...V2.data,
    nickname: 'Mi',
    creator_notes_multilingual: { en: 'A quiet story by the sea', ja: '海辺の静かな物語' },
    source: ['https://example.test/mira'],
    group_only_greetings: ['"All of you?"'],
    creation_date: 1_700_000_000,
    modification_date: 1_700_000_001,
    assets: [
      { type: 'icon', uri: 'ccdefault:', name: 'main', ext: 'png' },
      { type: 'background', uri: 'https://example.test/sea.png', name: 'sea', ext: 'png' },
    ],
  },
};
