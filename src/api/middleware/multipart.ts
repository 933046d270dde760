import { type BodyDeadline, BodyTimeoutError, readBody } from '../../lib/read-body.ts';

/** A parsed multipart form. */
export interface UploadedForm {
  fields: Record<string, string>;
  /** The bytes of the file field in blocks, after those that were stored while it arrived; null when it is missing. */
  file: Uint8Array[] | null;
}

export interface FormLimits {
  /** Name of the field that carries the file. */
  fileField: string;
  maxFileBytes: number;
  /** Limit for everything except the file's bytes. */
  maxFrameBytes: number;
}

export type FormResult =
  | { ok: true; form: UploadedForm }
  | { ok: false; code: 'too_large' | 'invalid_input' | 'request_timeout' };

/** How a form is received. */
export interface FormReceiver {
  deadline: BodyDeadline;
  onPiece(): void;
  /** Bytes of the file that are held before `store` gets them. */
  maxHeldBytes: number;
  /** Stores the next bytes of the file; the blocks are used again afterwards. */
  store(blocks: readonly Uint8Array[]): Promise<void>;
}

/** Maximum length of a part's header in bytes. */
const MAX_HEAD_BYTES = 8 * 1024;
/** An oversized body is read and discarded up to this multiple of the limit, so that the client receives the refusal. */
const MAX_OVERRUN_FACTOR = 2;

const encoder = new TextEncoder();
const HEAD_END = encoder.encode('\r\n\r\n');
const CR = 13;
const LF = 10;
const DASH = 45;

/** Returns the boundary from a content type; null when it is not a multipart form. */
export function parseBoundary(contentType: string): string | null {
  if (!/^multipart\/form-data\s*;/i.test(contentType)) return null;
  const found = /;\s*boundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(contentType);
  return found?.[1] ?? found?.[2] ?? null;
}

/**
 * Parses a multipart form while it arrives. The runtime's own parser holds a body twice; this one holds only the current
 * chunk and as much of the file as its receiver wants.
 */
export async function readForm(
  body: ReadableStream<Uint8Array>,
  boundary: string,
  limits: FormLimits,
  { deadline, onPiece, maxHeldBytes, store }: FormReceiver,
): Promise<FormResult> {
  const parser = new FormParser(boundary, limits);
  const maxBytes = limits.maxFileBytes + limits.maxFrameBytes;
  let bytes = 0;
  let refusal: 'too_large' | 'invalid_input' | null = null;
  try {
    for await (const piece of readBody(body, deadline)) {
      onPiece();
      bytes += piece.length;
      // Stop reading: the rest is not worth waiting for.
      if (bytes > maxBytes * MAX_OVERRUN_FACTOR) return { ok: false, code: 'too_large' };
      if (refusal === null) refusal = parser.feed(piece);
      if (refusal !== null || parser.heldFileBytes < maxHeldBytes) continue;
      const blocks = parser.takeFileBlocks();
      await store(blocks);
      parser.reuseFileBlocks(blocks);
    }
  } catch (error) {
    if (error instanceof BodyTimeoutError) return { ok: false, code: 'request_timeout' };
    throw error;
  }
  if (refusal === null && !parser.finished) refusal = 'invalid_input';
  return refusal === null ? { ok: true, form: parser.form } : { ok: false, code: refusal };
}

class FormParser {
  readonly form: UploadedForm = { fields: {}, file: null };
  finished = false;
  readonly #delimiter: Uint8Array;
  readonly #limits: FormLimits;
  /** Bytes not parsed yet. Starts with CRLF, because the first delimiter may lack the line break before it. */
  #held: Uint8Array = Uint8Array.of(CR, LF);
  /** The memory of `#held`, which each chunk uses again. */
  #buffer = new Uint8Array(0);
  #state: 'text' | 'delimiter' | 'head' = 'text';
  /** The part being read; null before the first one. */
  #part: { name: string; bytes: ByteBlocks } | null = null;
  #fileBytes = 0;
  #frameBytes = 0;

  constructor(boundary: string, limits: FormLimits) {
    this.#delimiter = encoder.encode(`\r\n--${boundary}`);
    this.#limits = limits;
  }

  /** Bytes of the file that this holds, while the file arrives. */
  get heldFileBytes(): number {
    return this.#part?.name === this.#limits.fileField ? this.#part.bytes.length : 0;
  }

  /** Hands over the bytes of the file that have arrived. */
  takeFileBlocks(): Uint8Array[] {
    return this.#part?.bytes.takeBlocks() ?? [];
  }

  /** Takes back the memory of bytes that were stored. */
  reuseFileBlocks(blocks: readonly Uint8Array[]): void {
    this.#part?.bytes.reuse(blocks);
  }

