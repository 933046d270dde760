import { BODY_LIMITS } from '../../config/body-limits.ts';
import { CARD } from '../character/limits.ts';
import { joinBytes, readAscii, readUint } from '../picture/bytes.ts';
import { decodeBase64 } from './base64.ts';
import { detectLorebook } from '../character/lorebook/lorebook-file.ts';
import type { ZipEntry } from '../../lib/zip-directory.ts';
import { readArchive, unpackEntry } from './archive.ts';
import { BYAF_MANIFEST, readByaf } from './byaf.ts';
import { type Card, findIcon, isChat, readCard, type UnknownFields } from './card-fields.ts';
import { type CardJson, readCardText, wrapCardJson } from './card-text.ts';
import { type CharxError, readCharx } from './charx.ts';
import { parseFlatYaml } from './flat-yaml.ts';
import { parseUntrustedJson } from './json-text.ts';
import { ChunkedBytes } from './chunked-bytes.ts';
import { convertOtherFormat } from './other-formats.ts';
import { type PngError, readPngCard } from './png-card.ts';
import { OWN_PORTRAIT_ASSET, PNG_SIGNATURE } from './png-embed.ts';

export type CardError =
  | PngError
  | CharxError
  /** Not a picture, not an archive, and not JSON. */
  | 'card_not_json'
  /** JSON, but not a card. */
  | 'card_not_understood'
  /** A lorebook by itself, which belongs to a character. */
  | 'card_is_lorebook'
  /** A chat, which belongs to a character. */
  | 'card_is_chat'
  /** An archive that is neither a CharX nor a BYAF, for example one of several cards. */
  | 'card_archive_unknown';

/** A candidate for the character's picture: its original bytes, not checked yet. */
export type CardPicture = { kind: 'bytes'; bytes: Uint8Array } | { kind: 'none' } | { kind: 'too_large' };

export type CardFileResult =
  | {
      ok: true;
      card: Card;
      /**
       * The card's original JSON bytes, except for files that had to be cut out. A character in the format of another
       * program is converted to a card.
       */
      json: Uint8Array;
      picture: CardPicture;
      /** Text and EXIF chunks that other programs wrote into a PNG; empty for other files. */
      metadata: Uint8Array;
      info: CardFileInfo;
    }
  | { ok: false; code: CardError };

/** What the user should know about how the file was read. */
export interface CardFileInfo {
  /** Files that were cut out of the text, without the portrait. */
  extractedFiles: number;
  /** Whether the newer version in the file is damaged, so the older one was used. */
  isOlder: boolean;
  /** Chats in the file, which are not imported with the character. */
  chats: number;
  /** Metadata of other programs that exceeds the limit, in chunks. */
  metadataLeft: number;
}

/** Limit for a portrait that is embedded in the text, as base64. */
const MAX_ICON_CHARS = Math.ceil(BODY_LIMITS.avatar * 1.4);

const NEW_LINE = 0x0a;
/** Enough to recognise the type of a file. */
const SIGNATURE_BYTES = 12;
const ZIP_SIGNATURES = new Set(['PK\u0003\u0004', 'PK\u0005\u0006']);

/** The encodings of UTF-16 by their byte order marks. */
const UTF_16 = new Map([
  [0xfffe, 'utf-16le'],
  [0xfeff, 'utf-16be'],
]);

/** A line of a chat is longer only if it is not the first one. */
const MAX_CHAT_HEADER_BYTES = 64 * 1024;

/**
 * Reads a character from any kind of file, which is recognised by its bytes: a card of any version, or a character in
 * the format of another program. Never throws, and never produces more than the limits in `CARD` allow, even if the file
 * states other sizes.
 */
export function readCardFile(file: ChunkedBytes): CardFileResult {
  if (file.length > BODY_LIMITS.card) return { ok: false, code: 'card_too_large' };
  const head = file.slice(0, SIGNATURE_BYTES);
  if (PNG_SIGNATURE.every((byte, index) => head[index] === byte)) return readPngFile(file);
  if (ZIP_SIGNATURES.has(readAscii(head, 0, 4))) return readArchiveFile(file);
  if (isPicture(head)) {
    // RisuAI appends the archive to a JPEG. Without an archive, the file is just a picture.
    const read = readArchiveFile(file);
    return read.ok || read.code !== 'card_damaged' ? read : { ok: false, code: 'card_not_found' };
  }
  const encoding = UTF_16.get(readUint(head, 0, 2));
  if (encoding === undefined) return readJsonFile(file);
  // The same number of characters as UTF-8 may have.
  if (file.length > CARD.maxJsonBytes * 2) return { ok: false, code: 'card_too_large' };
  return readJsonFile(toUtf8(file, encoding));
}

