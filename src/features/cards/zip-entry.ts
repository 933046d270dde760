import { CARD } from '../character/limits.ts';
import {
  LOCAL_RECORD_BYTES,
  readLocalHeader,
  sanitizeEntryName,
  type ZipEntry,
} from '../../lib/zip-directory.ts';
import type { ChunkedBytes } from './chunked-bytes.ts';
import { inflateBytes } from './inflate.ts';

const [STORED, DEFLATED] = [0, 8];
/** A small file may exceed the compression ratio: it is harmless. Packed data may exceed the file by as much. */
const MIN_RATIO_CHECK_BYTES = 64 * 1024;

/** Decodes the name of an entry; null for a name that leads out of the archive. */
const decodeName = (bytes: Uint8Array): string | null => sanitizeEntryName(new TextDecoder().decode(bytes));

/** Whether an entry is larger than allowed, or compresses better than any real file. */
export const isTooLarge = ({ size, packed }: ZipEntry, maxBytes: number): boolean =>
  size > maxBytes ||
  size > MIN_RATIO_CHECK_BYTES + packed * CARD.maxRatio ||
  // Compression hardly ever makes a file larger: by five bytes per 64 KiB, at most.
  packed > maxBytes + MIN_RATIO_CHECK_BYTES;

/**
 * Unpacks a file of an archive, and checks its stated size and checksum.
 * @param how.entry its name is sanitized
 * @param how.computeSum CRC-32
 */
export function unpackZipEntry(
  file: ChunkedBytes,
  {
    entry,
    maxBytes,
    computeSum,
  }: { entry: ZipEntry; maxBytes: number; computeSum: (bytes: Uint8Array) => number },
): { ok: true; bytes: Uint8Array<ArrayBuffer> } | { ok: false; code: 'card_damaged' | 'card_too_large' } {
  const damaged = { ok: false, code: 'card_damaged' } as const;
  if (isTooLarge(entry, maxBytes)) return { ok: false, code: 'card_too_large' };
  if (entry.isEncrypted || ![STORED, DEFLATED].includes(entry.method)) return damaged;
  const header = readLocalHeader(file.slice(entry.at, entry.at + LOCAL_RECORD_BYTES));
  if (header === null) return damaged;
  const nameAt = entry.at + LOCAL_RECORD_BYTES;
  const from = nameAt + header.nameBytes + header.extraBytes;
  const name = decodeName(file.slice(nameAt, nameAt + header.nameBytes));
  if (name !== entry.name || from + entry.packed > file.length) return damaged;
  const packed = file.slice(from, from + entry.packed);
  const out =
    entry.method === STORED
      ? { ok: true as const, bytes: packed }
      : inflateBytes(packed, { zlib: false, maxBytes: entry.size, work: file.work });
  if (!out.ok) return damaged;
  const whole = out.bytes.length === entry.size && computeSum(out.bytes) === entry.sum;
  return whole ? out : damaged;
}
