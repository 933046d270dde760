import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { BODY_LIMITS } from '../../src/config/body-limits.ts';
import { extractPortrait } from '../../src/features/cards/png-embed.ts';
import { decodeCard, encodeCard, buildTextChunk, readPngTexts, V2 } from '../support/card-files.ts';
import { t } from '../support/texts.ts';
import { newForm } from './creator-setup.ts';
import { catalogue, expect, test } from './journey.ts';

test('the card downloaded from a character’s page is its portrait and contains the character', async ({
  page,
}) => {
  const [{ id, name } = { id: '', name: '' }] = await catalogue(page.request, 1);
  // Open the page with its scripts: without them, the link gives a plain picture with the portrait inside.
  await page.goto(`/en/character-info/${id}`);
  await page.getByText(t('character:card.title')).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: t('character:card.png') }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe(`${name}.png`);
  const card = new Uint8Array(await readFile(await download.path()));
  const texts = readPngTexts(card);
  expect(JSON.parse(decodeCard(texts['ccv3'] ?? ''))).toMatchObject({
    spec: 'chara_card_v3',
    data: { name },
  });
  expect(JSON.parse(decodeCard(texts['chara'] ?? ''))).toMatchObject({
    spec: 'chara_card_v2',
    data: { name },
  });
  const portrait = extractPortrait(card);
  expect(portrait).not.toBeNull();
  // The card looks like the portrait: scaled down, their pixels are close.
  const [cardPixels, portraitPixels] = await Promise.all(
    [card, portrait ?? card].map((picture) =>
      sharp(picture).removeAlpha().toColourspace('srgb').resize(8, 8, { fit: 'fill' }).raw().toBuffer(),
    ),
  );
  const difference = cardPixels?.map((value, at) => Math.abs(value - (portraitPixels?.[at] ?? 0)));
  expect(Math.max(...(difference ?? [255]))).toBeLessThan(16);
});

test('importing a card with too large a picture scales it down to the portrait size @all', async ({
  page,
}) => {
  // Noise does not compress.
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const drawn = await sharp({
    create: { width: 1200, height: 1800, channels: 3, background: 'white', noise },
  })
    .png()
    .toBuffer();
  const end = drawn.length - 12;
  const buffer = Buffer.concat([
    drawn.subarray(0, end),
    buildTextChunk('chara', encodeCard(V2)),
    drawn.subarray(end),
  ]);
  expect(buffer.length).toBeGreaterThan(BODY_LIMITS.avatar);

  const { form } = await newForm(page);
  await page
    .getByLabel(t('create:importChooseCard'))
    .first()
    .setInputFiles({ name: 'mira.png', mimeType: 'image/png', buffer });
  await expect(form.getByRole('textbox', { name: t('create:nameLabel'), exact: true })).toHaveValue('Mira');
  const portrait = form.getByRole('img', { name: t('create:avatarPreview') });
  await expect(portrait).toBeVisible();
  await expect(form.getByText(t('create:importNote_picture_too_large'))).toHaveCount(0);
  // The whole picture, at the portrait's size.
  await expect
    .poll(() => portrait.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]))
    .toEqual([768, 1152]);
  const sent = await page.request.get((await portrait.getAttribute('src')) ?? '');
  expect((await sent.body()).length).toBeLessThan(BODY_LIMITS.avatar);
});
