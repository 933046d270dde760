import { describe, expect, test } from 'vitest';
import { measureRepeatedShares } from '../../../../support/long-story.ts';

describe('Beginnings of prompts', () => {
  test('a prompt repeats at least 95 % of the previous one at the median, and 90 % over any 200 turns', () => {
    const { median, least } = measureRepeatedShares(16_384, 400);
    expect(median).toBeGreaterThanOrEqual(0.95);
    expect(least).toBeGreaterThanOrEqual(0.9);
  });
});
