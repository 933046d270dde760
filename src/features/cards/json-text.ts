import { CARD } from '../character/limits.ts';
import type { WorkCounter } from './chunked-bytes.ts';

export type JsonResult =
  | { ok: true; value: unknown }
  | { ok: false; code: 'card_too_large' | 'card_too_complex' | 'card_not_json' };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x7b, 0x5b]);
const CLOSING = new Set([0x7d, 0x5d]);
const COMMA = 0x2c;

/**
 * Parses JSON from a stranger. The memory that a value takes has little to do with its length: `[[[[…` and
 * `{"":0,"":0,…` grow a hundredfold. So values and depth are first counted in the bytes, which takes no memory, and
 * JSON beyond the limits is not parsed. The count is exact for valid JSON, and anything else fails to parse.
 */
export function parseUntrustedJson(bytes: Uint8Array, work: WorkCounter): JsonResult {
  if (bytes.length > CARD.maxJsonBytes) return { ok: false, code: 'card_too_large' };
  work.add(bytes.length);
  if (!isWithinLimits(bytes)) return { ok: false, code: 'card_too_complex' };
  try {
    // Removes a byte order mark; throws for invalid UTF-8.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch {
    return { ok: false, code: 'card_not_json' };
  }
}

/**
 * Whether a text is within the limits for the number of values and their depth. Each value follows a bracket or a
 * comma.
 */
function isWithinLimits(bytes: Uint8Array): boolean {
  let depth = 0;
  let values = 1;
  let quoted = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (quoted) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) quoted = false;
    } else if (byte === QUOTE) quoted = true;
    else if (byte === COMMA) values += 1;
    else if (OPENING.has(byte)) {
      values += 1;
      depth += 1;
    } else if (CLOSING.has(byte)) depth -= 1;
    if (values > CARD.maxValues || depth > CARD.maxDepth) return false;
  }
  return true;
}
