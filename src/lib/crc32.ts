const POLYNOMIAL = 0xedb88320;

let table: Uint32Array | null = null;

function createTable(): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, byte) => {
    let sum = byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum & 1) === 1 ? (sum >>> 1) ^ POLYNOMIAL : sum >>> 1;
    return sum;
  });
}

/** Computes the checksum of ZIP and PNG, for browsers; the Worker has a faster one in `node:zlib`. */
export function computeCrc32(bytes: Uint8Array): number {
  table ??= createTable();
  let sum = 0xffffffff;
  for (const byte of bytes) sum = (table[(sum ^ byte) & 0xff] as number) ^ (sum >>> 8);
  return (sum ^ 0xffffffff) >>> 0;
}
