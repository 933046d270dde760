import { expect, test } from 'vitest';
import { applyRules } from '../../src/features/safety/moderation.ts';

/** One of each kind of signs that the rules tell apart, and what once made expressions slow. */
const PIECES = [
  'a', 'я', 'ア', '六', 'क', '1', "'", '"', '*', '.', ' ', '—', '😂', '\u0336',
  '\u200b', 'ａ', 'k ', 'x1', '15 ', 'sex ', '*a b* ', '"a" ', 'child, ', '十五岁',
  '“', '„', '«', '「', '『', '*a', '— ', 'a\n', 'her.\n',
]; // prettier-ignore

const SHORT = 16_000;
const LONG = 128_000;

/** The least processor time of five runs, in microseconds. */
function costOf(text: string): number {
  const runs = Array.from({ length: 5 }, (_, run) => {
    // A text of its own each time: the rules remember the last ones.
    const own = `${run} ${text}`;
    const before = process.cpuUsage();
    applyRules(own, { place: 'message', adult: true });
    applyRules(own, { place: 'publication', adult: true });
    const { user, system } = process.cpuUsage(before);
    return user + system;
  });
  return Math.min(...runs);
}

test.each(PIECES)('a text of %j alone takes time by its length', (piece) => {
  const of = (length: number) => `sex ${piece.repeat(Math.ceil(length / piece.length)).slice(0, length)}`;
  costOf(of(SHORT));
  const short = Math.max(500, costOf(of(SHORT)));
  // Eight times the text, and at most 14 times the processor time.
  expect(costOf(of(LONG)) / short).toBeLessThan(14);
});
