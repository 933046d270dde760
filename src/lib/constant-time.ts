import { timingSafeEqual } from 'node:crypto';

/** Compares two texts in time that does not depend on where they differ, only on their lengths. */
export function equalInConstantTime(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
}
