import { crc32 } from 'node:zlib';
import {
  END_BYTES,
  findDirectoryEnd,
  readEntries,
  sanitizeEntryName,
  type ZipEntry,
} from '../../lib/zip-directory.ts';
import { CARD } from '../character/limits.ts';
import type { ChunkedBytes } from './chunked-bytes.ts';
import { unpackZipEntry } from './zip-entry.ts';

export type ArchiveError = 'card_damaged' | 'card_too_large' | 'card_too_complex' | 'card_archive_unsafe';

export type Archive = { ok: true; entries: Map<string, ZipEntry> } | { ok: false; code: ArchiveError };

const damaged = { ok: false, code: 'card_damaged' } as const;
const unsafe = { ok: false, code: 'card_archive_unsafe' } as const;

/** Reads the directory of an archive. Every entry is checked, so that none can misstate the others. */
export function readArchive(file: ChunkedBytes): Archive {
  const from = Math.max(0, file.length - END_BYTES);
  const end = findDirectoryEnd(file.slice(from, file.length), from);
  if (end === null) return damaged;
  if (end.count > CARD.maxFiles || end.size > CARD.maxDirectoryBytes)
    return { ok: false, code: 'card_too_complex' };
  // Offsets count from the start of the archive, which is not the start of the file if a picture precedes it.
  const base = end.at - end.size - end.offset;
  if (base < 0) return damaged;
  const listed = readEntries(file.slice(end.at - end.size, end.at), end.count, base);
  if (listed === null) return damaged;
  const entries = new Map<string, ZipEntry>();
  for (const entry of listed) {
    const name = sanitizeEntryName(entry.name);
    // Programs differ in which of two files with the same name they use.
    if (name === null || entries.has(name)) return unsafe;
    entries.set(name, { ...entry, name });
  }
  return { ok: true, entries };
}

/** Unpacks a file of an archive, and checks its stated size and checksum. */
export function unpackEntry(
  file: ChunkedBytes,
  entry: ZipEntry,
  maxBytes: number,
): { ok: true; bytes: Uint8Array } | { ok: false; code: ArchiveError } {
  return unpackZipEntry(file, { entry, maxBytes, computeSum: crc32 });
}
