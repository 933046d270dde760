import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { parseListPicture } from '../../../../src/features/picture/list-picture.ts';
import { getListPictureUrl } from '../../../../src/features/character/portrait.ts';

const draw = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#804020' } });
const toBase64 = (bytes: Buffer) => bytes.toString('base64');

describe('Pictures at list size', () => {
  test.each([
    ['of half the size', 384, 512, true],
    ['whose sides are rounded', 383, 512, true],
    ['that is wider than lists', 481, 641, false],
    ['of other proportions', 384, 384, false],
  ])('a picture %s', async (_, width, height, isTaken) => {
    const whole = await draw(768, 1024).png().toBuffer();
    const small = await draw(width, height).webp().toBuffer();
    expect(parseListPicture(toBase64(small), whole) !== null).toBe(isTaken);
  });

  test('a moving picture is refused', async () => {
    const whole = await draw(10, 10).png().toBuffer();
    const frames = await sharp(
      await Promise.all(
        ['#111', '#eee'].map((background) =>
          sharp({ create: { width: 10, height: 10, channels: 3, background } })
            .png()
            .toBuffer(),
        ),
      ),
      { join: { animated: true } },
    )
      .webp({ loop: 0, delay: [50, 50] })
      .toBuffer();
    expect(parseListPicture(toBase64(frames), whole)).toBeNull();
    expect(parseListPicture(toBase64(await draw(10, 10).webp().toBuffer()), whole)).not.toBeNull();
  });

  test('only pictures have an address for lists', () => {
    const key = `${'a'.repeat(32)}.webp`;
    expect(getListPictureUrl(`/media/${key}`)).toBe(`/media/list/${key}`);
    expect(getListPictureUrl('/icons/nobody.svg')).toBe('/icons/nobody.svg');
    expect(getListPictureUrl(`/media/list/${key}`)).toBe(`/media/list/${key}`);
  });
});
