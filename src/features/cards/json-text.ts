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
 * Reads JSON that a stranger wrote. What a value costs in memory has little to do with how long it is written: `[[[[…` and
 * `{"":0,"":0,…` grow a hundredfold. So its values and its depth are counted in its bytes first, which costs no memory,
 * and only what is within the bounds is parsed: of valid JSON that count is exact, and nothing else comes out of parsing.
 */
export function parseUntrustedJson(bytes: Uint8Array, work: WorkCounter): JsonResult {
  if (bytes.length > CARD.maxJsonBytes) return { ok: false, code: 'card_too_large' };
  work.add(bytes.length);
  if (!isWithinLimits(bytes)) return { ok: false, code: 'card_too_complex' };
  try {
    // A mark of byte order goes; anything that is no UTF-8 throws.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch {
    return { ok: false, code: 'card_not_json' };
  }
}

/** Whether a text has no more values, and no deeper ones, than a card may have. Each is behind a bracket or a comma. */
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
