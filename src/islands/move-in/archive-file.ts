import { ChunkedBytes } from '../../features/cards/chunked-bytes.ts';
import { isTooLarge, unpackZipEntry } from '../../features/cards/zip-entry.ts';
import { computeCrc32 } from '../../lib/crc32.ts';
import { computeHash } from '../../lib/hash.ts';
import {
  END_BYTES,
  findDirectoryEnd,
  hasOverlap,
  LOCAL_RECORD_BYTES,
  MAX_FIELD_BYTES,
  readEntries,
  sanitizeEntryName,
  type ZipEntry,
} from '../../lib/zip-directory.ts';

/**
 * Reads a ZIP archive from a chosen file: first its directory, then one entry at a time by its offset. The archive is
 * never in memory as a whole, and reading an entry again needs no search.
 */

export const ARCHIVE_LIMITS = {
  /** Backups of years with thousands of pictures have a few gigabytes. */
  maxBytes: 20 * 1024 ** 3,
  /** Extensions and vector stores have tens of thousands of files. */
  maxEntries: 100_000,
  /** A hundred thousand entries with names of 300 bytes. */
  maxDirectoryBytes: 32 * 1024 ** 2,
} as const;

/** The part of a browser's file that is needed. */
export interface SlicedFile {
  name: string;
  size: number;
  slice(from: number, to: number): Pick<Blob, 'arrayBuffer'>;
}

/** An entry that can be moved in, or the reason why it cannot even be named as it is. */
export interface ArchiveEntry extends ZipEntry {
  /** Position in the directory. */
  index: number;
  /** `name`: it leads out of the archive; `twice`: an earlier entry has the same name. */
  unsafe: 'name' | 'twice' | null;
}

export type ArchiveRefusal = 'too_large' | 'too_many' | 'damaged' | 'unsafe' | 'unreadable';

export type OpenedArchive =
  | {
      ok: true;
      entries: ArchiveEntry[];
      /** Identifies the archive: the same file has the same one on every device. */
      fingerprint: string;
    }
  | { ok: false; code: ArchiveRefusal };

/** Reads a range of a file; null if the browser cannot read it, because it was moved, changed or deleted. */
export async function readRange(
  file: SlicedFile,
  from: number,
  to: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    return new Uint8Array(await file.slice(from, to).arrayBuffer());
  } catch {
    return null;
  }
}

/** Reads the directory of an archive. Folders are left out. */
export async function openArchive(file: SlicedFile): Promise<OpenedArchive> {
  if (file.size > ARCHIVE_LIMITS.maxBytes) return { ok: false, code: 'too_large' };
  const from = Math.max(0, file.size - END_BYTES);
  const tail = await readRange(file, from, file.size);
  if (tail === null) return { ok: false, code: 'unreadable' };
  const end = findDirectoryEnd(tail, from);
  if (end === null) return { ok: false, code: 'damaged' };
  if (end.count > ARCHIVE_LIMITS.maxEntries || end.size > ARCHIVE_LIMITS.maxDirectoryBytes)
    return { ok: false, code: 'too_many' };
  const directoryAt = end.at - end.size;
  if (directoryAt < end.offset) return { ok: false, code: 'damaged' };
  const directory = await readRange(file, directoryAt, end.at);
  if (directory === null) return { ok: false, code: 'unreadable' };
  const listed = readEntries(directory, end.count, directoryAt - end.offset);
  if (listed === null) return { ok: false, code: 'damaged' };
  if (hasOverlap(listed, directoryAt)) return { ok: false, code: 'unsafe' };
  const names = new Set<string>();
  const entries = listed.flatMap((entry, index): ArchiveEntry[] => {
    const name = sanitizeEntryName(entry.name);
    if (name === null) return [{ ...entry, index, unsafe: 'name' }];
    if (name.endsWith('/')) return [];
    const unsafe = names.has(name) ? 'twice' : null;
    names.add(name);
    return [{ ...entry, name, index, unsafe }];
  });
  const fingerprint = await computeHash(`${file.name}\n${file.size}\n${await computeHash(directory)}`);
  return { ok: true, entries, fingerprint };
}

export type EntryContent =
  | { ok: true; bytes: Uint8Array<ArrayBuffer> }
  /** `unreadable`: the file itself can no longer be read. */
  | { ok: false; code: 'too_large' | 'encrypted' | 'damaged' | 'unreadable' };

/** Reads and unpacks one entry. */
export async function readArchiveEntry(
  file: SlicedFile,
  entry: ZipEntry,
  maxBytes: number,
): Promise<EntryContent> {
  if (isTooLarge(entry, maxBytes)) return { ok: false, code: 'too_large' };
  if (entry.isEncrypted) return { ok: false, code: 'encrypted' };
  const end = entry.at + LOCAL_RECORD_BYTES + 2 * MAX_FIELD_BYTES + entry.packed;
  const packed = await readRange(file, entry.at, Math.min(end, file.size));
  if (packed === null) return { ok: false, code: 'unreadable' };
  const unpacked = unpackZipEntry(new ChunkedBytes([packed]), {
    entry: { ...entry, at: 0 },
    maxBytes,
    computeSum: computeCrc32,
  });
  return unpacked.ok ? unpacked : { ok: false, code: 'damaged' };
}
