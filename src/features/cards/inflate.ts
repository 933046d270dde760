import { Inflate, Unzlib } from 'fflate';
import { joinBytes } from '../picture/bytes.ts';
import type { WorkCounter } from './chunked-bytes.ts';

/** Bytes unpacked per step; at most eight mebibytes can come out of them. */
const STEP_BYTES = 8 * 1024;

/**
 * Unpacks data that may be a decompression bomb: stops as soon as the output exceeds the limit.
 * @param how.zlib whether the data has a zlib header (text in a PNG) or is raw deflate (a file in an archive)
 * @param how.maxBytes limit of the output
 */
export function inflateBytes(
  packed: Uint8Array,
  { zlib, maxBytes, work }: { zlib: boolean; maxBytes: number; work: WorkCounter },
): { ok: true; bytes: Uint8Array<ArrayBuffer> } | { ok: false; code: 'card_too_large' | 'card_damaged' } {
  const out: Uint8Array[] = [];
  let length = 0;
  const take = (piece: Uint8Array) => {
    length += piece.length;
    work.add(piece.length);
    if (length <= maxBytes && piece.length > 0) out.push(piece);
  };
  const stream = zlib ? new Unzlib(take) : new Inflate(take);
  try {
    for (let at = 0; at === 0 || at < packed.length; at += STEP_BYTES) {
      const step = packed.slice(at, at + STEP_BYTES);
      work.add(step.length);
      stream.push(step, at + STEP_BYTES >= packed.length);
      if (length > maxBytes) return { ok: false, code: 'card_too_large' };
    }
  } catch {
    return { ok: false, code: 'card_damaged' };
  }
  return { ok: true, bytes: joinBytes(out) };
}
