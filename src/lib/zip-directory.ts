/**
 * Reads the directory of a ZIP archive (APPNOTE.TXT, https://support.pkware.com/pkzip/appnote), Zip64 included. Pure:
 * callers read the bytes, limit their size and decide which entries they accept.
 */

/** Signatures of the records of an archive. */
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
export const LOCAL_RECORD_BYTES = 30;
/** Largest length of a name, an extra field or a comment. */
export const MAX_FIELD_BYTES = 0xffff;
/** The records at the end of an archive lie within these last bytes. */
export const END_BYTES = END_RECORD_BYTES + MAX_FIELD_BYTES + ZIP64_LOCATOR_BYTES + ZIP64_END_BYTES;
/** Marks a number that is in the Zip64 field of its entry. Some libraries write that field for files of any size. */
const ZIP64_PLACEHOLDER = 0xffffffff;
const ZIP64_FIELD = 1;
/** Flag of an entry that needs a password. */
const ENCRYPTED_FLAG = 1;

export interface ZipEntry {
  /** As the archive states it, so it may lead out of the archive (`sanitizeEntryName`). */
  name: string;
  isEncrypted: boolean;
  method: number;
  sum: number;
  packed: number;
  size: number;
  /** Offset of its local header in the file. */
  at: number;
}

/** Where an archive's directory ends, and what it has. */
export interface DirectoryEnd {
  at: number;
  count: number;
  size: number;
  /** Offset of the directory in the archive. */
  offset: number;
}

/** Reads an unsigned little-endian integer of 2, 4 or 8 bytes; -1 past the end. */
function readNumber(bytes: Uint8Array, at: number, size: 2 | 4 | 8): number {
  if (at < 0 || at + size > bytes.length) return -1;
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, size);
  if (size === 2) return view.getUint16(0, true);
  return size === 4 ? view.getUint32(0, true) : Number(view.getBigUint64(0, true));
}

/**
 * Finds the record at the end of an archive; only its comment may follow.
 * @param tail the last `END_BYTES` of the file, or the whole file
 * @param from offset of the tail in the file
 */
export function findDirectoryEnd(tail: Uint8Array, from: number): DirectoryEnd | null {
  for (let at = tail.length - END_RECORD_BYTES; at >= 0; at -= 1) {
    if (tail[at] !== 0x50 || readNumber(tail, at, 4) !== END_SIGNATURE) continue;
    if (at + END_RECORD_BYTES + readNumber(tail, at + 20, 2) !== tail.length) continue;
    const locatorAt = at - ZIP64_LOCATOR_BYTES;
    if (readNumber(tail, locatorAt, 4) === ZIP64_LOCATOR_SIGNATURE)
      return readZip64End(tail, from, locatorAt);
    const [disk, first, here, count] = [4, 6, 8, 10].map((field) => readNumber(tail, at + field, 2));
    if (disk !== 0 || first !== 0 || here !== count) return null;
    return {
      at: from + at,
      count: count as number,
      size: readNumber(tail, at + 12, 4),
      offset: readNumber(tail, at + 16, 4),
    };
  }
  return null;
}

/** Reads the Zip64 record that precedes its locator; null for one that libraries do not write. */
function readZip64End(tail: Uint8Array, from: number, locatorAt: number): DirectoryEnd | null {
  const at = locatorAt - ZIP64_END_BYTES;
  const number = (offset: number, size: 4 | 8) => readNumber(tail, at + offset, size);
  // Its own size does not count the signature and the size.
  if (number(0, 4) !== ZIP64_END_SIGNATURE || number(4, 8) !== ZIP64_END_BYTES - 12) return null;
  const [disk, first, here, count] = [number(16, 4), number(20, 4), number(24, 8), number(32, 8)];
  if (disk !== 0 || first !== 0 || here !== count) return null;
  return { at: from + at, count, size: number(40, 8), offset: number(48, 8) };
}

