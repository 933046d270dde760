import { zipSync } from 'fflate';
import { CARD } from '../character/limits.ts';
import { type Archive, type ArchiveError, unpackEntry } from './archive.ts';
import type { ChunkedBytes } from './chunked-bytes.ts';

export type CharxError = ArchiveError | 'card_not_found';

/**
 * Reads the card from a CharX file: `card.json` at the root of a zip archive, which may follow a picture. Only that
 * file and, on request, one picture are unpacked. Other files, including nested archives, are never opened.
 */
export function readCharx(
  file: ChunkedBytes,
  { entries }: Extract<Archive, { ok: true }>,
): { ok: true; json: Uint8Array } | { ok: false; code: CharxError } {
  const card = entries.get('card.json');
  if (card === undefined) return { ok: false, code: 'card_not_found' };
  const json = unpackEntry(file, card, CARD.maxJsonBytes);
  return json.ok ? { ok: true, json: json.bytes } : json;
}

/** The range of times that zip can represent starts in 1980. */
const MIN_TIME_MS = Date.UTC(1980, 0, 2);
const MAX_TIME_MS = Date.UTC(2099, 11, 30);

/**
 * Builds a CharX file of a card and its picture, if there is one.
 * @param at modification time, in ms
 */
export function buildCharx(
  json: Uint8Array,
  picture: { name: string; bytes: Uint8Array } | null,
  at: number,
): Uint8Array<ArrayBuffer> {
  const mtime = Math.min(MAX_TIME_MS, Math.max(MIN_TIME_MS, at));
  return zipSync(
    {
      'card.json': [json, { level: 6 }],
      // Pictures are compressed already.
      ...(picture === null ? {} : { [picture.name]: [picture.bytes, { level: 0 }] }),
    },
    { mtime },
  ) as Uint8Array<ArrayBuffer>;
}
