import { parseArgs } from 'node:util';
import { findCrisis } from '../../src/features/safety/decisions.ts';
import { explain } from '../../src/features/safety/explain.ts';
import { applyRules } from '../../src/features/safety/moderation.ts';

// `npm run safety:explain -- "text"`: prints the labels of a text, their scores, and the features with the most weight.

const { positionals } = parseArgs({ allowPositionals: true });
const text = positionals.join(' ');
if (text === '') {
  console.error('Usage: npm run safety:explain -- "text"');
  process.exit(2);
}

const { probabilities, explanations } = explain(text);
console.log('label            likely');
for (const [label, probability] of Object.entries(probabilities))
  console.log(`${label.padEnd(14)} ${(100 * probability).toFixed(1).padStart(6)} %`);
for (const { label, sentence, features } of explanations) {
  const why = features.length > 0 ? 'most of all in' : 'known exactly from';
  console.log(`\n${label}, ${why}: ${sentence}`);
  for (const { feature, weight } of features)
    console.log(`  ${weight > 0 ? '+' : '−'}${Math.abs(weight).toFixed(2)}  ${feature}`);
}
const refused = (['message', 'reply', 'publication'] as const).map((place) => {
  const verdict = applyRules(text, { place, adult: false });
  return `${place}: ${verdict.ok ? 'allowed' : `refused (${verdict.rule})`}`;
});
console.log(`\nAs a ${refused.join(' · ')} · helplines: ${findCrisis(text) ?? 'none'}`);
