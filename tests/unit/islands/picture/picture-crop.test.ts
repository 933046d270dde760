import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  AVATAR_FRAME,
  CENTERED_CROP,
  dragCrop,
  MAX_ZOOM,
  PORTRAIT_FRAME,
  getOutputSize,
  getVisibleRect,
} from '../../../../src/islands/picture/picture-crop.ts';

describe('Picture crop', () => {
  const side = fc.integer({ min: 1, max: 12_000 });
  const part = fc.double({ min: 0, max: 1, noNaN: true });
  const crop = fc.record({ zoom: fc.double({ min: 1, max: MAX_ZOOM, noNaN: true }), x: part, y: part });
  const move = fc.double({ min: -5, max: 5, noNaN: true });
  const frame = fc.constantFrom(AVATAR_FRAME, PORTRAIT_FRAME);

  test("the visible part lies within the picture in the frame's proportions, however it is zoomed and dragged", () => {
    fc.assert(
      fc.property(side, side, frame, crop, move, move, (width, height, frame, before, x, y) => {
        const size = { width, height };
        const rect = getVisibleRect(size, dragCrop(size, before, frame, { x, y }), frame);
        expect(rect.width / rect.height).toBeCloseTo(frame.width / frame.height);
        expect(Math.min(rect.width, rect.height)).toBeGreaterThan(0);
        expect(Math.min(rect.left, rect.top)).toBeGreaterThanOrEqual(-0.01);
        expect(rect.left + rect.width).toBeLessThanOrEqual(width + 0.01);
        expect(rect.top + rect.height).toBeLessThanOrEqual(height + 0.01);
        const output = getOutputSize(size, before, frame);
        expect(Math.min(output.width, output.height)).toBeGreaterThanOrEqual(1);
        expect(output.width).toBeLessThanOrEqual(frame.width);
        expect(output.height).toBeLessThanOrEqual(frame.height);
      }),
    );
  });

  test('dragging to the right shows more of the left side', () => {
    const size = { width: 200, height: 100 };
    expect(dragCrop(size, CENTERED_CROP, AVATAR_FRAME, { x: 0.25, y: 0.25 })).toEqual({
      zoom: 1,
      x: 0.25,
      y: 0.5,
    });
    expect(
      getVisibleRect(size, dragCrop(size, CENTERED_CROP, AVATAR_FRAME, { x: 2, y: 0 }), AVATAR_FRAME).left,
    ).toBe(0);
  });

  test('a portrait is cropped to three by four and never enlarged', () => {
    expect(getVisibleRect({ width: 400, height: 400 }, CENTERED_CROP, PORTRAIT_FRAME)).toEqual({
      width: 300,
      height: 400,
      left: 50,
      top: 0,
    });
    expect(getOutputSize({ width: 400, height: 400 }, CENTERED_CROP, PORTRAIT_FRAME)).toEqual({
      width: 300,
      height: 400,
    });
    expect(getOutputSize({ width: 4000, height: 4000 }, CENTERED_CROP, PORTRAIT_FRAME)).toEqual(
      PORTRAIT_FRAME,
    );
  });
});
