import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decideSwipe,
  getSwipeDirection,
  getSwipeOffset,
  isInsideEdges,
  trackSwipe,
  type SwipePath,
} from '../../../../../src/islands/chat/gestures/swipe-rules.ts';

const track = (...paths: SwipePath[]) => paths.reduce(trackSwipe, 'undecided');
const RESTING = { hasPrevious: false, hasNext: false, canRegenerate: true, idle: true };

describe('Swipes on a reply', () => {
  test('a movement across is a swipe, and one along scrolls even if it turns across later', () => {
    expect(track({ dx: -9, dy: 4 })).toBe('undecided');
    expect(track({ dx: -9, dy: 4 }, { dx: -30, dy: 8 })).toBe('swiping');
    expect(track({ dx: -4, dy: 12 }, { dx: -90, dy: 20 })).toBe('ended');
    // In doubt it is a scroll.
    expect(track({ dx: 20, dy: 19 })).toBe('ended');
  });

  test('a swipe to the left leads to the next version and one to the right to the previous one', () => {
    expect(getSwipeDirection({ dx: -80, dy: 5 })).toBe('next');
    expect(getSwipeDirection({ dx: 80, dy: -5 })).toBe('previous');
  });

  test('a swipe that is short, taken back or became a scroll leads nowhere', () => {
    expect(getSwipeDirection({ dx: -63, dy: 0 })).toBeNull();
    expect(getSwipeDirection({ dx: 2, dy: 0 })).toBeNull();
    expect(getSwipeDirection({ dx: -80, dy: 200 })).toBeNull();
  });

  test('a swipe that starts at the edge of the window belongs to the device', () => {
    expect(isInsideEdges(23, 360)).toBe(false);
    expect(isInsideEdges(24, 360)).toBe(true);
    expect(isInsideEdges(337, 360)).toBe(false);
  });

  test('the text follows the finger in its direction, never further than the finger and never beyond 36 pixels', () => {
    fc.assert(
      fc.property(fc.integer({ min: -2000, max: 2000 }), (dx) => {
        const offset = getSwipeOffset(dx);
        expect(Math.abs(offset)).toBeLessThanOrEqual(Math.min(36, Math.abs(dx)));
        expect(Math.sign(offset)).toBe(Math.sign(dx));
      }),
    );
  });
});

describe('What a swipe does', () => {
  test('a swipe to the next version shows it, and after the last one requests a new version', () => {
    expect(decideSwipe('next', { ...RESTING, hasNext: true })).toBe('stepForward');
    expect(decideSwipe('next', RESTING)).toBe('regenerate');
    expect(decideSwipe('next', { ...RESTING, canRegenerate: false })).toBe('nothing');
  });

  test('a swipe to the previous version does nothing on the first one', () => {
    expect(decideSwipe('previous', { ...RESTING, hasPrevious: true })).toBe('stepBack');
    expect(decideSwipe('previous', RESTING)).toBe('nothing');
  });

  test('a swipe waits while a reply is written', () => {
    for (const direction of ['next', 'previous'] as const)
      expect(decideSwipe(direction, { ...RESTING, hasPrevious: true, hasNext: true, idle: false })).toBe(
        'wait',
      );
  });
});
