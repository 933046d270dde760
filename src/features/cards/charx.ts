import { crc32 } from 'node:zlib';
import { zipSync } from 'fflate';
import { BODY_LIMITS } from '../../config/body-limits.ts';
import { CARD } from '../character/limits.ts';
import { readUint } from '../picture/bytes.ts';
import { inflateBytes } from './inflate.ts';
import type { ChunkedBytes } from './chunked-bytes.ts';

/** Signatures of the records of a zip archive. */
const END_SIGNATURE = 0x06054b50;
const ENTRY_SIGNATURE = 0x02014b50;
const LOCAL_SIGNATURE = 0x04034b50;
/** Fixed sizes of those records, without their variable-length fields. */
const END_RECORD_BYTES = 22;
const ENTRY_RECORD_BYTES = 46;
const LOCAL_RECORD_BYTES = 30;
const MAX_COMMENT_BYTES = 0xffff;
/** In archives of more than 4 GiB, this value marks a number that is stored elsewhere. */
const ZIP64_PLACEHOLDER = 0xffffffff;
const [STORED, DEFLATED] = [0, 8];
/** Flag of an entry that needs a password. */
const ENCRYPTED_FLAG = 1;
/** A small file may exceed the compression ratio: it is harmless. */
const MIN_RATIO_CHECK_BYTES = 64 * 1024;

export type CharxError =
  | 'card_damaged'
  | 'card_too_large'
  | 'card_too_complex'
  | 'card_not_found'
  | 'card_archive_unsafe';

interface ArchiveEntry {
  name: string;
  isEncrypted: boolean;
  method: number;
  sum: number;
  packed: number;
  size: number;
  /** Offset of its local header in the file. */
  at: number;
}

export interface CharxCard {
  ok: true;
  json: Uint8Array;
  /** Returns a file by its full name; null when it is missing, damaged, or larger than a portrait may be. */
  file: (name: string) => Uint8Array | null;
}

/**
 * Reads the card from a CharX file: `card.json` at the root of a zip archive, which may follow a picture. Only that
 * file and, on request, one picture are unpacked. Other files, including nested archives, are never opened.
 */
export function readCharx(file: ChunkedBytes): CharxCard | { ok: false; code: CharxError } {
  const directory = readDirectory(file);
  if (!directory.ok) return directory;
  const { entries } = directory;
  const card = entries.get('card.json');
  if (card === undefined) return { ok: false, code: 'card_not_found' };
  const json = unpack(file, card, CARD.maxJsonBytes);
  if (!json.ok) return json;
  return {
    ok: true,
    json: json.bytes,
    file: (name) => {
      const entry = entries.get(name);
      const unpacked = entry === undefined ? null : unpack(file, entry, BODY_LIMITS.avatar);
      return unpacked?.ok === true ? unpacked.bytes : null;
    },
  };
}

type Directory = { ok: true; entries: Map<string, ArchiveEntry> } | { ok: false; code: CharxError };

const damaged = { ok: false, code: 'card_damaged' } as const;
const unsafe = { ok: false, code: 'card_archive_unsafe' } as const;

/** Reads the directory of an archive. Every entry is checked, so that none can misstate the others. */
function readDirectory(file: ChunkedBytes): Directory {
  const end = findEnd(file);
  if (end === null) return damaged;
  if (end.count > CARD.maxFiles || end.size > CARD.maxDirectoryBytes)
    return { ok: false, code: 'card_too_complex' };
  // Offsets count from the start of the archive, which is not the start of the file if a picture precedes it.
  const base = end.at - end.size - end.offset;
  if (base < 0) return damaged;
  const bytes = file.slice(end.at - end.size, end.at);
  const entries = new Map<string, ArchiveEntry>();
  let at = 0;
  for (let count = 0; count < end.count; count += 1) {
    const number = (offset: number, size: number) => readUint(bytes, at + offset, size, 'little');
    const [nameBytes, extraBytes, commentBytes] = [number(28, 2), number(30, 2), number(32, 2)];
    const next = at + ENTRY_RECORD_BYTES + nameBytes + extraBytes + commentBytes;
    if (number(0, 4) !== ENTRY_SIGNATURE || next > bytes.length) return damaged;
    const name = decodeName(bytes.subarray(at + ENTRY_RECORD_BYTES, at + ENTRY_RECORD_BYTES + nameBytes));
    if (name === null) return unsafe;
    const entry: ArchiveEntry = {
      name,
      isEncrypted: (number(8, 2) & ENCRYPTED_FLAG) !== 0,
      method: number(10, 2),
      sum: number(16, 4),
      packed: number(20, 4),
      size: number(24, 4),
      at: base + number(42, 4),
    };
    if ([entry.packed, entry.size, number(42, 4)].includes(ZIP64_PLACEHOLDER)) return damaged;
    // Programs differ in which of two files with the same name they use.
    if (entries.has(name)) return unsafe;
    entries.set(name, entry);
    at = next;
  }
  return at === bytes.length ? { ok: true, entries } : damaged;
}