  /** Parses the next bytes. Returns the refusal as soon as it is certain. */
  feed(piece: Uint8Array): 'too_large' | 'invalid_input' | null {
    if (this.finished) return null;
    this.#hold(piece);
    for (;;) {
      const before = this.#held.length;
      const state = this.#state;
      const refusal =
        state === 'text' ? this.#text() : state === 'delimiter' ? this.#afterDelimiter() : this.#head();
      if (refusal !== null || this.finished) return refusal;
      // No state change and nothing consumed: wait for more bytes.
      if (this.#state === state && this.#held.length === before) return null;
    }
  }

  /** Adds a chunk to the bytes that are not parsed yet. */
  #hold(piece: Uint8Array): void {
    const length = this.#held.length + piece.length;
    if (length > this.#buffer.length) {
      const larger = new Uint8Array(length * 2);
      larger.set(this.#held);
      this.#buffer = larger;
    } else if (this.#held.buffer === this.#buffer.buffer) {
      this.#buffer.copyWithin(0, this.#held.byteOffset, this.#held.byteOffset + this.#held.length);
    } else this.#buffer.set(this.#held);
    this.#buffer.set(piece, this.#held.length);
    this.#held = this.#buffer.subarray(0, length);
  }

  #text(): 'too_large' | 'invalid_input' | null {
    const at = findBytes(this.#held, this.#delimiter);
    // The end of the buffer may be the start of a delimiter.
    const end = at === -1 ? Math.max(0, this.#held.length - this.#delimiter.length + 1) : at;
    const refusal = this.#keep(this.#held.subarray(0, end));
    if (refusal !== null) return refusal;
    this.#held = this.#held.subarray(at === -1 ? end : at + this.#delimiter.length);
    if (at === -1) return null;
    this.#state = 'delimiter';
    return this.#closePart();
  }

  #afterDelimiter(): 'invalid_input' | null {
    const [first, second] = this.#held;
    if (first === undefined || second === undefined) return null;
    if (first === DASH && second === DASH) {
      this.finished = true;
      return null;
    }
    if (first !== CR || second !== LF) return 'invalid_input';
    // Keep the line break: a header without lines ends with the same bytes.
    this.#state = 'head';
    return null;
  }

  #head(): 'too_large' | 'invalid_input' | null {
    const at = findBytes(this.#held, HEAD_END);
    if (at === -1) return this.#held.length > MAX_HEAD_BYTES ? 'invalid_input' : null;
    const head = new TextDecoder().decode(this.#held.subarray(0, at));
    const name =
      /^content-disposition:\s*form-data\s*;(?:[^\r\n]*;)?\s*name=(?:"([^"\r\n]*)"|([^\s;"]+))/im.exec(head);
    if (name === null) return 'invalid_input';
    this.#frameBytes += at + HEAD_END.length;
    this.#part = { name: name[1] ?? name[2] ?? '', bytes: new ByteBlocks() };
    this.#held = this.#held.subarray(at + HEAD_END.length);
    this.#state = 'text';
    return this.#frameBytes > this.#limits.maxFrameBytes ? 'too_large' : null;
  }

  #keep(bytes: Uint8Array): 'too_large' | null {
    if (this.#part?.name === this.#limits.fileField) this.#fileBytes += bytes.length;
    else this.#frameBytes += bytes.length;
    if (this.#fileBytes > this.#limits.maxFileBytes || this.#frameBytes > this.#limits.maxFrameBytes) {
      this.form.file = null;
      this.#part = null;
      return 'too_large';
    }
    this.#part?.bytes.add(bytes);
    return null;
  }

  #closePart(): 'invalid_input' | null {
    const part = this.#part;
    this.#part = null;
    if (part === null) return null;
    if (part.name === this.#limits.fileField) {
      // Two files are ambiguous.
      if (this.form.file !== null) return 'invalid_input';
      this.form.file = part.bytes.getBlocks();
      return null;
    }
    if (Object.hasOwn(this.form.fields, part.name) || part.name === '__proto__') return 'invalid_input';
    const decoder = new TextDecoder();
    const text = part.bytes
      .getBlocks()
      .map((piece) => decoder.decode(piece, { stream: true }))
      .join('');
    this.form.fields[part.name] = text + decoder.decode();
    return null;
  }
}

const BLOCK_BYTES = 256 * 1024;

/** Collects bytes into blocks whose size does not depend on the size of the chunks. */
class ByteBlocks {
  #full: Uint8Array[] = [];
  /** Bytes in all blocks. */
  length = 0;
  /** Whole blocks whose bytes are no longer needed. */
  #spare: Uint8Array[] = [];
  #block: Uint8Array = new Uint8Array(0);
  #used = 0;

  add(bytes: Uint8Array): void {
    this.length += bytes.length;
    let from = 0;
    while (from < bytes.length) {
      if (this.#used === this.#block.length) this.#next(bytes.length - from);
      const part = bytes.subarray(from, from + this.#block.length - this.#used);
      this.#block.set(part, this.#used);
      this.#used += part.length;
      from += part.length;
    }
  }

  /** Block sizes double up to BLOCK_BYTES, so that a short field does not take a whole block. */
  #next(wanted: number): void {
    if (this.#used > 0) this.#full.push(this.#block);
    this.#block =
      this.#spare.pop() ?? new Uint8Array(Math.min(BLOCK_BYTES, Math.max(wanted, this.#block.length * 2)));
    this.#used = 0;
  }

  reuse(blocks: readonly Uint8Array[]): void {
    this.#spare = blocks.filter(({ length }) => length === BLOCK_BYTES);
  }

  /** Returns the blocks and begins again without any. */
  takeBlocks(): Uint8Array[] {
    const blocks = this.getBlocks();
    this.#full = [];
    this.#block = new Uint8Array(0);
    this.#used = 0;
    this.length = 0;
    return blocks;
  }

  getBlocks(): Uint8Array[] {
    return this.#used === 0 ? this.#full : [...this.#full, this.#block.subarray(0, this.#used)];
  }
}

/** Returns the first index of one byte sequence in another, or -1. */
function findBytes(bytes: Uint8Array, wanted: Uint8Array): number {
  const first = wanted[0] as number;
  const last = bytes.length - wanted.length;
  for (let at = bytes.indexOf(first); at !== -1 && at <= last; at = bytes.indexOf(first, at + 1)) {
    let length = 1;
    while (length < wanted.length && bytes[at + length] === wanted[length]) length += 1;
    if (length === wanted.length) return at;
  }
  return -1;
}
