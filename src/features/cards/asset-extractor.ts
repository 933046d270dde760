import { CARD } from '../character/limits.ts';

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OBJECT, LIST] = [0x7b, 0x5b];
const CLOSING = new Set([0x7d, 0x5d]);
const encodeText = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Prefix of a URI that contains the file itself. */
const DATA_URI_PREFIX = encodeText('data:');
/** The format's own URI for a missing file: programs then use their default. */
const MISSING_ASSET_URI = encodeText('ccdefault:');
/** The path from the root to a URI: the containers, and the keys in them. */
const CONTAINER_PATH = [OBJECT, OBJECT, LIST, OBJECT];
const KEY_PATH = [null, 'data', 'assets', null];
const URI_KEY = 'uri';
/** The longest key on the path is shorter. */
const MAX_KEY_CHARS = 8;

/** A file that was cut out of a text. */
export interface ExtractedFile {
  /** Index in the card's list of assets, from 0. */
  assetIndex: number;
  /** Start of its URI in the text, inside the quotes. */
  from: number;
  to: number;
}

type ScanState = 'json' | 'text' | 'key' | 'address' | 'file';

/**
 * Cuts files that are embedded in a card's JSON (`data.assets[].uri`, as `data:` URIs) out of a stream, so that only
 * the rest has to be held in memory. Invalid JSON is accepted here and refused when the rest is parsed.
 */
export class AssetExtractor {
  /** The text without the files. */
  readonly remaining: Uint8Array[] = [];
  remainingBytes = 0;
  /** The first files, up to the number of list entries that are read. */
  extracted: ExtractedFile[] = [];
  /** The number of all files that were cut out. */
  extractedCount = 0;

  #within: ScanState = 'json';
  #escaped = false;
  #depth = 0;
  /** How many levels from the root match the path to a URI. */
  #onWay = 0;
  #place = 0;
  #key = '';
  #isKeyNext = false;
  /** Bytes of the text before this piece. */
  #passed = 0;
  /** Of the current URI: where it starts, and how many of its bytes match the `data:` prefix. */
  #begun = 0;
  #alike = 0;

  push(piece: Uint8Array): void {
    // Bytes of the piece from here on are neither kept nor cut yet.
    let from = 0;
    for (let at = 0; at < piece.length; at += 1) {
      const byte = piece[at] as number;
      if (this.#within === 'address') {
        if (byte === DATA_URI_PREFIX[this.#alike]) {
          this.#alike += 1;
          if (this.#alike === DATA_URI_PREFIX.length) this.#within = 'file';
          continue;
        }
        this.#keep(DATA_URI_PREFIX.subarray(0, this.#alike));
        from = at;
        this.#within = 'text';
      }
      if (this.#within === 'json') {
        if (byte !== QUOTE) this.#pass(byte);
        else if (this.#isAddressNext()) {
          this.#keep(piece.subarray(from, at + 1));
          this.#begun = this.#passed + at + 1;
          this.#alike = 0;
          this.#within = 'address';
        } else if (this.#isKeyNext && this.#depth === this.#onWay) {
          this.#key = '';
          this.#within = 'key';
        } else this.#within = 'text';
      } else if (this.#escaped) this.#escaped = false;
      else if (byte === BACKSLASH) {
        this.#escaped = true;
        // No key on the path contains an escape, so make the key differ.
        if (this.#within === 'key') this.#key += ' ';
      } else if (byte === QUOTE) {
        if (this.#within === 'file') {
          this.#note(this.#passed + at);
          from = at;
        }
        this.#within = 'json';
      } else if (this.#within === 'key' && this.#key.length <= MAX_KEY_CHARS) {
        this.#key += String.fromCharCode(byte);
      }
    }
    if (this.#within !== 'file' && this.#within !== 'address') this.#keep(piece.subarray(from));
    this.#passed += piece.length;
  }

  #isAddressNext(): boolean {
    const isAtAddressDepth = this.#onWay === CONTAINER_PATH.length && this.#depth === CONTAINER_PATH.length;
    return isAtAddressDepth && !this.#isKeyNext && this.#key === URI_KEY;
  }

  /** Handles a byte outside of strings. */
  #pass(byte: number): void {
    const isOnPath = this.#depth === this.#onWay;
    if (byte === OBJECT || byte === LIST) {
      const key = KEY_PATH[this.#depth];
      if (isOnPath && byte === CONTAINER_PATH[this.#depth] && (key === null || key === this.#key))
        this.#enter();
      this.#depth += 1;
    } else if (CLOSING.has(byte)) {
      if (isOnPath) this.#onWay -= 1;
      this.#depth -= 1;
    } else if (isOnPath && byte === COLON) this.#isKeyNext = false;
    else if (isOnPath && byte === COMMA) {
      if (CONTAINER_PATH[this.#onWay - 1] === LIST) this.#place += 1;
      else this.#isKeyNext = true;
    }
  }

  /** Enters the next level of the path. */
  #enter(): void {
    this.#onWay += 1;
    this.#isKeyNext = CONTAINER_PATH[this.#onWay - 1] === OBJECT;
    this.#key = '';
    if (this.#onWay === CONTAINER_PATH.length) return;
    // Of a repeated field, the last one counts.
    this.#place = 0;
    this.extracted = [];
    this.extractedCount = 0;
  }

  #note(to: number): void {
    this.#keep(MISSING_ASSET_URI);
    this.extractedCount += 1;
    if (this.extracted.length < CARD.maxListed)
      this.extracted.push({ assetIndex: this.#place, from: this.#begun, to });
  }

  #keep(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.remaining.push(bytes);
    this.remainingBytes += bytes.length;
  }
}
