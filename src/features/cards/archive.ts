import { crc32 } from 'node:zlib';
import { CARD } from '../character/limits.ts';
import { readUint } from '../picture/bytes.ts';
import { inflateBytes } from './inflate.ts';
import type { ChunkedBytes } from './chunked-bytes.ts';

/** Signatures of the records of a zip archive. */
const END_SIGNATURE = 0x06054b50;
const ZIP64_LOCATOR_SIGNATURE = 0x07064b50;
const ZIP64_END_SIGNATURE = 0x06064b50;
const ENTRY_SIGNATURE = 0x02014b50;
const LOCAL_SIGNATURE = 0x04034b50;
/** Fixed sizes of those records, without their variable-length fields. */
const END_RECORD_BYTES = 22;
const ZIP64_LOCATOR_BYTES = 20;
const ZIP64_END_BYTES = 56;
const ENTRY_RECORD_BYTES = 46;
const LOCAL_RECORD_BYTES = 30;
const MAX_COMMENT_BYTES = 0xffff;
/** Marks a number that is in the Zip64 field of its entry. Some libraries write that field for files of any size. */
const ZIP64_PLACEHOLDER = 0xffffffff;
const ZIP64_FIELD = 1;
const [STORED, DEFLATED] = [0, 8];
/** Flag of an entry that needs a password. */
const ENCRYPTED_FLAG = 1;
/** A small file may exceed the compression ratio: it is harmless. */
const MIN_RATIO_CHECK_BYTES = 64 * 1024;

export type ArchiveError = 'card_damaged' | 'card_too_large' | 'card_too_complex' | 'card_archive_unsafe';

export interface ArchiveEntry {
  name: string;
  isEncrypted: boolean;
  method: number;
  sum: number;
  packed: number;
  size: number;
  /** Offset of its local header in the file. */
  at: number;
}

export type Archive = { ok: true; entries: Map<string, ArchiveEntry> } | { ok: false; code: ArchiveError };

const damaged = { ok: false, code: 'card_damaged' } as const;
const unsafe = { ok: false, code: 'card_archive_unsafe' } as const;

/** Reads the directory of an archive. Every entry is checked, so that none can misstate the others. */
export function readArchive(file: ChunkedBytes): Archive {
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
    const extra = bytes.subarray(next - commentBytes - extraBytes, next - commentBytes);
    // The Zip64 field has the numbers in this order, and only those that the entry has no room for.
    const numbers = fillZip64Numbers([number(24, 4), number(20, 4), number(42, 4)], extra);
    if (numbers === null) return damaged;
    const [size, packed, offset] = numbers;
    const entry: ArchiveEntry = {
      name,
      isEncrypted: (number(8, 2) & ENCRYPTED_FLAG) !== 0,
      method: number(10, 2),
      sum: number(16, 4),
      packed,
      size,
      at: base + offset,
    };
    // Programs differ in which of two files with the same name they use.
    if (entries.has(name)) return unsafe;
    entries.set(name, entry);
    at = next;
  }
  return at === bytes.length ? { ok: true, entries } : damaged;
}

/** Size, packed size and offset of an entry. */
type EntryNumbers = [number, number, number];

/** Replaces placeholders by the numbers of an entry's Zip64 field; null if there are none for them. */
function fillZip64Numbers(numbers: EntryNumbers, extra: Uint8Array): EntryNumbers | null {
  if (!numbers.includes(ZIP64_PLACEHOLDER)) return numbers;
  const field = findZip64Field(extra);
  if (field === null) return null;
  let at = 0;
  const fill = (number: number): number => {
    if (number !== ZIP64_PLACEHOLDER) return number;
    at += 8;
    return readUint(field, at - 8, 8, 'little');
  };
  const [size, packed, offset] = numbers;
  const filled: EntryNumbers = [fill(size), fill(packed), fill(offset)];
  // -1 is a number that the field is too short for.
  return filled.includes(-1) ? null : filled;
}

/** Returns the Zip64 field among the extra fields of an entry. */
function findZip64Field(extra: Uint8Array): Uint8Array | null {
  for (let at = 0; at + 4 <= extra.length;) {
    const end = at + 4 + readUint(extra, at + 2, 2, 'little');
    if (end > extra.length) return null;
    if (readUint(extra, at, 2, 'little') === ZIP64_FIELD) return extra.subarray(at + 4, end);
    at = end;
  }
  return null;
}

/** Where an archive's directory ends, and what it has. */
interface DirectoryEnd {
  at: number;
  count: number;
  size: number;
  /** Offset of the directory in the archive. */
  offset: number;
}

/** Finds the record at the end of an archive; only its comment may follow. */
function findEnd(file: ChunkedBytes): DirectoryEnd | null {
  const from = Math.max(0, file.length - END_RECORD_BYTES - MAX_COMMENT_BYTES);
  const tail = file.slice(from, file.length);
  for (let at = tail.length - END_RECORD_BYTES; at >= 0; at -= 1) {
    const number = (offset: number, size: number) => readUint(tail, at + offset, size, 'little');
    if (tail[at] !== 0x50 || number(0, 4) !== END_SIGNATURE) continue;
    if (at + END_RECORD_BYTES + number(20, 2) !== tail.length) continue;
    const [disk, first, here, count] = [number(4, 2), number(6, 2), number(8, 2), number(10, 2)];
    const locatorAt = from + at - ZIP64_LOCATOR_BYTES;
    const locator = file.slice(locatorAt, from + at);
    if (locatorAt >= 0 && readUint(locator, 0, 4, 'little') === ZIP64_LOCATOR_SIGNATURE)
      return readZip64End(file, locatorAt);
    if (disk !== 0 || first !== 0 || here !== count) return null;
    return { at: from + at, count, size: number(12, 4), offset: number(16, 4) };
  }
  return null;
}

/** Reads the Zip64 record that precedes its locator; null for one that libraries do not write. */
function readZip64End(file: ChunkedBytes, locatorAt: number): DirectoryEnd | null {
  const at = locatorAt - ZIP64_END_BYTES;
  if (at < 0) return null;
  const record = file.slice(at, locatorAt);
  const number = (offset: number, size: number) => readUint(record, offset, size, 'little');
  // Its own size does not count the signature and the size.
  if (number(0, 4) !== ZIP64_END_SIGNATURE || number(4, 8) !== ZIP64_END_BYTES - 12) return null;
  const [disk, first, here, count] = [number(16, 4), number(20, 4), number(24, 8), number(32, 8)];
  if (disk !== 0 || first !== 0 || here !== count) return null;
  return { at, count, size: number(40, 8), offset: number(48, 8) };
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
export function unpackEntry(
  file: ChunkedBytes,
  entry: ArchiveEntry,
  maxBytes: number,
): { ok: true; bytes: Uint8Array } | { ok: false; code: ArchiveError } {
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
