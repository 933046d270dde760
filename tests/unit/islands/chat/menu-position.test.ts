import { expect, test } from 'vitest';
import { getMenuPosition } from '../../../../src/islands/chat/menu-position.ts';

const WINDOW = { width: 1280, height: 620 };
const LOW = { width: 320, height: 200 };
const HIGH = { width: 320, height: 500 };
const button = (top: number, left: number) => ({ top, bottom: top + 44, left, right: left + 44 });

test('a menu opens below its button, or above it when there is no room below', () => {
  expect(getMenuPosition(button(100, 400), LOW, WINDOW)).toEqual({ top: 148, left: 400 });
  expect(getMenuPosition(button(500, 400), LOW, WINDOW)).toEqual({ top: 296, left: 400 });
});

test('a menu too high for both opens at the side of its button and never covers it', () => {
  for (const top of [60, 300, 560])
    for (const left of [8, 400, 1228]) {
      const place = getMenuPosition(button(top, left), HIGH, WINDOW);
      const covers =
        place.left < left + 44 &&
        place.left + HIGH.width > left &&
        place.top < top + 44 &&
        place.top + HIGH.height > top;
      expect(covers).toBe(false);
      expect(place.left).toBeGreaterThanOrEqual(8);
      expect(place.left + HIGH.width).toBeLessThanOrEqual(1272);
      expect(place.top).toBeGreaterThanOrEqual(8);
      expect(place.top + HIGH.height).toBeLessThanOrEqual(612);
    }
});

test('a menu with room nowhere stays in the window, and one without a button opens at the lower edge', () => {
  expect(getMenuPosition(button(200, 150), HIGH, { width: 360, height: 520 })).toEqual({ top: 12, left: 32 });
  expect(getMenuPosition(null, HIGH, WINDOW)).toEqual({ top: 112, left: 480 });
});
