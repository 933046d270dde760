import { timingSafeEqual as compareBytes } from 'node:crypto';

const encoder = new TextEncoder();

/** Compares two texts in constant time; a different length returns early, so use it for values of fixed length. */
export function timingSafeEqual(a: string, b: string): boolean {
  const [first, second] = [encoder.encode(a), encoder.encode(b)];
  return first.length === second.length && compareBytes(first, second);
}
