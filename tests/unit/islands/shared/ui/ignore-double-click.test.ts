import { expect, test } from 'vitest';
import {
  isRepeatedPress,
  recordOpeningPress,
  type Press,
} from '../../../../../src/islands/shared/ui/ignore-double-click.ts';

const press = (timeStamp: number, part: Partial<Press> = {}): Press => ({
  detail: 1,
  clientX: 100,
  clientY: 200,
  timeStamp,
  ...part,
});

test('the second press of a double click is ignored by the element that the first one opened', () => {
  recordOpeningPress(press(1000));
  expect(isRepeatedPress(press(1900, { detail: 2 }))).toBe(true);
});

test('a double tap is ignored like a double click, even if its taps are counted separately', () => {
  recordOpeningPress(press(1000));
  expect(isRepeatedPress(press(1300, { clientX: 112, clientY: 190 }))).toBe(true);
  expect(isRepeatedPress(press(1600))).toBe(true);
  expect(isRepeatedPress(press(2200))).toBe(false);
});

test('a quick press elsewhere and a key press are not ignored', () => {
  recordOpeningPress(press(1000));
  expect(isRepeatedPress(press(1080, { clientY: 260 }))).toBe(false);
  expect(isRepeatedPress(press(1080, { detail: 0 }))).toBe(false);
  // Opened by a key, which has no position.
  recordOpeningPress(press(1000, { detail: 0 }));
  expect(isRepeatedPress(press(1080))).toBe(false);
});
