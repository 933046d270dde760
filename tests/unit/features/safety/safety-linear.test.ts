import { expect, test } from 'vitest';
import { applyRules } from '../../../../src/features/safety/moderation.ts';
import { measureGrowth } from '../../../support/measure-growth.ts';

/** One of each kind of character that the rules distinguish, and pieces that made expressions slow before. */
const PIECES = [
  'a', 'я', 'ア', '六', 'क', '1', "'", '"', '*', '.', ' ', '—', '😂', '\u0336',
  '\u200b', 'ａ', 'k ', 'x1', '15 ', 'sex ', '*a b* ', '"a" ', 'child, ', '十五岁',
  '“', '„', '«', '「', '『', '*a', '— ', 'a\n', 'her.\n',
]; // prettier-ignore

/** In characters; `npm run test:all` measures longer texts. */
const SHORT = process.env.LORELOOM_TEST_ALL === undefined ? 4000 : 16_000;
const LONG = 8 * SHORT;

/** The least processor time of five runs, in microseconds. */
function measureCost(text: string): number {
  const runs = Array.from({ length: 5 }, (_, run) => {
    // A different text each time, because the rules cache recent results.
    const own = `${run} ${text}`;
    const before = process.cpuUsage();
    applyRules(own, { place: 'message', adult: true });
    applyRules(own, { place: 'publication', adult: true });
    const { user, system } = process.cpuUsage(before);
    return user + system;
  });
  return Math.min(...runs);
}

test.each(PIECES)('the processor time for a text that repeats %j is linear in its length', (piece) => {
  const repeatPiece = (length: number) =>
    `sex ${piece.repeat(Math.ceil(length / piece.length)).slice(0, length)}`;
  // Eight times the text may take at most 14 times the processor time.
  const bounds = { short: SHORT, long: LONG, limit: 14 };
  expect(measureGrowth((length) => measureCost(repeatPiece(length)), bounds)).toBeLessThan(bounds.limit);
});