/**
 * Reads the entries of a directory.
 * @param bytes the directory alone
 * @param count the number of entries that the end of the archive states
 * @param base offset of the archive in the file; above 0 if a picture precedes it
 * @returns null if the directory is damaged
 */
export function readEntries(bytes: Uint8Array, count: number, base: number): ZipEntry[] | null {
  const entries: ZipEntry[] = [];
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    const number = (offset: number, size: 2 | 4) => readNumber(bytes, at + offset, size);
    const [nameBytes, extraBytes, commentBytes] = [number(28, 2), number(30, 2), number(32, 2)];
    const next = at + ENTRY_RECORD_BYTES + nameBytes + extraBytes + commentBytes;
    if (number(0, 4) !== ENTRY_SIGNATURE || next > bytes.length) return null;
    const extra = bytes.subarray(next - commentBytes - extraBytes, next - commentBytes);
    // The Zip64 field has the numbers in this order, and only those that the entry has no room for.
    const numbers = fillZip64Numbers([number(24, 4), number(20, 4), number(42, 4)], extra);
    if (numbers === null) return null;
    const [size, packed, offset] = numbers;
    entries.push({
      name: new TextDecoder().decode(
        bytes.subarray(at + ENTRY_RECORD_BYTES, at + ENTRY_RECORD_BYTES + nameBytes),
      ),
      isEncrypted: (number(8, 2) & ENCRYPTED_FLAG) !== 0,
      method: number(10, 2),
      sum: number(16, 4),
      packed,
      size,
      at: base + offset,
    });
    at = next;
  }
  return at === bytes.length ? entries : null;
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
    return readNumber(field, at - 8, 8);
  };
  const [size, packed, offset] = numbers;
  const filled: EntryNumbers = [fill(size), fill(packed), fill(offset)];
  // -1 is a number that the field is too short for.
  return filled.includes(-1) ? null : filled;
}

/** Returns the Zip64 field among the extra fields of an entry. */
function findZip64Field(extra: Uint8Array): Uint8Array | null {
  for (let at = 0; at + 4 <= extra.length;) {
    const end = at + 4 + readNumber(extra, at + 2, 2);
    if (end > extra.length) return null;
    if (readNumber(extra, at, 2) === ZIP64_FIELD) return extra.subarray(at + 4, end);
    at = end;
  }
  return null;
}

/**
 * Reads the header that precedes an entry's data.
 * @param head its first `LOCAL_RECORD_BYTES`
 * @returns the lengths of the name and of the extra field that follow it; null if it is none
 */
export function readLocalHeader(head: Uint8Array): { nameBytes: number; extraBytes: number } | null {
  const [nameBytes, extraBytes] = [readNumber(head, 26, 2), readNumber(head, 28, 2)];
  return readNumber(head, 0, 4) !== LOCAL_SIGNATURE || extraBytes < 0 ? null : { nameBytes, extraBytes };
}

/**
 * Whether the data of two entries overlap, or that of one reaches into the directory. Such archives are made to unpack
 * to far more than they have.
 * @param directoryAt offset of the directory in the file
 */
export function hasOverlap(entries: readonly ZipEntry[], directoryAt: number): boolean {
  const inOrder = entries.toSorted((a, b) => a.at - b.at);
  return inOrder.some(
    ({ at, packed }, index) => at + LOCAL_RECORD_BYTES + packed > (inOrder[index + 1]?.at ?? directoryAt),
  );
}

/**
 * Returns the name of a file in an archive, with `/` between folders; null for a name that leads out of the archive.
 */
export function sanitizeEntryName(said: string): string | null {
  const name = said.replaceAll('\\', '/');
  const climbs = name.split('/').includes('..');
  const absolute = name.startsWith('/') || /^[a-z]:/i.test(name);
  return name === '' || climbs || absolute || /\p{Cc}/u.test(name) ? null : name;
}
