import { crc32, createDeflateRaw } from 'node:zlib';
import { Zip, type ZipInputFile } from 'fflate';

/** A file of an archive. Its body is read only when its turn comes. */
export interface ArchiveFile {
  /** Uses `/` between folders. */
  path: string;
  /** Last modification, in ms since 1970. */
  at: number;
  /** True for formats that are already compressed, such as pictures; the file is stored as it is. */
  isCompressed?: boolean;
  body: AsyncIterable<Uint8Array>;
}

/** ZIP timestamps range from 1980 to 2099, with a resolution of two seconds. */
const MIN_TIME_MS = Date.UTC(1980, 0, 2);
const MAX_TIME_MS = Date.UTC(2099, 11, 30);

/** Level 1 takes a quarter of the default level's time; the archive is one sixth larger. */
const COMPRESSION_LEVEL = 1;

/**
 * Streams a ZIP archive. Only the last chunk read is in memory, and the next is read once the consumer takes it. Names
 * are UTF-8; times are UTC.
 * @throws the error of a file's body; the archive is then incomplete, and no program accepts it as whole
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

/** Updates the size and checksum of the entry as its bytes pass through. */
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

/** Compresses chunk by chunk; the next chunk is read after the previous one is compressed. */
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
