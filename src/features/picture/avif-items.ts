import { type Box, parseBoxes, NumberReader } from './avif-boxes.ts';
import { readAscii } from './bytes.ts';

/** A part of an AVIF: a picture, or something told about it. */
export interface Item {
  id: number;
  type: string;
  /** Where its name for what it is stands; what follows, to the end of the box, are words. */
  typeAt: number;
  box: Box;
}

/** A stretch of the file, or of the box that holds small things. */
export interface Extent {
  from: number;
  length: number;
}

export interface ItemLocation {
  inside: 'file' | 'idat';
  extents: Extent[];
}

/** The items of an `iinf` box, or null when it is not understood, or when two have one number: nobody could say which of them lies where. */
export function parseItems(bytes: Uint8Array, box: Box): Item[] | null {
  const from = findFirstEntry(bytes, box);
  const boxes = from === null ? null : parseBoxes(bytes, from, box.end);
  const items = boxes?.map((entry) => parseItem(bytes, entry)) ?? null;
  if (items === null || items.includes(null)) return null;
  return new Set(items.map((item) => item?.id)).size === items.length ? (items as Item[]) : null;
}

/** Where the entries of an `iinf` box begin, after how many they are. */
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
  // The versions before these have no names for what an item is, and no AVIF has them.
  if (box.type !== 'infe' || (version !== 2 && version !== 3) || numbers.isEnded) return null;
  return { id, type: readAscii(bytes, typeAt, 4), typeAt, box };
}

/** Those items that are small pictures of others, by an `iref` box; null when it is not understood. */
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

/** Which item is the picture, by a `pitm` box; -1 when it does not say. */
export function getPrimaryItemId(bytes: Uint8Array, box: Box): number {
  const numbers = new NumberReader(bytes, box.body, box.end);
  const version = numbers.next(1);
  numbers.next(3);
  return numbers.next(version === 0 ? 2 : 4);
}

const FIELD_SIZES = new Set([0, 4, 8]);

/** Where each item's bytes lie, by an `iloc` box; null when it is not understood. */
export function parseLocations(bytes: Uint8Array, box: Box): Map<number, ItemLocation> | null {
  const numbers = new NumberReader(bytes, box.body, box.end);
  const version = numbers.next(1);
  numbers.next(3);
  const [first, second] = [numbers.next(1), numbers.next(1)];
  const [offsetSize, lengthSize, baseSize] = [first >> 4, first & 15, second >> 4];
  const indexSize = version === 0 ? 0 : second & 15;
  const sizes = [offsetSize, lengthSize, baseSize, indexSize];
  // Without a length a stretch takes no room here, and any number of them could be claimed.
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
