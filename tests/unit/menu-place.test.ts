import { expect, test } from 'vitest';
import { getMenuPosition } from '../../src/islands/chat/menu-position.ts';

const WINDOW = { width: 1280, height: 620 };
const LOW = { width: 320, height: 200 };
const HIGH = { width: 320, height: 500 };
const button = (top: number, left: number) => ({ top, bottom: top + 44, left, right: left + 44 });

test('a menu opens under its button, and over it where there is no room below', () => {
  expect(getMenuPosition(button(100, 400), LOW, WINDOW)).toEqual({ top: 148, left: 400 });
  expect(getMenuPosition(button(500, 400), LOW, WINDOW)).toEqual({ top: 296, left: 400 });
});

test('a menu that is too high for that opens at the side of its button, and covers it nowhere', () => {
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

test('a menu stays in the window where there is room nowhere, and stands at its lower edge beside nothing', () => {
  expect(getMenuPosition(button(200, 150), HIGH, { width: 360, height: 520 })).toEqual({ top: 12, left: 32 });
  expect(getMenuPosition(null, HIGH, WINDOW)).toEqual({ top: 112, left: 480 });
});
