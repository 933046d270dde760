// Which share of a prompt the next one repeats from its beginning, so that the provider has it already. Pure computation on a
// conversation with a lorebook, pinned messages and notes; nothing is asked.
import { measureRepeatedShares } from '../../tests/support/long-story.ts';
import { formatTable, judgeAim } from './figures.mjs';

const TURNS = 600;
const QUICK_TURNS = 250;
const AIM_TOKENS = 16_384;

const formatShare = (share) => `${(100 * share).toFixed(1)} %`;

/** @param {import('./run.mjs').Bench} bench */
export async function measurePrompts({ quick }) {
  const turns = quick ? QUICK_TURNS : TURNS;
  const windows = [8192, AIM_TOKENS, 32_768].map((contextTokens) => ({
    contextTokens,
    ...measureRepeatedShares(contextTokens, turns),
  }));
  const { median, least } = windows.find(({ contextTokens }) => contextTokens === AIM_TOKENS);
  return [
    `${turns} turns of 400 tokens with a lorebook, pinned messages and notes.`,
    formatTable(
      'context, tokens | repeated, median | mean | least mean of 200 turns',
      windows.map((one) => [
        one.contextTokens.toLocaleString('en'),
        formatShare(one.median),
        formatShare(one.mean),
        formatShare(one.least),
      ]),
    ),
    [
      judgeAim(
        'At 16,384 tokens at most 5 % of a prompt are not repeated, at the median',
        100 * (1 - median),
        5,
        '%',
      ),
      judgeAim('At 16,384 tokens at most 10 % are not, over any 200 turns', 100 * (1 - least), 10, '%'),
    ].join('\n'),
  ].join('\n\n');
}
