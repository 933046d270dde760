import { describe, expect, test } from 'vitest';
import { checkPictureFile } from '../../../../src/islands/picture/picture-file.ts';

const MB = 1024 * 1024;

describe('Chosen pictures', () => {
  test.each([
    ['image/png', 3 * MB, null],
    ['image/jpeg', 64 * MB, null],
    ['image/jpeg', 64 * MB + 1, 'picture_unreadable'],
    ['image/gif', 2 * MB, null],
    ['image/gif', 2 * MB + 1, 'picture_gifLarge'],
    ['image/svg+xml', 1, 'picture_svg'],
    ['text/plain', 1, 'picture_type'],
  ])('a file of type %s with %i bytes is checked before it is opened: %s', (type, size, error) => {
    expect(checkPictureFile({ type, size })).toBe(error);
  });
});
