import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffRatings } from '../../../../../src/features/conversation/messages/rating-changes.ts';

test('a rating, its change and its removal change the totals by the difference', () => {
  expect(diffRatings(null, 'up')).toEqual({ liked: 1, disliked: 0 });
  expect(diffRatings('up', 'down')).toEqual({ liked: -1, disliked: 1 });
  expect(diffRatings('down', null)).toEqual({ liked: 0, disliked: -1 });
});

test('however often a rating changes, the totals have its last state', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(null, 'up' as const, 'down' as const)), (ratings) => {
      const changes = ratings.map((rating, index) => diffRatings(ratings[index - 1] ?? null, rating));
      const last = ratings.at(-1) ?? null;
      expect(changes.reduce((sum, { liked }) => sum + liked, 0)).toBe(Number(last === 'up'));
      expect(changes.reduce((sum, { disliked }) => sum + disliked, 0)).toBe(Number(last === 'down'));
    }),
  );
});
