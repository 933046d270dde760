import { sanitizeFileName } from '../conversation/files/chat-file-name.ts';

/** UTF-8 bytes. Systems allow 255, but unpacking may add folders, and callers add extensions. */
const MAX_NAME_BYTES = 120;
/** Device names that Windows reserves, with any extension. */
const RESERVED_DEVICE_NAME = /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:\.|$)/i;

const encoder = new TextEncoder();

/** Creates file names that are unique in one archive folder, also on case-insensitive file systems. */
export class ArchiveNames {
  readonly #taken = new Set<string>();

  /**
   * Returns a name that every system accepts, in any script, without an extension.
   * @param parts joined into the name; empty ones are skipped
   * @param fallback used when nothing is left of the parts
   */
  getUniqueName(parts: readonly string[], fallback: string): string {
    const plain = truncateName(sanitizeFileName(parts).normalize('NFC')) || fallback;
    const base = RESERVED_DEVICE_NAME.test(plain) ? `_${plain}` : plain;
    let name = base;
    for (let count = 2; this.#taken.has(toCollisionKey(name)); count += 1) name = `${base} (${count})`;
    this.#taken.add(toCollisionKey(name));
    return name;
  }
}

/** Cuts between grapheme clusters. */
function truncateName(name: string): string {
  let bytes = 0;
  let kept = '';
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(name)) {
    bytes += encoder.encode(segment).length;
    if (bytes > MAX_NAME_BYTES) break;
    kept += segment;
  }
  return kept.replaceAll(/(?<![.\s])[.\s]+$/g, '');
}

/** Maps names that some file system treats as equal to the same key. */
const toCollisionKey = (name: string): string => name.normalize('NFKC').toLowerCase().toUpperCase();
