import { CARD } from '../character/limits.ts';
import { joined } from '../picture/bytes.ts';
import { type CutFile, FileSieve } from './asset-extractor.ts';
import type { Work } from './chunked-bytes.ts';

/** A card's JSON piece by piece, from its beginning each time; null stands for what is damaged. */
export type CardText = () => Iterable<Uint8Array | null>;

export interface CardJson {
  ok: true;
  /** To the byte, but for the files that had to be cut out of it. */
  bytes: Uint8Array;
  /** The first of those. */
  cut: readonly CutFile[];
  /** How many were cut. */
  count: number;
}

export type ReadText = CardJson | { ok: false; code: 'card_too_large' | 'card_damaged' };

/** A text in which nothing was cut. */
export const uncut = (bytes: Uint8Array): CardJson => ({ ok: true, bytes, cut: [], count: 0 });

const damaged = { ok: false, code: 'card_damaged' } as const;
const tooLarge = { ok: false, code: 'card_too_large' } as const;

/**
 * Gathers a card's text. One that is longer than a card's may be is read once more without the files that are written into
 * it, and what stays is counted: some programs write every picture of a character there. Never more of it is held than a
 * card may have.
 */
export function readText(text: CardText, work: Work): ReadText {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (const piece of text()) {
    if (piece === null) return damaged;
    length += piece.length;
    if (length > CARD.maxJsonBytes) return withoutFiles(text, work);
    pieces.push(piece);
  }
  return uncut(joined(pieces));
}

function withoutFiles(text: CardText, work: Work): ReadText {
  const sieve = new FileSieve();
  for (const piece of text()) {
    if (piece === null) return damaged;
    work.add(piece.length);
    sieve.push(piece);
    if (sieve.keptBytes > CARD.maxJsonBytes) return tooLarge;
  }
  return { ok: true, bytes: joined(sieve.kept), cut: sieve.cut, count: sieve.count };
}
