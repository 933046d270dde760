import { type Box, parseBoxes, listLeadingBoxes } from './avif-boxes.ts';
import {
  findFirstEntry,
  type Item,
  parseItems,
  type ItemLocation,
  parseLocations,
  getPrimaryItemId,
  findThumbnails,
} from './avif-items.ts';

/** Far more than a picture of 4096 pixels in hundreds of tiles needs. */
const MAX_META_BYTES = 64 * 1024;
/** Items may share bytes. A file whose items total more than this multiple of its size is hostile. */
const MAX_COPIES = 8;

/** Item types that contain or combine images; all other types are metadata. */
const IMAGE_ITEM_TYPES = new Set(['av01', 'grid', 'iovl', 'tmap']);
/** Boxes that contain only numbers. */
const ALLOWED_META_BOXES = new Set(['pitm', 'iloc', 'iref', 'grpl', 'dinf']);
const ALLOWED_PROPERTIES = new Set([
  ...['ispe', 'pixi', 'av1C', 'colr', 'pasp', 'clap', 'irot', 'imir', 'rloc', 'auxC'],
  ...['a1op', 'a1lx', 'lsel', 'clli', 'mdcv', 'cclv', 'amve'],
]);
/** The part of a handler box before its name. */
const HANDLER_BYTES = 24;
const VERSION_BYTES = 4;

const findOnly = (boxes: readonly Box[], type: string): Box | null => {
  const found = boxes.filter((box) => box.type === type);
  return found.length === 1 ? (found[0] as Box) : null;
};

/**
 * Reduces an AVIF to its image. Nothing moves, because offsets are absolute: metadata is overwritten with zeros in boxes
 * and items that decoders ignore.
 * @returns null for a truncated, damaged or animated file, or one that is not fully understood
 */
export function sanitizeAvif(sent: Uint8Array): Uint8Array | null {
  const outer = listLeadingBoxes(sent);
  const meta = findOnly(outer, 'meta');
  if (meta === null || meta.end - meta.at > MAX_META_BYTES) return null;
  if (outer.some(({ type }) => type === 'moov' || type === 'moof')) return null;
  const parts = parseBoxes(sent, meta.body + VERSION_BYTES, meta.end);
  const [info, locations, primary] = ['iinf', 'iloc', 'pitm'].map((type) => findOnly(parts ?? [], type));
  if (parts === null || !info || !locations || !primary) return null;
  const references = parts.filter(({ type }) => type === 'iref');
  const items = parseItems(sent, info);
  const places = parseLocations(sent, locations);
  const thumbnails = references[0] === undefined ? new Set<number>() : findThumbnails(sent, references[0]);
  if (items === null || places === null || thumbnails === null || references.length > 1) return null;
  const drawn = items.filter(({ id, type }) => IMAGE_ITEM_TYPES.has(type) && !thumbnails.has(id));
  if (!drawn.some(({ id }) => id === getPrimaryItemId(sent, primary))) return null;

  const copy = new FilteredCopy(sent);
  for (const box of outer) {
    if (box.type === 'ftyp') copy.copyRange(box.at, box.end);
    else copy.frame(box, box === meta || box.type === 'mdat');
  }
  copy.copyRange(meta.body, meta.body + VERSION_BYTES);
  for (const part of parts) copy.part(part);
  if (!copy.items(info, items, new Set(drawn)) || !copy.pixels(drawn, places, outer, parts)) return null;
  const last = Math.max(meta.end, copy.lastPixel);
  // Keep the box of the last pixels whole.
  return copy.bytes.subarray(0, outer.find(({ end }) => end >= last)?.end);
}

/** Converts an item's location to absolute ranges in the file. */
const toFileRanges = (
  { inside, extents: stretches }: ItemLocation,
  small: Box | undefined,
): { begin: number; end: number }[] =>
  stretches.map(({ from, length }) => {
    const begin = inside === 'file' ? from : from + (small?.body ?? 0);
    return { begin, end: begin + length };
  });

/** A zero-filled copy of the file, into which the allowed parts are copied. */
class FilteredCopy {
  readonly bytes: Uint8Array;
  /** End of the pixel data in the file. */
  lastPixel = 0;
  readonly #sent: Uint8Array;

  constructor(sent: Uint8Array) {
    this.#sent = sent;
    this.bytes = new Uint8Array(sent.length);
  }

  copyRange(from: number, to: number): void {
    this.bytes.set(this.#sent.subarray(from, to), from);
  }

  #name(at: number, type: string): void {
    this.bytes.set(new TextEncoder().encode(type), at);
  }

  /** Copies the header of a box; a box that is not kept becomes `free`. */
  frame(box: Box, stays: boolean): void {
    this.copyRange(box.at, box.body);
    if (!stays) this.#name(box.at + 4, 'free');
  }

  part(box: Box): void {
    if (ALLOWED_META_BOXES.has(box.type)) this.copyRange(box.at, box.end);
    else if (box.type === 'hdlr') this.copyRange(box.at, Math.min(box.body + HANDLER_BYTES, box.end));
    else if (box.type === 'iprp') this.#properties(box);
    else this.frame(box, box.type === 'iinf' || box.type === 'idat');
  }

  #properties(box: Box): void {
    this.frame(box, true);
    for (const child of parseBoxes(this.#sent, box.body, box.end) ?? []) {
      if (child.type === 'ipma') this.copyRange(child.at, child.end);
      else this.frame(child, child.type === 'ipco');
      if (child.type !== 'ipco') continue;
      // A removed property keeps its position, because properties are referenced by index.
      for (const property of parseBoxes(this.#sent, child.body, child.end) ?? []) {
        if (ALLOWED_PROPERTIES.has(property.type)) this.copyRange(property.at, property.end);
        else this.frame(property, false);
      }
    }
  }

  /** Copies the item list without its text fields; items that are not images become `skip`. */
  items(info: Box, items: readonly Item[], drawn: ReadonlySet<Item>): boolean {
    const first = findFirstEntry(this.#sent, info);
    if (first === null) return false;
    this.copyRange(info.at, first);
    for (const item of items) {
      this.copyRange(item.box.at, item.typeAt + 4);
      if (!drawn.has(item)) this.#name(item.typeAt, 'skip');
    }
    return true;
  }

  /** Copies the pixel data; false if it is incomplete or overlaps metadata. */
  pixels(
    drawn: readonly Item[],
    places: ReadonlyMap<number, ItemLocation>,
    outer: readonly Box[],
    parts: readonly Box[],
  ): boolean {
    const media = outer.filter(({ type }) => type === 'mdat');
    const small = parts.filter(({ type }) => type === 'idat');
    const isDrawn = new Set(drawn.map(({ id }) => id));
    const ranges = [...places].flatMap(([id, place]) =>
      isDrawn.has(id) ? [] : toFileRanges(place, small[0]),
    );
    let copied = 0;
    for (const { id } of drawn) {
      const place = places.get(id);
      if (place === undefined || place.extents.length === 0) return false;
      const rooms = place.inside === 'file' ? media : small.slice(0, 1);
      for (const { begin, end } of toFileRanges(place, small[0])) {
        copied += end - begin;
        if (end <= begin || copied > this.#sent.length * MAX_COPIES) return false;
        if (!rooms.some((room) => begin >= room.body && end <= room.end)) return false;
        if (ranges.some((other) => begin < other.end && end > other.begin)) return false;
        this.copyRange(begin, end);
        if (place.inside === 'file') this.lastPixel = Math.max(this.lastPixel, end);
      }
    }
    return true;
  }
}
