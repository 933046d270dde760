import { expect, test } from 'vitest';
import { formatCountdown, getSecondsLeft } from '../../../../src/islands/shared/retry-wait.ts';

test('a countdown shows minutes and seconds until the time has passed', () => {
  const shown = [600_000, 599_001, 65_000, 9_000, 1, 0, -5].map((ms) =>
    formatCountdown(getSecondsLeft(1000 + ms, 1000)),
  );
  expect(shown).toEqual(['10:00', '10:00', '1:05', '0:09', '0:01', '0:00', '0:00']);
});
