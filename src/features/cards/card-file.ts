import { BODY_LIMITS } from '../../config/body-limits.ts';
import { joined, letters, uint } from '../picture/bytes.ts';
import { fromBase64 } from './base64.ts';
import { type Card, iconOf, readCard } from './card-shape.ts';
import { type CardJson, readText, uncut } from './card-text.ts';
import { type CharxProblem, readCharx } from './charx.ts';
import { readJson } from './json-text.ts';
import type { Pieces } from './chunked-bytes.ts';
import { type PngProblem, readPngCard } from './png-card.ts';
import { OWN_PORTRAIT, PNG_SIGNATURE } from './png-embed.ts';

export type CardProblem =
  | PngProblem
  | CharxProblem
  /** Neither a picture nor an archive, and no JSON either. */
  | 'card_not_json'
  /** JSON of something else. */
  | 'card_not_understood';

/** What may be a picture of the character: its bytes as they came, not looked into yet. */
export type CardPicture = { kind: 'bytes'; bytes: Uint8Array } | { kind: 'none' } | { kind: 'too_large' };

export type ReadCardFile =
  | {
      ok: true;
      card: Card;
      /** The card's JSON to the byte, but for files that had to be cut out of it. */
      json: Uint8Array;
      picture: CardPicture;
      told: ToldOfFile;
    }
  | { ok: false; code: CardProblem };

/** What its maker should know of how the file was read. */
export interface ToldOfFile {
  /** Files that were cut out of its text, beside the portrait. */
  cutFiles: number;
  /** Whether its newer version was broken, and the older one was taken. */
  isOlder: boolean;
}

/** Of a portrait that is written into the text, in base64. */
const MAX_ICON_CHARS = Math.ceil(BODY_LIMITS.avatar * 1.4);

/** Enough to tell what a file is. */
const HEAD_BYTES = 12;
const ZIPS = new Set(['PK\u0003\u0004', 'PK\u0005\u0006']);

/**
 * Reads a character card of any version out of a file of any kind; what it is goes by its bytes. Never throws, and never
 * makes more than the bounds of `CARD` say, whatever the file says of itself.
 */
export function readCardFile(file: Pieces): ReadCardFile {
  if (file.length > BODY_LIMITS.card) return { ok: false, code: 'card_too_large' };
  const head = file.slice(0, HEAD_BYTES);
  if (PNG_SIGNATURE.every((byte, index) => head[index] === byte)) return fromPng(file);
  if (ZIPS.has(letters(head, 0, 4))) return fromCharx(file);
  if (isPicture(head)) {
    // RisuAI hangs the archive on behind a JPEG. Where there is none, the picture is only a picture.
    const read = fromCharx(file);
    return read.ok || read.code !== 'card_damaged' ? read : { ok: false, code: 'card_not_found' };
  }
  return fromJson(file);
}

/** Pictures that carry no card themselves, so that whoever brings one hears that. */
function isPicture(head: Uint8Array): boolean {
  return (
    uint(head, 0, 3) === 0xffd8ff ||
    letters(head, 0, 4) === 'GIF8' ||
    (letters(head, 0, 4) === 'RIFF' && letters(head, 8, 4) === 'WEBP') ||
    letters(head, 4, 4) === 'ftyp'
  );
}

function fromPng(file: Pieces): ReadCardFile {
  const read = readPngCard(file);
  if (!read.ok) return read;
  const pictureOf = (card: Card): CardPicture => {
    const uri = iconOf(card)?.uri ?? '';
    const named = /^__asset:(.+)$/.exec(uri)?.[1];
    const asset = read.asset(OWN_PORTRAIT) ?? (named === undefined ? null : read.asset(named));
    if (asset !== null) return { kind: 'bytes', bytes: asset };
    return read.picture === null ? { kind: 'too_large' } : { kind: 'bytes', bytes: read.picture };
  };
  let refused: (ReadCardFile & { ok: false }) | null = null;
  for (const text of read.texts) {
    const json = text();
    const card = json.ok ? understood(file, json, pictureOf) : json;
    // Where none is whole, the newer one is what is wrong with the file.
    if (!card.ok) refused ??= card;
    else return { ...card, told: { ...card.told, isOlder: refused !== null } };
  }
  return refused ?? { ok: false, code: 'card_not_found' };
}

function fromCharx(file: Pieces): ReadCardFile {
  const read = readCharx(file);
  if (!read.ok) return read;
  return understood(file, uncut(read.json), (card) => {
    const name = embeddedName(iconOf(card)?.uri ?? '');
    const bytes = name === null ? null : read.file(name);
    return bytes === null ? pictureInText(iconOf(card)?.uri ?? '') : { kind: 'bytes', bytes };
  });
}

function fromJson(file: Pieces): ReadCardFile {
  const json = readText(() => file.runs({ from: 0, to: file.length }), file.work);
  if (!json.ok) return json;
  return understood(file, json, (card) => {
    const icon = iconOf(card);
    const cut = json.cut.find(({ place }) => place === icon?.place);
    if (cut === undefined) return pictureInText(icon?.uri ?? '');
    if (cut.to - cut.from > MAX_ICON_CHARS) return { kind: 'too_large' };
    // Some programs write a stroke before every stroke.
    const uri = new TextDecoder().decode(file.slice(cut.from, cut.to)).replaceAll(String.raw`\/`, '/');
    return pictureInText(uri);
  });
}

function understood(file: Pieces, json: CardJson, pictureOf: (card: Card) => CardPicture): ReadCardFile {
  const read = readJson(json.bytes, file.work);
  if (!read.ok) return read;
  const card = readCard(read.value);
  if (card === null) return { ok: false, code: 'card_not_understood' };
  const icon = iconOf(card);
  const cutFiles = json.count - (json.cut.some(({ place }) => place === icon?.place) ? 1 : 0);
  return { ok: true, card, json: json.bytes, picture: pictureOf(card), told: { cutFiles, isOlder: false } };
}

/** Where a card says that a file lies in its archive; the format's own word is written with one d. */
export function embeddedName(uri: string): string | null {
  return /^embedd?ed:\/\/(.+)$/.exec(uri)?.[1] ?? null;
}

/** A picture that is written into the text itself. Pictures that lie on other sites are never fetched. */
function pictureInText(uri: string): CardPicture {
  const head = /^data:image\/[a-z0-9.+-]{1,20};base64,/i.exec(uri.slice(0, 64));
  if (head === null) return { kind: 'none' };
  if (uri.length > MAX_ICON_CHARS) return { kind: 'too_large' };
  const bytes = fromBase64(new TextEncoder().encode(uri.slice(head[0].length)));
  return bytes === null ? { kind: 'none' } : { kind: 'bytes', bytes: joined([bytes]) };
}
