import { type Box, parseBoxes, NumberReader } from './avif-boxes.ts';
import { readAscii } from './bytes.ts';

/** An item of an AVIF: an image, or metadata. */
export interface Item {
  id: number;
  type: string;
  /** Offset of the item type; after it, text fields fill the rest of the box. */
  typeAt: number;
  box: Box;
}

/** A byte range in the file or in the `idat` box. */
export interface Extent {
  from: number;
  length: number;
}

export interface ItemLocation {
  inside: 'file' | 'idat';
  extents: Extent[];
}

/** Parses the items of an `iinf` box; null if it is not understood, or if a repeated id makes locations ambiguous. */
export function parseItems(bytes: Uint8Array, box: Box): Item[] | null {
  const from = findFirstEntry(bytes, box);
  const boxes = from === null ? null : parseBoxes(bytes, from, box.end);
  const items = boxes?.map((entry) => parseItem(bytes, entry)) ?? null;
  if (items === null || items.includes(null)) return null;
  return new Set(items.map((item) => item?.id)).size === items.length ? (items as Item[]) : null;
}

/** Offset of the first entry of an `iinf` box, after the entry count. */
export function findFirstEntry(bytes: Uint8Array, box: Box): number | null {
  const numbers = new NumberReader(bytes, box.body, box.end);
  const version = numbers.next(1);
  numbers.next(3);
  numbers.next(version === 0 ? 2 : 4);
  return numbers.isEnded ? null : numbers.at;
}

function parseItem(bytes: Uint8Array, box: Box): Item | null {
  const numbers = new NumberReader(bytes, box.body, box.end);
  const version = numbers.next(1);
  numbers.next(3);
  const id = numbers.next(version === 3 ? 4 : 2);
  numbers.next(2);
  const typeAt = numbers.at;
  numbers.next(4);
  // Versions 0 and 1 have no item type and do not occur in AVIF.
  if (box.type !== 'infe' || (version !== 2 && version !== 3) || numbers.isEnded) return null;
  return { id, type: readAscii(bytes, typeAt, 4), typeAt, box };
}

/** The ids of thumbnails according to an `iref` box; null if it is not understood. */
export function findThumbnails(bytes: Uint8Array, box: Box): Set<number> | null {
  const numbers = new NumberReader(bytes, box.body, box.end);
  const version = numbers.next(1);
  numbers.next(3);
  const references = numbers.isEnded ? null : parseBoxes(bytes, numbers.at, box.end);
  if (references === null) return null;
  const ids = references
    .filter(({ type }) => type === 'thmb')
    .map(({ body, end }) => new NumberReader(bytes, body, end).next(version === 0 ? 2 : 4));
  return new Set(ids);
}

/** The id of the primary item according to a `pitm` box; -1 if it has none. */
export function getPrimaryItemId(bytes: Uint8Array, box: Box): number {
  const numbers = new NumberReader(bytes, box.body, box.end);
  const version = numbers.next(1);
  numbers.next(3);
  return numbers.next(version === 0 ? 2 : 4);
}

const FIELD_SIZES = new Set([0, 4, 8]);

/** The byte ranges of each item according to an `iloc` box; null if it is not understood. */
export function parseLocations(bytes: Uint8Array, box: Box): Map<number, ItemLocation> | null {
  const numbers = new NumberReader(bytes, box.body, box.end);
  const version = numbers.next(1);
  numbers.next(3);
  const [first, second] = [numbers.next(1), numbers.next(1)];
  const [offsetSize, lengthSize, baseSize] = [first >> 4, first & 15, second >> 4];
  const indexSize = version === 0 ? 0 : second & 15;
  const sizes = [offsetSize, lengthSize, baseSize, indexSize];
  // Reject length size 0: such extents take no space here, so a file could claim any number of them.
  if (version > 2 || lengthSize === 0 || !sizes.every((size) => FIELD_SIZES.has(size))) return null;
  const idSize = version === 2 ? 4 : 2;
  const count = numbers.next(idSize);
  const places = new Map<number, ItemLocation>();
  for (let index = 0; index < count && !numbers.isEnded; index += 1) {
    const id = numbers.next(idSize);
    const method = version === 0 ? 0 : numbers.next(2) & 15;
    const elsewhere = numbers.next(2) !== 0;
    const base = numbers.next(baseSize);
    const stretches: Extent[] = [];
    for (let left = numbers.next(2); left > 0 && !numbers.isEnded; left -= 1) {
      numbers.next(indexSize);
      const from = base + numbers.next(offsetSize);
      stretches.push({ from, length: numbers.next(lengthSize) });
    }
    if (method > 1 || elsewhere || places.has(id)) return null;
    places.set(id, { inside: method === 0 ? 'file' : 'idat', extents: stretches });
  }
  return numbers.isEnded ? null : places;
}
