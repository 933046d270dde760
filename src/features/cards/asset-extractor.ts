import { CARD } from '../character/limits.ts';

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OBJECT, LIST] = [0x7b, 0x5b];
const CLOSING = new Set([0x7d, 0x5d]);
const encodeText = (text: string): Uint8Array => new TextEncoder().encode(text);

/** What the address of a file begins with that is written into the text itself. */
const DATA_URI_PREFIX = encodeText('data:');
/** The format's own word for a file that is not there: programs take theirs. */
const MISSING_ASSET_URI = encodeText('ccdefault:');
/** The way to an address from the root: the fields and what is in them. */
const CONTAINER_PATH = [OBJECT, OBJECT, LIST, OBJECT];
const KEY_PATH = [null, 'data', 'assets', null];
const URI_KEY = 'uri';
/** No key on the way is longer. */
const MAX_KEY_CHARS = 8;

/** A file that was cut out of a text. */
export interface ExtractedFile {
  /** Which of the card's assets it was, from 0. */
  assetIndex: number;
  /** Where its address stands in the text, within its quotes. */
  from: number;
  to: number;
}

type ScanState = 'json' | 'text' | 'key' | 'address' | 'file';

/**
 * Takes the files out of a card's JSON that are written into it (`data.assets[].uri`, as `data:` addresses), while it comes
 * by: what stays is all that has to be held. It need not be JSON: that is told when what stays is parsed.
 */
export class AssetExtractor {
  /** What stays. */
  readonly remaining: Uint8Array[] = [];
  remainingBytes = 0;
  /** The first ones, as many as are read of a list. */
  extracted: ExtractedFile[] = [];
  /** All that were cut. */
  extractedCount = 0;

  #within: ScanState = 'json';
  #escaped = false;
  #depth = 0;
  /** How many levels from the root are on the way to an address. */
  #onWay = 0;
  #place = 0;
  #key = '';
  #isKeyNext = false;
  /** How much of the text came before this piece. */
  #passed = 0;
  /** Of an address: where it begins, and how much of it is as that of a file. */
  #begun = 0;
  #alike = 0;

  push(piece: Uint8Array): void {
    // From here on, the piece was neither kept nor cut.
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
        // No key on the way has one.
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

  /** What stands between texts. */
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

  /** One level further on the way. */
  #enter(): void {
    this.#onWay += 1;
    this.#isKeyNext = CONTAINER_PATH[this.#onWay - 1] === OBJECT;
    this.#key = '';
    if (this.#onWay === CONTAINER_PATH.length) return;
    // A field that is there twice counts the last time.
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
