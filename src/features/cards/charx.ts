import { zipSync } from 'fflate';
import { CARD } from '../character/limits.ts';
import { type Archive, type ArchiveError, unpackEntry } from './archive.ts';
import type { ChunkedBytes } from './chunked-bytes.ts';

export type CharxError = ArchiveError | 'card_not_found';

const CARD_NAME = 'card.json';

/**
 * Reads the card from a CharX file: `card.json` at the root of a zip archive, which may follow a picture, or in a folder if
 * it is the only one. Only that file and, on request, one picture are unpacked. Other files, including nested archives, are
 * never opened.
 * @returns the card, and the folder from which its paths count, with a slash at the end; empty for the root
 */
export function readCharx(
  file: ChunkedBytes,
  { entries }: Extract<Archive, { ok: true }>,
): { ok: true; json: Uint8Array; folder: string } | { ok: false; code: CharxError } {
  const folder = findCardFolder(entries);
  const card = entries.get(`${folder}${CARD_NAME}`);
  if (card === undefined) return { ok: false, code: 'card_not_found' };
  const json = unpackEntry(file, card, CARD.maxJsonBytes);
  return json.ok ? { ok: true, json: json.bytes, folder } : json;
}

function findCardFolder(entries: ReadonlyMap<string, unknown>): string {
  if (entries.has(CARD_NAME)) return '';
  const [path, another] = [...entries.keys()].filter((name) => name.endsWith(`/${CARD_NAME}`));
  return path === undefined || another !== undefined ? '' : path.slice(0, -CARD_NAME.length);
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
