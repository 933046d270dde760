import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { carriedPortrait } from '../../src/features/cards/png-graft.ts';
import { decoded, textsOf } from '../support/cards.ts';
import { awake, expect, test } from './journey.ts';

test('the card that I take from a character’s page is its portrait, and holds the character', async ({
  page,
}) => {
  await page.goto('/en/discover');
  await page.getByRole('list', { name: 'Characters' }).getByRole('link').first().click();
  const name = await page.getByRole('heading', { level: 1 }).innerText();
  await awake(page);
  await page.getByText('Take the card with you').click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Picture (PNG)' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe(`${name}.png`);
  const card = new Uint8Array(await readFile(await download.path()));
  const texts = textsOf(card);
  expect(JSON.parse(decoded(texts['ccv3'] ?? ''))).toMatchObject({ spec: 'chara_card_v3', data: { name } });
  expect(JSON.parse(decoded(texts['chara'] ?? ''))).toMatchObject({ spec: 'chara_card_v2', data: { name } });
  const portrait = carriedPortrait(card);
  expect(portrait).not.toBeNull();
  // What is seen is the portrait: both drawn small, they are alike.
  const [seen, meant] = await Promise.all(
    [card, portrait ?? card].map((picture) =>
      sharp(picture).removeAlpha().toColourspace('srgb').resize(8, 8, { fit: 'fill' }).raw().toBuffer(),
    ),
  );
  const difference = seen?.map((value, at) => Math.abs(value - (meant?.[at] ?? 0)));
  expect(Math.max(...(difference ?? [255]))).toBeLessThan(16);
});
