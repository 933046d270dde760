import { CARD } from '../character/limits.ts';

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OBJECT, LIST] = [0x7b, 0x5b];
const CLOSING = new Set([0x7d, 0x5d]);
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** What the address of a file begins with that is written into the text itself. */
const DATA = bytesOf('data:');
/** The format's own word for a file that is not there: programs take theirs. */
const NOWHERE = bytesOf('ccdefault:');
/** The way to an address from the root: the fields and what is in them. */
const WAY = [OBJECT, OBJECT, LIST, OBJECT];
const KEYS = [null, 'data', 'assets', null];
const ADDRESS = 'uri';
/** No key on the way is longer. */
const MAX_KEY_LETTERS = 8;

/** A file that was cut out of a text. */
export interface CutFile {
  /** Which of the card's assets it was, from 0. */
  place: number;
  /** Where its address stands in the text, within its quotes. */
  from: number;
  to: number;
}

type Within = 'json' | 'text' | 'key' | 'address' | 'file';

/**
 * Takes the files out of a card's JSON that are written into it (`data.assets[].uri`, as `data:` addresses), while it comes
 * by: what stays is all that has to be held. It need not be JSON: that is told when what stays is parsed.
 */
export class FileSieve {
  /** What stays. */
  readonly kept: Uint8Array[] = [];
  keptBytes = 0;
  /** The first ones, as many as are read of a list. */
  cut: CutFile[] = [];
  /** All that were cut. */
  count = 0;

  #within: Within = 'json';
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
        if (byte === DATA[this.#alike]) {
          this.#alike += 1;
          if (this.#alike === DATA.length) this.#within = 'file';
          continue;
        }
        this.#keep(DATA.subarray(0, this.#alike));
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
      } else if (this.#within === 'key' && this.#key.length <= MAX_KEY_LETTERS) {
        this.#key += String.fromCharCode(byte);
      }
    }
    if (this.#within !== 'file' && this.#within !== 'address') this.#keep(piece.subarray(from));
    this.#passed += piece.length;
  }

  #isAddressNext(): boolean {
    const isThere = this.#onWay === WAY.length && this.#depth === WAY.length;
    return isThere && !this.#isKeyNext && this.#key === ADDRESS;
  }

  /** What stands between texts. */
  #pass(byte: number): void {
    const isOnWay = this.#depth === this.#onWay;
    if (byte === OBJECT || byte === LIST) {
      const key = KEYS[this.#depth];
      if (isOnWay && byte === WAY[this.#depth] && (key === null || key === this.#key)) this.#enter();
      this.#depth += 1;
    } else if (CLOSING.has(byte)) {
      if (isOnWay) this.#onWay -= 1;
      this.#depth -= 1;
    } else if (isOnWay && byte === COLON) this.#isKeyNext = false;
    else if (isOnWay && byte === COMMA) {
      if (WAY[this.#onWay - 1] === LIST) this.#place += 1;
      else this.#isKeyNext = true;
    }
  }

  /** One level further on the way. */
  #enter(): void {
    this.#onWay += 1;
    this.#isKeyNext = WAY[this.#onWay - 1] === OBJECT;
    this.#key = '';
    if (this.#onWay === WAY.length) return;
    // A field that is there twice counts the last time.
    this.#place = 0;
    this.cut = [];
    this.count = 0;
  }

  #note(to: number): void {
    this.#keep(NOWHERE);
    this.count += 1;
    if (this.cut.length < CARD.maxListed) this.cut.push({ place: this.#place, from: this.#begun, to });
  }

  #keep(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.kept.push(bytes);
    this.keptBytes += bytes.length;
  }
}
