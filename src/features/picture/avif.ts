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

/** Far above what a picture of 4096 pixels in hundreds of tiles needs. */
const MAX_META_BYTES = 64 * 1024;
/** The same bytes may belong to several items; more than this and somebody keeps us copying. */
const MAX_COPIES = 8;

/** Items that are pictures or put pictures together; all others tell of them. */
const IMAGE_ITEM_TYPES = new Set(['av01', 'grid', 'iovl', 'tmap']);
/** Boxes that are nothing but numbers. */
const ALLOWED_META_BOXES = new Set(['pitm', 'iloc', 'iref', 'grpl', 'dinf']);
const ALLOWED_PROPERTIES = new Set([
  ...['ispe', 'pixi', 'av1C', 'colr', 'pasp', 'clap', 'irot', 'imir', 'rloc', 'auxC'],
  ...['a1op', 'a1lx', 'lsel', 'clli', 'mdcv', 'cclv', 'amve'],
]);
/** What a handler is, before its name. */
const HANDLER_BYTES = 24;
const VERSION_BYTES = 4;

const findOnly = (boxes: readonly Box[], type: string): Box | null => {
  const found = boxes.filter((box) => box.type === type);
  return found.length === 1 ? (found[0] as Box) : null;
};

/**
 * An AVIF with nothing in it but the picture: everything stays where it is, for places are told by their distance from
 * the beginning, and what is not the picture becomes zeros in boxes and items that nobody reads. Null when it is cut
 * off, broken, a film, or built in a way that is not understood to its end.
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
  // The box that the last pixels lie in is there whole.
  return copy.bytes.subarray(0, outer.find(({ end }) => end >= last)?.end);
}

/** Where something lies in the file. */
const toFileRanges = (
  { inside, extents: stretches }: ItemLocation,
  small: Box | undefined,
): { begin: number; end: number }[] =>
  stretches.map(({ from, length }) => {
    const begin = inside === 'file' ? from : from + (small?.body ?? 0);
    return { begin, end: begin + length };
  });

/** A file of zeros as long as the one that was sent, into which is copied what stays. */
class FilteredCopy {
  readonly bytes: Uint8Array;
  /** Where the pixels end in the file. */
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

  /** The size and name of a box; one that does not stay is free space. */
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
      // One that does not stay keeps its turn: they are told by their numbers.
      for (const property of parseBoxes(this.#sent, child.body, child.end) ?? []) {
        if (ALLOWED_PROPERTIES.has(property.type)) this.copyRange(property.at, property.end);
        else this.frame(property, false);
      }
    }
  }

  /** The list of items without their words; those that are not drawn lose what they were. */
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

  /** The pictures' own bytes; false when they are not all there, or are what is told of the picture as well. */
  pixels(
    drawn: readonly Item[],
    places: ReadonlyMap<number, ItemLocation>,
    outer: readonly Box[],
    parts: readonly Box[],
  ): boolean {
    const media = outer.filter(({ type }) => type === 'mdat');
    const small = parts.filter(({ type }) => type === 'idat');
    const isDrawn = new Set(drawn.map(({ id }) => id));
    const told = [...places].flatMap(([id, place]) => (isDrawn.has(id) ? [] : toFileRanges(place, small[0])));
    let copied = 0;
    for (const { id } of drawn) {
      const place = places.get(id);
      if (place === undefined || place.extents.length === 0) return false;
      const rooms = place.inside === 'file' ? media : small.slice(0, 1);
      for (const { begin, end } of toFileRanges(place, small[0])) {
        copied += end - begin;
        if (end <= begin || copied > this.#sent.length * MAX_COPIES) return false;
        if (!rooms.some((room) => begin >= room.body && end <= room.end)) return false;
        if (told.some((other) => begin < other.end && end > other.begin)) return false;
        this.copyRange(begin, end);
        if (place.inside === 'file') this.lastPixel = Math.max(this.lastPixel, end);
      }
    }
    return true;
  }
}