/** Converts a text to UTF-8, without its byte order mark. */
function toUtf8(file: ChunkedBytes, encoding: string): ChunkedBytes {
  const decoder = new TextDecoder(encoding);
  const encoder = new TextEncoder();
  const pieces: Uint8Array[] = [];
  for (const piece of file.iterate({ from: 0, to: file.length }))
    pieces.push(encoder.encode(decoder.decode(piece, { stream: true })));
  return new ChunkedBytes([...pieces, encoder.encode(decoder.decode())], file.work);
}

/** Whether a file is a picture of a kind that never contains a card, so that the user gets a fitting error. */
function isPicture(head: Uint8Array): boolean {
  return (
    readUint(head, 0, 3) === 0xffd8ff ||
    readAscii(head, 0, 4) === 'GIF8' ||
    (readAscii(head, 0, 4) === 'RIFF' && readAscii(head, 8, 4) === 'WEBP') ||
    readAscii(head, 4, 4) === 'ftyp'
  );
}

function readPngFile(file: ChunkedBytes): CardFileResult {
  const read = readPngCard(file);
  if (!read.ok) return read;
  const getPicture = (card: Card): CardPicture => {
    const uri = findIcon(card)?.uri ?? '';
    const named = /^__asset:(.+)$/.exec(uri)?.[1];
    const asset = read.asset(OWN_PORTRAIT_ASSET) ?? (named === undefined ? null : read.asset(named));
    if (asset !== null) return { kind: 'bytes', bytes: asset };
    return read.picture === null ? { kind: 'too_large' } : { kind: 'bytes', bytes: read.picture };
  };
  let refused: (CardFileResult & { ok: false }) | null = null;
  for (const text of read.texts) {
    const json = text();
    const card = json.ok ? parseCardJson(file, json, getPicture) : json;
    // If no version is intact, report the error of the newer one.
    if (!card.ok) refused ??= card;
    else {
      const { metadata, metadataLeft } = read;
      return { ...card, metadata, info: { ...card.info, isOlder: refused !== null, metadataLeft } };
    }
  }
  return refused ?? { ok: false, code: 'card_not_found' };
}

function readArchiveFile(file: ChunkedBytes): CardFileResult {
  const archive = readArchive(file);
  if (!archive.ok) return archive;
  const createPictureReader =
    (folder: string) =>
    (card: Card): CardPicture => {
      const uri = findIcon(card)?.uri ?? '';
      const name = getEmbeddedName(uri);
      const entry = name === null ? undefined : archive.entries.get(`${folder}${name}`);
      return entry === undefined ? decodeInlinePicture(uri) : unpackPicture(file, entry);
    };
  const read = readCharx(file, archive);
  if (read.ok) return parseCardJson(file, wrapCardJson(read.json), createPictureReader(read.folder));
  if (read.code !== 'card_not_found') return read;
  if (!archive.entries.has(BYAF_MANIFEST)) return { ok: false, code: 'card_archive_unknown' };
  const byaf = readByaf(file, archive.entries);
  if (!byaf.ok) return byaf;
  const card = parseConverted(file, byaf.card, createPictureReader(''));
  return card.ok ? { ...card, info: { ...card.info, chats: byaf.chats } } : card;
}

function unpackPicture(file: ChunkedBytes, entry: ZipEntry): CardPicture {
  const unpacked = unpackEntry(file, entry, BODY_LIMITS.avatar);
  if (unpacked.ok) return { kind: 'bytes', bytes: unpacked.bytes };
  return { kind: unpacked.code === 'card_too_large' ? 'too_large' : 'none' };
}

