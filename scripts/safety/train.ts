import { writeFileSync } from 'node:fs';
import { computeFingerprint, isTest, readTexts } from './data.ts';
import { encodeWeights } from './encoding.ts';
import { train } from './training.ts';

// `npm run safety:train`: trains the weights of the text classifier on data/safety.

const texts = readTexts().filter((text) => !isTest(text));
const began = performance.now();
const seconds = () => ((performance.now() - began) / 1000).toFixed(0);
const model = train(texts, (step) => console.log(`${seconds()} s: ${step}`));
const bytes = encodeWeights(model, computeFingerprint(texts));
writeFileSync(new URL('../../data/safety/weights.bin', import.meta.url), bytes);
console.log(
  `Learned from ${texts.length} texts in ${seconds()} s: data/safety/weights.bin, ${bytes.length} bytes. \`npm run safety:measure\` says how good they are.`,
);
