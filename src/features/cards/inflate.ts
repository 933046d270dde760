import { Inflate, Unzlib } from 'fflate';
import { joinBytes } from '../picture/bytes.ts';
import type { WorkCounter } from './chunked-bytes.ts';

/** What is unpacked at once: of so few bytes, eight mebibytes can come at most. */
const STEP_BYTES = 8 * 1024;

/**
 * Unpacks what may be a bomb: stops as soon as more has come out than may.
 * @param how.zlib whether it has the frame of zlib around it (a picture's text), or none (an archive's file)
 * @param how.maxBytes of what comes out
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