/** Finds the record at the end of an archive; only its comment may follow. */
function findEnd(file: ChunkedBytes): { at: number; count: number; size: number; offset: number } | null {
  const from = Math.max(0, file.length - END_RECORD_BYTES - MAX_COMMENT_BYTES);
  const tail = file.slice(from, file.length);
  for (let at = tail.length - END_RECORD_BYTES; at >= 0; at -= 1) {
    const number = (offset: number, size: number) => readUint(tail, at + offset, size, 'little');
    if (tail[at] !== 0x50 || number(0, 4) !== END_SIGNATURE) continue;
    if (at + END_RECORD_BYTES + number(20, 2) !== tail.length) continue;
    const [disk, first, here, count] = [number(4, 2), number(6, 2), number(8, 2), number(10, 2)];
    if (disk !== 0 || first !== 0 || here !== count) return null;
    return { at: from + at, count, size: number(12, 4), offset: number(16, 4) };
  }
  return null;
}

const decodeName = (bytes: Uint8Array): string | null => sanitizeEntryName(new TextDecoder().decode(bytes));

/**
 * Returns the name of a file in an archive, with `/` between folders; null for a name that leads out of the archive.
 */
export function sanitizeEntryName(said: string): string | null {
  const name = said.replaceAll('\\', '/');
  const climbs = name.split('/').includes('..');
  const absolute = name.startsWith('/') || /^[a-z]:/i.test(name);
  return name === '' || climbs || absolute || /\p{Cc}/u.test(name) ? null : name;
}

/** Unpacks a file of an archive, and checks its stated size and checksum. */
function unpack(
  file: ChunkedBytes,
  entry: ArchiveEntry,
  maxBytes: number,
): { ok: true; bytes: Uint8Array } | { ok: false; code: CharxError } {
  const { work } = file;
  if (entry.size > maxBytes || entry.size > MIN_RATIO_CHECK_BYTES + entry.packed * CARD.maxRatio) {
    return { ok: false, code: 'card_too_large' };
  }
  if (entry.isEncrypted || ![STORED, DEFLATED].includes(entry.method)) return damaged;
  const head = file.slice(entry.at, entry.at + LOCAL_RECORD_BYTES);
  const [nameBytes, extraBytes] = [readUint(head, 26, 2, 'little'), readUint(head, 28, 2, 'little')];
  if (readUint(head, 0, 4, 'little') !== LOCAL_SIGNATURE || extraBytes < 0) return damaged;
  const from = entry.at + LOCAL_RECORD_BYTES + nameBytes + extraBytes;
  const name = decodeName(
    file.slice(entry.at + LOCAL_RECORD_BYTES, entry.at + LOCAL_RECORD_BYTES + nameBytes),
  );
  if (name !== entry.name || from + entry.packed > file.length) return damaged;
  // Compression hardly ever makes a file larger: by five bytes per 64 KiB, at most.
  if (entry.packed > maxBytes + MIN_RATIO_CHECK_BYTES) return { ok: false, code: 'card_too_large' };
  const packed = file.slice(from, from + entry.packed);
  const out =
    entry.method === STORED
      ? { ok: true as const, bytes: packed }
      : inflateBytes(packed, { zlib: false, maxBytes: entry.size, work });
  if (!out.ok) return damaged;
  const whole = out.bytes.length === entry.size && crc32(out.bytes) === entry.sum;
  return whole ? out : damaged;
}

/** The range of times that zip can represent starts in 1980. */
const MIN_TIME_MS = Date.UTC(1980, 0, 2);
const MAX_TIME_MS = Date.UTC(2099, 11, 30);

/**
 * Builds a CharX file of a card and its picture, if there is one.
 * @param at modification time, in ms
 */
export function buildCharx(
  json: Uint8Array,
  picture: { name: string; bytes: Uint8Array } | null,
  at: number,
): Uint8Array<ArrayBuffer> {
  const mtime = Math.min(MAX_TIME_MS, Math.max(MIN_TIME_MS, at));
  return zipSync(
    {
      'card.json': [json, { level: 6 }],
      // Pictures are compressed already.
      ...(picture === null ? {} : { [picture.name]: [picture.bytes, { level: 0 }] }),
    },
    { mtime },
  ) as Uint8Array<ArrayBuffer>;
}
