import { joinBytes } from '../../features/picture/bytes.ts';
import { UPLOAD } from '../../features/storage/limits.ts';
import { log } from '../../lib/log.ts';
import { describeError } from '../../lib/redact.ts';
import { toByteStream } from '../../lib/text-stream.ts';

/** Where parts of unfinished uploads are in R2. No address serves them. */
const PREFIX = 'uploads/';

/** @param id of the upload */
export const buildUploadKey = (id: string, number: number): string => `${PREFIX}${id}/${number}`;

/** A received file: in memory, or compressed with its first parts in R2. */
export class UploadedFile {
  readonly #bucket: R2Bucket;
  readonly #keys: readonly string[];
  readonly #rest: readonly Uint8Array[];
  readonly #isCompressed: boolean;

  constructor(
    bucket: R2Bucket,
    content: { keys: readonly string[]; rest: readonly Uint8Array[]; isCompressed: boolean },
  ) {
    this.#bucket = bucket;
    this.#keys = content.keys;
    this.#rest = content.rest;
    this.#isCompressed = content.isCompressed;
  }

  get isEmpty(): boolean {
    return !this.#isCompressed && this.#rest.every(({ length }) => length === 0);
  }

  /** Yields the bytes in order, holding one part at a time. May be called again. */
  async *read(): AsyncGenerator<Uint8Array> {
    if (!this.#isCompressed) {
      yield* this.#rest;
      return;
    }
    // The types of the platform want another kind of buffer than it gives.
    const gunzip = new DecompressionStream('gzip') as ReadableWritablePair<Uint8Array, Uint8Array>;
    yield* toByteStream(this.#readCompressed()).pipeThrough(gunzip);
  }

  async *#readCompressed(): AsyncGenerator<Uint8Array> {
    for (const key of this.#keys) {
      const part = await this.#bucket.get(key);
      if (part === null) throw new Error('A part of an upload is gone');
      yield new Uint8Array(await part.arrayBuffer());
    }
    yield* this.#rest;
  }

  /** Reads the whole file into memory. */
  async readAll(): Promise<Uint8Array[]> {
    return Array.fromAsync(this.read());
  }
}

/**
 * Keeps a file while it arrives: compressed, because chats shrink to a fraction, and beyond some megabytes of that in R2.
 */
export class UploadParts {
  readonly #bucket: R2Bucket;
  readonly #toKey: (number: number) => string;
  readonly #beforePart: () => Promise<void>;
  readonly #keys: string[] = [];
  #blocks: Uint8Array[] = [];
  #held = 0;
  #compression: { writer: WritableStreamDefaultWriter<Uint8Array>; collecting: Promise<void> } | null = null;

  /** @param beforePart called before a part is stored in R2; it may refuse it by throwing */
  constructor(bucket: R2Bucket, toKey: (number: number) => string, beforePart: () => Promise<void>) {
    this.#bucket = bucket;
    this.#toKey = toKey;
    this.#beforePart = beforePart;
  }

  /** Adds the next bytes of the file. Their memory may be used again afterwards. */
  async add(blocks: readonly Uint8Array[]): Promise<void> {
    this.#compression ??= this.#compress();
    const { writer, collecting } = this.#compression;
    // What fails while the output is collected ends the writing, too.
    for (const block of blocks) await Promise.race([writer.write(block), collecting]);
  }

  #compress() {
    const { writable, readable } = new CompressionStream('gzip');
    const collecting = this.#collect(readable as ReadableStream<Uint8Array>);
    collecting.catch(() => {});
    return { writer: writable.getWriter() as WritableStreamDefaultWriter<Uint8Array>, collecting };
  }

  async #collect(compressed: ReadableStream<Uint8Array>): Promise<void> {
    for await (const piece of compressed) {
      this.#blocks.push(piece);
      this.#held += piece.length;
      if (this.#held >= UPLOAD.partBytes) await this.#storePart();
    }
  }

  async #storePart(): Promise<void> {
    await this.#beforePart();
    const key = this.#toKey(this.#keys.length);
    this.#keys.push(key);
    const part = joinBytes(this.#blocks);
    [this.#blocks, this.#held] = [[], 0];
    await this.#bucket.put(key, part);
  }

  /** Ends the file. @param rest what follows the bytes that were added */
  async close(rest: readonly Uint8Array[]): Promise<UploadedFile> {
    if (this.#compression === null)
      return new UploadedFile(this.#bucket, { keys: [], rest, isCompressed: false });
    await this.add(rest);
    const { writer, collecting } = this.#compression;
    await Promise.all([writer.close(), collecting]);
    const content = { keys: this.#keys, rest: this.#blocks, isCompressed: true };
    return new UploadedFile(this.#bucket, content);
  }

  /** Removes what was kept; what fails is left to `removeAbandonedUploads`. */
  async remove(): Promise<void> {
    this.#compression?.writer.abort().catch(() => {});
    if (this.#keys.length === 0) return;
    try {
      await this.#bucket.delete(this.#keys);
    } catch (error) {
      log('clearing_failed', { message: describeError(error) });
    }
  }
}

/** Far longer than an upload may take. */
const ABANDONED_AFTER_MS = 60 * 60_000;

/** Removes parts of uploads whose Worker died, up to a thousand per run; run by cron. */
export async function removeAbandonedUploads({ MEDIA }: Pick<Env, 'MEDIA'>, now: number): Promise<void> {
  const { objects } = await MEDIA.list({ prefix: PREFIX });
  const abandoned = objects.filter(({ uploaded }) => uploaded.getTime() < now - ABANDONED_AFTER_MS);
  if (abandoned.length > 0) await MEDIA.delete(abandoned.map(({ key }) => key));
}
