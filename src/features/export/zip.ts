import { crc32, createDeflateRaw } from 'node:zlib';
import { Zip, type ZipInputFile } from 'fflate';

/** A file of an archive. Its bytes are asked for when it is its turn, and no sooner. */
export interface ArchiveFile {
  /** With `/` between folders. */
  path: string;
  /** When it was last changed, in milliseconds since 1970. */
  at: number;
  /** Already small, such as a picture: packing it would only take time. */
  isCompressed?: boolean;
  body: AsyncIterable<Uint8Array>;
}

/** What the format can tell: two seconds exactly, from 1980 to 2099. */
const MIN_TIME_MS = Date.UTC(1980, 0, 2);
const MAX_TIME_MS = Date.UTC(2099, 11, 30);

/** How hard it is tried: the level costs a fourth of the usual one's time, and an archive a sixth more. */
const COMPRESSION_LEVEL = 1;

/**
 * A ZIP archive, piece by piece: of all its files only what was read last is held, and nothing more is read before it is
 * taken. Names are in UTF-8; times are UTC.
 * @throws what a file's bytes throw: the archive then ends unfinished, and no program takes it for a whole one
 */
export async function* streamZip(files: AsyncIterable<ArchiveFile>): AsyncGenerator<Uint8Array> {
  const out: Uint8Array[] = [];
  const archive = new Zip((error, chunk) => {
    if (error !== null) throw error;
    if (chunk.length > 0) out.push(chunk);
  });
  for await (const file of files) {
    const entry: ZipInputFile = {
      filename: file.path,
      mtime: Math.min(MAX_TIME_MS, Math.max(MIN_TIME_MS, file.at)),
      compression: file.isCompressed === true ? 0 : 8,
      size: 0,
      crc: 0,
    };
    archive.add(entry);
    const counted = trackChecksum(file.body, entry);
    for await (const chunk of file.isCompressed === true ? counted : compressStream(counted)) {
      entry.ondata?.(null, chunk as Uint8Array<ArrayBuffer>, false);
      yield* out.splice(0);
    }
    entry.ondata?.(null, new Uint8Array(0), true);
    yield* out.splice(0);
  }
  archive.end();
  yield* out.splice(0);
}

/** Counts what passes, and its checksum, into the entry that it belongs to. */
async function* trackChecksum(
  body: AsyncIterable<Uint8Array>,
  entry: ZipInputFile,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    entry.crc = crc32(chunk, entry.crc);
    entry.size += chunk.length;
    yield chunk;
  }
}

/** Packs what passes; each piece is packed before the next one is asked for. */
async function* compressStream(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const out: Uint8Array[] = [];
  const deflate = createDeflateRaw({ level: COMPRESSION_LEVEL });
  deflate.on('data', (chunk: Uint8Array) => out.push(chunk));
  const failed = new Promise<never>((_, reject) => deflate.once('error', reject));
  failed.catch(() => undefined);
  try {
    for await (const chunk of body) {
      await Promise.race([failed, new Promise((done) => deflate.write(chunk, done))]);
      yield* out.splice(0);
    }
    const ended = new Promise((done) => deflate.once('end', done));
    deflate.end();
    await Promise.race([failed, ended]);
    yield* out.splice(0);
  } finally {
    deflate.destroy();
  }
}