function readJsonFile(file: ChunkedBytes): CardFileResult {
  const json = readCardText(() => file.iterate({ from: 0, to: file.length }), file.work);
  if (!json.ok) return json;
  const read = parseCardJson(file, json, (card) => {
    const icon = findIcon(card);
    const cut = json.extracted.find(({ assetIndex: place }) => place === icon?.index);
    if (cut === undefined) return decodeInlinePicture(icon?.uri ?? '');
    if (cut.to - cut.from > MAX_ICON_CHARS) return { kind: 'too_large' };
    // Some programs escape every slash with a backslash.
    const uri = new TextDecoder().decode(file.slice(cut.from, cut.to)).replaceAll(String.raw`\/`, '/');
    return decodeInlinePicture(uri);
  });
  return !read.ok && read.code === 'card_not_json' ? readTextFile(file, json.bytes) : read;
}

/** Reads a text that is no JSON document: the YAML of a character, or lines of a chat. */
function readTextFile(file: ChunkedBytes, bytes: Uint8Array): CardFileResult {
  const line = bytes.subarray(0, bytes.subarray(0, MAX_CHAT_HEADER_BYTES).indexOf(NEW_LINE));
  const header = parseUntrustedJson(line, file.work);
  if (header.ok && isChat(header.value)) return { ok: false, code: 'card_is_chat' };
  const text = decodeText(bytes);
  const fields = text === null ? null : parseFlatYaml(text);
  if (fields === null) return { ok: false, code: 'card_not_json' };
  const converted = convertOtherFormat(fields);
  if (converted === null) return { ok: false, code: 'card_not_understood' };
  return parseConverted(file, converted, () => ({ kind: 'none' }));
}

/** Decodes UTF-8; null for anything else. */
function decodeText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function parseCardJson(
  file: ChunkedBytes,
  json: CardJson,
  pictureOf: (card: Card) => CardPicture,
): CardFileResult {
  const read = parseUntrustedJson(json.bytes, file.work);
  if (!read.ok) return read;
  const card = readCard(read.value);
  if (card === null) {
    const converted = isChat(read.value) ? null : convertOtherFormat(read.value);
    return converted === null
      ? { ok: false, code: nameOtherFormat(read.value) }
      : parseConverted(file, converted, pictureOf);
  }
  const icon = findIcon(card);
  const cutFiles =
    json.extractedCount - (json.extracted.some(({ assetIndex: place }) => place === icon?.index) ? 1 : 0);
  return {
    ok: true,
    card,
    json: json.bytes,
    picture: pictureOf(card),
    metadata: new Uint8Array(0),
    info: { extractedFiles: cutFiles, isOlder: false, chats: 0, metadataLeft: 0 },
  };
}

/** Parses a converted character like a file, so that its card is within the limits when it is read again. */
function parseConverted(
  file: ChunkedBytes,
  converted: UnknownFields,
  pictureOf: (card: Card) => CardPicture,
): CardFileResult {
  const bytes = new TextEncoder().encode(JSON.stringify(converted));
  const read = parseUntrustedJson(bytes, file.work);
  if (!read.ok) return read;
  // Without a name it is no card, and must not be converted once more.
  if (readCard(read.value) === null) return { ok: false, code: 'card_not_understood' };
  return parseCardJson(file, wrapCardJson(bytes), pictureOf);
}

/** The error for JSON that is not a character. */
function nameOtherFormat(value: unknown): CardError {
  if (detectLorebook(value) !== null) return 'card_is_lorebook';
  return isChat(value) ? 'card_is_chat' : 'card_not_understood';
}

/** Returns the archive path that a card's URI refers to. The format's own scheme has one d ("embeded"). */
export function getEmbeddedName(uri: string): string | null {
  return /^embedd?ed:\/\/(.+)$/.exec(uri)?.[1] ?? null;
}

/** Decodes a picture that is embedded in the text. Pictures on other sites are never fetched. */
function decodeInlinePicture(uri: string): CardPicture {
  const head = /^data:image\/[a-z0-9.+-]{1,20};base64,/i.exec(uri.slice(0, 64));
  if (head === null) return { kind: 'none' };
  if (uri.length > MAX_ICON_CHARS) return { kind: 'too_large' };
  const bytes = decodeBase64(new TextEncoder().encode(uri.slice(head[0].length)));
  return bytes === null ? { kind: 'none' } : { kind: 'bytes', bytes: joinBytes([bytes]) };
}
