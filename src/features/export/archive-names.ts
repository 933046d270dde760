import { sanitizeFileName } from '../conversation/files/chat-file-name.ts';

/** In UTF-8: systems take 255, and whoever unpacks puts folders before it and endings behind it. */
const MAX_NAME_BYTES = 120;
/** What Windows keeps for devices, with any ending. */
const RESERVED_DEVICE_NAME = /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:\.|$)/i;

const encoder = new TextEncoder();

/** The names of files in one folder of an archive: none twice, also where a system does not tell letters apart. */
export class ArchiveNames {
  readonly #taken = new Set<string>();

  /**
   * A name that every system takes, in any script, without an ending.
   * @param parts what it is made of; empty ones are left out
   * @param fallback when nothing is left of them
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

/** Cut between whole characters, as people see them. */
function truncateName(name: string): string {
  let bytes = 0;
  let kept = '';
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(name)) {
    bytes += encoder.encode(segment).length;
    if (bytes > MAX_NAME_BYTES) break;
    kept += segment;
  }
  return kept.replaceAll(/[.\s]+$/g, '');
}

/** What two names have in common that some system takes for the same. */
const toCollisionKey = (name: string): string => name.normalize('NFKC').toLowerCase().toUpperCase();
