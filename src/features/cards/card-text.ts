import { CARD } from '../character/limits.ts';
import { joinBytes } from '../picture/bytes.ts';
import { type ExtractedFile, AssetExtractor } from './asset-extractor.ts';
import type { WorkCounter } from './chunked-bytes.ts';

/** Iterates over a card's JSON, each time from the start; null marks damaged data. */
export type CardText = () => Iterable<Uint8Array | null>;

export interface CardJson {
  ok: true;
  /** The original bytes, except for the files that had to be cut out. */
  bytes: Uint8Array;
  /** The first of those files. */
  extracted: readonly ExtractedFile[];
  /** The number of those files. */
  extractedCount: number;
}

export type CardTextResult = CardJson | { ok: false; code: 'card_too_large' | 'card_damaged' };

/** Wraps a text from which nothing was cut. */
export const wrapCardJson = (bytes: Uint8Array): CardJson => ({
  ok: true,
  bytes,
  extracted: [],
  extractedCount: 0,
});

const damaged = { ok: false, code: 'card_damaged' } as const;
const tooLarge = { ok: false, code: 'card_too_large' } as const;

/**
 * Collects a card's text. A text over the size limit is read again without its embedded files, because some programs
 * embed every picture of a character there; the rest must be within the limit. Memory never holds more than the limit.
 */
export function readCardText(text: CardText, work: WorkCounter): CardTextResult {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (const piece of text()) {
    if (piece === null) return damaged;
    length += piece.length;
    if (length > CARD.maxJsonBytes) return extractFiles(text, work);
    pieces.push(piece);
  }
  return wrapCardJson(joinBytes(pieces));
}

function extractFiles(text: CardText, work: WorkCounter): CardTextResult {
  const extractor = new AssetExtractor();
  for (const piece of text()) {
    if (piece === null) return damaged;
    work.add(piece.length);
    extractor.push(piece);
    if (extractor.remainingBytes > CARD.maxJsonBytes) return tooLarge;
  }
  return {
    ok: true,
    bytes: joinBytes(extractor.remaining),
    extracted: extractor.extracted,
    extractedCount: extractor.extractedCount,
  };
}
