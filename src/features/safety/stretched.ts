/**
 * What makes a text longer and is gone once it is made alike: the same sign again and again, marks upon letters, signs that
 * nobody sees, runs of blanks and stars.
 */
const STRETCH =
  /(.)\1{2,}|[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\p{Default_Ignorable_Code_Point}]+|[\s_,*#\-\u2010-\u2015]{3,}/gsu;

/** In UTF-16 units: what is made alike may be so much shorter, and whoever reads on with the words before has still enough of them. */
export const STRETCHED_AT_MOST = 16;
/** In UTF-16 units: so much before what is new is looked at. A word that begins before it is stretched within it. */
const BEFORE = 300;

/**
 * Whether the end of a text that grows is much longer than what it says. Then no part of it stands for the whole, and it is
 * to be looked at as a whole.
 * @param fresh how much of its end is new
 */
export function isStretched(text: string, fresh: number): boolean {
  let shorter = 0;
  for (const [run] of text.slice(-(fresh + BEFORE)).matchAll(STRETCH)) {
    shorter += run.length;
    if (shorter > STRETCHED_AT_MOST) return true;
  }
  return false;
}
