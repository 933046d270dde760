import { expect, test } from 'vitest';
import { limitTemperature } from '../../../src/vendors/temperature.ts';

test.each([
  ['https://api.moonshot.ai/v1', 1.1, 1],
  ['https://api.minimax.io/v1', 0, 0.01],
  ['https://api.minimax.io/v1', 1.1, 1],
  ['https://api.mistral.ai/v1', 2, 1.5],
  ['https://api.openai.com/v1', 2, 2],
  ['https://api.moonshot.ai/v1', 0.9, 0.9],
  ['http://127.0.0.1:11434/v1', 1.37, 1.37],
  ['not an address', 0.9, 0.9],
])('%s is asked for a temperature of %f as %f', (baseUrl, wanted, sent) => {
  expect(limitTemperature(baseUrl, wanted)).toBe(sent);
});
