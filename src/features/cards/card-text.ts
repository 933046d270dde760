import { CARD } from '../character/limits.ts';
import { joinBytes } from '../picture/bytes.ts';
import { type ExtractedFile, AssetExtractor } from './asset-extractor.ts';
import type { WorkCounter } from './chunked-bytes.ts';

/** A card's JSON piece by piece, from its beginning each time; null stands for what is damaged. */
export type CardText = () => Iterable<Uint8Array | null>;

export interface CardJson {
  ok: true;
  /** To the byte, but for the files that had to be cut out of it. */
  bytes: Uint8Array;
  /** The first of those. */
  extracted: readonly ExtractedFile[];
  /** How many were cut. */
  extractedCount: number;
}

export type CardTextResult = CardJson | { ok: false; code: 'card_too_large' | 'card_damaged' };

/** A text in which nothing was cut. */
export const wrapCardJson = (bytes: Uint8Array): CardJson => ({
  ok: true,
  bytes,
  extracted: [],
  extractedCount: 0,
});

const damaged = { ok: false, code: 'card_damaged' } as const;
const tooLarge = { ok: false, code: 'card_too_large' } as const;

/**
 * Gathers a card's text. One that is longer than a card's may be is read once more without the files that are written into
 * it, and what stays is counted: some programs write every picture of a character there. Never more of it is held than a
 * card may have.
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
