import { readAscii, readUint } from './bytes.ts';

const ORIENTATION = 0x0112;
const SHORT = 3;
const ENTRY_BYTES = 12;

/** Reads the orientation from an Exif directory, 2 to 8; null if the picture needs no rotation. */
export function readOrientation(tiff: Uint8Array): number | null {
  const order = readAscii(tiff, 0, 2) === 'II' ? 'little' : 'big';
  const directory = readUint(tiff, 4, 4, order);
  const entries = readUint(tiff, directory, 2, order);
  for (let entry = 0; directory > 0 && entry < entries; entry += 1) {
    const at = directory + 2 + entry * ENTRY_BYTES;
    if (at >= tiff.length) return null;
    if (readUint(tiff, at, 2, order) !== ORIENTATION || readUint(tiff, at + 2, 2, order) !== SHORT) continue;
    const value = readUint(tiff, at + 8, 2, order);
    return value >= 2 && value <= 8 ? value : null;
  }
  return null;
}

/** Builds a minimal TIFF directory with this one entry. */
export function buildOrientationDirectory(orientation: number): number[] {
  const head = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8];
  const entry = [ORIENTATION >> 8, ORIENTATION & 0xff, 0, SHORT, 0, 0, 0, 1, 0, orientation, 0, 0];
  return [...head, 0, 1, ...entry, 0, 0, 0, 0];
}
